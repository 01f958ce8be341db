// SPDX-License-Identifier: Apache-2.0
//
// The kinds of descriptors, and the rules about indexes into their arrays.
#pragma once

#include <cstdint>
#include <string_view>

#include "spirv/validate/core/check.h"

namespace vireo::spirv {

/// The kinds of descriptors that have a capability for dynamic indexes of their arrays.
enum class DescriptorKind : std::uint8_t {
  None,  ///< no descriptor, or one of another kind
  UniformBuffer,
  SampledImage,  ///< also samplers
  StorageBuffer,
  StorageImage,
  InputAttachment,
  UniformTexelBuffer,
  StorageTexelBuffer,
};

/// The rules of Vulkan about the indexes into arrays of a kind of descriptors.
struct DescriptorIndexing {
  DescriptorKind kind;
  std::string_view name, plural;                 ///< for messages
  Capability dynamic;                            ///< is required for indexes that are not constant
  Capability non_uniform;                        ///< is required for indexes that differ between invocations
  std::uint16_t dynamic_vuid, non_uniform_vuid;  ///< of modules without the capability
};
/// The row of a kind; nullptr for DescriptorKind::None.
const DescriptorIndexing* indexing_of(DescriptorKind kind);

/// The kind of a type, which is no array, in a storage class.
DescriptorKind descriptor_kind(const ModuleCheck& c, const TypeRow& type, StorageClass storage);

}  // namespace vireo::spirv
