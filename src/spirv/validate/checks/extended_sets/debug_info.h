// SPDX-License-Identifier: Apache-2.0
//
// Requirements of debug information and reflection instructions beyond their rows (non_semantic.h): positions of
// instructions, and values of operands.
#pragma once

#include <vector>

#include "spirv/validate/checks/extended_sets/debug_sources.h"
#include "spirv/validate/checks/extended_sets/non_semantic.h"

namespace vireo::spirv {

/// Facts about the module that these checks use, computed once.
struct DescribedModule {
  explicit DescribedModule(const ModuleCheck& c);

  DebugSources sources;
  /// The range of each graph, from OpGraphARM to OpGraphEndARM, in module order.
  std::vector<InstructionRange> graphs;
  /// All entry points, sorted by function, then by execution model (GLCompute last), then by name.
  std::vector<const EntryPointRow*> kernels;
  /// By type: whether it is a structure whose members are all tensors. Filled only if NonSemantic.Graph.DebugInfo is
  /// imported.
  std::vector<bool> has_only_tensors;
};

/// Checks an instruction of DebugInfo, OpenCL.DebugInfo.100 or NonSemantic.Shader.DebugInfo.
void check_debug_info(const ExtInstCheck& c, const DescribedModule& described);
/// Checks an instruction of NonSemantic.Graph.DebugInfo.
void check_graph_debug_info(const ExtInstCheck& c, const DescribedModule& described);
/// Checks an instruction of NonSemantic.ClspvReflection.
void check_reflection(const ExtInstCheck& c, const DescribedModule& described);

}  // namespace vireo::spirv
