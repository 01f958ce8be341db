// SPDX-License-Identifier: Apache-2.0
//
// Verifies the fixes of findings.
//
// A check cannot know whether its remedy is enough or causes another fault. So the remedies are applied
// to a copy of the module, and the copy is validated. Fixes are kept if the findings afterwards are exactly those
// without a fix.
#pragma once

#include "vireo/spirv/validate/validate.h"

namespace vireo::spirv {

/// Validates without verifying fixes.
using FindFaults = bool (*)(Words words, const ValidateOptions& options, Diagnostics& diagnostics);

/// Validates, and keeps those fixes of findings that together remove their findings and cause no other.
bool validate_with_fixes(Words words, const ValidateOptions& options, FindFaults find_faults, Diagnostics& diagnostics);

}  // namespace vireo::spirv
