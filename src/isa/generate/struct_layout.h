// SPDX-License-Identifier: Apache-2.0
//
// The members of the C++ struct of a leaf.
//
// The members that a user sets select the case. A member is optional if only an override defines it, or
// if it shares bits with another member. A derived field shares bits with its parts. The members that a user sets must
// agree with each other and with the resulting word. Definitions with the same name, bits and type are one member.
//
// A derived field is a member if the fields in it can be computed from its value: if the value is a constant plus bits
// of fields. Other derived fields appear only in a comment.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "isa/generate/cpp_names.h"

namespace vireo::isa::generate {

/// Maps a run of bits of a field to a run of bits of a derived value.
struct SolvedPart {
  const Field* field = nullptr;
  std::uint32_t field_low = 0;
  std::uint32_t value_low = 0;
  std::uint32_t width = 0;
};

/// The value of a derived field: a constant plus parts that do not overlap.
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

  /// Returns the member for a definition. Null for a computed field, and for a definition that name lookup never
  /// reaches.
  [[nodiscard]] const StructMember* find(const Field& field) const;
};

StructLayout struct_layout_of(const Model& model, const CppNames& names, const Bitset& leaf);

/// Decomposes the value of a derived field into parts. Returns nothing if this is impossible.
std::optional<Solution> solve(const Model& model, const Bitset& leaf, const Field& derived);

}  // namespace vireo::isa::generate
