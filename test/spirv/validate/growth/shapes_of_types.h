// SPDX-License-Identifier: Apache-2.0
//
// Shapes in which many instructions depend on one large type: its variables, its copies, and values built from it.
//
// With n members and n users a check that traverses the type for each user takes n² steps. Such a check
// counts its steps and stops at the work budget.
//
// Shapes that shapes.h does not list are invalid, or valid only with an option: growth_test.cpp.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "spirv/validate/growth/shape_texts.h"

namespace vireo::spirv::test::shapes {

/// "%name = OpTypeStruct" with many members of one type.
inline std::string structure(std::string_view name, std::size_t count, std::string_view member) {
  std::string text = "%" + std::string(name) + " = OpTypeStruct";
  for (std::size_t i = 0; i < count; ++i) text.append(" ").append(member);
  return text + "\n";
}

/// Many variables of a structure of many physical addresses, none of which is a logical pointer.
inline std::string variables_of_addresses(std::size_t count) {
  std::string text =
      "OpCapability Shader\nOpCapability Linkage\nOpCapability PhysicalStorageBufferAddresses\n"
      "OpMemoryModel PhysicalStorageBuffer64 GLSL450\n%u32 = OpTypeInt 32 0\n"
      "%address = OpTypePointer PhysicalStorageBuffer %u32\n" +
      structure("s", count, "%address") + "%ptr = OpTypePointer Private %s\n";
  for (std::size_t i = 0; i < count; ++i) text += "%v" + n(i) + " = OpVariable %ptr Private\n";
  return text;
}

/// A structure of many members, copied many times to a structure with the same members.
inline std::string logical_copies(std::size_t count) {
  std::string body;
  for (std::size_t i = 0; i < count; ++i) body += "%c" + n(i) + " = OpCopyLogical %t %from\n";
  return module_declarations() + structure("s", count, "%u32") + structure("t", count, "%u32") +
         "%from = OpUndef %s\n" + function("f", body);
}

// Two ladders of structures with the same members, whose steps are crossed in different ways: nearly each structure of
// one ladder is compared with nearly each of the other. Decorated, each structure of the first ladder has one more
// member offset than those of the second.
constexpr std::size_t crossed_levels = 24;
inline std::string crossed(char side, std::size_t level, std::size_t i) {
  return " %" + (side + n(level)) + "_" + n(i);
}
inline std::string crossed_top(char side) { return crossed(side, crossed_levels - 1, 0); }
inline void add_crossed(std::size_t count, std::string& types, std::string* decorations) {
  const std::size_t width = count / crossed_levels + 2;
  for (const char side : {'a', 'b'}) {
    const std::size_t turn = side == 'a' ? 1 : 3;
    for (std::size_t level = 0; level < crossed_levels; ++level) {
      for (std::size_t i = 0; i < width; ++i) {
        const auto below = [&](std::size_t part) {
          return level == 0 ? std::string(" %u32") : crossed(side, level - 1, part % width);
        };
        const std::string name = crossed(side, level, i);
        types += name + " = OpTypeStruct" + below(2 * i + turn) + below(2 * i * turn + 2) + "\n";
        if (decorations == nullptr) continue;
        *decorations += "OpMemberDecorate" + name + " 0 Offset 0\n";
        if (side == 'a') *decorations += "OpMemberDecorate" + name + " 1 Offset " + n(4 * i + 4) + "\n";
      }
    }
  }
}
inline std::string crossed_structures(std::size_t count) {
  std::string types;
  add_crossed(count, types, nullptr);
  return module_declarations() + types + "%from = OpUndef" + crossed_top('a') + "\n" +
         function("f", "%c = OpCopyLogical" + crossed_top('b') + " %from\n");
}

/// Structures of many members that all have the same value, in functions and as constants.
inline std::string replicated(std::size_t count) {
  std::string constants, body;
  for (std::size_t i = 0; i < count; ++i) {
    constants += "%k" + n(i) + " = OpConstantCompositeReplicateEXT %s %one\n";
    body += "%c" + n(i) + " = OpCompositeConstructReplicateEXT %s %one\n";
  }
  return "OpCapability Shader\nOpCapability Linkage\nOpCapability ReplicatedCompositesEXT\n"
         "OpExtension \"SPV_EXT_replicated_composites\"\nOpMemoryModel Logical GLSL450\n%void = OpTypeVoid\n"
         "%fn = OpTypeFunction %void\n%u32 = OpTypeInt 32 0\n%one = OpConstant %u32 1\n" +
         structure("s", count, "%u32") + constants + function("f", body);
}

/// Cooperative matrices with Workgroup scope, and, after many other execution modes, the one that gives the size of the
/// workgroup.
inline std::string matrices_of_a_workgroup(std::size_t count) {
  std::string names, modes, types, code;
  for (std::size_t i = 0; i < count; ++i) {
    names += "OpEntryPoint Fragment %f" + n(i) + " \"main" + n(i) + "\"\n";
    modes += "OpExecutionMode %f" + n(i) + " OriginUpperLeft\n";
    types += "%k" + n(i) + " = OpConstant %u32 " + n(i + 2) + "\n%m" + n(i) +
             " = OpTypeCooperativeMatrixKHR %u32 %two %k" + n(i) + " %one %zero\n";
    code += function("f" + n(i), "");
  }
  return "OpCapability Shader\nOpCapability Linkage\nOpCapability VulkanMemoryModel\n"
         "OpCapability CooperativeMatrixKHR\nOpExtension \"SPV_KHR_cooperative_matrix\"\nOpMemoryModel Logical "
         "Vulkan\n" +
         names + "OpEntryPoint GLCompute %main \"main\"\n" + modes +
         "OpExecutionMode %main LocalSize 1 1 1\n%void = OpTypeVoid\n%fn = OpTypeFunction %void\n"
         "%u32 = OpTypeInt 32 0\n%zero = OpConstant %u32 0\n%one = OpConstant %u32 1\n%two = OpConstant %u32 2\n" +
         types + code + function("main", "");
}

/// A structure of many members, each of the same nested arrays of a matrix; only the innermost stride is wrong.
inline std::string wrong_strides(std::size_t count) {
  std::string decorations = "OpDecorate %s Block\nOpDecorate %v DescriptorSet 0\nOpDecorate %v Binding 0\n",
              types = "%f32 = OpTypeFloat 32\n%vec4 = OpTypeVector %f32 4\n%m = OpTypeMatrix %vec4 4\n", inner = "%m";
  for (std::size_t i = 0; i < count; ++i) {
    const std::string array = "%t" + n(i), member = "OpMemberDecorate %s " + n(i);
    decorations += "OpDecorate " + array + " ArrayStride " + (i == 0 ? "68" : "64") + "\n";
    decorations += member + " Offset " + n(i * 64) + "\n" + member + " ColMajor\n" + member + " MatrixStride 16\n";
    types += array + " = OpTypeArray " + inner + " %one\n";
    inner = array;
  }
  return module_declarations(decorations) + types + structure("s", count, inner) +
         "%ptr = OpTypePointer Uniform %s\n%v = OpVariable %ptr Uniform\n";
}

/// Crossed ladders with different decorations for each step. A pointer to one is passed as a pointer to the other.
inline std::string crossed_arguments(std::size_t count) {
  std::string decorations, types;
  add_crossed(count, types, &decorations);
  return module_declarations(decorations) + types + "%from = OpTypePointer Function" + crossed_top('a') +
         "\n%to = OpTypePointer Function" + crossed_top('b') +
         "\n%takes = OpTypeFunction %void %to\n%g = OpFunction %void None %takes\n%p = OpFunctionParameter %to\n"
         "%g_entry = OpLabel\nOpReturn\nOpFunctionEnd\n" +
         function("f", "%v = OpVariable %from Function\n%r = OpFunctionCall %void %g %v\n");
}

/// Variables of one block in which each member has an offset.
inline std::string variables_of_a_block(std::size_t count) {
  std::string decorations = "OpDecorate %s Block\n", variables;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string name = "%v" + n(i);
    decorations += "OpMemberDecorate %s " + n(i) + " Offset " + n(i * 4) + "\nOpDecorate " + name +
                   " DescriptorSet 0\nOpDecorate " + name + " Binding " + n(i) + "\n";
    variables += name + " = OpVariable %ptr Uniform\n";
  }
  return module_declarations(decorations) + structure("s", count, "%u32") + "%ptr = OpTypePointer Uniform %s\n" +
         variables;
}

