// SPDX-License-Identifier: Apache-2.0
//
// Requirements that a module uses but does not declare. A row is the text of a module and the missing declarations.
#include "vireo/spirv/build/requirements.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "vireo/spirv/grammar/grammar_tools.h"
#include "vireo/spirv/text/assemble.h"

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
    // Geometry implies Shader, so one declaration covers both.
    {"OpMemoryModel Logical GLSL450\nOpEntryPoint Geometry %1 \"main\"", "Geometry"},
    {"OpCapability Geometry\nOpMemoryModel Logical GLSL450", ""},
    {"OpMemoryModel Physical64 OpenCL\nOpEntryPoint Kernel %1 \"main\"", "Addresses Kernel"},
    // A matrix needs Matrix, which Shader implies; Matrix alone is the smaller choice.
    {"%1 = OpTypeFloat 32\n%2 = OpTypeVector %1 4\n%3 = OpTypeMatrix %2 4", "Matrix"},
    {"OpMemoryModel Logical GLSL450\n%1 = OpTypeFloat 32\n%2 = OpTypeVector %1 4\n%3 = OpTypeMatrix %2 4", "Shader"},
    // Widths, which only the text of the specification defines, not the grammar.
    {"%1 = OpTypeInt 64 0\n%2 = OpTypeInt 8 1\n%3 = OpTypeFloat 16", "Float16 Int64 Int8"},
    {"%1 = OpTypeFloat 32\n%2 = OpTypeVector %1 16", "Vector16"},
    // An extension, if the version does not include the feature.
    {"OpCapability Shader\nOpDecorate %1 NonUniform", "ShaderNonUniform"},
    {"OpCapability Shader\nOpDecorate %1 NonUniform", "ShaderNonUniform SPV_EXT_descriptor_indexing", {1, 3}},
    {"OpCapability Shader\nOpCapability ShaderNonUniform\nOpExtension \"SPV_EXT_descriptor_indexing\"", "", {1, 3}},
    // Each bit of a mask counts separately.
    {"OpCapability Shader\n%1 = OpTypeInt 32 0\n%2 = OpConstant %1 1\n%3 = OpUndef %1\n"
     "%4 = OpLoad %1 %3 Volatile|MakePointerVisible|NonPrivatePointer %2", "VulkanMemoryModel"},

    // A shader stays a shader and a kernel a kernel, if another alternative exists.
    {"OpEntryPoint GLCompute %1 \"main\"\nOpDecorate %2 BuiltIn SubgroupSize", "Shader GroupNonUniform", {1, 5}},
    {"OpEntryPoint Kernel %1 \"main\"\nOpDecorate %2 BuiltIn SubgroupSize", "Kernel", {1, 5}},
    {"OpCapability Shader\nOpDecorate %1 FPFastMathMode Fast", "FloatControls2 SPV_KHR_float_controls2"},
    {"OpCapability Shader\n%1 = OpTypePointer Function %2\n%3 = OpPtrAccessChain %1 %4 %5",
     "VariablePointersStorageBuffer"},
    {"OpCapability Addresses\n%1 = OpTypePointer Function %2\n%3 = OpPtrAccessChain %1 %4 %5", ""},
    {"OpCapability Kernel\n%1 = OpTypePointer Function %2\n%3 = OpPtrAccessChain %1 %4 %5", "Addresses"},
    {"OpCapability Shader\nOpCapability Kernel\nOpDecorate %2 BuiltIn SubgroupSize", "", {1, 5}},
    {"OpCapability Shader\nOpDecorate %1 BuiltIn EnqueuedWorkgroupSize", "Kernel"},
    // Alternatives outside the version are chosen last, and those with a further extension late.
    {"OpEntryPoint Vertex %1 \"main\"\nOpDecorate %2 BuiltIn Layer", "Geometry", {1, 0}},
    {"OpEntryPoint GLCompute %1 \"main\"\nOpDecorate %2 BuiltIn SubgroupSize",
     "Shader SubgroupBallotKHR SPV_KHR_shader_ballot", {1, 0}},
    {"OpCapability Shader\nOpDecorate %2 BuiltIn NumSubgroups", "Kernel", {1, 0}},
    {"OpCapability Shader\nOpDecorate %2 BuiltIn NumSubgroups", "GroupNonUniform", {1, 3}},

    // If an extension is needed anyway, it is also chosen where other extensions are alternatives.
    {"OpCapability Shader\n%1 = OpTypeAccelerationStructureKHR\n%2 = OpTypeRayQueryKHR", "RayQueryKHR SPV_KHR_ray_query",
     {1, 4}},
    {"OpCapability Shader\n%2 = OpTypeRayQueryKHR\n%1 = OpTypeAccelerationStructureKHR", "RayQueryKHR SPV_KHR_ray_query",
     {1, 4}},
    {"OpCapability Shader\nOpEntryPoint MeshEXT %1 \"main\"\nOpExecutionMode %1 OutputVertices 3\n"
     "OpExecutionMode %1 OutputTrianglesEXT", "MeshShadingEXT SPV_EXT_mesh_shader", {1, 4}},
    {"OpCapability Shader\nOpCapability RayTracingNV\nOpExtension \"SPV_NV_ray_tracing\"\n"
     "%1 = OpTypeAccelerationStructureKHR", "", {1, 4}},
    // Of several alternatives the KHR extension is chosen, then one of several vendors (EXT).
    {"OpCapability ComputeDerivativeGroupQuadsKHR", "SPV_KHR_compute_shader_derivatives"},
    {"OpCapability FragmentDensityEXT", "SPV_EXT_fragment_invocation_density"},
    // Non-semantic sets, recognized by their names, which only the text of their extension defines.
    {"%1 = OpExtInstImport \"NonSemantic.DebugPrintf\"\n%2 = OpExtInstImport \"NonSemantic.Unheard.Of\"",
     "SPV_KHR_non_semantic_info", {1, 5}},
    {"OpExtension \"SPV_KHR_non_semantic_info\"\n%1 = OpExtInstImport \"NonSemantic.DebugPrintf\"", "", {1, 5}},
    {"%1 = OpExtInstImport \"NonSemantic.DebugPrintf\"", ""},
    {"%1 = OpExtInstImport \"GLSL.std.450\"", "", {1, 0}},
};
// clang-format on

