// SPDX-License-Identifier: Apache-2.0
//
// Which words of an instruction are ids, as far as a glance tells: for most instructions opcode and length are enough.
//
// The one idea: most patterns begin with ids (InstructionRow::leading_ids), and behind them comes nothing, or more ids,
// or literals of one word, or a string. Where the length of an instruction fits such a pattern, its first words are ids
// and no others are: no walk over its operands is needed. In most other patterns a single word, the selector (an
// enumerant, a mask, the number of an extended instruction, the type of a literal), decides what the others are: what
// the walk finds in one instruction holds for all with the same opcode, length and selector. All of it is worked out
// from the grammar's rows.
#pragma once

#include <algorithm>
#include <cstdint>

#include "spirv/binary/zero_byte.h"
#include "spirv/grammar/opcode_rows.h"
#include "vireo/spirv/facts/uses.h"
#include "vireo/spirv/grammar.h"

namespace vireo::spirv {

/// Which words of an instruction are ids, in a byte: up to `most_leading` how many behind the first word, else one of
/// these.
using IdCode = std::uint8_t;
namespace id_code {
inline constexpr IdCode most_leading = 0xFC;
inline constexpr IdCode but_selector = 0xFD;  ///< all operands but the selector
inline constexpr IdCode all_words = 0xFE;
inline constexpr IdCode by_list = 0xFF;  ///< any others: they are listed by who asks
/// So many leading ids stand only where all words are ids.
constexpr IdCode of(int leading) { return leading <= most_leading ? static_cast<IdCode>(leading) : all_words; }
}  // namespace id_code

struct IdPattern {
  static constexpr std::uint16_t no_glance = 0xFFFF;  ///< `leading` of what fits no length: no instruction is so long
  static constexpr std::uint8_t no_selector = 0xFF;   ///< more than one word decides

  // What the length tells. An instruction with `leading` words behind the first one, or with up to `slack` more in
  // whole rounds, begins with ids: `most` of them or, if it is shorter, all its words. A pattern that is not known yet,
  // or has to be walked, fits no length.
  std::uint16_t leading = no_glance;
  std::uint16_t slack = 0;
  std::uint16_t round_mask = 0;  ///< ids repeat in rounds of 1 or 2 words: that number less 1
  std::uint16_t most = 0;

  bool has_type = false;            ///< the first id is the type of the result
  std::uint8_t result_word = 0;     ///< 0: the opcode has no result
  std::uint8_t first_operand = 1;   ///< the first word that is neither result nor type
  UseKind kind = UseKind::Operand;  ///< of all ids but the type of the result
  std::uint32_t first_use = 1;      ///< of the first operand: its word, and 16 bits above that the kind
  /// The word that decides what the others are. 0: none does; `no_selector`: it is not one word.
  std::uint8_t selector = no_selector;
  std::uint8_t set_word = 0;  ///< of an extended instruction its set, which decides as well; 0: there is none
  /// The word where a string begins that ends the instruction, behind ids and literals of one word; 0: there is none.
  std::uint8_t string_word = 0;

  // The shape that was met last; most instructions repeat it. With this first word, selector and set `shape_code`
  // holds.
  Word shape_first = 0;  ///< 0: none was met; no instruction begins so
  Word shape_selector = 0, shape_set = 0;
  IdCode shape_code = id_code::by_list;

  /// How many words behind the first one are ids, from the left on; -1: it takes more than a glance.
  [[nodiscard]] int ids_of(std::uint32_t operand_words) const {
    const std::uint32_t more = operand_words - leading;  // fewer are very many
    if (more > slack || (more & round_mask) != 0) return -1;
    return static_cast<int>(std::min<std::uint32_t>(operand_words, most));
  }
  /// Whether an instruction has the shape that was met last.
  [[nodiscard]] bool is_as_before(const Word* instruction) const {
    return instruction[0] == shape_first && instruction[selector] == shape_selector &&
           instruction[set_word] == shape_set;
  }
};

/// Whether a string that begins at a word ends in the last one, and not before.
inline bool string_fills(InstructionView instruction, std::size_t word) {
  while (word < instruction.word_count && !has_zero_byte(instruction.first[word])) ++word;
  return word + 1 == instruction.word_count;
}

/// Works out the pattern of an opcode.
IdPattern id_pattern_of(const Grammar& grammar, const InstructionRow& row);

/// Patterns by opcode.
class IdPatternTable {
 public:
  explicit IdPatternTable(const Grammar& grammar) : grammar_(grammar), patterns_(grammar) {}

  /// Patterns as far as they are known: that of an opcode that was not asked for, or is unknown, fits no length. Good until
  /// of() is called.
  using Known = OpcodeRows<IdPattern>::Known;
  [[nodiscard]] Known known() const { return patterns_.known(); }
  /// The pattern of an opcode, worked out; one that wants to be walked for an unknown opcode. Good until the next call.
  IdPattern& of(std::uint16_t opcode) {
    return patterns_.of(opcode, [&] {
      const InstructionRow* row = grammar_.find_opcode(opcode);
      return row == nullptr ? IdPattern() : id_pattern_of(grammar_, *row);
    });
  }

 private:
  const Grammar& grammar_;
  OpcodeRows<IdPattern> patterns_;
};

}  // namespace vireo::spirv
