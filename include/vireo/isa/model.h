// SPDX-License-Identifier: Apache-2.0
//
// The model: an instruction set as rows.
//
// The one idea: the XML is stored in flat tables, in the order of reading. Rows refer to other rows by Id, and to the
// rows they own by a Run (first, count). Names are interned, inheritance is resolved (each bitset has its chain to the
// root), templates are expanded, displays are split into segments, and expressions are parsed. Nothing here depends on
// a generation; a Decoder resolves the rest for one generation (vireo/isa/decode.h). Reference: docs/isaspec.md.
//
//   for (const InstructionRoot& row : model.instruction_roots())
//     for (const BitsetId leaf : model.leaves(model[row.root]))
//       for (const BitsetId id : model.chain(model[leaf]))
//         for (const Case& c : model.cases(model[id])) …
//
// Terms: a *root* has a size; a *leaf* is a bitset that no other extends; a *case* is an override, or the default case
// of a bitset (its rows outside of overrides; the last case); a *field* has bits, a *derived field* has an expression
// instead.
//
// Instructions of several sizes: isaspec has one root of instructions, "#instruction". An `<encoding>` element, which
// other tools ignore, lists several:
//
//   <encoding unit="16">
//     <root name="#compressed"><pattern low="0" high="1">0x</pattern></root>
//     <root name="#compressed"><pattern low="0" high="1">10</pattern></root>
//     <root name="#wide"/>
//   </encoding>
//
// A program is then a sequence of units (a multiple of 8 bits, little-endian); the size of each root is a multiple of
// the unit. At each position the rows are tried in order. If a row's pattern matches the lowest bits, the row decides
// the length, whether or not a leaf matches. A row without a pattern applies if one of its root's leaves matches. If no
// row applies, one unit is a "no match". Rows longer than the rest of the program are skipped. Instruction indexes, and
// so branch targets, count units.
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

/// A source location: a range of bytes in one of the files.
struct VIREO_API Place {
  FileId file;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

/// Consecutive rows of one table.
struct VIREO_API Run {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};

/// Another spelling: the assembler reads it, and it is never printed.
struct VIREO_API Alias {
  std::string_view text;
  Run segments;  ///< for a display: its segments, with templates expanded
  Place where;
};

/// Whether assemblers and encoders make the words of a leaf or case.
enum class AssemblyMark : std::uint8_t {
  Unsaid,
  Normal,     ///< overrides the mark of an ancestor
  Canonical,  ///< preferred if one text has several words
  Never,      ///< such words are never made, but they are decoded
};

/// A text for a number in custom fields whose names begin with `kind`, in any case.
struct VIREO_API CustomName {
  std::string_view kind;
  std::uint64_t value = 0;
  std::string_view name;
  Place where;
};

/// A row of an enumeration: a number and its text.
struct VIREO_API EnumValue {
  std::uint64_t number = 0;
  std::string_view name;     ///< symbolic name; often empty
  std::string_view display;  ///< printed text; may be empty
  Run aliases;
  std::string_view doc;
  Place where;
};

/// An `<enum>`: names for the values of a field.
struct VIREO_API Enum {
  NameId name;
  Run values;  ///< in document order; if numbers are equal, the first row is displayed
  std::string_view doc;
  Place where;
};

/// An `<expr>`: the condition of a case, or the value of a derived field.
struct VIREO_API Expression {
  std::string_view name;  ///< empty: an inline expression
  std::string_view text;  ///< as in the file
  Run steps;              ///< postfix code (vireo/isa/expression.h); none if the text has a fault
  Run slots;              ///< NameIds of the fields it reads; index = slot
  Place where;            ///< place of the text
};

/// A `<template>`: text that displays insert by its name.
struct VIREO_API Template {
  NameId name;
  std::string_view text;
  Place where;
};

/// The meaning of a field's bits: its type attribute.
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

/// Passes a field of the enclosing scope to a nested bitset, possibly under another name.
struct VIREO_API Param {
  NameId outer;
  NameId inner;
  Place where;
};

/// A `<field>`: bits of a case with a type, or a value derived from other fields.
struct VIREO_API Field {
  NameId name;
  FieldType type = FieldType::Uint;
  std::uint32_t low = 0;
  std::uint32_t width = 1;   ///< for a derived field: only if its type needs one
  ExpressionId expression;   ///< for derived fields; none: the field has bits
  EnumId enumeration;        ///< for type Enum
  BitsetId bitset;           ///< for type Bitset: a root of this width
  std::string_view display;  ///< for Bool and BoolInv
  bool has_display = false;
  bool is_call = false;  ///< for branches: the target is a function
  /// The default bits, if nothing else determines them, cut to the width; for at most 64 bits, those above are 0.
  std::optional<BitWord> default_value;
  Run params;
  CaseId owner;
  Place where;
  std::string_view doc;

  [[nodiscard]] bool is_derived() const { return !expression.is_none(); }
  [[nodiscard]] std::uint32_t high() const { return low + width - 1; }
};

/// Bits that must be 0 or 1 for a leaf to match, or don't-care bits (`x`).
struct VIREO_API Pattern {
  std::uint32_t low = 0;
  std::uint32_t width = 1;
  std::string_view text;  ///< leftmost character = highest bit
  Place where;

