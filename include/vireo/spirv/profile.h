// SPDX-License-Identifier: Apache-2.0
//
// Profiles: what a device or a project takes, as a JSON document.
//
// The one idea: whoever checks modules for one device writes down once what it is: its environment, what it may declare,
// its limits, and which rules are lifted or of another severity. All keys may be left out:
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
// Unknown keys and names are errors: otherwise a slip of the pen would silently switch off what was meant.
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

/// A document that was read. Owns all that apply() lends out.
struct VIREO_API Profile {
  std::string name;
  std::optional<Environment> environment;  ///< none: the document names none
  DeviceSupport device;
  FeatureSet features;
  std::vector<std::pair<Word Limits::*, Word>> limits;
  std::vector<std::pair<DescriptorLayout ValidateOptions::*, DescriptorLayout>> descriptors;
  std::vector<RuleChoice> rules;  ///< their names are those of the tables
};

/// Reads a profile. Reports all that is wrong with the document, with JSON paths; it is refused then.
VIREO_API Result<Profile> read_profile(const SourceText& document, const Grammar& grammar, Diagnostics& diagnostics);

/// Lays a profile over options: what the document says replaces what stands there, features are added. The options borrow
/// from the profile, which must stay where it is.
VIREO_API void apply(const Profile& profile, ValidateOptions& options);

/// The choice that "off", "warn" or "error" is for a rule; nothing for other words, and for rules that do not exist.
VIREO_API std::optional<RuleChoice> find_rule_choice(std::string_view rule, std::string_view setting);

/// "NAME is no rule; did you mean 'OTHER'?" when there is no rule of this name, else empty.
VIREO_API std::string unknown_rule(std::string_view name);

}  // namespace vireo::spirv
