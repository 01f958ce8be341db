// SPDX-License-Identifier: Apache-2.0
//
// The descriptor that an access selects, and the indexes that select it.
//
// A variable is one descriptor or an array of descriptors, which may be nested. The leading indexes of the access chains
// select one of them; further indexes select a part of its block. If the pointer is a parameter of a function, the
// arguments of the calls select the rest: `root` is then the parameter.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

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

/// The kind of a type, which is no array, in a storage class.
DescriptorKind descriptor_kind(const ModuleCheck& c, const TypeRow& type, StorageClass storage);

/// An index into an array of descriptors.
struct DescriptorIndex {
  InstructionIndex chain;
  std::uint16_t word;
  Word id;
};

struct DescriptorAccess {
  Word root = 0;  ///< the variable, parameter or other origin of the pointer; 0: the work budget is exceeded
  DescriptorKind kind = DescriptorKind::None;
  std::vector<DescriptorIndex> indexes;  ///< of the outermost array first
};

/// What an access through the pointer selects. Linear in the chains that make the pointer.
DescriptorAccess descriptor_of(const ModuleCheck& c, Word pointer);

}  // namespace vireo::spirv
