// SPDX-License-Identifier: Apache-2.0
//
// The built-in grammar.
//
// The generated rows are constexpr arrays in read-only memory. Nothing is initialized at start-up, and
// the properties that the library relies on are checked during compilation.
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>

#include "spirv/grammar/grammar_data.h"
#include "vireo/spirv/grammar/grammar.h"

namespace vireo::spirv {
namespace {

// Short names for the generated rows.
using Shape = OperandShape;
// NOLINTBEGIN(readability-identifier-naming)
// Short names keep the .inc files, which contain an index in each row, at half their size. The files are included
// here only.
constexpr KindId K(std::size_t index) { return KindId{index}; }
constexpr ExtInstSetId S(std::size_t index) { return ExtInstSetId{index}; }
// NOLINTEND(readability-identifier-naming)

// clang-format off
#include "spirv/grammar/generated/scalars.inc"

constexpr InstructionRow builtin_instructions[] = {
#include "spirv/grammar/generated/instructions.inc"
};
constexpr std::uint16_t builtin_opcode_index[] = {
#include "spirv/grammar/generated/opcode_index.inc"
};
constexpr OperandRow builtin_operands[] = {
#include "spirv/grammar/generated/operands.inc"
};
constexpr KindRow builtin_kinds[] = {
#include "spirv/grammar/generated/kinds.inc"
};
constexpr EnumerantRow builtin_enumerants[] = {
#include "spirv/grammar/generated/enumerants.inc"
};
constexpr ExtInstSetRow builtin_sets[] = {
#include "spirv/grammar/generated/sets.inc"
};
constexpr ExtInstRow builtin_ext_instructions[] = {
#include "spirv/grammar/generated/ext_instructions.inc"
};
constexpr std::uint16_t builtin_capability_pool[] = {
#include "spirv/grammar/generated/capability_pool.inc"
};
constexpr StringRef builtin_string_pool[] = {
#include "spirv/grammar/generated/string_pool.inc"
};
constexpr StringRef builtin_printing_classes[] = {
#include "spirv/grammar/generated/printing_classes.inc"
};
constexpr NameEntry builtin_name_entries[] = {
#include "spirv/grammar/generated/name_entries.inc"
};
constexpr std::uint32_t builtin_name_slots[] = {
#include "spirv/grammar/generated/name_slots.inc"
};
#ifdef __clang__
#pragma clang diagnostic ignored "-Woverlength-strings"  // all names are one literal; GCC and Clang accept it
#endif
constexpr char builtin_chars[] =
#include "spirv/grammar/generated/chars.inc"
;
// clang-format on

// Members are assigned by name: in an aggregate initializer, two swapped members of the same type would compile.
constexpr Grammar make_builtin() {
  Grammar g;
  g.major_version = builtin_major_version;
  g.minor_version = builtin_minor_version;
  g.revision = builtin_revision;
  g.instructions = builtin_instructions;
  g.opcode_index = builtin_opcode_index;
  g.operand_pool = builtin_operands;
  g.kinds = builtin_kinds;
  g.enumerants = builtin_enumerants;
  g.sets = builtin_sets;
  g.ext_instructions = builtin_ext_instructions;
  g.capability_pool = builtin_capability_pool;
  g.string_pool = builtin_string_pool;
  g.printing_classes = builtin_printing_classes;
  g.name_entries = builtin_name_entries;
  g.name_slots = builtin_name_slots;
  g.chars = std::string_view(builtin_chars, std::size(builtin_chars) - 1);
  g.capability_kind = builtin_capability_kind;
  return g;
}
constexpr Grammar builtin = make_builtin();

// --- checked properties -------------------------------------------------------------------------------------------------

// Row sizes are fixed on purpose: most lookups read these tables, and the assertions make the cost of an added field
// visible.
static_assert(sizeof(InstructionRow) == 36 && sizeof(OperandRow) == 12 && sizeof(EnumerantRow) == 36, "docs/tables.md");
static_assert(sizeof(KindRow) == 28 && sizeof(ExtInstRow) == 24 && sizeof(NameEntry) == 12, "docs/tables.md");

constexpr bool is_within(Slice slice, std::size_t pool) { return std::size_t{slice.first} + slice.count <= pool; }
// Strings include their padding: printers copy 32 bytes from the start of a name, whatever its length.
constexpr bool is_within(StringRef s) {
  return std::size_t{s.offset} + s.length + chars_padding <= builtin.chars.size();
}

// These functions check the built-in rows for the same properties as compact() checks loaded rows, so users of a
// Grammar need not distinguish them. They run at compile time only.
constexpr bool instructions_are_sound() {
  std::uint32_t next = 0;  // opcodes are strictly ascending
  for (const InstructionRow& row : builtin.instructions) {
    const auto opcode = static_cast<std::uint32_t>(row.opcode);
    if (opcode < next || builtin.find_opcode(opcode) != &row) return false;
    next = opcode + 1;
    if (!is_within(row.name) || row.printing_class >= builtin.printing_classes.size()) return false;
    if (!is_within(row.operands, builtin.operand_pool.size())) return false;
    if (!is_within(row.capabilities, builtin.capability_pool.size())) return false;
    if (!is_within(row.extensions, builtin.string_pool.size()) || !is_within(row.aliases, builtin.string_pool.size()))
      return false;
  }
  return builtin.opcode_index.size() == next;
}

constexpr bool kinds_are_sound() {
  for (const KindRow& row : builtin.kinds) {
    if (!is_within(row.name) || !is_within(row.doc) || !is_within(row.bases, builtin.operand_pool.size())) return false;
    if (!is_within(row.enumerants, builtin.enumerants.size())) return false;
    if (!row.set.is_none() && row.set.index() >= builtin.sets.size()) return false;
    std::uint64_t next = 0;  // values are strictly ascending within a kind
    for (const EnumerantRow& enumerant : builtin.enumerants_of(row)) {
      if (enumerant.value < next) return false;
      next = std::uint64_t{enumerant.value} + 1;
    }
  }
  for (const EnumerantRow& row : builtin.enumerants) {
    if (!is_within(row.name) || !is_within(row.parameters, builtin.operand_pool.size())) return false;
    if (!is_within(row.capabilities, builtin.capability_pool.size())) return false;
    if (!is_within(row.extensions, builtin.string_pool.size()) || !is_within(row.aliases, builtin.string_pool.size()))
      return false;
  }
  return true;
}

// find_ext_inst() searches by number, so numbers must ascend. Gaps are allowed; OpenCL.std has some.
constexpr bool sets_are_sound() {
  for (const ExtInstSetRow& set : builtin.sets) {
    if (!is_within(set.name) || !is_within(set.instructions, builtin.ext_instructions.size())) return false;
    std::uint64_t next = 0;  // numbers are strictly ascending within a set
    for (const ExtInstRow& row : builtin.instructions_of(set)) {
      if (row.number < next || !is_within(row.name) || !is_within(row.operands, builtin.operand_pool.size()))
        return false;
      next = std::uint64_t{row.number} + 1;
    }
  }
  return true;
}

// An operand repeats the shape of its kind, so that a walk need not access the kind; the two must be equal.
constexpr bool pools_are_sound() {
  for (const OperandRow& row : builtin.operand_pool) {
    if (!is_within(row.name) || row.kind.index() >= builtin.kinds.size()) return false;
    if (row.shape != builtin.kind(row.kind).shape) return false;
  }
  for (const std::uint16_t row : builtin.capability_pool) {
    // Users of a capability index do not check the kind of its row.
    const Slice capabilities = builtin.kind(builtin.capability_kind).enumerants;
    if (row < capabilities.first || row >= capabilities.first + capabilities.count) return false;
  }
  for (const StringRef s : builtin.string_pool) {
    if (!is_within(s)) return false;
  }
  return true;
}

/// The table of name slots is well-formed (a test checks that find_name finds every spelling).
constexpr bool names_are_sound() {
  // find_name() masks the hash, so the size must be a power of two. It probes without a bound, so half of the slots
  // must be empty.
  const std::size_t size = builtin.name_slots.size();
  if (size == 0 || (size & (size - 1)) != 0 || builtin.name_entries.size() * 2 >= size) return false;
  for (const std::uint32_t slot : builtin.name_slots) {
    if (slot != 0 && ((slot & 0xFFFF) == 0 || (slot & 0xFFFF) > builtin.name_entries.size())) return false;
  }
  for (const NameEntry& entry : builtin.name_entries) {
    if (!is_within(entry.text)) return false;
  }
  return true;
}

// One assertion for each table: the compiler reports which one fails, and each one stays within the limit of constexpr
// steps.
static_assert(instructions_are_sound());
static_assert(kinds_are_sound());
static_assert(sets_are_sound());
static_assert(pools_are_sound());
static_assert(names_are_sound());

}  // namespace

const Grammar& builtin_grammar() { return builtin; }

}  // namespace vireo::spirv
