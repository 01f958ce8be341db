// SPDX-License-Identifier: Apache-2.0
//
// The parts of tensors (tensor_parts.h).
#include "spirv/validate/analysis/tensor_parts.h"

#include "vireo/spirv/binary/views/type_declaration.h"

namespace vireo::spirv {

TensorShape tensor_shape_of(const ModuleCheck& c, const TypeRow& tensor) {
  const View<Op::OpTypeTensorARM> declaration(c.module.instruction(tensor.declaration));
  const auto rank = declaration.rank(), shape = declaration.shape();
  return {rank ? rank->id : 0, shape ? shape->id : 0};
}

bool is_shaped_tensor(const ModuleCheck& c, const TypeRow& type) {
  return type.is(TypeKind::Tensor) && tensor_shape_of(c, type).shape != 0;
}

std::optional<std::uint64_t> tensor_size(const ModuleCheck& c, const TensorShape& tensor, std::size_t dimension) {
  const Constants& constants = c.constants;
  const auto parts = constants.parts(constants.of(tensor.shape));
  if (dimension >= parts.size()) return std::nullopt;
  const ConstantRow& part = constants.row(parts[dimension]);
  if (!part.is_scalar() || part.status != ConstantStatus::Known) return std::nullopt;
  return part.bits;
}

bool may_be_slice(const ModuleCheck& c, const TypeRow& part, const TypeRow& whole, std::size_t dropped) {
  if (!is_shaped_tensor(c, part) || part.element != whole.element) return false;
  const TensorShape slice = tensor_shape_of(c, part), tensor = tensor_shape_of(c, whole);
  const auto slice_rank = c.constants.as_u64(slice.rank), rank = c.constants.as_u64(tensor.rank);
  if (slice_rank && rank && *slice_rank + dropped != *rank) return false;
  const auto count = c.constants.parts(c.constants.of(slice.shape)).size();
  // A shape names at most as many sizes as the instruction has words, but constituents may share it.
  if (!c.budget.spend(1 + count)) return true;
  for (std::size_t i = 0; i < count; ++i) {
    const auto a = tensor_size(c, slice, i), b = tensor_size(c, tensor, i + dropped);
    if (a && b && *a != *b) return false;
  }
  return true;
}

}  // namespace vireo::spirv
