// SPDX-License-Identifier: Apache-2.0
//
// What Vulkan calls the types of a module: descriptor types, formats (reflection.h), and resource types of mappings.
//
// Source: Vulkan specification, "Shader Resource Interface", VkSpirvResourceTypeFlagBitsEXT.
#pragma once

#include "vireo/spirv/inspect/reflection.h"
#include "vireo/spirv/module/types.h"

namespace vireo::spirv {

/// The descriptor type of a variable, or of a descriptor in a heap, with this type without arrays.
[[nodiscard]] DescriptorType descriptor_type_of(const Facts& facts, const TypeRow& type, StorageClass storage);
/// "STORAGE_BUFFER"
[[nodiscard]] std::string_view short_name_of(DescriptorType type);
/// The VkFormat of one to four components with this scalar type; empty if there is none.
[[nodiscard]] std::string_view format_of(const TypeRow& component, std::uint64_t count);

}  // namespace vireo::spirv
