// SPDX-License-Identifier: Apache-2.0
//
// ExtInstChecks: requirements of extended instructions beyond their typing rows.
//
// The name of each import is parsed once. The index of an import then gives the set and version of an
// instruction. GLSL.std.450, OpenCL.std and DebugPrintf are checked here; debug information and reflection in
// debug_info.cpp and reflection.cpp.
#pragma once

#include <vector>

#include "spirv/validate/checks/extended_sets/debug_info.h"

namespace vireo::spirv {

class ExtInstChecks {
 public:
  explicit ExtInstChecks(const ModuleCheck& c);

  /// Checks an extended instruction; ignores all other instructions.
  void run(const InstructionCheck& c) const;

 private:
  const ModuleCheck& c_;
  std::vector<NamedSet> sets_;  // indexed like ModuleDeclarations::imports()
  DescribedModule described_;
};

}  // namespace vireo::spirv
