// SPDX-License-Identifier: Apache-2.0
//
// Reads the description of a Vulkan device as a profile (vireo/spirv/validate/profile.h).
//
// Several kinds of documents describe a device: JSON of the Vulkan Profiles schema, which current versions of
// `vulkaninfo --json` write; JSON with a member for each structure of the API, which older versions wrote; the JSON
// reports of gpuinfo.org; and the text of `vulkaninfo`.
#pragma once

#include "spirv/validate/profile/device_facts.h"
#include "support/json.h"
#include "vireo/spirv/validate/profile.h"

namespace vireo::spirv {

/// Whether a document describes a Vulkan device. Profiles of Vireo have other keys.
bool is_vulkan_device(JsonValue root);

/// Reads the device. Reports an error if the document does not state the version of Vulkan. Unknown keys are not
/// errors, because the document describes many properties that do not concern shaders.
Profile read_vulkan_device(const DeviceFacts& facts, const Grammar& grammar, Diagnostics& diagnostics);

}  // namespace vireo::spirv
