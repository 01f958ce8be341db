// SPDX-License-Identifier: Apache-2.0
//
// Target environments: the names that --target-env takes, and the SPIR-V version and client API of each.
//
// Environments are rows of a table. The assembler writes the row's version into the header. The validator
// also checks the rules of the row's client API.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "vireo/spirv/word.h"
#include "vireo/support/api.h"
#include "vireo/support/diagnostic.h"
#include "vireo/support/result.h"

namespace vireo::spirv {

/// The client API, whose rules apply in addition to those of the SPIR-V specification.
enum class Client : std::uint8_t { Universal, Vulkan, OpenCL, OpenGL };

/// One target environment. The default is universal SPIR-V of the newest version. The strings have static lifetime.
struct VIREO_API Environment {
  std::string_view name = "spv1.6";             ///< "vulkan1.1spv1.4"
  Version version = {1, 6};                     ///< the newest SPIR-V version that the environment accepts
  std::string_view description = "SPIR-V 1.6";  ///< "SPIR-V 1.4 under Vulkan 1.1"
  Client client = Client::Universal;
  Version client_version = Version::none();  ///< the version of Vulkan, OpenCL or OpenGL; none for Universal
  bool is_embedded = false;                  ///< OpenCL's embedded profile
  friend bool operator==(const Environment&, const Environment&) = default;
};

/// All environments, in the order in which a help text lists them.
VIREO_API std::span<const Environment> environments();

/// The environment with exactly this name (case-sensitive); none if no environment has it.
VIREO_API std::optional<Environment> find_environment(std::string_view name);

/// The environment with exactly this name, for names from a user. If there is none, reports an error whose hint is the
/// most similar name.
VIREO_API Result<Environment> find_environment(std::string_view name, Diagnostics& diagnostics);

/// The environment whose name is the longest prefix of `spelling`; none if no name is a prefix. Case-sensitive.
/// spirv-as and spirv-val accept such spellings for `--target-env`: "spv1.6-draft" selects spv1.6.
VIREO_API std::optional<Environment> find_environment_by_prefix(std::string_view spelling);

}  // namespace vireo::spirv
