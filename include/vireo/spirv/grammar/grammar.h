// SPDX-License-Identifier: Apache-2.0
//
// Grammar: the machine-readable grammar of SPIR-V, as tables of rows.
//
// A Grammar is a set of spans over plain rows that refer to each other by small indexes. The spans of
// the built-in grammar refer to constexpr arrays (src/spirv/grammar/generated), which need no code at start-up. Those
// of a grammar loaded at run time refer to the vectors of a GrammarData (grammar_loader.h). Both have the same type.
//
//   const Grammar& grammar = builtin_grammar();
//   const InstructionRow* row = grammar.find_opcode(61);            // OpLoad
//   for (const OperandRow& operand : grammar.operands(row->operands)) …
//
// Source: the JSON grammar's schema (instructions, operand kinds in five categories, quantifiers, enumerant
// parameters, capabilities, extensions, versions, aliases), as in the unified1 grammar of SPIR-V 1.6.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "vireo/spirv/grammar/enums.h"
#include "vireo/spirv/word.h"
#include "vireo/support/api.h"
#include "vireo/support/id.h"

namespace vireo::spirv {

using KindId = Id<struct KindTag, std::uint16_t>;              ///< index into Grammar::kinds
using ExtInstSetId = Id<struct ExtInstSetTag, std::uint16_t>;  ///< index into Grammar::sets

/// A range of rows in a pool: the index of the first row and the number of rows. 16 bits suffice, because the loader
/// limits every pool to 65,535 rows.
struct VIREO_API Slice {
  std::uint16_t first = 0;
  std::uint16_t count = 0;
  friend constexpr bool operator==(Slice, Slice) = default;
};

/// A string in Grammar::chars. The pool is padded: 32 bytes may be read from the start of any string.
struct VIREO_API StringRef {
  std::uint32_t offset = 0;  ///< bytes
  std::uint16_t length = 0;  ///< bytes
  friend constexpr bool operator==(StringRef, StringRef) = default;
};

/// The layout of an operand's words, by which the decoder reads an operand of any kind. Each kind of category Id or
/// Literal has its own shape; all kinds with enumerants share two. The shapes of category Id come first:
/// IdMemorySemantics is the last of them.
enum class OperandShape : std::uint8_t {
  IdResultType,
  IdResult,
  IdRef,
  IdScope,
  IdMemorySemantics,
  LiteralInteger,                 ///< one word, except in OpSwitch
  LiteralFloat,                   ///< one word, a 32-bit float
  LiteralString,                  ///< UTF-8 bytes, low byte first, NUL, zero padding
  LiteralContextDependentNumber,  ///< words and meaning depend on the result type
  LiteralExtInstInteger,          ///< number of an extended instruction; its operands follow
  LiteralSpecConstantOpInteger,   ///< opcode inside OpSpecConstantOp; its operands follow
  ValueEnum,                      ///< one word, then the enumerant's parameters
  BitEnum,                        ///< one word, then each set bit's parameters, lowest bit first
  Composite,                      ///< the operands in KindRow::bases, one after the other
};

/// How often an operand occurs: once; at most once (`?` in the JSON grammar); any number of times (`*`).
enum class Quantifier : std::uint8_t { One, Optional, Star };

/// One operand of an instruction, of an enumerant (a parameter) or of a composite kind (a base).
struct VIREO_API OperandRow {
  OperandShape shape = OperandShape::IdRef;
  Quantifier quantifier = Quantifier::One;
  KindId kind;
  StringRef name;  ///< the name in the JSON grammar: "Pointer"; may be empty
};

/// Flags of InstructionRow and EnumerantRow.
enum RowFlags : std::uint8_t {
  HasResultType = 1,  ///< the first operand is IdResultType
  HasResult = 2,      ///< an operand is IdResult: the first one, or the second one after IdResultType
  Provisional = 4,
  DeclaresType = 8,  ///< for InstructionRow: the result is a type that constants and selectors can have
};

/// One instruction.
struct VIREO_API InstructionRow {
  StringRef name;  ///< "OpLoad"
  Op opcode = Op::OpNop;
  std::uint8_t flags = 0;           ///< RowFlags
  std::uint8_t printing_class = 0;  ///< index into Grammar::printing_classes
  Slice operands;                   ///< rows of Grammar::operand_pool
  Slice capabilities;               ///< rows of Grammar::capability_pool: alternatives, one of which is required
  Slice extensions;                 ///< strings of Grammar::string_pool: alternatives for versions before `since`
  Slice aliases;                    ///< strings of Grammar::string_pool
  Version since;                    ///< first version with it; none = in no version, only by extension
  Version last;                     ///< last version with it; none = not removed
  std::uint8_t leading_ids = 0;     ///< number of required operands of category Id before the first other operand

