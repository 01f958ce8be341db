// SPDX-License-Identifier: Apache-2.0
//
// Generates the functions that fill a user's structure from one instruction. docs/isa-tools.md, "generate --what
// unpacker".
//
// An assignable map (`src->imm`) also works in reverse, so the maps of the packer suffice. Every field of
// the word with an assignable map is assigned, even if the display does not show it. Other maps are skipped. If two
// fields have the same target, the case that is evaluated first wins.
//
// The encode type of a bitset determines how its structure is filled. A structure of value type is built and assigned.
// If the type is a pointer and the root has several leaves, a user function creates the structure for the given leaf.
// If the root has one leaf, the map yields the pointer.
#pragma once

#include <string>
#include <string_view>

#include "isa/generate/expression_writer.h"
#include "isa/generate/maps.h"

namespace vireo::isa::generate {

class UnpackWriter : private ExpressionWriter {
 public:
  UnpackWriter(Writer& writer, Scopes& scopes, Facts& facts, const Maps& maps)
      : ExpressionWriter(writer, scopes, facts), maps_(maps) {}

  /// Generates the function that unpacks any instruction of a root in the current generations; returns its name.
  std::string unpack(const Bitset& root);

  /// Whether a user function creates the structures of a root.
  [[nodiscard]] static bool is_created(const Model& model, const Bitset& root);

 private:
  std::string choice_function(const Bitset& root, const StaticScope* parent, const Field* opened_by, std::uint32_t low);
  std::string leaf_function(const StaticScope& scope);
  std::string name_statements(const StaticScope& scope, NameId name);
  std::string field_statements(const StaticScope& scope, const Field& field, const EncodeMap& map);
  std::string bitset_statements(const StaticScope& scope, const Field& field, const EncodeMap& map);
  std::string params_statements(const StaticScope& scope, const Field& field);
  std::string function_of(std::string_view result, const std::string& value);

  const Maps& maps_;
};

}  // namespace vireo::isa::generate
