// SPDX-License-Identifier: Apache-2.0
//
// The headers that 'vireo reflect' generates from the real modules compile, and the compiler confirms their layouts.
//
// The one idea: each header has a scope of its own, so one call of the compiler reads many headers.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "command.h"
#include "system/real_modules.h"
#include "vireo/spirv/facts.h"
#include "vireo/spirv/inspect/reflection_text.h"

namespace vireo::system_test {
namespace {

using namespace spirv;

std::string header_of(Words words, std::string_view file, HeaderLanguage language, std::string_view scope) {
  const Module module = Module::read(words);
  const Facts facts(module);
  const Reflection reflection(facts);
  StringSink sink;
  write_reflection_header(reflection, file, {.language = language, .scope = scope}, sink);
  return std::string(sink.text());
}

struct Compiler {
  HeaderLanguage language;
  const char* program;
  const char* flags;
  const char* extension;
};
constexpr Compiler compilers[] = {
    {HeaderLanguage::C, "cc", "-std=c11", ".c"},
    {HeaderLanguage::Cpp, "c++", "-std=c++17", ".cpp"},
};

/// The output of a compiler that reads a text; empty if it accepts the text without a warning.
std::string fault_of(const Compiler& compiler, const std::string& text) {
  std::string folder = (std::filesystem::temp_directory_path() / "vireo-headers-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) return "no temporary folder";
  const std::string file = folder + "/headers" + compiler.extension;
  std::ofstream(file) << text;
  const Said said = vireo::run(std::string(compiler.program) + ' ' + compiler.flags +
                               " -fsyntax-only -Wall -Wextra -Wpedantic -Werror -fmax-errors=5 " + file);
  std::error_code error;
  std::filesystem::remove_all(folder, error);
  return said.status == 0 ? std::string() : said.text.empty() ? "the compiler failed" : said.text;
}

class ReflectionHeaders : public testing::TestWithParam<Compiler> {};

TEST_P(ReflectionHeaders, of_real_modules_compile) {
  const Compiler& compiler = GetParam();
  if (!is_installed(compiler.program)) GTEST_SKIP() << "no " << compiler.program;
  with_real_modules([&](const UnpackedArchive& unpacked) {
    const std::vector<std::string> modules = unpacked.modules();
    ASSERT_GE(modules.size(), 2370u);
    constexpr std::size_t batch = 300;
    std::atomic<std::size_t> checks = 0;
    const std::vector<std::string> failures = failures_of((modules.size() + batch - 1) / batch, [&](std::size_t b) {
      std::string text = "int not_empty;\n";  // C forbids empty files, such as headers of kernels
      for (std::size_t i = b * batch; i < std::min(modules.size(), (b + 1) * batch); ++i) {
        const WordBuffer words = words_of_bytes(bytes_of_file(unpacked.path_of(modules[i])));
        text += header_of(words, modules[i], compiler.language, "m" + std::to_string(i));
      }
      for (std::size_t at = 0; (at = text.find("tatic_assert(", at)) != std::string::npos; ++at) ++checks;
      return fault_of(compiler, text);
    });
    for (const std::string& failure : failures) ADD_FAILURE() << failure;
    EXPECT_GE(checks, 7000u);  // so that the compiler has layouts to confirm
  });
}

std::string name_of_compiler(const testing::TestParamInfo<Compiler>& row) {
  return row.param.language == HeaderLanguage::C ? "C" : "Cpp";
}
INSTANTIATE_TEST_SUITE_P(System, ReflectionHeaders, testing::ValuesIn(compilers), name_of_compiler);

}  // namespace
}  // namespace vireo::system_test