/// Variables of a structure with more decorations than the limit permits.
inline std::string variables_of_what_is_decorated(std::size_t count) {
  std::string decorations, variables;
  for (std::size_t i = 0; i < count; ++i) {
    decorations += "OpDecorateString %s UserTypeGOOGLE \"s\"\n";
    variables += "%v" + n(i) + " = OpVariable %ptr StorageBuffer\n";
  }
  return "OpCapability Shader\nOpCapability Linkage\nOpExtension \"SPV_GOOGLE_user_type\"\n"
         "OpMemoryModel Logical GLSL450\n" +
         decorations + "OpDecorate %s Block\nOpMemberDecorate %s 0 Offset 0\n%u32 = OpTypeInt 32 0\n" +
         structure("s", 1, "%u32") + "%ptr = OpTypePointer StorageBuffer %s\n" + variables;
}

/// A conversion with many rounding modes, which is stored as often.
inline std::string roundings(std::size_t count) {
  std::string decorations, body;
  for (std::size_t i = 0; i < count; ++i) {
    decorations += "OpDecorate %c FPRoundingMode RTE\n";
    body += "OpStore %v %c\n";
  }
  return "OpCapability Shader\nOpCapability Linkage\nOpCapability Float16\nOpMemoryModel Logical GLSL450\n" +
         decorations +
         "%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%f16 = OpTypeFloat 16\n%f32 = OpTypeFloat 32\n"
         "%half = OpConstant %f32 0.5\n%ptr = OpTypePointer Output %f16\n%v = OpVariable %ptr Output\n" +
         function("f", "%c = OpFConvert %f16 %half\n" + body);
}

/// Non-semantic descriptions of many tensors, all of them in one structure.
inline std::string described_tensors(std::size_t count) {
  std::string text =
      "OpCapability Shader\nOpCapability Linkage\nOpCapability TensorsARM\nOpExtension \"SPV_ARM_tensors\"\n"
      "OpExtension \"SPV_ARM_graph\"\nOpExtension \"SPV_KHR_non_semantic_info\"\n"
      "%info = OpExtInstImport \"NonSemantic.Graph.DebugInfo.1\"\nOpMemoryModel Logical GLSL450\n"
      "%name = OpString \"a tensor\"\n%void = OpTypeVoid\n%u32 = OpTypeInt 32 0\n%one = OpConstant %u32 1\n"
      "%tensor = OpTypeTensorARM %u32 %one\n" +
      structure("s", count, "%tensor") + "%all = OpUndef %s\n";
  for (std::size_t i = 0; i < count; ++i) {
    text += "%d" + n(i) + " = OpExtInst %void %info DebugTensor %all %name %one\n";
  }
  return text;
}

}  // namespace vireo::spirv::test::shapes
