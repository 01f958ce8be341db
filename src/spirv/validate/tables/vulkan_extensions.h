// SPDX-License-Identifier: Apache-2.0
//
// The SPIR-V extensions of Vulkan. Their rows are in vulkan_registry.def, with the features of devices.
#pragma once

#include <string_view>

namespace vireo::spirv {

/// Whether an extension or version of Vulkan has this SPIR-V extension.
bool is_vulkan_extension(std::string_view name);

}  // namespace vireo::spirv
