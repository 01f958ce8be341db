// SPDX-License-Identifier: Apache-2.0
//
// The stage that visits every instruction (walk.cpp).
#pragma once

#include "spirv/validate/core/check.h"

namespace vireo::spirv {

/// Decodes each instruction once and runs the checks of instructions, blocks and functions on it. Checks that depend on
/// the callers of a function run at the end. Near-linear in the words.
void check_instructions(const ModuleCheck& c, Soundness& soundness);

}  // namespace vireo::spirv
