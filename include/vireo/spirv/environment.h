// SPDX-License-Identifier: Apache-2.0
//
// Target environments: the names that --target-env takes, and the SPIR-V version each stands for.
//
// The one idea: environments are rows. A row says which version an assembled module's header states, and whose rules the
// validator adds to those of the specification.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "vireo/spirv/word.h"
#include "vireo/support/api.h"

namespace vireo::spirv {

/// Whose rules hold besides those of the specification.
enum class Client : std::uint8_t { Universal, Vulkan, OpenCL, OpenGL };

/// What `--target-env` means.
struct VIREO_API Environment {
  std::string_view name;         ///< "vulkan1.1spv1.4"
  Version version;               ///< newest SPIR-V version that it accepts
  std::string_view description;  ///< "SPIR-V 1.4 under Vulkan 1.1"
  Client client = Client::Universal;
  Version client_version = Version::none();  ///< of Vulkan, OpenCL or OpenGL
  bool is_embedded = false;                  ///< OpenCL's embedded profile
};

/// All environments, in the order in which a help text lists them.
VIREO_API std::span<const Environment> environments();

/// The environment that a user's spelling selects: the longest name that the spelling begins with, as the reference
/// assembler matches ("spv1.6-draft" is spv1.6). Case-sensitive; the empty spelling selects nothing.
VIREO_API const Environment* find_environment(std::string_view spelling);

}  // namespace vireo::spirv
