// SPDX-License-Identifier: Apache-2.0
//
// The components of constant operands (specification 2.2.2, 3.42.7).
#include "spirv/validate/analysis/constant_components.h"

#include <fmt/format.h>

#include <algorithm>

#include "spirv/module/fold.h"

namespace vireo::spirv {
namespace {

// The largest vector without an extension. Long vectors have any number of components; to look at all of them for each
// use would take quadratic time.
constexpr std::uint64_t most_components = 16;

const TypeRow& scalar_of(const ModuleCheck& c, Word value) { return c.type_of(value).component(); }

}  // namespace

std::size_t constant_component_count(const ModuleCheck& c, Word value) {
  const ConstantRow* constant = c.constants.find(value);
  if (constant == nullptr) return 0;
  const TypeRow& type = c.types.row(constant->type);
  if (type.is_scalar() || type.is_cooperative_matrix()) return 1;  // all components of a matrix are equal
  return type.is_vector() ? static_cast<std::size_t>(std::min(type.count, most_components)) : 0;
}

std::optional<std::uint64_t> component_bits(const ModuleCheck& c, Word value, std::size_t n) {
  const ConstantRow* constant = c.constants.find(value);
  if (constant != nullptr && constant->has_parts()) {
    if (constant->choice != ConstantStatus::Known) return std::nullopt;
    const std::span<const ConstantIndex> parts = c.constants.parts(*constant);
    const std::size_t part = constant->kind == ConstantKind::Repeated ? 0 : n;
    if (part >= parts.size()) return std::nullopt;
    constant = &c.constants.row(parts[part]);
  }
  if (constant == nullptr || constant->status != ConstantStatus::Known) return std::nullopt;
  if (constant->kind == ConstantKind::Null) return 0;
  return constant->is_scalar() ? std::optional(constant->bits) : std::nullopt;
}

std::optional<std::int64_t> signed_component(const ModuleCheck& c, Word value, std::size_t n) {
  const TypeRow& type = scalar_of(c, value);
  const auto bits = component_bits(c, value, n);
  if (!bits || !type.is(TypeKind::Int) || type.width == 0 || type.width > 64) return std::nullopt;
  return sign_extended(*bits, type.width);
}

std::optional<double> float_component(const ModuleCheck& c, Word value, std::size_t n) {
  const FoldType type = fold_type_of(scalar_of(c, value));
  const auto bits = component_bits(c, value, n);
  if (!bits || type.class_ != FoldType::Class::Float) return std::nullopt;
  return double_of(*bits, type.format);
}

std::string component_text(const ModuleCheck& c, Word value, std::size_t n) {
  std::string text = id_text(c, value);
  return c.type_of(value).is_vector() ? fmt::format("component {} of {}", n, text) : text;
}

}  // namespace vireo::spirv
