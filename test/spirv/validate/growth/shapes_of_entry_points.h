// SPDX-License-Identifier: Apache-2.0
//
// Shapes with many entry points that share something large: a block, a list of modes, functions that all reach the same
// variables. Visiting all of it for each entry point is quadratic.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "spirv/validate/growth/shape_texts.h"

namespace vireo::spirv::test::shapes {

/// Entry points of one compute shader's function, or of as many functions.
inline std::string compute_entry_point(std::size_t i, std::string_view function, std::string_view listed = {}) {
  return std::string("OpEntryPoint GLCompute %")
      .append(function)
      .append(" \"main")
      .append(n(i))
      .append("\"")
      .append(listed)
      .append("\n");
}

// For graphics pipelines: without Linkage, which Vulkan does not support.
inline std::string pipeline(std::string_view entry_points, std::string_view capabilities = {}) {
  std::string text = module_declarations(entry_points);
  constexpr std::string_view linkage = "OpCapability Linkage\n";
  return text.replace(text.find(linkage), linkage.size(), capabilities);
}

/// Task shaders of one function with as many instructions.
inline std::string task_entry_points(std::size_t count) {
  std::string entries, body;
  for (std::size_t i = 0; i < count; ++i) {
    entries += "OpEntryPoint TaskEXT %f \"main" + n(i) + "\"\n";
    body += "%a" + n(i) + " = OpCopyObject %u32 %zero\n";
  }
  const std::string extension = "OpCapability MeshShadingEXT\nOpExtension \"SPV_EXT_mesh_shader\"\n";
  std::string text = pipeline(entries + "OpExecutionMode %f LocalSize 1 1 1\n", extension) + function("f", body);
  constexpr std::string_view end = "OpReturn\n";
  return text.replace(text.rfind(end), end.size(), "OpEmitMeshTasksEXT %one %one %one\n");
}

/// Each entry point has its own variable of one block type with as many members, and all of them share another
/// variable.
inline std::string blocks_of_entry_points(std::size_t count) {
  std::string entries, decorations = "OpDecorate %s Block\nOpDecorate %w Location " + n(count) + "\n", members,
                       variables;
  for (std::size_t i = 0; i < count; ++i) {
    entries += "OpEntryPoint Fragment %f \"main" + n(i) + "\" %w %v" + n(i) + "\n";
    decorations += "OpMemberDecorate %s " + n(i) + " Location " + n(i) + "\n";
    members += " %f32";
    variables += "%v" + n(i) + " = OpVariable %block Input\n";
  }
  return pipeline(entries + "OpExecutionMode %f OriginUpperLeft\n" + decorations) +
         "%f32 = OpTypeFloat 32\n%s = OpTypeStruct" + members +
         "\n%block = OpTypePointer Input %s\n%number = OpTypePointer Input %f32\n%w = OpVariable %number Input\n" +
         variables + function("f", "");
}

// Entry points of one function. All list two blocks with as many members, and each lists its own variable. The members
// of the two blocks alternate: the locations of one fill the gaps of the other.
inline std::string two_blocks(std::size_t count, std::string_view model, std::string_view storage,
                              std::string_view capabilities, std::string_view modes, std::string_view of_odd_members) {
  const std::string of = std::string(" ").append(storage).append(" ");
  std::string entries, decorations = "OpDecorate %evens Block\nOpDecorate %odds Block\n", members, variables;
  for (std::size_t i = 0; i < count; ++i) {
    entries += numbered("OpEntryPoint " + std::string(model) + " %f \"main#\" %even %odd %v#\n", i);
    decorations += "OpMemberDecorate %evens " + n(i) + " Location " + n(2 * i) + "\nOpMemberDecorate %odds " + n(i) +
                   " Location " + n(2 * i + 1) + "\n";
    if (!of_odd_members.empty()) decorations += numbered(of_odd_members, i);
    decorations += "OpDecorate %v" + n(i) + " Location " + n(2 * count + i) + "\n";
    members += " %f32";
    variables += "%v" + n(i) + " = OpVariable %number" + of + "\n";
  }
  return pipeline(entries + std::string(modes) + decorations, capabilities) +
         "%f32 = OpTypeFloat 32\n%evens = OpTypeStruct" + members + "\n%odds = OpTypeStruct" + members +
         "\n%number = OpTypePointer" + of + "%f32\n%even_block = OpTypePointer" + of +
         "%evens\n%odd_block = OpTypePointer" + of + "%odds\n%even = OpVariable %even_block" + of +
         "\n%odd = OpVariable %odd_block" + of + "\n" + variables + function("f", "");
}

inline std::string two_blocks_of_entry_points(std::size_t count) {
  return two_blocks(count, "Fragment", "Input", "", "OpExecutionMode %f OriginUpperLeft\n", "");
}

/// Each member of one block has another stream than the block.
inline std::string streams_of_entry_points(std::size_t count) {
  return two_blocks(
      count, "Geometry", "Output", "OpCapability Geometry\nOpCapability GeometryStreams\n",
      "OpExecutionMode %f InputPoints\nOpExecutionMode %f OutputPoints\nOpExecutionMode %f Invocations 1\n"
      "OpExecutionMode %f OutputVertices 1\n",
      "OpMemberDecorate %odds # Stream 1\n");
}

/// As many entry points as variables, which they need not list. They reach the variables through a function that uses
/// all of them.
inline std::string shared_variables(std::size_t count) {
  std::string entries, modes, variables, uses, code;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string name = "e" + n(i), memory = i % 2 == 0 ? "Workgroup" : "Private";
    entries += compute_entry_point(i, name);
    modes += "OpExecutionMode %" + name + " LocalSize 1 1 1\n";
    variables += "%v" + n(i) + " = OpVariable %" + memory + " " + memory + "\n";
    uses += "OpStore %v" + n(i) + " %one\n";
    code += function(name, "%r" + n(i) + " = OpFunctionCall %void %g\n");
  }
  return pipeline(entries + modes) +
         "%Workgroup = OpTypePointer Workgroup %u32\n%Private = OpTypePointer Private %u32\n" + variables +
         function("g", uses) + code;
}

/// Each of these functions uses the one variable that all entry points list, and calls the next function.
inline std::string users_of_one_variable(std::size_t count) {
  std::string entries, modes, code;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string name = "e" + n(i), next = i + 1 < count ? "g" + n(i + 1) : "last";
    entries += compute_entry_point(i, name, " %v");
    modes += "OpExecutionMode %" + name + " LocalSize 1 1 1\n";
    code += function(name, "%r" + n(i) + " = OpFunctionCall %void %g0\n");
    code += function("g" + n(i), "OpStore %v %one\n%s" + n(i) + " = OpFunctionCall %void %" + next + "\n");
  }
  return module_declarations(entries + modes) + "%ptr = OpTypePointer Private %u32\n%v = OpVariable %ptr Private\n" +
         function("last", "") + code;
}

/// As many modes as entry points, all of one function.
inline std::string modes_of_one_function(std::size_t count) {
  std::string entries, modes = "OpExecutionMode %f LocalSize 1 1 1\n";
  for (std::size_t i = 0; i < count; ++i) {
    entries += compute_entry_point(i, "f");
    modes += "OpExecutionMode %f RoundingModeRTE " + n(i + 1) + "\n";
  }
  return "OpCapability RoundingModeRTE\n" + module_declarations(entries + modes) + function("f", "");
}

}  // namespace vireo::spirv::test::shapes
