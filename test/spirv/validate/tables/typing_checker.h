// SPDX-License-Identifier: Apache-2.0
//
// An independent checker of typing rows: the findings that an instruction must have according to typing.h.
//
// It shares only the rows with the validator. It works on plain types, calls no library function, caches
// nothing and is slow. If the two disagree, one of them misinterprets the language.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "spirv/validate/tables/typing.h"
#include "spirv/validate/tables/universe.h"

namespace vireo::spirv::test {

/// A finding: its word within the instruction, and its rule.
struct Finding {
  std::uint32_t word = 0;
  std::string_view rule;
  friend bool operator==(const Finding&, const Finding&) = default;
};

/// The name of a rule of types without its family: "*-type-match" for "arithmetic-type-match". Other names are unchanged.
std::string_view kind_of(std::string_view rule);

/// Checks values against requirements. Operand numbers count from 1.
struct TypingChecker {
  const Universe& universe;
  const PlainType* result = nullptr;        ///< nullptr: no result
  std::vector<const PlainValue*> operands;  ///< nullptr: no operand with a type

  [[nodiscard]] bool accepts_result(const TypeRequirement& requirement) const;
  /// The rule that operand `number` violates; empty: none.
  [[nodiscard]] std::string_view fault_of(const TypeRequirement& requirement, std::size_t number) const;

 private:
  [[nodiscard]] bool is_of(const PlainType& type, TypeShape shape) const;
  [[nodiscard]] bool is_of_some(const PlainType& type, const TypeRequirement& requirement) const;
  [[nodiscard]] bool is_named(const PlainType& type, std::string_view spelling) const;
  [[nodiscard]] bool relates(const PlainType& type, Relation::Kind kind, const PlainType& other) const;
};

}  // namespace vireo::spirv::test