  /// The indexes of the result type's word and the result's word within the instruction; 0: it has none.
  [[nodiscard]] constexpr std::uint16_t type_word() const { return (flags & HasResultType) != 0 ? 1 : 0; }
  [[nodiscard]] constexpr std::uint16_t result_word() const { return (flags & HasResult) != 0 ? type_word() + 1 : 0; }
};

/// One value of a ValueEnum, or one bit or combination of bits of a BitEnum. Members as in InstructionRow.
struct VIREO_API EnumerantRow {
  StringRef name;           ///< the primary name
  std::uint32_t value = 0;  ///< for a BitEnum: the bits
  Slice parameters;         ///< rows of Grammar::operand_pool: the operands that follow the enumerant
  Slice capabilities;       ///< rows of Grammar::capability_pool
  Slice extensions;         ///< strings of Grammar::string_pool
  Slice aliases;            ///< strings of Grammar::string_pool
  Version since;
  Version last;
  std::uint8_t flags = 0;  ///< RowFlags
};

/// The categories of the JSON grammar. BitEnum and ValueEnum have enumerants; Composite has bases.
enum class Category : std::uint8_t { BitEnum, ValueEnum, Id, Literal, Composite };

/// One operand kind, of the core grammar or of an extended set.
struct VIREO_API KindRow {
  StringRef name;  ///< "StorageClass"
  StringRef doc;   ///< description; may be empty
  Category category = Category::Id;
  OperandShape shape = OperandShape::IdRef;
  ExtInstSetId set;  ///< none = a kind of the core grammar
  Slice enumerants;  ///< rows of Grammar::enumerants, ascending by value, one row for each value
  Slice bases;       ///< rows of Grammar::operand_pool (Composite only)
};

/// One instruction of an extended set.
struct VIREO_API ExtInstRow {
  StringRef name;            ///< "Sqrt"
  std::uint32_t number = 0;  ///< the word after the set's id in OpExtInst
  Slice operands;            ///< rows of Grammar::operand_pool: the operands after the number
  Slice capabilities;        ///< rows of Grammar::capability_pool
  Slice extensions;          ///< strings of Grammar::string_pool
};

/// How the string of OpExtInstImport selects a set. Exact: the string is the name. Prefix: it is the name followed by a
/// version.
enum class SetMatch : std::uint8_t { Exact, Prefix };

/// One extended instruction set (specification 2.10).
struct VIREO_API ExtInstSetRow {
  StringRef name;  ///< "GLSL.std.450"; for Prefix without a version: "NonSemantic.Shader.DebugInfo."
  SetMatch match = SetMatch::Exact;
  bool is_non_semantic = false;  ///< its instructions may have unknown numbers or additional operands
  bool prints_numbers = false;   ///< spirv-dis and the default style print numbers, not names, for this set
  Slice instructions;            ///< rows of Grammar::ext_instructions, ascending by number
};

/// A name and its row. Primary names and aliases each have an entry.
struct VIREO_API NameEntry {
  StringRef text;
  std::uint16_t scope = 0;  ///< a scope of namespace name_scope
  std::uint16_t row = 0;    ///< index into instructions, enumerants or ext_instructions, depending on the scope
};

/// The scopes in which names are looked up: one for opcodes, one for each kind, one for each extended set.
namespace name_scope {
inline constexpr std::uint16_t opcodes = 0;
constexpr std::uint16_t of_kind(KindId kind) { return static_cast<std::uint16_t>(1 + kind.raw); }
constexpr std::uint16_t of_set(ExtInstSetId set) { return static_cast<std::uint16_t>(0x8000 + set.raw); }
}  // namespace name_scope

/// Hash of a name within a scope. It must be the same on every host, because the generated tables contain it.
/// find_name() also compares the names, so collisions only cost time. Linear in the length of the name.
constexpr std::uint32_t hash_name(std::uint16_t scope, std::string_view text) {
  std::uint64_t h = 0x9E3779B97F4A7C15ull ^ (std::uint64_t{scope} << 32) ^ text.size();
  std::size_t i = 0;
  for (; i + 8 <= text.size(); i += 8) {
    std::uint64_t chunk = 0;
    for (unsigned k = 0; k < 8; ++k) chunk |= std::uint64_t{static_cast<unsigned char>(text[i + k])} << (8 * k);
    h = (h ^ chunk) * 0xD6E8FEB86659FD93ull;
    h ^= h >> 32;
  }
  std::uint64_t chunk = 0;
  for (unsigned k = 0; i + k < text.size(); ++k)
    chunk |= std::uint64_t{static_cast<unsigned char>(text[i + k])} << (8 * k);
  h = (h ^ chunk) * 0xD6E8FEB86659FD93ull;
  return static_cast<std::uint32_t>(h >> 32) ^ static_cast<std::uint32_t>(h);
}

/// The grammar of one SPIR-V version and of extended sets. A view of tables: cheap to copy, owns no rows. The rows of
/// the built-in grammar are static; those of a loaded grammar belong to its GrammarData.
struct VIREO_API Grammar {
  std::uint8_t major_version = 0;
  std::uint8_t minor_version = 0;
  std::uint16_t revision = 0;

