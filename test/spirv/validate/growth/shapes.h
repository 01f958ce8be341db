// SPDX-License-Identifier: Apache-2.0
//
// Valid modules that grow in one respect: nesting, sequences, chains, lists. For each of them some inefficient lookup
// or traversal would be quadratic or worse.
//
// A shape is a function from a count to assembly text. All shapes are in one table, so that each test
// covers all of them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "spirv/validate/growth/shape_texts.h"
#include "spirv/validate/growth/shapes_of_entry_points.h"
#include "spirv/validate/growth/shapes_of_types.h"
#include "spirv/validate/growth/shapes_of_uniformity.h"

namespace vireo::spirv::test {

namespace shapes {

/// The simplest module: the cost of an instruction.
inline std::string additions(std::size_t count) {
  std::string body;
  for (std::size_t i = 0; i < count; ++i) body += "%a" + n(i) + " = OpIAdd %u32 %one %zero\n";
  return module_declarations() + function("f", body);
}

/// Nested selections.
inline std::string nested_selections(std::size_t count) {
  std::string head, tail;
  for (std::size_t i = 0; i < count; ++i) {
    head += "OpSelectionMerge %m" + n(i) + " None\nOpBranchConditional %true %b" + n(i) + " %m" + n(i) + "\n%b" + n(i) +
            " = OpLabel\n";
  }
  for (std::size_t i = count; i > 0; --i) tail += "OpBranch %m" + n(i - 1) + "\n%m" + n(i - 1) + " = OpLabel\n";
  return module_declarations() + function("f", head + tail);
}

/// The innermost block of nested selections continues the loop around them, from every depth.
inline std::string nested_continues(std::size_t count) {
  std::string head = "OpBranch %h\n%h = OpLabel\nOpLoopMerge %out %next None\nOpBranch %body\n%body = OpLabel\n", tail;
  for (std::size_t i = 0; i < count; ++i) {
    head += "OpSelectionMerge %m" + n(i) + " None\nOpBranchConditional %true %b" + n(i) + " %next\n%b" + n(i) +
            " = OpLabel\n";
  }
  for (std::size_t i = count; i > 0; --i) tail += "OpBranch %m" + n(i - 1) + "\n%m" + n(i - 1) + " = OpLabel\n";
  tail += "OpBranch %next\n%next = OpLabel\nOpBranchConditional %true %h %out\n%out = OpLabel\n";
  return module_declarations() + function("f", head + tail);
}

inline std::string sequential_selections(std::size_t count) {
  std::string body;
  for (std::size_t i = 0; i < count; ++i) {
    body += "OpSelectionMerge %m" + n(i) + " None\nOpBranchConditional %true %b" + n(i) + " %m" + n(i) + "\n%b" + n(i) +
            " = OpLabel\nOpBranch %m" + n(i) + "\n%m" + n(i) + " = OpLabel\n";
  }
  return module_declarations() + function("f", body);
}

inline std::string loop_head(std::size_t i) {
  return "OpBranch %h" + n(i) + "\n%h" + n(i) + " = OpLabel\nOpLoopMerge %m" + n(i) + " %c" + n(i) +
         " None\nOpBranchConditional %true %b" + n(i) + " %m" + n(i) + "\n%b" + n(i) + " = OpLabel\n";
}
inline std::string loop_tail(std::size_t i) {
  return "OpBranch %c" + n(i) + "\n%c" + n(i) + " = OpLabel\nOpBranch %h" + n(i) + "\n%m" + n(i) + " = OpLabel\n";
}
inline std::string sequential_loops(std::size_t count) {
  std::string body;
  for (std::size_t i = 0; i < count; ++i) body += loop_head(i) + loop_tail(i);
  return module_declarations() + function("f", body);
}
inline std::string nested_loops(std::size_t count) {
  std::string body;
  for (std::size_t i = 0; i < count; ++i) body += loop_head(i);
  for (std::size_t i = count; i > 0; --i) body += loop_tail(i - 1);
  return module_declarations() + function("f", body);
}

inline std::string switch_with(std::size_t count, bool falls_through) {
  std::string head = "OpSelectionMerge %m None\nOpSwitch %zero %m", body;
  for (std::size_t i = 0; i < count; ++i) {
    head += " " + n(i) + " %c" + n(i);
    body += "%c" + n(i) + " = OpLabel\nOpBranch " + (falls_through && i + 1 < count ? "%c" + n(i + 1) : "%m") + "\n";
  }
  return module_declarations() + function("f", head + "\n" + body + "%m = OpLabel\n");
}
inline std::string switch_cases(std::size_t count) { return switch_with(count, false); }
inline std::string switch_fall_through(std::size_t count) { return switch_with(count, true); }

/// One value of the first block, used in each of many blocks.
inline std::string far_uses(std::size_t count) {
  std::string body = "%early = OpIAdd %u32 %one %one\n";
  for (std::size_t i = 0; i < count; ++i) {
    body += "OpBranch %b" + n(i) + "\n%b" + n(i) + " = OpLabel\n%use" + n(i) + " = OpIAdd %u32 %early %one\n";
  }
  return module_declarations() + function("f", body);
}

inline std::string phis(std::size_t count) {
  std::string body;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string from = i == 0 ? "%f_entry" : "%m" + n(i - 1);
    body += "OpSelectionMerge %m" + n(i) + " None\nOpBranchConditional %true %b" + n(i) + " %m" + n(i) + "\n%b" + n(i) +
            " = OpLabel\nOpBranch %m" + n(i) + "\n%m" + n(i) + " = OpLabel\n%p" + n(i) + " = OpPhi %u32 %one " + from +
            " %zero %b" + n(i) + "\n";
  }
  return module_declarations() + function("f", body);
}

/// Nested arrays, and nested structures.
inline std::string nested_arrays(std::size_t count) {
  std::string text = module_declarations() + "%t0 = OpTypeArray %u32 %one\n";
  for (std::size_t i = 1; i < count; ++i) text += "%t" + n(i) + " = OpTypeArray %t" + n(i - 1) + " %one\n";
  return text;
}
inline std::string nested_structures(std::size_t count) {
  std::string text = module_declarations() + "%t0 = OpTypeStruct %u32\n";
  for (std::size_t i = 1; i < count; ++i)
    text += "%t" + n(i) + " = OpTypeStruct %t" + n(i - 1) + " %t" + n(i - 1) + "\n";
  return text + "%ptr = OpTypePointer Private %t" + n(count - 1) + "\n%v = OpVariable %ptr Private\n";
}
inline std::string nested_pointers(std::size_t count) {
  std::string text = module_declarations() + "%t0 = OpTypePointer Private %u32\n";
  for (std::size_t i = 1; i < count; ++i) text += "%t" + n(i) + " = OpTypePointer Private %t" + n(i - 1) + "\n";
  return text;
}

/// Each function calls the next one.
inline std::string call_chain(std::size_t count) {
  std::string text = module_declarations();
  for (std::size_t i = 0; i < count; ++i) {
    const std::string call = i + 1 < count ? "%r" + n(i) + " = OpFunctionCall %void %f" + n(i + 1) + "\n" : "";
    text += function("f" + n(i), call);
  }
  return text;
}

inline std::string entry_point(std::size_t i, std::string_view function) {
  return "OpEntryPoint GLCompute %" + std::string(function) + " \"main" + n(i) + "\"\n";
}
inline std::string entry_points(std::size_t count) {
  std::string names, modes, code;
  for (std::size_t i = 0; i < count; ++i) {
    names += entry_point(i, "f" + n(i));
    modes += "OpExecutionMode %f" + n(i) + " LocalSize 1 1 1\n";
    code += function("f" + n(i), "");
  }
  return module_declarations(names + modes) + code;
}
inline std::string entry_points_of_one_function(std::size_t count) {
  std::string names;
  for (std::size_t i = 0; i < count; ++i) names += entry_point(i, "f");
  return module_declarations(names + "OpExecutionMode %f LocalSize 1 1 1\n") + function("f", "");
}
/// As many entry points as functions; each entry point reaches all functions.
inline std::string shared_functions(std::size_t count) {
  std::string names, modes, code;
  for (std::size_t i = 0; i < count; ++i) {
    names += entry_point(i, "e" + n(i));
    modes += "OpExecutionMode %e" + n(i) + " LocalSize 1 1 1\n";
    code += function("e" + n(i), "%r" + n(i) + " = OpFunctionCall %void %g0\n");
  }
  for (std::size_t i = 0; i < count; ++i) {
    code += function("g" + n(i), i + 1 < count ? "%s" + n(i) + " = OpFunctionCall %void %g" + n(i + 1) + "\n" : "");
  }
  return module_declarations(names + modes) + code;
}

inline std::string equal_names(std::size_t count) {
  std::string names, constants;
  for (std::size_t i = 0; i < count; ++i) {
    names += "OpName %c" + n(i) + " \"same\"\n";
    constants += "%c" + n(i) + " = OpConstant %u32 " + n(i + 2) + "\n";
  }
  return module_declarations(names) + constants;
}

/// Structures of two structures each, with a layout: the outermost contains 2 to the power of the depth members.
inline std::string doubled_layout(std::size_t count) {
  std::string decorations, types = "%t0 = OpTypeStruct %u32 %u32\n";
  for (std::size_t i = 0; i < count; ++i) {
    decorations += "OpMemberDecorate %t" + n(i) + " 0 Offset 0\nOpMemberDecorate %t" + n(i) + " 1 Offset " +
                   n(std::size_t{i == 0 ? 4u : 8u} << (i == 0 ? 0 : std::min<std::size_t>(i - 1, 27))) + "\n";
    if (i != 0) types += "%t" + n(i) + " = OpTypeStruct %t" + n(i - 1) + " %t" + n(i - 1) + "\n";
  }
  const std::string last = "%t" + n(count - 1);
  return module_declarations(decorations + "OpDecorate " + last +
                             " BufferBlock\nOpDecorate %v DescriptorSet 0\nOpDecorate %v Binding 0\n") +
         types + "%ptr = OpTypePointer Uniform " + last + "\n%v = OpVariable %ptr Uniform\n";
}

/// Nested arrays of two elements, whose strides change the alignment to 16 bytes at each level.
inline std::string odd_strides(std::size_t count) {
  std::string decorations, types = "%two = OpConstant %u32 2\n", inner = "%u32";
  std::size_t size = 4;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string array = "%t" + n(i);
    decorations += "OpDecorate " + array + " ArrayStride " + n(size + 4) + "\n";
    types.append(array).append(" = OpTypeArray ").append(inner).append(" %two\n");
    inner = array;
    size = 2 * (size + 4);
  }
  return module_declarations(decorations + "OpMemberDecorate %s 0 Offset 0\nOpDecorate %s BufferBlock\n" +
                             "OpDecorate %v DescriptorSet 0\nOpDecorate %v Binding 0\n") +
         types + "%s = OpTypeStruct " + inner + "\n%ptr = OpTypePointer Uniform %s\n%v = OpVariable %ptr Uniform\n";
}

