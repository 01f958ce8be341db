// SPDX-License-Identifier: Apache-2.0
//
// Target environments: the names that --target-env takes, and the SPIR-V version of each.
//
// The one idea: environments are rows of a table. A row contains the version for the header of an assembled module,
// and the client API whose rules the validator adds to those of the specification.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "vireo/spirv/word.h"
#include "vireo/support/api.h"
#include "vireo/support/diagnostic.h"
#include "vireo/support/result.h"

namespace vireo::spirv {

/// The client API whose rules apply in addition to those of the specification.
enum class Client : std::uint8_t { Universal, Vulkan, OpenCL, OpenGL };

/// The meaning of `--target-env`. The default is universal SPIR-V in its newest version.
struct VIREO_API Environment {
  std::string_view name = "spv1.6";             ///< "vulkan1.1spv1.4"
  Version version = {1, 6};                     ///< newest SPIR-V version that it accepts
  std::string_view description = "SPIR-V 1.6";  ///< "SPIR-V 1.4 under Vulkan 1.1"
  Client client = Client::Universal;
  Version client_version = Version::none();  ///< of Vulkan, OpenCL or OpenGL
  bool is_embedded = false;                  ///< OpenCL's embedded profile
  friend bool operator==(const Environment&, const Environment&) = default;
};

/// All environments, in the order in which a help text lists them.
VIREO_API std::span<const Environment> environments();

/// The environment with exactly this name; none for any other spelling. `find_environment("vulkan1.3").value()` is
/// safe for names that are literals in the program.
VIREO_API std::optional<Environment> find_environment(std::string_view name);

/// The same for names from a user. Errors: no environment has the name; the hint is the nearest one.
VIREO_API Result<Environment> find_environment(std::string_view name, Diagnostics& diagnostics);

/// The environment with the longest name that is a prefix of the spelling. spirv-as and spirv-val match
/// `--target-env` this way ("spv1.6-draft" is spv1.6), and scripts rely on it. Case-sensitive; none if no name
/// matches.
VIREO_API std::optional<Environment> find_environment_by_prefix(std::string_view spelling);

}  // namespace vireo::spirv
