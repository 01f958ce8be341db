// SPDX-License-Identifier: Apache-2.0
//
// Source: Vulkan, "Shader Resource Interface": the types and storage classes of descriptors.
#include "spirv/validate/analysis/descriptor_access.h"

#include "spirv/validate/analysis/access_path.h"
#include "spirv/validate/analysis/pointers.h"

namespace vireo::spirv {
namespace {

DescriptorKind kind_of_image(const ImageShape& image) {
  if (image.dim == Dim::SubpassData) return DescriptorKind::InputAttachment;
  if (image.sampled != 1 && image.sampled != 2) return DescriptorKind::None;
  if (image.dim == Dim::Buffer) {
    return image.sampled == 1 ? DescriptorKind::UniformTexelBuffer : DescriptorKind::StorageTexelBuffer;
  }
  return image.sampled == 1 ? DescriptorKind::SampledImage : DescriptorKind::StorageImage;
}

}  // namespace

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

DescriptorAccess descriptor_of(const ModuleCheck& c, Word pointer) {
  const AccessPath path = access_path(c, pointer);
  DescriptorAccess access;
  access.root = path.root;
  const StorageClass storage = c.type_of(pointer).storage;
  if (const TypeRow* holds = path.root == 0 ? nullptr : pointee_of(c, path.root)) {
    access.kind = descriptor_kind(c, holds->innermost(), storage);
  }
  walk_path(c, path, [&](const TypeRow& type, auto index, InstructionIndex chain) {
    if (access.kind == DescriptorKind::None) access.kind = descriptor_kind(c, type.innermost(), storage);
    if (!type.is_array() || access.kind == DescriptorKind::None) return false;
    // An array within a block has elements of another kind.
    if (descriptor_kind(c, type.innermost(), storage) != access.kind) return false;
    access.indexes.push_back({chain, index.word, index});
    return true;
  });
  return access;
}

}  // namespace vireo::spirv
