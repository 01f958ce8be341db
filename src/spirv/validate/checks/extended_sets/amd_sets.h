// SPDX-License-Identifier: Apache-2.0
//
// The extended instruction sets of AMD, beyond their typing rows.
#pragma once

#include "spirv/validate/checks/extended_sets/debug_info.h"

namespace vireo::spirv {

/// Checks an instruction of a set whose name begins with "SPV_AMD_"; ignores all others.
void check_amd(const ExtInstCheck& c);

}  // namespace vireo::spirv
