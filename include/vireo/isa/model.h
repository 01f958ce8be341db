// SPDX-License-Identifier: Apache-2.0
//
// The model: the description of an instruction set as tables of rows.
//
// The elements of the XML are rows of flat tables, in the order of reading. Rows refer to other rows by
// Id, and to the rows that they own by a Run (first, count). Names are interned, inheritance is resolved (each bitset
// has its chain to the root), templates are expanded, displays are split into segments, and expressions are parsed. The
// model covers all generations; a Decoder selects one (vireo/isa/decode.h). Reference: docs/isaspec.md.
//
//   for (const InstructionRoot& row : model.instruction_roots())
//     for (const BitsetId leaf : model.leaves(model[row.root]))
//       for (const BitsetId id : model.chain(model[leaf]))
//         for (const Case& c : model.cases(model[id])) …
//
// Terms: a *root* is a bitset without a parent; it has a size. A *leaf* is a bitset that no other bitset extends. A
// *case* is an override, or the default case of a bitset: its elements outside overrides, which are its last case. A
// *field* has bits; a *derived field* has an expression instead.
//
// Instructions of several sizes: isaspec has one instruction root, "#instruction". An `<encoding>` element, which other
// tools ignore, lists several:
//
//   <encoding unit="16">
//     <root name="#compressed"><pattern low="0" high="1">0x</pattern></root>
//     <root name="#compressed"><pattern low="0" high="1">10</pattern></root>
//     <root name="#wide"/>
//   </encoding>
//
// A program is then a sequence of units. A unit is a multiple of 8 bits, little-endian, and the size of each root is a
// multiple of the unit. At each position the rows of `<encoding>` are tried in order. A row with a pattern applies if
// the pattern matches the lowest bits, even if no leaf matches. A row without a pattern applies if a leaf of its root
// matches. The row that applies determines the length of the instruction. If no row applies, one unit is a "no match".
// Rows longer than the rest of the program are skipped. Instruction indexes and branch targets count units.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "vireo/isa/bits.h"
#include "vireo/isa/expression.h"
#include "vireo/support/api.h"
#include "vireo/support/id.h"

namespace vireo::isa {

using FileId = Id<struct FileTag, std::uint32_t>;
using NameId = Id<struct NameTag, std::uint32_t>;
using BitsetId = Id<struct BitsetTag, std::uint32_t>;
using CaseId = Id<struct CaseTag, std::uint32_t>;
using FieldId = Id<struct FieldTag, std::uint32_t>;
using EnumId = Id<struct EnumTag, std::uint32_t>;
using ExpressionId = Id<struct ExpressionTag, std::uint32_t>;
using TemplateId = Id<struct TemplateTag, std::uint32_t>;

/// A source location: a range of bytes in a file (LoadedModel::files).
struct VIREO_API Place {
  FileId file;
  std::uint32_t begin = 0;  ///< begin … end - 1
  std::uint32_t end = 0;
};

/// A range of consecutive rows of one table.
struct VIREO_API Run {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};

/// An alternative text that the assembler accepts. The printer does not print it.
struct VIREO_API Alias {
  std::string_view text;
  Run segments;  ///< for an alias of a display: its segments, with templates expanded
  Place where;
};

/// How assemblers and encoders treat the words of a leaf or case: the attribute `vireo-assembly`.
enum class AssemblyMark : std::uint8_t {
  Unspecified,  ///< the attribute is absent; the mark of an ancestor applies
  Normal,       ///< replaces the mark of an ancestor
  Canonical,    ///< these words are preferred if one text has several words
  Never,        ///< these words are decoded, but not assembled or encoded
};

/// A text for a number in custom fields whose names begin with `kind`, ignoring case.
struct VIREO_API CustomName {
  std::string_view kind;
  std::uint64_t value = 0;
  std::string_view name;
  Place where;
};

/// A row of an enumeration: a number and its text.
struct VIREO_API EnumValue {
  std::uint64_t number = 0;
  std::string_view name;     ///< symbolic name; may be empty
  std::string_view display;  ///< printed text; may be empty
  Run aliases;
  std::string_view doc;
  Place where;
};

/// An `<enum>`: names for the values of a field.
struct VIREO_API Enum {
  NameId name;
  Run values;  ///< in document order; if several have the same number, the first one is displayed
  std::string_view doc;
  Place where;
};

/// An `<expr>`: the condition of a case, or the value of a derived field.
struct VIREO_API Expression {
  std::string_view name;  ///< empty: an inline expression
  std::string_view text;  ///< as in the file
  Run steps;              ///< postfix code (vireo/isa/expression.h); none if the text has a fault
  Run slots;              ///< NameIds of the fields that it reads; index = slot
  Place where;            ///< location of the text
};

/// A `<template>`: a text that displays refer to by its name.
struct VIREO_API Template {
  NameId name;
  std::string_view text;
  Place where;
};

/// The type of a field: its attribute `type`.
enum class FieldType : std::uint8_t {
  Uint,
  Int,
  Hex,
  Offset,
  Uoffset,
  Float,
  Bool,
  BoolInv,
  Branch,
  Absbranch,
  Custom,  // in the order of field_type_names
  Enum,
  Bitset,
};
inline constexpr std::string_view field_type_names[] = {"uint", "int",      "hex",    "offset",    "uoffset", "float",
                                                        "bool", "bool_inv", "branch", "absbranch", "custom"};

/// Whether the raw bits are a two's complement number.
constexpr bool is_signed(FieldType type) {
  return type == FieldType::Int || type == FieldType::Offset || type == FieldType::Branch;
}

/// A `<param>`: passes a field of the enclosing scope to a nested bitset.
struct VIREO_API Param {
  NameId outer;  ///< name in the enclosing scope
  NameId inner;  ///< name in the nested bitset; may be the same
  Place where;
};

/// A `<field>`: bits of a case with a type, or a value derived from other fields.
struct VIREO_API Field {
  NameId name;
  FieldType type = FieldType::Uint;
  std::uint32_t low = 0;     ///< lowest bit
  std::uint32_t width = 1;   ///< number of bits; for a derived field only if its type needs a width
  ExpressionId expression;   ///< for derived fields; none: the field has bits
  EnumId enumeration;        ///< for type Enum
  BitsetId bitset;           ///< for type Bitset: a root of this width
  std::string_view display;  ///< for Bool and BoolInv: the text that is printed
  bool has_display = false;
  bool is_call = false;  ///< for Branch and Absbranch: the target is a function
  /// The bits of the field if the text or the caller does not determine them, truncated to the width. Bits above 64 are
  /// 0. None: no default.
  std::optional<BitWord> default_value;
  Run params;
  CaseId owner;
  Place where;
  std::string_view doc;

