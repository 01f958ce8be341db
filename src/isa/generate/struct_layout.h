// SPDX-License-Identifier: Apache-2.0
//
// The members of the C++ struct of a leaf.
//
// The one idea: the members that a user sets select the case. A field that alone decides its bits is a plain member. If
// several could decide them (fields of different cases over the same bits, a derived value and its parts), each of them
// is optional. Those that are set must agree with each other and with the resulting word. Definitions of one name with
// the same bits and the same type are one member.
//
// A derived field is a member if it can be solved: if its value is a constant plus bits that are each a bit of a plain
// field. Other derived fields appear only in a comment, because they follow from the rest.
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

/// value = constant + the parts, which do not overlap.
struct Solution {
  std::int64_t constant = 0;
  std::vector<SolvedPart> parts;
};

struct StructMember {
  std::string name;                ///< the C++ name
  const Field* field = nullptr;    ///< the first definition
  std::vector<const Field*> same;  ///< all definitions that are this member
  bool is_optional = false;
  std::optional<Solution> solution;  ///< of derived fields
};

struct StructLayout {
  std::vector<StructMember> members;
  std::vector<const Field*> computed;  ///< derived fields that cannot be solved

  /// The member of a definition; null if the definition is computed or never found.
  [[nodiscard]] const StructMember* find(const Field& field) const;
};

StructLayout struct_layout_of(const Model& model, const CppNames& names, const Bitset& leaf);

/// How the value of a derived field is composed; nothing if there is no such solution.
std::optional<Solution> solve(const Model& model, const Bitset& leaf, const Field& derived);

}  // namespace vireo::isa::generate
