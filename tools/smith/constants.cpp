// SPDX-License-Identifier: Apache-2.0
//
// Constants of a random module (generator.h).
#include <algorithm>
#include <array>
#include <bit>

#include "smith/generator.h"

namespace vireo::spirv {

using Kind = SmithType::Kind;

// A vector with equal components.
ValueId SmithGenerator::splat(TypeRef type, ValueId scalar) {
  if (types_[type].kind != Kind::Vector) return scalar;
  const std::vector<ValueId> parts(types_[type].count, scalar);
  return b_.OpConstantComposite(types_[type].id, parts);
}

ValueId SmithGenerator::constant_bits(TypeRef type, std::uint64_t bits) {
  const SmithType scalar = types_[types_.scalar_of(type)];
  if (scalar.width < 64) bits &= (std::uint64_t{1} << scalar.width) - 1;
  // A narrow signed literal is sign-extended (2.2.1).
  const bool is_negative = scalar.is_signed && bits >> (scalar.width - 1) != 0;
  if (is_negative && scalar.width < 64) bits |= ~std::uint64_t{0} << scalar.width;
  const Number number = scalar.is_signed             ? Number(static_cast<std::int64_t>(bits))
                        : scalar.kind == Kind::Float ? Number::of_bits(bits)
                                                     : Number(bits);
  return splat(type, b_.OpConstant(scalar.id, number));
}

ValueId SmithGenerator::constant_real(TypeRef type, double number) {
  return splat(type, b_.OpConstant(types_[types_.scalar_of(type)].id, number));
}

ValueId SmithGenerator::constant(TypeRef type) {
  const SmithType row = types_[type];
  const std::uint64_t any = random_.next();
  switch (row.kind) {
    case Kind::Bool: return any % 2 != 0 ? b_.OpConstantTrue(row.id) : b_.OpConstantFalse(row.id);
    case Kind::Int: {
      // Small numbers, a single bit, all bits but some, any bits.
      const std::uint64_t small = any >> 8 & 15;
      const std::uint64_t numbers[] = {small, small, std::uint64_t{1} << (any >> 16 & (row.width - 1)), ~small,
                                       random_.next()};
      return constant_bits(type, random_.pick(numbers));
    }
    case Kind::Float:
      if (options_.any_floats && any % 4 == 0) return constant_bits(type, random_.next());
      if (options_.any_floats && any % 4 == 1) return constant_real(type, static_cast<double>(any >> 8 & 63) / 8);
      return constant_real(type, static_cast<double>(static_cast<std::int64_t>(any >> 8 & 31) - 16));
    default: break;
  }
  if (any % 6 == 0) return b_.OpConstantNull(row.id);
  // A constant with an element for each of a number that can be specialized does not exist.
  const bool is_sized = row.kind != Kind::Array || spec_constants_.empty() || row.length != spec_constants_[0].id;
  if (!is_sized) return b_.OpConstantNull(row.id);
  std::vector<ValueId> parts;
  for (std::uint32_t i = 0; i < row.count; ++i) parts.push_back(constant(row.part(i)));
  return b_.OpConstantComposite(row.id, parts);
}

}  // namespace vireo::spirv