  [[nodiscard]] bool is_derived() const { return !expression.is_none(); }
  [[nodiscard]] std::uint32_t high() const { return low + width - 1; }
};

/// Bits that must be 0 or 1 if the leaf matches, and don't-care bits (`x`).
struct VIREO_API Pattern {
  std::uint32_t low = 0;
  std::uint32_t width = 1;
  std::string_view text;  ///< one character for each bit, highest bit first
  Place where;

  [[nodiscard]] std::uint32_t high() const { return low + width - 1; }
};

/// Bits with an expected value. Other values are a fault, but do not affect matching.
struct VIREO_API Assert {
  std::uint32_t low = 0;
  std::uint32_t width = 1;
  std::string_view text;
  Place where;

  [[nodiscard]] std::uint32_t high() const { return low + width - 1; }
};

/// A part of a display.
struct VIREO_API Segment {
  enum class Kind : std::uint8_t {
    Literal,  ///< prints `text`
    Align,    ///< prints blanks up to column `align`
    Name,     ///< {NAME}: prints the display name of the leaf
    Field,    ///< prints the field with the name `name`
  };
  Kind kind = Kind::Literal;
  bool has_align = false;  ///< for Name and Field: pad to `align` first
  std::uint32_t align = 0;
  NameId name;            ///< for Field
  std::string_view text;  ///< Literal: the text; otherwise the text between the braces
  Place where;
};

/// An `<override>` or the default case of a bitset: a condition, fields and a display.
struct VIREO_API Case {
  BitsetId owner;
  ExpressionId condition;  ///< none: the default case
  Run fields;              ///< includes derived fields; in document order
  Run asserts;
  bool has_display = false;
  std::string_view display;  ///< as in the file, without surrounding blanks
  Run segments;              ///< the segments of the display, with templates expanded
  Run aliases;               ///< other displays, which the assembler accepts
  AssemblyMark mark = AssemblyMark::Unspecified;
  Place where;
  std::string_view doc;

  [[nodiscard]] bool is_default() const { return condition.is_none(); }
};

/// A range of generations, inclusive.
struct VIREO_API GenRange {
  std::uint32_t min = 0;
  std::uint32_t max = ~std::uint32_t{0};

