// SPDX-License-Identifier: Apache-2.0
//
// The stage that looks at every instruction (walk.cpp).
#pragma once

#include "spirv/validate/engine/context.h"

namespace vireo::spirv {

/// Reads each instruction once and puts it through the checks of instructions, blocks and functions; what functions lead
/// to is judged in the end. Near-linear in the words.
void check_instructions(const Context& context, Soundness& soundness, Report& report);

}  // namespace vireo::spirv
