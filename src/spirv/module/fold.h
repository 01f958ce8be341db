// SPDX-License-Identifier: Apache-2.0
//
// Arithmetic of OpSpecConstantOp on single components.
//
// A value is 64 bits and their type. fold() computes the bits of a result from the bits of the operands,
// or returns nothing if the specification leaves the result undefined. Vectors and composites are handled in
// constants.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "vireo/spirv/grammar/enums.h"
#include "vireo/spirv/module/types.h"
#include "vireo/support/number.h"

namespace vireo::spirv {

/// The type of a component.
struct FoldType {
  enum class Class : std::uint8_t { None, Bool, Int, Float };
  Class class_ = Class::None;
  std::uint32_t width = 0;                   ///< in bits, 1 to 64; 1 for Bool
  FloatFormat format = FloatFormat::Single;  ///< only for Float
};

/// The type of a scalar. Integers of more than 64 bits, unknown float formats, and types that are not scalar have class
/// None, which ends the evaluation.
FoldType fold_type_of(const TypeRow& type);

struct FoldValue {
  FoldType type;
  std::uint64_t bits = 0;  ///< zero above the width
};

/// The lowest `width` bits, 0 to 64, set.
constexpr std::uint64_t mask_of(std::uint32_t width) {
  return width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
}
/// The value of a two's complement number of `width` bits, 1 to 64.
constexpr std::int64_t sign_extended(std::uint64_t bits, std::uint32_t width) {
  const std::uint64_t sign = std::uint64_t{1} << (width - 1);
  return static_cast<std::int64_t>((bits ^ sign) - sign);
}

/// The result's bits; nothing for opcodes that are not arithmetic, mismatched operand types, and undefined results.
std::optional<std::uint64_t> fold(Op opcode, FoldType result, std::span<const FoldValue> operands);

/// The exact value of bits in a format; nothing for formats of fewer than 16 bits.
std::optional<double> double_of(std::uint64_t bits, FloatFormat format);
/// Rounds to nearest, ties to even. Values beyond the largest number become infinity; a NaN becomes a quiet NaN.
std::optional<std::uint64_t> bits_of(double value, FloatFormat format);

}  // namespace vireo::spirv
