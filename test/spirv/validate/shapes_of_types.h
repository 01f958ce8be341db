// SPDX-License-Identifier: Apache-2.0
//
// Shapes in which one large type is asked about by many: variables of it, copies of it, what is made of it.
//
// The one idea: n parts and n who ask are n times n steps for a check that walks the type each time, and 2n for one that
// remembers the answer.
#pragma once

#include <cstddef>
#include <string>

#include "spirv/validate/shape_texts.h"

namespace vireo::spirv::test::shapes {

/// "%name = OpTypeStruct" of many members of one type.
inline std::string structure(std::string_view name, std::size_t count, std::string_view member) {
  std::string text = "%" + std::string(name) + " = OpTypeStruct";
  for (std::size_t i = 0; i < count; ++i) text.append(" ").append(member);
  return text + "\n";
}

/// Many variables of a structure of many addresses, none of which is a logical pointer.
inline std::string variables_of_addresses(std::size_t count) {
  std::string text =
      "OpCapability Shader\nOpCapability Linkage\nOpCapability PhysicalStorageBufferAddresses\n"
      "OpMemoryModel PhysicalStorageBuffer64 GLSL450\n%u32 = OpTypeInt 32 0\n"
      "%address = OpTypePointer PhysicalStorageBuffer %u32\n" +
      structure("s", count, "%address") + "%ptr = OpTypePointer Private %s\n";
  for (std::size_t i = 0; i < count; ++i) text += "%v" + n(i) + " = OpVariable %ptr Private\n";
  return text;
}

/// A structure of many members, copied many times to one that is built alike.
inline std::string logical_copies(std::size_t count) {
  std::string body;
  for (std::size_t i = 0; i < count; ++i) body += "%c" + n(i) + " = OpCopyLogical %t %from\n";
  return preamble() + structure("s", count, "%u32") + structure("t", count, "%u32") + "%from = OpUndef %s\n" +
         function("f", body);
}

/// Two ladders of structures that are built alike, with steps crossed in different ways: nearly each structure of the one
/// meets nearly each of the other.
inline std::string crossed_structures(std::size_t count) {
  constexpr std::size_t levels = 24;
  const std::size_t width = count / levels + 2;
  std::string text = preamble();
  const auto name = [](char side, std::size_t level, std::size_t i) { return " %" + (side + n(level)) + "_" + n(i); };
  for (const char side : {'a', 'b'}) {
    const std::size_t turn = side == 'a' ? 1 : 3;
    for (std::size_t level = 0; level < levels; ++level) {
      for (std::size_t i = 0; i < width; ++i) {
        const bool is_lowest = level == 0;
        text += name(side, level, i) + " = OpTypeStruct" +
                (is_lowest ? " %u32" : name(side, level - 1, (2 * i + turn) % width)) +
                (is_lowest ? " %u32" : name(side, level - 1, (2 * i * turn + 2) % width)) + "\n";
      }
    }
  }
  text += "%from = OpUndef" + name('a', levels - 1, 0) + "\n";
  return text + function("f", "%c = OpCopyLogical" + name('b', levels - 1, 0) + " %from\n");
}

/// Structures of many members of which all have the value of one, in functions and as constants.
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

/// Cooperative matrices of a workgroup, and behind many execution modes the one that says how large that is.
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

/// A conversion whose rounding is said many times, and which is stored as often.
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

/// What describes each of many tensors, all of them in one structure.
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
