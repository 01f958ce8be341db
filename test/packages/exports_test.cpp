// SPDX-License-Identifier: Apache-2.0
//
// Exports, dependencies, sizes and names of the shared libraries. Their C names are exactly those of the recorded
// lists.
//
// A missing name breaks existing programs: never remove one from the list before the library's SONAME changes. A new
// name is a decision: `./dev bless exports` adds it.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include "outside.h"
#include "packages/library.h"

namespace vireo::packages {
namespace {

struct ExportRow {
  const char* name;     // in the name of the test
  const char* soname;   // of the library
  const char* file;     // the library
  const char* list;     // with its C names
  std::string_view of;  // the namespace of its C++ names
};
constexpr ExportRow export_lists[] = {
    {"core", "libvireo.so.0", VIREO_LIBRARY, "exports.txt", "vireo::"},
    {"isa", "libvireo-isa.so.0", VIREO_ISA_LIBRARY, "exports_isa.txt", "vireo::isa::"},
};

std::set<std::string> lines_of(std::istream& text) {
  std::set<std::string> lines;
  for (std::string line; std::getline(text, line);) {
    if (!line.starts_with("#") && !line.empty()) lines.insert(line);
  }
  return lines;
}

/// The exported names with versions, `vireo_parse@@VIREO_0.1`; C++ names are demangled.
std::set<std::string> exported(const ExportRow& row) {
  std::istringstream text(
      run("nm -D --defined-only --with-symbol-versions -C " + std::string(row.file) + " | cut -d' ' -f3-").text);
  return lines_of(text);
}

class Exports : public testing::TestWithParam<ExportRow> {
 protected:
  void SetUp() override {
    if (!is_shared) GTEST_SKIP() << "this build makes archives only: ./dev test builds both kinds";
    if (!is_installed("nm")) GTEST_SKIP() << "no nm";
  }
};

TEST_P(Exports, names_of_c_match_the_recorded_list) {
  const std::filesystem::path recorded = outside::source_folder() / "test/packages" / GetParam().list;
  std::set<std::string> names;
  for (const std::string& name : exported(GetParam())) {
    if (name.starts_with("vireo_")) names.insert(name);
  }
  if (std::getenv("VIREO_BLESS") != nullptr) {
    std::ofstream file(recorded);
    file << "# What " << GetParam().soname << " exports for C. exports_test.cpp explains this list.\n";
    for (const std::string& name : names) file << name << '\n';
  }
  std::ifstream file(recorded);
  EXPECT_EQ(names, lines_of(file));
}

TEST_P(Exports, other_symbols_are_ours_with_the_exact_version) {
  std::size_t of_cpp = 0;
  for (const std::string& name : exported(GetParam())) {
    if (name.starts_with("vireo_") || name.starts_with("VIREO_")) continue;
    ++of_cpp;
    EXPECT_TRUE(name.ends_with("@@VIREO_CXX_" VIREO_PROJECT_VERSION)) << name;
    const std::string of(GetParam().of);
    EXPECT_TRUE(name.starts_with(of) || name.find(" for " + of) != std::string::npos) << name;
  }
  EXPECT_GT(of_cpp, 50u);  // assemble() and the other functions are exported
}

TEST_P(Exports, depends_only_on_the_cpp_runtime) {
  std::istringstream text(
      run("objdump -p " + std::string(GetParam().file) + " | awk '$1 == \"NEEDED\" || $1 == \"SONAME\" { print $2 }'")
          .text);
  const std::set<std::string> allowed = {"libvireo.so.0",        "libstdc++.so.6", "libm.so.6",
                                         "libgcc_s.so.1",        "libc.so.6",      "ld-linux-x86-64.so.2",
                                         "ld-linux-aarch64.so.1"};
  const std::set<std::string> names = lines_of(text);
  EXPECT_TRUE(names.contains(GetParam().soname));
  for (const std::string& name : names) { EXPECT_TRUE(allowed.contains(name) || name == GetParam().soname) << name; }
}

// A goal of the project, for programs that ship the library.
TEST_P(Exports, is_small_when_stripped) {
#ifndef NDEBUG
  GTEST_SKIP() << "this build is not optimised";
#endif
  constexpr std::uintmax_t limit = 6'500'000;  // 1 MB are rules, with examples; 0.4 MB executes shaders
  const std::filesystem::path stripped =
      std::filesystem::path(testing::TempDir()) / (GetParam().name + std::string("_stripped.so"));
  const auto result = run("strip --strip-unneeded -o " + stripped.string() + " " + GetParam().file);
  ASSERT_EQ(result.status, 0) << result.text;
  EXPECT_LT(std::filesystem::file_size(stripped), limit);
  std::filesystem::remove(stripped);
}

std::string name_of_library(const testing::TestParamInfo<ExportRow>& row) { return row.param.name; }
INSTANTIATE_TEST_SUITE_P(Libraries, Exports, testing::ValuesIn(export_lists), name_of_library);

}  // namespace
}  // namespace vireo::packages
