// SPDX-License-Identifier: Apache-2.0
//
// Profiles: the environment, limits and rules of a device or a project, as a JSON document.
//
// A profile states the environment, the declarations that the device accepts, its limits, and rules that are disabled
// or have another severity. All keys are optional:
//
//   { "name": "pocket GPU",
//     "environment": "vulkan1.2",                    // as --target-env
//     "version": "1.5",                              // the newest SPIR-V version that the device accepts
//     "capabilities": ["Shader", "Float16"],         // those that modules may declare; implied ones are included
//     "extensions": ["SPV_KHR_ray_query"],
//     "features": ["scalar-block-layout"],           // names of features()
//     "limits": {"max-struct-members": 1024},        // names of limits()
//     "device-limits": {"maxPushConstantsSize": 128},   // names of device_members(); arrays have several limits
//     "device-features": {"shaderInt64Atomics": true},  // names of device_members()
//     "descriptors": {"buffer": [16, 16]},           // size, alignment (bytes) in a heap; image, sampler, tensor
//     "rules": {"nesting-depth": "warn"} }           // off, warn, error
//
// Unknown keys and names are errors: otherwise a typo would silently disable a setting.
//
// A document that describes a Vulkan device is read as a profile too: one of the Vulkan Profiles schema, as
// `vulkaninfo --json` writes it, or one of its older versions. Unknown keys are ignored there.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "vireo/spirv/grammar/grammar.h"
#include "vireo/spirv/validate/validate.h"
#include "vireo/support/api.h"
#include "vireo/support/diagnostic.h"
#include "vireo/support/result.h"
#include "vireo/support/source.h"

namespace vireo::spirv {

/// A profile that was read. Owns the data that options borrow after apply().
struct VIREO_API Profile {
  std::string name;
  std::optional<Environment> environment;  ///< none: the document does not have the key
  DeviceSupport device;
  FeatureSet features;
  std::vector<std::pair<Word Limits::*, Word>> limits;
  std::vector<std::pair<DescriptorLayout ValidateOptions::*, DescriptorLayout>> descriptors;
  std::vector<RuleChoice> rules;  ///< their names have static lifetime
};

/// Reads a profile. The document and the grammar are borrowed during the call. Errors: reports all faults of the
/// document with JSON paths (Diagnostic::path), unknown keys and names included.
VIREO_API Result<Profile> read_profile(const SourceText& document, const Grammar& grammar, Diagnostics& diagnostics);

/// Applies a profile to options. Values of the profile replace those of the options; features are added. The options
/// then borrow `device` and `rules` from the profile, which must outlive them and must not move.
VIREO_API void apply(const Profile& profile, ValidateOptions& options);

/// The choice for a rule with the setting "off", "warn" or "error"; none for another setting or an unknown rule.
VIREO_API std::optional<RuleChoice> find_rule_choice(std::string_view rule, std::string_view setting);

/// The error message for an unknown rule, with the most similar name; empty if a rule has this name.
VIREO_API std::string unknown_rule(std::string_view name);

}  // namespace vireo::spirv