/// Constants that are each the sum of the previous one and itself: the expanded expression is exponential.
inline std::string shared_constants(std::size_t count) {
  std::string constants = "%c0 = OpSpecConstant %u32 1\n";
  for (std::size_t i = 1; i < count; ++i) {
    const std::string before = " %c" + n(i - 1);
    constants.append("%c").append(n(i)).append(" = OpSpecConstantOp %u32 IAdd").append(before).append(before) += "\n";
  }
  return module_declarations(entry_point(0, "f") + "OpExecutionMode %f LocalSize 1 1 1\n") + constants +
         function("f", "%sum = OpIAdd %u32 %one %c" + n(count - 1) + "\n");
}

/// Many extensions, and as many instructions whose check depends on the declared extensions.
inline std::string extensions(std::size_t count) {
  std::string names, body;
  for (std::size_t i = 0; i < count; ++i) {
    names += "OpExtension \"SPV_NOBODY_" + n(i) + "\"\n";
    body += "%s" + n(i) + " = OpExtInst %f32 %glsl InterpolateAtCentroid %v\n";
  }
  return "OpCapability Shader\nOpCapability InterpolationFunction\n" + names +
         "%glsl = OpExtInstImport \"GLSL.std.450\"\nOpMemoryModel Logical GLSL450\n"
         "OpEntryPoint Fragment %f \"main\" %v\nOpExecutionMode %f OriginUpperLeft\nOpDecorate %v Location 0\n"
         "%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%f32 = OpTypeFloat 32\n%ptr = OpTypePointer Input %f32\n"
         "%v = OpVariable %ptr Input\n" +
         function("f", body);
}

