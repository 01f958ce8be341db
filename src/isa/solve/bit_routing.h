// SPDX-License-Identifier: Apache-2.0
//
// Expressions that only combine bits: `{HI} << 8 | {LO}`.
//
// In such an expression, each bit of the value is a bit of the word or a constant. The expression
// *routes* bits. An equation over it needs no search, because the value determines these bits. Evaluating the
// expression once on names of bits, instead of values, determines the routing. If an operand is resolved in an outer
// scope (mesa_compat keeps such names), the routing is computed for each scope.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/decode/tables.h"
#include "isa/solve/scopes.h"

namespace vireo::isa {

/// Adjacent bits of a value that are also adjacent in the word.
struct RoutedBits {
  std::uint32_t value_low = 0;
  std::uint32_t low = 0;  ///< bit number within the scope
  std::uint32_t width = 0;
};

struct BitRouting {
  std::vector<RoutedBits> runs;
  BitWord routed = 0;  ///< the bits of the value that are bits of the word
  BitWord ones = 0;    ///< bits of the value that are always set
};

/// The bit routings of all expressions, each computed on first use.
class BitRoutings {
 public:
  BitRoutings(const DecodeTables& tables, const std::vector<OpenScope>& scopes)
      : tables_(tables), scopes_(scopes), states_(tables.expressions.size(), unknown) {}

  /// Returns null if the expression does more than route bits. `local` is the index within the scope's plan. The
  /// pointer is valid until the next call.
  const BitRouting* find(std::uint32_t scope, std::uint32_t local);

 private:
  // Values of states_ that are not indexes into routings_.
  static constexpr std::uint32_t unknown = nowhere;
  static constexpr std::uint32_t not_routable = nowhere - 1;
  static constexpr std::uint32_t differs_by_scope = nowhere - 2;  // computed anew for each scope

  bool trace(const CompiledExpression& expression, std::uint32_t scope, BitRouting& routing) const;
  [[nodiscard]] const Definition* resolved(std::uint32_t& scope, std::uint32_t resolver) const;

  const DecodeTables& tables_;
  const std::vector<OpenScope>& scopes_;
  std::vector<std::uint32_t> states_;
  std::vector<BitRouting> routings_;
  BitRouting uncached_;  // routing of the last expression that differs by scope
};

}  // namespace vireo::isa