TEST(Requirements, of_small_modules_are_found) {
  for (const Row& row : rows) EXPECT_EQ(missing(row.text, row.version), row.missing) << row.text;
}

// For every enumerant with capabilities in the grammar: the suggestion enables it and is one declaration.
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
    // BuiltIn itself requires only Shader or Kernel in addition to what its enumerants imply.
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

/// Checks modules that use one enumerant of a kind, in each version: no other alternative is better than the chosen
/// one, by version and kind of module. Returns the number of choices.
std::size_t check_choices(const char* kind_name, Op opcode, std::vector<Word> operands) {
  const Grammar& grammar = builtin_grammar();
  const auto row_of = [&](Capability capability) {
    const EnumerantRow* row = grammar.find_value(grammar.capability_kind, static_cast<Word>(capability));
    return static_cast<std::uint16_t>(row - grammar.enumerants.data());
  };
  const auto brings = [&](std::uint16_t row, Capability capability) {
    const std::vector<std::uint16_t> implied = implied_capabilities(grammar, row);
    return row == row_of(capability) || std::ranges::binary_search(implied, row_of(capability));
  };
  std::size_t choices = 0;
  for (const EnumerantRow& used : grammar.enumerants_of(grammar.kind(grammar.find_kind(kind_name)))) {
    for (const Capability kind : {Capability::Shader, Capability::Kernel, Capability::Addresses}) {
      for (std::uint8_t minor = 0; minor <= 6; ++minor) {
        const Version version{1, minor};
        std::vector<Word> words = {
            magic_number,           version.to_word(), 0, 9, 0, 2u << 16 | static_cast<Word>(Op::OpCapability),
            static_cast<Word>(kind)};
        words.push_back(static_cast<Word>(operands.size() + 1) << 16 | static_cast<Word>(opcode));
        for (const Word operand : operands) words.push_back(operand == ~Word{0} ? used.value : operand);
        const auto badness = [&](std::uint16_t row) {
          const EnumerantRow& capability = grammar.enumerants[row];
          const bool has_it = !capability.since.is_none() && capability.since <= version;
          const bool mixes = kind == Capability::Shader
                                 ? brings(row, Capability::Kernel) || brings(row, Capability::Addresses)
                                 : brings(row, Capability::Shader);
          return 2 * int{!has_it && capability.extensions.count == 0} + int{mixes};
        };
        const auto alternatives = grammar.capabilities(used.capabilities);
        for (const Capability chosen : missing_requirements(words).capabilities) {
          if (std::ranges::find(alternatives, row_of(chosen)) == alternatives.end()) continue;
          ++choices;
          for (const std::uint16_t other : alternatives) {
            EXPECT_LE(badness(row_of(chosen)), badness(other))
                << kind_name << ' ' << grammar.text(used.name) << " in 1." << int{minor} << ", beside capability "
                << static_cast<Word>(kind) << ": chosen " << grammar.text(grammar.enumerants[row_of(chosen)].name)
                << ", not " << grammar.text(grammar.enumerants[other].name);
          }
        }
      }
    }
  }
  return choices;
}

TEST(Requirements, no_alternative_is_better) {
  EXPECT_GT(check_choices("BuiltIn", Op::OpDecorate, {1, static_cast<Word>(Decoration::BuiltIn), ~Word{0}}), 1000u);
  EXPECT_GT(check_choices("StorageClass", Op::OpTypePointer, {1, ~Word{0}, 2}), 200u);
  EXPECT_GT(check_choices("ExecutionModel", Op::OpEntryPoint, {~Word{0}, 1, 0}), 200u);
}

TEST(Requirements, of_invalid_modules_are_empty) {
  const Requirements nothing = missing_requirements({});
  EXPECT_TRUE(nothing.capabilities.empty() && nothing.extensions.empty());
  const Word broken[] = {magic_number, 0x10600, 0, 5, 0, 0xFFFFFFFF, 0x0002FFFF, 0};
  EXPECT_TRUE(missing_requirements(broken).capabilities.empty());
}

}  // namespace
}  // namespace vireo::spirv
