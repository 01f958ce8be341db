// SPDX-License-Identifier: Apache-2.0
//
// A second interpreter of the operations that OpSpecConstantOp permits, for tests of the first one.
//
// It is written from the specification only, and computes in another way than a compiler would. Integers
// are exact 128-bit numbers that are reduced modulo 2^n at the end. Floats are exact fractions that are rounded by a
// search for the nearest bit pattern. Only 32-bit and 64-bit sums, products and quotients use the host's arithmetic.
//
// Source: specification 3.42.7 (OpSpecConstantOp), 3.42.11 (conversions), 3.42.13 (arithmetic), 3.42.14 (bits), 3.42.15
// (relations).
#pragma once

#include <cstdint>

#include "vireo/spirv/grammar/enums.h"

namespace vireo::spirv::naive {

/// A scalar type that a specialization constant can have.
struct ScalarType {
  enum class Kind : std::uint8_t { Bool, Int, Float };
  Kind kind = Kind::Bool;
  unsigned width = 1;
  bool is_signed = false;  ///< for Int
  friend bool operator==(const ScalarType&, const ScalarType&) = default;
};

/// The results that the specification permits.
enum class Accepts : std::uint8_t {
  Exactly,    ///< these bits
  AnyNan,     ///< any NaN of the type
  EitherZero  ///< +0 and -0
};

/// The result of an operation on scalars.
struct Outcome {
  bool is_defined = true;
  std::uint64_t bits = 0;  ///< zero above the width
  Accepts accepts = Accepts::Exactly;
};

/// An operand: its type and its bits, which are zero above the width.
struct Operand {
  ScalarType type;
  std::uint64_t bits = 0;
};

/// The result of an operation that has one or two scalar operands. `second` is ignored for one operand.
Outcome evaluate(Op op, ScalarType result, Operand first, Operand second);

bool is_nan(ScalarType type, std::uint64_t bits);
bool is_zero(ScalarType type, std::uint64_t bits);  ///< for floats also -0

}  // namespace vireo::spirv::naive
