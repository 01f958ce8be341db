// SPDX-License-Identifier: Apache-2.0
//
// The address of the text that states a rule, for the descriptions of rules in SARIF.
#pragma once

#include <string>

#include "vireo/spirv/validate/validate.h"

namespace vireo::cli {

/// The address of the first VUID of the rule in the Vulkan specification; without a VUID, that of its section of the
/// SPIR-V specification or of its extension. Empty if no specification states the rule.
std::string link_of(const spirv::ValidationRule& rule);

}  // namespace vireo::cli
