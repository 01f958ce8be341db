// SPDX-License-Identifier: Apache-2.0
//
// Requirements of debug information and reflection beyond their rows (describing.h): positions of instructions, and
// values of operands.
#pragma once

#include <vector>

#include "spirv/validate/checks/extended_sets/debug_sources.h"
#include "spirv/validate/engine/describing.h"

namespace vireo::spirv {

/// Facts about the module that these checks use, computed once.
struct DescribedModule {
  explicit DescribedModule(const Context& context);

  DebugSources sources;
  /// From OpGraphARM to its end, in module order.
  std::vector<InstructionRange> graphs;
  /// All entry points, sorted by function, then compute shaders last, then name.
  std::vector<const EntryPointRow*> kernels;
  /// By type: whether it is a structure of tensors only. Filled only if a set that describes graphs is imported.
  std::vector<bool> has_only_tensors;
};

/// Checks an instruction of DebugInfo, OpenCL.DebugInfo.100 or NonSemantic.Shader.DebugInfo.
void check_debug_info(const ExtVisit& ext, const DescribedModule& described);
/// Checks an instruction of NonSemantic.Graph.DebugInfo.
void check_graph_debug_info(const ExtVisit& ext, const DescribedModule& described);
/// Checks an instruction of NonSemantic.ClspvReflection.
void check_reflection(const ExtVisit& ext, const DescribedModule& described);

}  // namespace vireo::spirv
