// SPDX-License-Identifier: Apache-2.0
//
// Tables of structures of Vulkan for a generated header.
//
// Source: Vulkan specification, VkDescriptorSetLayoutBinding, VkVertexInputAttributeDescription, VkPushConstantRange,
// VkSpecializationMapEntry, VkDescriptorSetAndBindingMappingEXT.
#pragma once

#include <span>
#include <string>

#include "spirv/inspect/reflect/header_names.h"
#include "vireo/spirv/inspect/pipeline.h"

namespace vireo::spirv {

/// For one module. If its entry points need different layouts or maps, each has tables of its own.
[[nodiscard]] std::string vulkan_tables(const Reflection& module, const ReflectionTextOptions& options,
                                        HeaderNames& names);
/// For a pipeline.
[[nodiscard]] std::string vulkan_tables(const PipelineReflection& pipeline, std::span<const Reflection* const> modules,
                                        HeaderNames& names);

}  // namespace vireo::spirv
