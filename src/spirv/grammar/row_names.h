// SPDX-License-Identifier: Apache-2.0
//
// The names of the enumerations in rows, as the grammar's JSON spells them.
//
// An enumerator is the index of its name. Reading documents, printing tables and comparing grammars use
// the same lists (JSON schema, operand kinds and quantifiers).
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "vireo/spirv/grammar/grammar.h"

namespace vireo::spirv {

inline constexpr std::array<std::string_view, 5> category_names = {"BitEnum", "ValueEnum", "Id", "Literal",
                                                                   "Composite"};
constexpr std::string_view name_of(Category category) { return category_names[static_cast<std::size_t>(category)]; }

/// If a shape belongs to a single kind, it has the kind's name. The last three are categories, which have many kinds.
inline constexpr std::array<std::string_view, 14> shape_names = {
    "IdResultType",
    "IdResult",
    "IdRef",
    "IdScope",
    "IdMemorySemantics",
    "LiteralInteger",
    "LiteralFloat",
    "LiteralString",
    "LiteralContextDependentNumber",
    "LiteralExtInstInteger",
    "LiteralSpecConstantOpInteger",
    "ValueEnum",
    "BitEnum",
    "Composite",
};
constexpr std::string_view name_of(OperandShape shape) { return shape_names[static_cast<std::size_t>(shape)]; }
static_assert(name_of(OperandShape::IdMemorySemantics) == "IdMemorySemantics");
static_assert(name_of(OperandShape::Composite) == name_of(Category::Composite));

inline constexpr std::array<std::string_view, 3> quantifier_names = {"One", "Optional", "Star"};
constexpr std::string_view name_of(Quantifier quantifier) {
  return quantifier_names[static_cast<std::size_t>(quantifier)];
}

}  // namespace vireo::spirv
