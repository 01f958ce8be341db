// SPDX-License-Identifier: Apache-2.0
//
// What modules need and do not declare. A row is a module in text and the declarations that it lacks, as text.
#include "vireo/spirv/requirements.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "vireo/spirv/assemble.h"
#include "vireo/spirv/grammar_tools.h"

namespace vireo::spirv {
namespace {

/// "Shader Int64 SPV_KHR_x": capabilities, then extensions.
std::string missing(std::string_view text, Version version = {1, 6}) {
  Diagnostics diagnostics;
  Result<WordBuffer> words = assemble({"case", text}, {}, diagnostics);
  if (!words) return "does not assemble: " + diagnostics.all().front().message;
  (*words)[1] = version.to_word();
  const Requirements requirements = missing_requirements(*words);
  const Grammar& grammar = builtin_grammar();
  std::string out;
  for (const Capability capability : requirements.capabilities) {
    const EnumerantRow* row = grammar.find_value(grammar.capability_kind, static_cast<Word>(capability));
    out.append(out.empty() ? "" : " ").append(grammar.text(row->name));
  }
  for (const std::string_view extension : requirements.extensions) out.append(out.empty() ? "" : " ").append(extension);
  return out;
}

struct Row {
  std::string_view text;
  std::string_view missing;
  Version version = {1, 6};
};

// clang-format off
const Row rows[] = {
    {"", ""},
    {"OpMemoryModel Logical GLSL450", "Shader"},
    {"OpCapability Shader\nOpMemoryModel Logical GLSL450", ""},
    // Geometry implies Shader: one declaration says both.
    {"OpMemoryModel Logical GLSL450\nOpEntryPoint Geometry %1 \"main\"", "Geometry"},
    {"OpCapability Geometry\nOpMemoryModel Logical GLSL450", ""},
    {"OpMemoryModel Physical64 OpenCL\nOpEntryPoint Kernel %1 \"main\"", "Addresses Kernel"},
    // A matrix needs Matrix, which Shader implies; alone, Matrix is less.
    {"%1 = OpTypeFloat 32\n%2 = OpTypeVector %1 4\n%3 = OpTypeMatrix %2 4", "Matrix"},
    {"OpMemoryModel Logical GLSL450\n%1 = OpTypeFloat 32\n%2 = OpTypeVector %1 4\n%3 = OpTypeMatrix %2 4", "Shader"},
    // Widths, which the grammar leaves to the prose.
    {"%1 = OpTypeInt 64 0\n%2 = OpTypeInt 8 1\n%3 = OpTypeFloat 16", "Float16 Int64 Int8"},
    {"%1 = OpTypeFloat 32\n%2 = OpTypeVector %1 16", "Vector16"},
    // An extension where the version does not bring it.
    {"OpCapability Shader\nOpDecorate %1 NonUniform", "ShaderNonUniform"},
    {"OpCapability Shader\nOpDecorate %1 NonUniform", "ShaderNonUniform SPV_EXT_descriptor_indexing", {1, 3}},
    {"OpCapability Shader\nOpCapability ShaderNonUniform\nOpExtension \"SPV_EXT_descriptor_indexing\"", "", {1, 3}},
    // Bits of a mask count one by one.
    {"OpCapability Shader\n%1 = OpTypeInt 32 0\n%2 = OpConstant %1 1\n%3 = OpUndef %1\n"
     "%4 = OpLoad %1 %3 Volatile|MakePointerVisible|NonPrivatePointer %2", "VulkanMemoryModel"},
};
// clang-format on

TEST(Requirements, of_small_modules) {
  for (const Row& row : rows) EXPECT_EQ(missing(row.text, row.version), row.missing) << row.text;
}

// For every enumerant of the grammar that asks for capabilities: what is chosen enables it, and is one declaration.
TEST(Requirements, one_capability_is_enough_for_one_enumerant) {
  const Grammar& grammar = builtin_grammar();
  std::size_t asked = 0;
  for (const EnumerantRow& row : grammar.enumerants_of(grammar.kind(grammar.find_kind("BuiltIn")))) {
    if (row.capabilities.count == 0) continue;
    // OpDecorate %1 BuiltIn row
    const Word words[] = {magic_number,
                          0x10600,
                          0,
                          2,
                          0,
                          4u << 16 | static_cast<Word>(Op::OpDecorate),
                          1,
                          static_cast<Word>(Decoration::BuiltIn),
                          row.value};
    const Requirements found = missing_requirements(words);
    // BuiltIn itself wants nothing that its enumerants do not imply but Shader or Kernel.
    ASSERT_FALSE(found.capabilities.empty()) << grammar.text(row.name);
    const bool enables = std::ranges::any_of(found.capabilities, [&](Capability capability) {
      const EnumerantRow* chosen = grammar.find_value(grammar.capability_kind, static_cast<Word>(capability));
      const auto index = static_cast<std::uint16_t>(chosen - grammar.enumerants.data());
      const std::vector<std::uint16_t> implied = implied_capabilities(grammar, index);
      return std::ranges::any_of(grammar.capabilities(row.capabilities), [&](std::uint16_t wanted) {
        return wanted == index || std::ranges::binary_search(implied, wanted);
      });
    });
    EXPECT_TRUE(enables) << grammar.text(row.name);
    ++asked;
  }
  EXPECT_GT(asked, 100u);
}

TEST(Requirements, of_anything_that_is_no_module) {
  const Requirements nothing = missing_requirements({});
  EXPECT_TRUE(nothing.capabilities.empty() && nothing.extensions.empty());
  const Word broken[] = {magic_number, 0x10600, 0, 5, 0, 0xFFFFFFFF, 0x0002FFFF, 0};
  EXPECT_TRUE(missing_requirements(broken).capabilities.empty());
}

}  // namespace
}  // namespace vireo::spirv