  std::span<const InstructionRow> instructions;    ///< ascending by opcode, one row for each opcode
  std::span<const std::uint16_t> opcode_index;     ///< opcode → row + 1; 0 = no such opcode
  std::span<const OperandRow> operand_pool;        ///< lists of operands, without duplicate lists
  std::span<const KindRow> kinds;                  ///< the kinds of the core grammar, then those of each set
  std::span<const EnumerantRow> enumerants;        ///< the enumerants of a kind are contiguous, ascending by value
  std::span<const ExtInstSetRow> sets;             ///< in the order of loading
  std::span<const ExtInstRow> ext_instructions;    ///< the instructions of a set are contiguous, ascending by number
  std::span<const std::uint16_t> capability_pool;  ///< indexes into `enumerants` (of kind Capability)
  std::span<const StringRef> string_pool;          ///< lists of names, without duplicate lists
  std::span<const StringRef> printing_classes;     ///< [0] is empty: no class
  std::span<const NameEntry> name_entries;         ///< all primary names and aliases of all scopes
  std::span<const std::uint32_t> name_slots;       ///< open addressing: high half of the hash | entry + 1; size 2^n
  std::string_view chars;                          ///< all strings, then 32 bytes of padding
  KindId capability_kind;                          ///< the kind named Capability

  // The rows of a slice. Slices and ids must belong to this grammar; the loader has checked that those are in range.
  [[nodiscard]] constexpr std::string_view text(StringRef s) const { return chars.substr(s.offset, s.length); }
  [[nodiscard]] constexpr std::span<const OperandRow> operands(Slice s) const {
    return operand_pool.subspan(s.first, s.count);
  }
  [[nodiscard]] constexpr std::span<const EnumerantRow> enumerants_of(const KindRow& k) const {
    return enumerants.subspan(k.enumerants.first, k.enumerants.count);
  }
  [[nodiscard]] constexpr std::span<const std::uint16_t> capabilities(Slice s) const {
    return capability_pool.subspan(s.first, s.count);
  }
  [[nodiscard]] constexpr std::span<const StringRef> strings(Slice s) const {
    return string_pool.subspan(s.first, s.count);
  }
  [[nodiscard]] constexpr std::span<const ExtInstRow> instructions_of(const ExtInstSetRow& set) const {
    return ext_instructions.subspan(set.instructions.first, set.instructions.count);
  }
  [[nodiscard]] constexpr const KindRow& kind(KindId id) const { return kinds[id.index()]; }

  // Lookups; nullptr or none if no row matches. By name: a hash table. By number: an index or a binary search.
  [[nodiscard]] constexpr const InstructionRow* find_opcode(std::uint32_t opcode) const {
    if (opcode >= opcode_index.size()) return nullptr;
    const std::uint16_t row = opcode_index[opcode];
    return row == 0 ? nullptr : &instructions[row - 1u];
  }
  [[nodiscard]] constexpr const InstructionRow* find_opcode(Op opcode) const {
    return find_opcode(static_cast<std::uint32_t>(opcode));
  }
  /// The entry for a primary name or alias in a scope. Case-sensitive.
  [[nodiscard]] const NameEntry* find_name(std::uint16_t scope, std::string_view name) const;
  [[nodiscard]] const InstructionRow* find_instruction(std::string_view name) const;  ///< "OpLoad", or an alias
  [[nodiscard]] const EnumerantRow* find_enumerant(KindId kind, std::string_view name) const;  ///< or by an alias
  /// The enumerant with exactly this value. Most enumerations have the values 0, 1, 2, … and most masks 0, 1, 2, 4, ….
  /// So the function first tries the index that follows from the value, then searches.
  [[nodiscard]] const EnumerantRow* find_value(KindId id, std::uint32_t value) const {
    const KindRow& kind_row = kinds[id.index()];
    const EnumerantRow* rows = enumerants.data() + kind_row.enumerants.first;
    const std::uint32_t guess = kind_row.category != Category::BitEnum || value == 0
                                    ? value
                                    : static_cast<std::uint32_t>(std::countr_zero(value)) + 1;
    if (guess < kind_row.enumerants.count && rows[guess].value == value) return rows + guess;
    return search_value(kind_row, value);
  }
  /// The kind of the set or, if the set has no kind with this name, of the core grammar.
  [[nodiscard]] KindId find_kind(std::string_view name, ExtInstSetId set = {}) const;
  /// The set that the string of an OpExtInstImport selects: by its exact name, else by the longest prefix.
  [[nodiscard]] ExtInstSetId find_set(std::string_view import_name) const;
  /// An instruction of a set, by name or number. `set` may be none.
  [[nodiscard]] const ExtInstRow* find_ext_inst(ExtInstSetId set, std::string_view name) const;
  [[nodiscard]] const ExtInstRow* find_ext_inst(ExtInstSetId set, std::uint32_t number) const;

 private:
  [[nodiscard]] const EnumerantRow* search_value(const KindRow& kind_row, std::uint32_t value) const;
};

/// The built-in grammar. It has static lifetime.
VIREO_API const Grammar& builtin_grammar();  // NOLINT(readability-redundant-declaration): see instruction.h

}  // namespace vireo::spirv