  [[nodiscard]] constexpr bool contains(std::uint32_t gen) const { return min <= gen && gen <= max; }
  [[nodiscard]] constexpr bool is_empty() const { return min > max; }
  friend constexpr GenRange intersect(GenRange a, GenRange b) {
    return {a.min > b.min ? a.min : b.min, a.max < b.max ? a.max : b.max};
  }
  friend constexpr bool operator==(GenRange, GenRange) = default;
};

/// An attribute of `<meta>`, as in the file.
struct VIREO_API Meta {
  std::string_view key;
  std::string_view value;
};

/// An `<encode>` map: the expression with which a packer computes a field's value. The text is as in the file.
struct VIREO_API EncodeMap {
  NameId field;
  std::string_view text;
  bool is_forced = false;
  Place where;
};

/// A `<bitset>`: patterns, and cases with fields. It inherits the patterns and cases of its ancestors.
struct VIREO_API Bitset {
  NameId name;
  std::string_view display_name;
  Run aliases;                                    ///< other display names, which the assembler accepts
  AssemblyMark mark = AssemblyMark::Unspecified;  ///< its own attribute; Model::assembly_mark() includes the ancestors
  BitsetId parent;                                ///< none: a root
  BitsetId root;                                  ///< the root of its chain; for a root itself
  std::uint32_t size = 0;                         ///< in bits: the size of the root
  bool is_leaf = true;
  GenRange own_gens;  ///< as declared
  GenRange gens;      ///< the intersection of own_gens with those of all ancestors
  Run cases;          ///< the overrides in document order, then the default case
  Run patterns;
  Run metas;
  Run maps;
  bool has_encode = false;
  std::string_view encode_type;
  std::string_view encode_prefix;
  bool has_decode = false;  ///< whether it has a `<decode>`
  std::string_view doc;
  Place where;
  Run chain;       ///< ids: the bitset itself, its parent, …, the root
  Run leaves;      ///< for a root: the ids of its leaves, in matching order
  Bits care;       ///< bits that the patterns of the chain fix
  Bits match;      ///< the values of these bits
  Bits dont_care;  ///< don't-care bits of the patterns of the chain

  [[nodiscard]] bool is_root() const { return parent.is_none(); }
};

/// A row of `<encoding>`.
struct VIREO_API InstructionRoot {
  BitsetId root;
  bool has_pattern = false;
  Bits care;   ///< bits that the pattern fixes
  Bits match;  ///< the values of these bits
};

/// All tables of a model. The loader fills them; Model has functions that read them.
struct VIREO_API ModelRows {
  std::vector<std::string> names;
  std::unordered_map<std::string, std::uint32_t> name_index;
  std::vector<Alias> aliases;
  std::vector<CustomName> custom_names;
  std::vector<EnumValue> enum_values;
  std::vector<Enum> enums;
  std::vector<ExpressionStep> steps;
  std::vector<NameId> slots;
  std::vector<Expression> expressions;
  std::vector<Template> templates;
  std::vector<Param> params;
  std::vector<Field> fields;
  std::vector<Pattern> patterns;
  std::vector<Assert> asserts;
  std::vector<Segment> segments;
  std::vector<Case> cases;
  std::vector<Meta> metas;
  std::vector<EncodeMap> maps;
  std::vector<Bitset> bitsets;
  std::vector<BitsetId> chains;
  std::vector<BitsetId> leaves;
  std::vector<InstructionRoot> instruction_roots;
  std::uint32_t unit_bits = 0;
  bool is_sound = false;  ///< no errors: all ranges are valid, and every id refers to a row
};

/// An instruction set. Owns the rows and their texts. Spans and strings stay valid if the Model is moved; references to
/// the Model itself do not.
class VIREO_API Model {
 public:
  Model() = default;
  Model(ModelRows rows, std::shared_ptr<const void> texts) : rows_(std::move(rows)), texts_(std::move(texts)) {}

  [[nodiscard]] const ModelRows& rows() const { return rows_; }
  /// Whether the description had no errors, so that a Decoder can use it. Otherwise the rows can still be read.
  [[nodiscard]] bool is_sound() const { return rows_.is_sound; }

  // Rows.
  [[nodiscard]] std::string_view text(NameId id) const { return id ? std::string_view(rows_.names[id.index()]) : ""; }
  [[nodiscard]] const Bitset& operator[](BitsetId id) const { return rows_.bitsets[id.index()]; }
  [[nodiscard]] const Case& operator[](CaseId id) const { return rows_.cases[id.index()]; }
  [[nodiscard]] const Field& operator[](FieldId id) const { return rows_.fields[id.index()]; }
  [[nodiscard]] const Enum& operator[](EnumId id) const { return rows_.enums[id.index()]; }
  [[nodiscard]] const Expression& operator[](ExpressionId id) const { return rows_.expressions[id.index()]; }

  // Whole tables, in the order of reading.
  [[nodiscard]] std::span<const Bitset> bitsets() const { return rows_.bitsets; }
  [[nodiscard]] std::span<const Enum> enums() const { return rows_.enums; }
  [[nodiscard]] std::span<const Expression> expressions() const { return rows_.expressions; }
  [[nodiscard]] std::span<const Template> templates() const { return rows_.templates; }
  [[nodiscard]] std::span<const CustomName> custom_names() const { return rows_.custom_names; }

