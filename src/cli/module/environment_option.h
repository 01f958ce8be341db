// SPDX-License-Identifier: Apache-2.0
//
// Option --target-env ENV: the selected environment or, for the assembler, its version.
#pragma once

#include <optional>
#include <string>

#include "cli/common/option.h"
#include "vireo/spirv/environment.h"
#include "vireo/spirv/word.h"

namespace vireo::cli {

struct ChosenVersion {
  spirv::Version version = spirv::Version::none();  ///< none = the version in the text
  std::string problem;                              ///< not empty: there is no such environment
};

ChosenVersion version_of_target(const ParsedOptions& options);

struct ChosenEnvironment {
  std::optional<spirv::Environment> environment;  ///< none: the user named none
  std::string problem;                            ///< not empty: there is no such environment
};

ChosenEnvironment environment_of_target(const ParsedOptions& options);

}  // namespace vireo::cli
