// SPDX-License-Identifier: Apache-2.0
//
// Branches with a constant condition (specification 3.42.17).
#pragma once

#include "spirv/transform/function_constants.h"
#include "vireo/spirv/module/constants.h"
#include "vireo/spirv/module/module.h"

namespace vireo::spirv {

/// The values of a specialization.
struct KnownValues {
  const Constants& constants;
  const FunctionConstants& in_functions;
};

/// The label to which a branch always goes; 0 if it depends on the execution, or if the branch is an OpBranch.
/// `values`: those of conditions and selectors; nullptr: only those of constant instructions.
Word constant_target(const Module& module, const KnownValues* values, InstructionView view);

}  // namespace vireo::spirv
