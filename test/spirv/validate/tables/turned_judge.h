// SPDX-License-Identifier: Apache-2.0
//
// A second judge of typing rows: what an instruction has to be told for, by the letter of the language (typing.h).
//
// The one idea: it shares nothing with the first judge but the row. It looks at plain types, asks no library, remembers
// nothing and is slow; where the two differ, one of them has misread the language.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "spirv/validate/engine/typing.h"
#include "spirv/validate/tables/turned_universe.h"

namespace vireo::spirv::test {

/// A finding: the word of the instruction that it is about, and its rule.
struct Told {
  std::uint32_t word = 0;
  std::string_view rule;
  friend bool operator==(const Told&, const Told&) = default;
};

/// A demand, and who is to meet it. `number` of operands counts from 1.
struct Judge {
  const Universe& universe;
  const PlainType* result = nullptr;        ///< nullptr: there is none
  std::vector<const PlainValue*> operands;  ///< nullptr: none that has a type

  [[nodiscard]] bool accepts_result(const TypeDemand& demand) const;
  /// The rule that operand `number` breaks; empty: none.
  [[nodiscard]] std::string_view fault_of(const TypeDemand& demand, std::size_t number) const;

 private:
  [[nodiscard]] bool is_of(const PlainType& type, TypeShape shape) const;
  [[nodiscard]] bool is_of_some(const PlainType& type, const TypeDemand& demand) const;
  [[nodiscard]] bool is_named(const PlainType& type, std::string_view spelling) const;
  [[nodiscard]] bool relates(const PlainType& type, Relation::Kind kind, const PlainType& other) const;
};

}  // namespace vireo::spirv::test
