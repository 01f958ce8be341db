// SPDX-License-Identifier: Apache-2.0
//
// TypeParts: which types hold a part of some sort.
//
// The one idea: a type is declared after its parts, so one pass in the order of declaration finds the part of each type
// from those of its own parts. Each sort gets its pass when somebody first asks for it, and most modules ask for none;
// from then on an answer is one look, however many variables of a large type there are.
//
// Source: what variables and composites ask (variables.cpp, composites.cpp, constant_checks.cpp).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "spirv/validate/engine/context.h"

namespace vireo::spirv {

enum class PartSort : std::uint8_t {
  LogicalPointer,  ///< a pointer that is no number
  TinyFloat,       ///< a float of 4 or 6 bits
  WideVector,      ///< a vector of more than four components, or of nobody knows how many
  OpenVector,      ///< a vector whose length is not known
};
inline constexpr std::size_t part_sorts_count = 4;

class TypeParts {
 public:
  /// Reads nothing yet.
  explicit TypeParts(const Context& context) : context_(context) {}

  /// A part of that sort, the type itself included; nullptr when it holds none. Of members the last one that holds any
  /// counts, and pointers are not followed.
  const TypeRow* find(const TypeRow& type, PartSort sort);

  /// The first member of a structure that is of another type than the first one; 0 when all are of one.
  Word other_member(const TypeRow& structure);

 private:
  void read(PartSort sort);

  const Context& context_;
  std::array<std::vector<TypeIndex>, part_sorts_count> parts_;  // by type; empty until it is asked for
  std::vector<Word> other_members_;                             // by type; the same
};

}  // namespace vireo::spirv
