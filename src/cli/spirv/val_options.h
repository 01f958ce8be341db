// SPDX-License-Identifier: Apache-2.0
//
// Flags and a profile → the options of the validator.
//
// The one idea: a flag that lifts rules or sets a limit has the name of its row in the library's tables (features(),
// limits()), so nothing is listed here a second time. What a profile says counts before the flags.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/common/commands.h"
#include "cli/common/report.h"
#include "vireo/spirv/profile.h"
#include "vireo/spirv/validate.h"

namespace vireo::cli {

/// Owns what the options borrow: it stays where it is.
class ChosenValidation {
 public:
  ChosenValidation() = default;
  ChosenValidation(const ChosenValidation&) = delete;
  ChosenValidation& operator=(const ChosenValidation&) = delete;

  /// Reads flags, without a profile. Empty, or what is wrong with them.
  std::string read(const ParsedOptions& options);
  /// Reads the profile, if one is named, and the flags over it. An exit status; when it is not `fine`, people were told.
  int load(const Invocation& invocation, const spirv::Grammar& grammar, Reporter& reporter);

  [[nodiscard]] const spirv::ValidateOptions& options() const { return options_; }

 private:
  std::optional<spirv::Profile> profile_;
  std::vector<spirv::RuleChoice> rules_;
  spirv::ValidateOptions options_;
};

}  // namespace vireo::cli
