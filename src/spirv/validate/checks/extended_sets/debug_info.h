// SPDX-License-Identifier: Apache-2.0
//
// What debug information and reflection demand beyond their rows (describing.h): where an instruction stands, and what
// its operands are worth.
#pragma once

#include <vector>

#include "spirv/validate/checks/extended_sets/debug_sources.h"
#include "spirv/validate/engine/describing.h"

namespace vireo::spirv {

/// What descriptions are held against, read once.
struct DescribedModule {
  explicit DescribedModule(const Context& context);

  DebugSources sources;
  std::vector<InstructionRange> graphs;       ///< from OpGraphARM to its end, in the order of the words
  std::vector<const EntryPointRow*> kernels;  ///< all entry points: by function, compute shaders last, by name
  std::vector<bool> has_only_tensors;         ///< by type: a structure of nothing else. For sets that describe graphs
};

/// An instruction of DebugInfo, OpenCL.DebugInfo.100 or NonSemantic.Shader.DebugInfo.
void check_debug_info(const ExtVisit& ext, const DescribedModule& described);
/// An instruction of NonSemantic.Graph.DebugInfo.
void check_graph_debug_info(const ExtVisit& ext, const DescribedModule& described);
/// An instruction of NonSemantic.ClspvReflection.
void check_reflection(const ExtVisit& ext, const DescribedModule& described);

}  // namespace vireo::spirv
