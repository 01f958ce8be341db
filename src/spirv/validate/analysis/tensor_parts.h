// SPDX-License-Identifier: Apache-2.0
//
// The parts of tensors (SPV_ARM_tensors): a tensor with a shape is a composite.
//
// Each index removes the first dimension. So the part of a tensor is a tensor whose rank is one less, and
// the part of a tensor of rank 1 is an element. The types of parts need not be declared, so they have no id to compare.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "spirv/validate/core/check.h"

namespace vireo::spirv {

/// The optional ids of OpTypeTensorARM. 0: the type omits the operand.
struct TensorShape {
  Word rank = 0, shape = 0;
};
/// The rank is an integer constant, the shape an array constant of integers.
TensorShape tensor_shape_of(const ModuleCheck& c, const TypeRow& tensor);

/// Whether a type is a tensor with a shape, which is a composite. Other tensors are opaque.
bool is_shaped_tensor(const ModuleCheck& c, const TypeRow& type);

/// The size of a dimension of a tensor with a shape, if known.
std::optional<std::uint64_t> tensor_size(const ModuleCheck& c, const TensorShape& tensor, std::size_t dimension);

/// Whether a type may be a slice of a tensor with a shape: a tensor of the same elements whose shape is that of `whole`
/// without the first `dropped` dimensions. Numbers that specialization determines match.
bool may_be_slice(const ModuleCheck& c, const TypeRow& part, const TypeRow& whole, std::size_t dropped);

}  // namespace vireo::spirv
