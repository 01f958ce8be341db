// SPDX-License-Identifier: Apache-2.0
//
// Profiles: the environment, limits and rules of a device or a project, as a JSON document.
//
// A profile describes a device once: its environment, the declarations it accepts, its limits, and rules that are
// disabled or have another severity. All keys are optional:
//
//   { "name": "pocket GPU",
//     "environment": "vulkan1.2",                    // as --target-env
//     "version": "1.5",                              // the newest SPIR-V version that it takes
//     "capabilities": ["Shader", "Float16"],         // what modules may declare, with what these imply
//     "extensions": ["SPV_KHR_ray_query"],
//     "features": ["scalar-block-layout"],           // names of features()
//     "limits": {"max-struct-members": 1024},        // names of limits()
//     "descriptors": {"buffer": [16, 16]},           // bytes in a heap: size, alignment; image, sampler, tensor
//     "rules": {"nesting-depth": "warn"} }           // off, warn, error
//
// Unknown keys and names are errors: otherwise a typo would silently disable a setting.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "vireo/spirv/grammar.h"
#include "vireo/spirv/validate.h"
#include "vireo/support/api.h"
#include "vireo/support/diagnostic.h"
#include "vireo/support/result.h"
#include "vireo/support/source.h"

namespace vireo::spirv {

/// A profile that was read. Owns all data that apply() lends to options.
struct VIREO_API Profile {
  std::string name;
  std::optional<Environment> environment;  ///< none: not in the document
  DeviceSupport device;
  FeatureSet features;
  std::vector<std::pair<Word Limits::*, Word>> limits;
  std::vector<std::pair<DescriptorLayout ValidateOptions::*, DescriptorLayout>> descriptors;
  std::vector<RuleChoice> rules;  ///< their names point into the tables of rules
};

/// Reads a profile. Reports all errors of the document with JSON paths; the result is then an error.
VIREO_API Result<Profile> read_profile(const SourceText& document, const Grammar& grammar, Diagnostics& diagnostics);

/// Applies a profile to options: values of the profile replace those of the options, and features are added. The
/// options borrow from the profile, which must not move.
VIREO_API void apply(const Profile& profile, ValidateOptions& options);

/// The choice for a rule that "off", "warn" or "error" selects; nothing for other words and for unknown rules.
VIREO_API std::optional<RuleChoice> find_rule_choice(std::string_view rule, std::string_view setting);

/// "NAME is no rule; did you mean 'OTHER'?" if no rule has this name, else empty.
VIREO_API std::string unknown_rule(std::string_view name);

}  // namespace vireo::spirv