  // The rows that a row owns.
  [[nodiscard]] std::span<const EnumValue> values(const Enum& e) const { return part(rows_.enum_values, e.values); }
  [[nodiscard]] std::span<const ExpressionStep> steps(const Expression& e) const { return part(rows_.steps, e.steps); }
  [[nodiscard]] std::span<const NameId> slots(const Expression& e) const { return part(rows_.slots, e.slots); }
  [[nodiscard]] std::span<const Param> params(const Field& f) const { return part(rows_.params, f.params); }
  [[nodiscard]] std::span<const Field> fields(const Case& c) const { return part(rows_.fields, c.fields); }
  [[nodiscard]] std::span<const Assert> asserts(const Case& c) const { return part(rows_.asserts, c.asserts); }
  [[nodiscard]] std::span<const Segment> segments(const Case& c) const { return part(rows_.segments, c.segments); }
  [[nodiscard]] std::span<const Alias> aliases(const EnumValue& v) const { return part(rows_.aliases, v.aliases); }
  [[nodiscard]] std::span<const Alias> aliases(const Case& c) const { return part(rows_.aliases, c.aliases); }
  [[nodiscard]] std::span<const Alias> aliases(const Bitset& b) const { return part(rows_.aliases, b.aliases); }
  [[nodiscard]] std::span<const Segment> segments(const Alias& a) const { return part(rows_.segments, a.segments); }
  [[nodiscard]] std::span<const Case> cases(const Bitset& b) const { return part(rows_.cases, b.cases); }
  [[nodiscard]] std::span<const Pattern> patterns(const Bitset& b) const { return part(rows_.patterns, b.patterns); }
  [[nodiscard]] std::span<const Meta> metas(const Bitset& b) const { return part(rows_.metas, b.metas); }
  [[nodiscard]] std::span<const EncodeMap> maps(const Bitset& b) const { return part(rows_.maps, b.maps); }
  /// The bitset itself, its parent, … its root: the order in which names and displays are searched.
  [[nodiscard]] std::span<const BitsetId> chain(const Bitset& b) const { return part(rows_.chains, b.chain); }
  /// The leaves of a root, of all generations, in matching order.
  [[nodiscard]] std::span<const BitsetId> leaves(const Bitset& root) const { return part(rows_.leaves, root.leaves); }

  // Ids of rows.
  [[nodiscard]] BitsetId id_of(const Bitset& b) const { return BitsetId(index_in(rows_.bitsets, b)); }
  [[nodiscard]] CaseId id_of(const Case& c) const { return CaseId(index_in(rows_.cases, c)); }
  [[nodiscard]] FieldId id_of(const Field& f) const { return FieldId(index_in(rows_.fields, f)); }
  [[nodiscard]] ExpressionId id_of(const Expression& e) const { return ExpressionId(index_in(rows_.expressions, e)); }

  // Lookups by exact name; none() if no row has the name.
  [[nodiscard]] NameId find_name(std::string_view name) const;
  [[nodiscard]] BitsetId find_bitset(std::string_view name) const;  ///< the first one with this name
  [[nodiscard]] EnumId find_enum(std::string_view name) const;

  /// The `<meta>` attribute with this key of the bitset or of its nearest ancestor that has one; nullptr if there is
  /// none.
  [[nodiscard]] const Meta* find_meta(const Bitset& b, std::string_view key) const;
  /// The mark of a leaf or of its nearest ancestor with a mark; Normal if no bitset of the chain has a mark.
  [[nodiscard]] AssemblyMark assembly_mark(const Bitset& b) const;
  /// The row with which an enum displays a number; nullptr if there is none.
  [[nodiscard]] const EnumValue* find_value(const Enum& e, std::uint64_t number) const;

  /// The instruction roots: "#instruction", or the rows of `<encoding>`.
  [[nodiscard]] std::span<const InstructionRoot> instruction_roots() const { return rows_.instruction_roots; }
  /// The size of a unit in bits. Without `<encoding>`, a unit is one instruction.
  [[nodiscard]] std::uint32_t unit_bits() const { return rows_.unit_bits; }

  /// For the loader: sets is_sound(), after loading without errors.
  void set_sound() { rows_.is_sound = true; }

 private:
  template <typename T>
  static std::span<const T> part(const std::vector<T>& table, Run run) {
    return {table.data() + run.first, run.count};
  }
  template <typename T>
  static std::size_t index_in(const std::vector<T>& table, const T& row) {
    return static_cast<std::size_t>(&row - table.data());
  }

  ModelRows rows_;
  std::shared_ptr<const void> texts_;
};

}  // namespace vireo::isa
