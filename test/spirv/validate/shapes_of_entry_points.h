// SPDX-License-Identifier: Apache-2.0
//
// Shapes of which entry points are many, and what they share is large: a block, a list of modes, functions that all lead to
// the same variables. Whoever looks at all of it for each entry point is quadratic.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "spirv/validate/shape_texts.h"

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

// Of a pipeline: without Linkage, which Vulkan lacks.
inline std::string pipeline(std::string_view entry_points) {
  std::string text = preamble(entry_points);
  constexpr std::string_view linkage = "OpCapability Linkage\n";
  return text.erase(text.find(linkage), linkage.size());
}

/// Each entry point has a variable of its own, all of one block with as many members, and another one with them all.
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

/// As many entry points as variables, which they need not list, and reach over a function that uses them all.
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

/// Functions that each use the one variable that all entry points list, and lead to each other.
inline std::string users_of_one_variable(std::size_t count) {
  std::string entries, modes, code;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string name = "e" + n(i), next = i + 1 < count ? "g" + n(i + 1) : "last";
    entries += compute_entry_point(i, name, " %v");
    modes += "OpExecutionMode %" + name + " LocalSize 1 1 1\n";
    code += function(name, "%r" + n(i) + " = OpFunctionCall %void %g0\n");
    code += function("g" + n(i), "OpStore %v %one\n%s" + n(i) + " = OpFunctionCall %void %" + next + "\n");
  }
  return preamble(entries + modes) + "%ptr = OpTypePointer Private %u32\n%v = OpVariable %ptr Private\n" +
         function("last", "") + code;
}

/// As many modes as entry points, all of one function.
inline std::string modes_of_one_function(std::size_t count) {
  std::string entries, modes = "OpExecutionMode %f LocalSize 1 1 1\n";
  for (std::size_t i = 0; i < count; ++i) {
    entries += compute_entry_point(i, "f");
    modes += "OpExecutionMode %f RoundingModeRTE " + n(i + 1) + "\n";
  }
  return "OpCapability RoundingModeRTE\n" + preamble(entries + modes) + function("f", "");
}

}  // namespace vireo::spirv::test::shapes
