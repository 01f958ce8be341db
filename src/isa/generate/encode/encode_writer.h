// SPDX-License-Identifier: Apache-2.0
//
// Generates C++ structs for leaves, and the functions that encode them.
//
// Encoding has two halves. *Placing* ignores cases: it places each value into its bits, and reports two
// different values for a bit. Each struct has one placing function, which is independent of its position in an
// instruction. *Checking* evaluates the resulting word with the code of a disassembler. For each name, it determines
// the definition that applies, and reports members that belong to another definition. It runs twice: the first pass
// sets bits that asserts expect, the second reports errors. docs/isa-tools.md, "generate --what encoder".
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "isa/generate/expression_writer.h"
#include "isa/generate/struct_layout.h"

namespace vireo::isa::generate {

/// The struct layouts, which all generations share.
class StructLayouts {
 public:
  StructLayouts(const Model& model, const CppNames& names) : model_(model), names_(names) {}
  const StructLayout& operator[](const Bitset& leaf);

 private:
  const Model& model_;
  const CppNames& names_;
  std::unordered_map<const Bitset*, StructLayout> layouts_;
};

/// Writes structs, enums and the functions that place them (encode_types.cpp).
class TypeWriter {
 public:
  TypeWriter(const Model& model, const CppNames& names, StructLayouts& layouts)
      : model_(model), names_(names), layouts_(layouts) {}

  /// Writes the struct of a leaf, after all types of its members.
  void write_leaf(const Bitset& leaf);
  [[nodiscard]] const std::string& types() const { return types_; }
  [[nodiscard]] const std::string& functions() const { return functions_; }

 private:
  void write_root(const Bitset& root);
  void write_enum(EnumId id);
  [[nodiscard]] std::string type_of(const Field& field) const;
  [[nodiscard]] std::string member_text(const Bitset& leaf, const StructMember& member) const;
  [[nodiscard]] std::string visit_text(const StructLayout& layout) const;
  [[nodiscard]] std::string place_text(const Bitset& leaf, const StructLayout& layout) const;
  [[nodiscard]] std::string put_text(const Bitset& leaf, const StructMember& member) const;

  const Model& model_;
  const CppNames& names_;
  StructLayouts& layouts_;
  // A root may be its own only leaf, so there are two sets.
  std::set<const Bitset*> written_;
  std::set<const Bitset*> written_roots_;
  std::set<std::uint32_t> written_enums_;
  std::string types_;
  std::string functions_;
};

/// Writes the checks of a leaf's word in the current generations (encode_check.cpp).
class CheckWriter : private ExpressionWriter {
 public:
  CheckWriter(Writer& writer, Scopes& scopes, Facts& facts, const CppNames& names, StructLayouts& layouts)
      : ExpressionWriter(writer, scopes, facts), names_(names), layouts_(layouts) {}

  /// Returns a statement that checks `given`; empty if there is nothing to check.
  std::string check(const Bitset& leaf);

 private:
  /// The two parts of checking. Names are checked in every bitset, asserts only in bitsets that the display shows.
  enum class Aspect : std::uint8_t { Names, Asserts };
  std::string function_for(const StaticScope& scope, Aspect aspect);
  std::string name_text(const StaticScope& scope, NameId name, Aspect aspect);
  std::string definition_text(const StaticScope& scope, const Field* field, NameId name, Aspect aspect);
  std::string nested_text(const StaticScope& scope, const Field& field, const std::string& given, Aspect aspect);
  std::string cases_text(const StaticScope& scope, std::size_t at);
  std::string case_asserts_text(const StaticScope& scope, const SeenCase& seen);
  std::string holds_text(const std::string& condition);

  const CppNames& names_;
  StructLayouts& layouts_;
};

/// "given.SRC", or "(*given.SRC)" for an optional member.
std::string given_text(const StructMember& member);

}  // namespace vireo::isa::generate
