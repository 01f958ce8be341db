// SPDX-License-Identifier: Apache-2.0
//
// Options of the validator: flags and a profile.
//
// The flags for features and limits are the rows of the library's tables, so nothing is listed twice. The
// profile is applied before the flags.
#pragma once

#include <array>
#include <cstddef>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "cli/common/command.h"
#include "cli/common/report.h"
#include "cli/common/row_options.h"
#include "cli/common/shared_options.h"
#include "vireo/spirv/validate/option_rows.h"
#include "vireo/spirv/validate/profile.h"
#include "vireo/spirv/validate/validate.h"

namespace vireo::cli {

inline constexpr Option val_target_env_option =
    target_env_option.with("validate for an environment (spv1.6)",
                           "Universal environments (spv1.N) use the rules of the specification only; the others add "
                           "those of Vulkan, OpenCL or OpenGL.");

inline constexpr auto feature_options = options_of(spirv::feature_rows);
inline constexpr auto limit_options = [] {
  std::array<Option, std::size(spirv::limit_rows)> options;
  for (std::size_t i = 0; i < options.size(); ++i) {
    const spirv::LimitRow& row = spirv::limit_rows[i];
    options[i].kind = ValueKind::Count;
    options[i].name = row.name;
    options[i].value = "N";
    options[i].summary = row.meaning;
    options[i].traits.preset = spirv::Limits{}.*row.limit;
  }
  return options;
}();

/// Descriptors in a heap.
struct DescriptorRow {
  TextOption option;
  spirv::DescriptorLayout spirv::ValidateOptions::*layout;
};
inline constexpr DescriptorRow descriptor_rows[] = {
    {{"--buffer-descriptor-layout=SIZE:ALIGN", "bytes and alignment of a buffer descriptor (0:1)"},
     &spirv::ValidateOptions::buffer_descriptor},
    {{"--image-descriptor-layout=SIZE:ALIGN", "bytes and alignment of an image descriptor (0:1)"},
     &spirv::ValidateOptions::image_descriptor},
    {{"--sampler-descriptor-layout=SIZE:ALIGN", "bytes and alignment of a sampler descriptor (0:1)"},
     &spirv::ValidateOptions::sampler_descriptor},
    {{"--tensor-descriptor-layout=SIZE:ALIGN", "bytes and alignment of a tensor descriptor (0:1)"},
     &spirv::ValidateOptions::tensor_descriptor},
};
inline constexpr auto descriptor_options = options_in(descriptor_rows, &DescriptorRow::option);

/// A severity for a rule; a device.
inline constexpr TextOption rule_option(
    "--rule=RULE=off|warn|error", "severity of a rule's findings; may be repeated",
    "off drops the findings. In place of a rule, a VUID chooses the findings that violate it, and undefined-behavior "
    "the rules of this group ('vireo explain undefined-behavior'). If a rule is given twice, the last one counts. An "
    "unreadable header is always an error.",
    {.words = "rules", .word_values = "off warn error"});
inline constexpr TextOption profile_option(
    "--profile=FILE", "validate for the device that FILE describes",
    "A JSON document with environment, capabilities, extensions, features, limits and rules, or the output of "
    "'vulkaninfo --json'. Other options override it. '-' is standard input.",
    {.file_purpose = "the profile"});

inline constexpr Flag quiet_option("-q, --quiet", "do not print the summary line");
inline constexpr Flag werror_option("--werror", "report warnings as errors");

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
