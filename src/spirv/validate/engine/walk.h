// SPDX-License-Identifier: Apache-2.0
//
// The stage that visits every instruction (walk.cpp).
#pragma once

#include "spirv/validate/engine/context.h"

namespace vireo::spirv {

/// Decodes each instruction once and runs the checks of instructions, blocks and functions on it. Checks that depend on
/// the callers of a function run at the end. Near-linear in the words.
void check_instructions(const Context& context, Soundness& soundness, Report& report);

}  // namespace vireo::spirv
