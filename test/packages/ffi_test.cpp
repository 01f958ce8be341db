// SPDX-License-Identifier: Apache-2.0
//
// The examples in other languages that call the C interface: all print the same result for one shader, and the same
// result for a text with a fault.
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "outside.h"
#include "packages/library.h"

namespace vireo::packages {
namespace {

struct ForeignRow {
  const char* interpreter;
  const char* script;
};
constexpr ForeignRow foreign_languages[] = {{"python3", "entry_points.py"}, {"luajit", "entry_points.lua"}};

class Ffi : public testing::TestWithParam<ForeignRow> {
 protected:
  void SetUp() override {
    if (!is_shared) GTEST_SKIP() << "this build makes archives only: ./dev test builds both kinds";
    if (!is_installed(GetParam().interpreter)) GTEST_SKIP() << "no " << GetParam().interpreter;
  }
  static Said say(const std::filesystem::path& text) {
    const std::filesystem::path script = outside::source_folder() / "examples/ffi" / GetParam().script;
    return run(std::string(GetParam().interpreter) + " " + script.string() + " " VIREO_LIBRARY " " + text.string());
  }
};

TEST_P(Ffi, lists_entry_points) {
  const Said said = say(outside::source_folder() / "data/spirv/mandelbrot.comp.spvasm");
  EXPECT_EQ(said.status, 0);
  EXPECT_EQ(said.text,
            "GLCompute main: 3 variables\n"
            "  gl_GlobalInvocationID\n"
            "  image DescriptorSet 0 Binding 0\n"
            "  view\n"
            "125 instructions, 9 of them OpName\n");
}

TEST_P(Ffi, shows_diagnostics) {
  const std::filesystem::path text = std::filesystem::path(testing::TempDir()) / "vireo_ffi_fault.spvasm";
  std::ofstream(text) << "OpCapability Shader\nOpMemoryModel Logical GLSL540\n";
  const Said said = say(text);
  std::filesystem::remove(text);
  EXPECT_NE(said.status, 0);
  EXPECT_EQ(said.text, "2:23: unknown MemoryModel 'GLSL540' [bad-enumerant]\n");
}

std::string name_of_language(const testing::TestParamInfo<ForeignRow>& row) { return row.param.interpreter; }
INSTANTIATE_TEST_SUITE_P(Languages, Ffi, testing::ValuesIn(foreign_languages), name_of_language);

}  // namespace
}  // namespace vireo::packages
