// SPDX-License-Identifier: Apache-2.0
//
// Warnings about extended instructions whose result is undefined for their constant operands.
#pragma once

#include "spirv/validate/checks/extended_sets/non_semantic.h"

namespace vireo::spirv {

/// Checks the constant operands of an instruction of GLSL.std.450 or OpenCL.std against the domain of its function.
void check_domain(const ExtInstCheck& c);
/// Checks that DebugPrintf has an argument for each conversion in its format.
void check_printf_arguments(const ExtInstCheck& c);

}  // namespace vireo::spirv
