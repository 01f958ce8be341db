// SPDX-License-Identifier: Apache-2.0
//
// One instruction → the functions that fill a user's structure from it. docs/isa-tools.md, "An unpacker".
//
// The one idea: a map that is a place (`src->imm`) can be assigned to, so the maps of the packer are enough. Every field
// that the word has is assigned, shown or not, if its name, the whole of it, has such a map; a map that computes is left
// alone. Where two fields have one place, the case that is asked first wins.
//
// What a bitset is filled into depends on its encode type. A value is made and assigned. A pointer with a choice of leaves is
// made by the user's function, which is told the leaf, and assigned; one without is what its map gives.
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

  /// Makes the function that unpacks any instruction of a root in the generations at hand; gives its name.
  std::string unpack(const Bitset& root);

  /// Whether structures of a root are made by the user's function.
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
