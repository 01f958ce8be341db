// SPDX-License-Identifier: Apache-2.0
//
// The stage that looks at every instruction (walk.cpp).
#pragma once

#include "spirv/validate/context.h"

namespace vireo::spirv {

/// Reads each instruction once and puts it through the checks of instructions, blocks and functions; what functions lead
/// to is judged in the end. On as many threads as the options say, with the same findings. Near-linear in the words.
void check_instructions(const Context& context, const Severities& severities, Report& report);

}  // namespace vireo::spirv