  [[nodiscard]] std::uint32_t high() const { return low + width - 1; }
};

/// Bits with an expected value; they have no effect on matching.
struct VIREO_API Assert {
  std::uint32_t low = 0;
  std::uint32_t width = 1;
  std::string_view text;
  Place where;

  [[nodiscard]] std::uint32_t high() const { return low + width - 1; }
};

/// A segment of a display.
struct VIREO_API Segment {
  enum class Kind : std::uint8_t {
    Literal,  ///< prints `text`
    Align,    ///< prints blanks up to column `align`
    Name,     ///< {NAME}: prints the display name of the leaf
    Field,    ///< {…}: prints the field called `name`
  };
  Kind kind = Kind::Literal;
  bool has_align = false;  ///< for Name and Field: pad to `align` first
  std::uint32_t align = 0;
  NameId name;            ///< for Field
  std::string_view text;  ///< Literal: the text; else the text between the braces
  Place where;
};

/// An `<override>` or the default case of a bitset: fields and a display, with a condition.
struct VIREO_API Case {
  BitsetId owner;
  ExpressionId condition;  ///< none: the default case
  Run fields;              ///< includes derived fields; in document order
  Run asserts;
  bool has_display = false;
  std::string_view display;  ///< as in the file, trimmed
  Run segments;              ///< of the display with its templates expanded
  Run aliases;               ///< other displays
  AssemblyMark mark = AssemblyMark::Unsaid;
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

/// An `<encode>` map: how a packer gets a field's value; the text is as in the file.
struct VIREO_API EncodeMap {
  NameId field;
  std::string_view text;
  bool is_forced = false;
  Place where;
};

/// A `<bitset>`: patterns, and cases with fields. A bitset inherits those of its parent.
struct VIREO_API Bitset {
  NameId name;
  std::string_view display_name;
  Run aliases;                               ///< other display names
  AssemblyMark mark = AssemblyMark::Unsaid;  ///< its own mark; assembly_mark() includes the ancestors
  BitsetId parent;                           ///< none: a root
  BitsetId root;                             ///< the root of the chain; itself for a root
  std::uint32_t size = 0;                    ///< in bits: the size of the root
  bool is_leaf = true;
  GenRange own_gens;
  GenRange gens;  ///< intersection with those of all ancestors
  Run cases;      ///< the default case is last
  Run patterns;
  Run metas;
  Run maps;
  bool has_encode = false;
  std::string_view encode_type;
  std::string_view encode_prefix;
  bool has_decode = false;  ///< it has a `<decode>`
  std::string_view doc;
  Place where;
  Run chain;       ///< ids: itself, its parent, … the root
  Run leaves;      ///< for a root: ids in matching order
  Bits care;       ///< bits that the chain's patterns fix
  Bits match;      ///< their values
  Bits dont_care;  ///< don't-care bits of these patterns

  [[nodiscard]] bool is_root() const { return parent.is_none(); }
};

/// A row of `<encoding>`.
struct VIREO_API InstructionRoot {
  BitsetId root;
  bool has_pattern = false;
  Bits care;  ///< for the lowest bits at a position
  Bits match;
};

/// All tables. The loader fills them; Model gives read access.
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

/// Read access to the tables. Owns the rows and their texts; moving a Model keeps all views valid.
class VIREO_API Model {
 public:
  Model() = default;
  Model(ModelRows rows, std::shared_ptr<const void> texts) : rows_(std::move(rows)), texts_(std::move(texts)) {}

  [[nodiscard]] const ModelRows& rows() const { return rows_; }
  /// Whether a Decoder can use it. The rows of an unsound model can still be read.
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

  // Look-ups by name; none() if there is no such row.
  [[nodiscard]] NameId find_name(std::string_view name) const;
  [[nodiscard]] BitsetId find_bitset(std::string_view name) const;  ///< the first with that name
  [[nodiscard]] EnumId find_enum(std::string_view name) const;

  /// The value of a meta key: that of the bitset or of its nearest ancestor; null if there is none.
  [[nodiscard]] const Meta* find_meta(const Bitset& b, std::string_view key) const;
  /// The mark of a leaf or of its nearest ancestor with one; Normal if there is none.
  [[nodiscard]] AssemblyMark assembly_mark(const Bitset& b) const;
  /// The row with which an enum displays a number; null if there is none.
  [[nodiscard]] const EnumValue* find_value(const Enum& e, std::uint64_t number) const;

  /// The roots of instructions: "#instruction", or the rows of `<encoding>`.
  [[nodiscard]] std::span<const InstructionRoot> instruction_roots() const { return rows_.instruction_roots; }
  /// Size of a program's unit in bits: the size of an instruction if all have the same size.
  [[nodiscard]] std::uint32_t unit_bits() const { return rows_.unit_bits; }

  /// Called by the loader if there are no errors.
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