inline std::string variables(std::size_t count) {
  std::string text = module_declarations() + "%ptr = OpTypePointer Private %u32\n", body;
  for (std::size_t i = 0; i < count; ++i) {
    text += "%v" + n(i) + " = OpVariable %ptr Private\n";
    body += "OpStore %v" + n(i) + " %one\n";
  }
  return text + function("f", body);
}

/// Stores through a long chain of copies: the buffer of each store must be found.
inline std::string stores_through_copies(std::size_t count) {
  std::string body = "%p0 = OpAccessChain %pointer %buffer %zero\n";
  for (std::size_t i = 1; i <= count; ++i) body += "%p" + n(i) + " = OpCopyObject %pointer %p" + n(i - 1) + "\n";
  for (std::size_t i = 0; i < count; ++i) body += "OpStore %p" + n(count) + " %one\n";
  return "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %f \"f\"\n"
         "OpExecutionMode %f LocalSize 1 1 1\nOpDecorate %block BufferBlock\nOpMemberDecorate %block 0 Offset 0\n"
         "OpDecorate %buffer DescriptorSet 0\nOpDecorate %buffer Binding 0\n" +
         declarations() +
         "%block = OpTypeStruct %u32\n%whole = OpTypePointer Uniform %block\n%pointer = OpTypePointer Uniform %u32\n"
         "%buffer = OpVariable %whole Uniform\n" +
         function("f", body);
}

