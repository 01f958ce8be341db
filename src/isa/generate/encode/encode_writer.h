// SPDX-License-Identifier: Apache-2.0
//
// Leaves → structs of C++ and the functions that make their words.
//
// The one idea: making a word has two halves. *Placing* knows nothing of cases: it puts what was given where it belongs,
// and any two values for a bit are a fault; one function a struct, wherever it stands in an instruction. *Settling* asks
// the word that has come out, by the code that a disassembler would use: which definition does this name have here? Who
// filled in another one is told; and the asserts on the way to the display get their bits. It runs twice, once to give
// bits to what asserts want, once to judge the result. docs/isa-tools.md, "An encoder".
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "isa/generate/expression_writer.h"
#include "isa/generate/shape.h"

namespace vireo::isa::generate {

/// What all generations have in common.
class Shapes {
 public:
  Shapes(const Model& model, const CppNames& names) : model_(model), names_(names) {}
  const Shape& operator[](const Bitset& leaf);

 private:
  const Model& model_;
  const CppNames& names_;
  std::unordered_map<const Bitset*, Shape> shapes_;
};

/// Structs, enums and the functions that place them: encode_types.cpp.
class TypeWriter {
 public:
  TypeWriter(const Model& model, const CppNames& names, Shapes& shapes)
      : model_(model), names_(names), shapes_(shapes) {}

  /// The struct of a leaf, after all that it is made of.
  void write_leaf(const Bitset& leaf);
  [[nodiscard]] const std::string& types() const { return types_; }
  [[nodiscard]] const std::string& functions() const { return functions_; }

 private:
  void write_root(const Bitset& root);
  void write_enum(EnumId id);
  [[nodiscard]] std::string type_of(const Field& field) const;
  [[nodiscard]] std::string member_text(const Bitset& leaf, const ShapeMember& member) const;
  [[nodiscard]] std::string visit_text(const Shape& shape) const;
  [[nodiscard]] std::string place_text(const Bitset& leaf, const Shape& shape) const;
  [[nodiscard]] std::string put_text(const Bitset& leaf, const ShapeMember& member) const;

  const Model& model_;
  const CppNames& names_;
  Shapes& shapes_;
  // A root may be its own only leaf, so one set would not do.
  std::set<const Bitset*> written_;
  std::set<const Bitset*> written_roots_;
  std::set<std::uint32_t> written_enums_;
  std::string types_;
  std::string functions_;
};

/// What settles the word of one leaf in the generations at hand: encode_settle.cpp.
class SettleWriter : private ExpressionWriter {
 public:
  SettleWriter(Writer& writer, Scopes& scopes, Facts& facts, const CppNames& names, Shapes& shapes)
      : ExpressionWriter(writer, scopes, facts), names_(names), shapes_(shapes) {}

  /// A statement that settles `given`; empty: there is nothing to settle.
  std::string settle(const Bitset& leaf);

 private:
  /// Which half of settling. Names mean something in every bitset; asserts count in those that are shown.
  enum class Aspect : std::uint8_t { Names, Asserts };
  std::string function_for(const StaticScope& scope, Aspect aspect);
  std::string name_text(const StaticScope& scope, NameId name, Aspect aspect);
  std::string definition_text(const StaticScope& scope, const Field* field, NameId name, Aspect aspect);
  std::string nested_text(const StaticScope& scope, const Field& field, const std::string& given, Aspect aspect);
  std::string cases_text(const StaticScope& scope, std::size_t at);
  std::string wanted_text(const StaticScope& scope, const SeenCase& seen);
  std::string holds_text(const std::string& condition);

  const CppNames& names_;
  Shapes& shapes_;
};

/// "given.SRC", or "(*given.SRC)" of what is optional.
std::string given_text(const ShapeMember& member);

}  // namespace vireo::isa::generate
