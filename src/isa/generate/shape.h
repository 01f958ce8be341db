// SPDX-License-Identifier: Apache-2.0
//
// A leaf as a struct: its members.
//
// The one idea: whoever fills a struct in says which case is meant by what is filled in. A field that alone decides its
// bits is a plain member. Where several could (fields of different cases over the same bits, a derived value and its
// parts) each of them is optional, and those that are given have to agree with each other and with the word that they
// make. Definitions of one name with the same bits and the same type are one member.
//
// A derived field is a member if it can be solved: if its value is a constant plus bits that are each a bit of a plain
// field. Others are named in a comment, for they follow from the rest.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "isa/generate/cpp_names.h"

namespace vireo::isa::generate {

/// A run of bits of a derived value that is a run of bits of a field.
struct SolvedPart {
  const Field* field = nullptr;
  std::uint32_t field_low = 0;
  std::uint32_t value_low = 0;
  std::uint32_t width = 0;
};

/// value = constant + the parts, put side by side.
struct Solution {
  std::int64_t constant = 0;
  std::vector<SolvedPart> parts;
};

struct ShapeMember {
  std::string name;                ///< in C++
  const Field* field = nullptr;    ///< the first definition
  std::vector<const Field*> same;  ///< all definitions that are this member
  bool is_optional = false;
  std::optional<Solution> solution;  ///< of derived fields
};

struct Shape {
  std::vector<ShapeMember> members;
  std::vector<const Field*> computed;  ///< derived fields that cannot be solved

  /// The member that a definition is; null for those that are computed, or never found.
  [[nodiscard]] const ShapeMember* find(const Field& field) const;
};

Shape shape_of(const Model& model, const CppNames& names, const Bitset& leaf);

/// How a derived field's value is put together; nothing where that is not known.
std::optional<Solution> solve(const Model& model, const Bitset& leaf, const Field& derived);

}  // namespace vireo::isa::generate