/// Variables of nested array types: the innermost element type of each variable must be found.
inline std::string variables_of_nested_arrays(std::size_t count) {
  std::string text = module_declarations() + "%a0 = OpTypeArray %u32 %one\n";
  for (std::size_t i = 1; i <= count; ++i) text += "%a" + n(i) + " = OpTypeArray %a" + n(i - 1) + " %one\n";
  text += "%pointer = OpTypePointer Private %a" + n(count) + "\n";
  for (std::size_t i = 0; i < count; ++i) text += "%v" + n(i) + " = OpVariable %pointer Private\n";
  return text;
}

/// Instructions of DebugPrintf with one format of as many characters.
inline std::string formats(std::size_t count) {
  std::string text = module_declarations("%format = OpString \"" + std::string(count, '%') + "\"\n");
  const std::string set =
      "OpExtension \"SPV_KHR_non_semantic_info\"\n%set = OpExtInstImport \"NonSemantic.DebugPrintf\"\n";
  text.insert(text.find("OpMemoryModel"), set);
  std::string body;
  for (std::size_t i = 0; i < count; ++i) body += "%p" + n(i) + " = OpExtInst %void %set DebugPrintf %format\n";
  return text + function("f", body);
}

}  // namespace shapes

struct Shape {
  std::string_view name;
  std::string (*make)(std::size_t count);
  std::size_t large;              ///< a count at which quadratic work takes minutes
  bool is_of_old_vulkan = false;  ///< the grown part is checked only in the first version of Vulkan
  bool is_stopped = false;        ///< a large one exceeds the work budget (work_budget.h)
};

inline constexpr std::array<Shape, 47> all_shapes = {{
    {"additions", shapes::additions, 1'000'000},
    {"nested selections", shapes::nested_selections, 16'000},
    {"nested continues", shapes::nested_continues, 16'000},
    {"sequential selections", shapes::sequential_selections, 50'000},
    {"nested loops", shapes::nested_loops, 8'000},
    {"sequential loops", shapes::sequential_loops, 50'000},
    {"switch cases", shapes::switch_cases, 32'000},
    {"switch fall-through", shapes::switch_fall_through, 32'000},
    {"far uses", shapes::far_uses, 50'000},
    {"phis", shapes::phis, 50'000},
    {"nested arrays", shapes::nested_arrays, 100'000},
    {"nested structures", shapes::nested_structures, 50'000},
    {"nested pointers", shapes::nested_pointers, 100'000},
    {"call chain", shapes::call_chain, 50'000},
    {"entry points", shapes::entry_points, 100'000},
    {"entry points of one function", shapes::entry_points_of_one_function, 100'000},
    {"shared functions", shapes::shared_functions, 20'000},
    {"equal names", shapes::equal_names, 100'000},
    {"doubled layout", shapes::doubled_layout, 28, true},
    {"odd strides", shapes::odd_strides, 26, true},
    {"shared constants", shapes::shared_constants, 50'000},
    {"extensions", shapes::extensions, 50'000},
    {"variables", shapes::variables, 60'000},
    {"variables of addresses", shapes::variables_of_addresses, 60'000, false, true},
    {"logical copies", shapes::logical_copies, 60'000, false, true},
    {"crossed structures", shapes::crossed_structures, 60'000, false, true},
    {"replicated", shapes::replicated, 60'000, false, true},
    {"matrices of a workgroup", shapes::matrices_of_a_workgroup, 60'000, false, true},
    {"variables of a block", shapes::variables_of_a_block, 60'000, true},
    {"described tensors", shapes::described_tensors, 60'000},
    {"stores through copies", shapes::stores_through_copies, 100'000, true, true},
    {"variables of nested arrays", shapes::variables_of_nested_arrays, 100'000},
    {"blocks of entry points", shapes::blocks_of_entry_points, 20'000, true, true},
    {"two blocks of entry points", shapes::two_blocks_of_entry_points, 20'000, true, true},
    {"streams of entry points", shapes::streams_of_entry_points, 20'000, true, true},
    {"shared variables", shapes::shared_variables, 20'000, true, true},
    {"users of one variable", shapes::users_of_one_variable, 20'000, false, true},
    {"modes of one function", shapes::modes_of_one_function, 40'000},
    {"task entry points", shapes::task_entry_points, 40'000},
    {"formats", shapes::formats, 40'000, false, true},
    {"barriers in branches", shapes::uniform<shapes::barriers_in_branches>, 40'000},
    {"barrier after returns", shapes::uniform<shapes::barrier_after_returns>, 16'000},
    {"barrier after phis", shapes::uniform<shapes::barrier_after_phis>, 40'000},
    {"barrier after construction", shapes::uniform<shapes::barrier_after_construction>, 20'000},
    {"barrier after calls", shapes::uniform<shapes::barrier_after_calls>, 20'000},
    {"contents at returns", shapes::uniform<shapes::contents_at_returns>, 20'000},
    {"contents of calls", shapes::uniform<shapes::contents_of_calls>, 20'000},
}};

}  // namespace vireo::spirv::test
