// SPDX-License-Identifier: Apache-2.0
//
// Target environments: the names that --target-env takes, and the SPIR-V version each stands for.
//
// The one idea: environments are rows. Today a row says which version an assembled module's header states; the
// validator will add what each environment allows.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "vireo/spirv/word.h"

namespace vireo::spirv {

struct Environment {
  std::string_view name;         ///< "vulkan1.1spv1.4"
  Version version;               ///< newest SPIR-V version that it accepts
  std::string_view description;  ///< "SPIR-V 1.4 under Vulkan 1.1"
};

/// All environments, in the order in which a help text lists them.
std::span<const Environment> environments();

/// The environment that a user's spelling selects: the longest name that the spelling begins with, as the reference
/// assembler matches ("spv1.6-draft" is spv1.6). Case-sensitive; the empty spelling selects nothing.
const Environment* find_environment(std::string_view spelling);

}  // namespace vireo::spirv
