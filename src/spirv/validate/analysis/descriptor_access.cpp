// SPDX-License-Identifier: Apache-2.0
//
// Source: Vulkan, "Shader Resource Interface": the types and storage classes of descriptors.
#include "spirv/validate/analysis/descriptor_access.h"

#include <algorithm>
#include <iterator>

namespace vireo::spirv {
namespace {

// clang-format off
constexpr DescriptorIndexing indexing_rows[] = {
    {DescriptorKind::UniformBuffer, "uniform buffer", "uniform buffers",
     Capability::UniformBufferArrayDynamicIndexing, Capability::UniformBufferArrayNonUniformIndexing, 10127, 10134},
    {DescriptorKind::SampledImage, "sampled image or sampler", "sampled images or samplers",
     Capability::SampledImageArrayDynamicIndexing, Capability::SampledImageArrayNonUniformIndexing, 10128, 10135},
    {DescriptorKind::StorageBuffer, "storage buffer", "storage buffers",
     Capability::StorageBufferArrayDynamicIndexing, Capability::StorageBufferArrayNonUniformIndexing, 10129, 10136},
    {DescriptorKind::StorageImage, "storage image", "storage images",
     Capability::StorageImageArrayDynamicIndexing, Capability::StorageImageArrayNonUniformIndexing, 10130, 10137},
    {DescriptorKind::InputAttachment, "input attachment", "input attachments",
     Capability::InputAttachmentArrayDynamicIndexing, Capability::InputAttachmentArrayNonUniformIndexing, 10131, 10138},
    {DescriptorKind::UniformTexelBuffer, "uniform texel buffer", "uniform texel buffers",
     Capability::UniformTexelBufferArrayDynamicIndexing, Capability::UniformTexelBufferArrayNonUniformIndexing, 10132,
     10139},
    {DescriptorKind::StorageTexelBuffer, "storage texel buffer", "storage texel buffers",
     Capability::StorageTexelBufferArrayDynamicIndexing, Capability::StorageTexelBufferArrayNonUniformIndexing, 10133,
     10140},
};
// clang-format on

DescriptorKind kind_of_image(const ImageShape& image) {
  if (image.dim == Dim::SubpassData) return DescriptorKind::InputAttachment;
  if (image.sampled != 1 && image.sampled != 2) return DescriptorKind::None;
  if (image.dim == Dim::Buffer) {
    return image.sampled == 1 ? DescriptorKind::UniformTexelBuffer : DescriptorKind::StorageTexelBuffer;
  }
  return image.sampled == 1 ? DescriptorKind::SampledImage : DescriptorKind::StorageImage;
}

}  // namespace

const DescriptorIndexing* indexing_of(DescriptorKind kind) {
  const auto* const row = std::ranges::find(indexing_rows, kind, &DescriptorIndexing::kind);
  return row == std::end(indexing_rows) ? nullptr : row;
}

DescriptorKind descriptor_kind(const ModuleCheck& c, const TypeRow& type, StorageClass storage) {
  if (storage == StorageClass::UniformConstant) {
    if (type.is(TypeKind::Sampler) || type.is(TypeKind::SampledImage)) return DescriptorKind::SampledImage;
    return type.is(TypeKind::Image) ? kind_of_image(c.types.image(type)) : DescriptorKind::None;
  }
  if (!type.is(TypeKind::Struct)) return DescriptorKind::None;
  if (storage == StorageClass::StorageBuffer) {
    return c.decorations.has(type.id, Decoration::Block) ? DescriptorKind::StorageBuffer : DescriptorKind::None;
  }
  if (storage != StorageClass::Uniform) return DescriptorKind::None;
  if (c.decorations.has(type.id, Decoration::BufferBlock)) return DescriptorKind::StorageBuffer;
  return c.decorations.has(type.id, Decoration::Block) ? DescriptorKind::UniformBuffer : DescriptorKind::None;
}

}  // namespace vireo::spirv
