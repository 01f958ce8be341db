// SPDX-License-Identifier: Apache-2.0
//
// Expressions that only put bits together: `{HI} << 8 | {LO}`.
//
// The one idea: in such an expression each bit of the value is one bit of the word, or constant: it is *wired*. Then an
// equation needs no search. It says the bits, as if the derived field were a field in several places. Which expressions
// are wired is found by running them once on names of bits instead of bits. Where an operand is a name that the scope
// around resolves (which mesa_compat leaves so), that is done anew for each scope.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/decode/tables.h"
#include "isa/solve/scopes.h"

namespace vireo::isa {

/// Bits of a value that stand side by side in the word, too.
struct Wire {
  std::uint32_t value_low = 0;
  std::uint32_t low = 0;  ///< of the scope's bits
  std::uint32_t width = 0;
};

struct Wiring {
  std::vector<Wire> wires;
  BitWord wired = 0;  ///< bits of the value that are bits of the word; each is another one
  BitWord ones = 0;   ///< bits of the value that are always set
};

/// The wirings of all expressions, found when they are first asked for.
class Wirings {
 public:
  Wirings(const DecodeTables& tables, const std::vector<OpenScope>& scopes)
      : tables_(tables), scopes_(scopes), states_(tables.expressions.size(), unknown) {}

  /// Null: the expression computes. `local` as the scope's plan counts. Valid until the next call.
  const Wiring* find(std::uint32_t scope, std::uint32_t local);

 private:
  // What is known of an expression, if not the index of its wiring.
  static constexpr std::uint32_t unknown = nowhere;
  static constexpr std::uint32_t computes = nowhere - 1;
  static constexpr std::uint32_t differs = nowhere - 2;  // from scope to scope

  bool trace(const CompiledExpression& expression, std::uint32_t scope, Wiring& wiring) const;
  [[nodiscard]] const Definition* resolved(std::uint32_t& scope, std::uint32_t resolver) const;

  const DecodeTables& tables_;
  const std::vector<OpenScope>& scopes_;
  std::vector<std::uint32_t> states_;
  std::vector<Wiring> wirings_;
  Wiring here_;  // of an expression that differs
};

}  // namespace vireo::isa
