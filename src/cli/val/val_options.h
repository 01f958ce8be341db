// SPDX-License-Identifier: Apache-2.0
//
// Translates flags and a profile to the options of the validator.
//
// The one idea: a flag for a feature or a limit has the name of its row in the library's tables (features(), limits()),
// so nothing is listed twice. The profile is applied before the flags.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/common/commands.h"
#include "cli/common/report.h"
#include "vireo/spirv/profile.h"
#include "vireo/spirv/validate.h"

namespace vireo::cli {

/// Owns the data that the options borrow, so it cannot be moved.
class ChosenValidation {
 public:
  ChosenValidation() = default;
  ChosenValidation(const ChosenValidation&) = delete;
  ChosenValidation& operator=(const ChosenValidation&) = delete;

  /// Reads flags, without a profile. Returns an empty text, or the problem.
  std::string read(const ParsedOptions& options);
  /// Reads the profile, if there is one, and then the flags. Returns an exit status; unless it is `fine`, the problem
  /// has been reported.
  int load(const Invocation& invocation, const spirv::Grammar& grammar, Reporter& reporter);

  [[nodiscard]] const spirv::ValidateOptions& options() const { return options_; }

 private:
  std::optional<spirv::Profile> profile_;
  std::vector<spirv::RuleChoice> rules_;
  spirv::ValidateOptions options_;
};

}  // namespace vireo::cli
