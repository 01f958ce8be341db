// SPDX-License-Identifier: Apache-2.0
//
// Caches of the grammar's names, as words of a text.
//
// The one idea: a text uses few different names many times. A direct-mapped cache in front of the grammar's table
// compares the first and the last eight bytes of a word, which is all of it for most names, with no hash of every
// byte. For opcodes it keeps a plan: what the rows of the grammar say, digested for the parser's straight path.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "spirv/text/assemble/lexer.h"
#include "vireo/spirv/grammar.h"
#include "vireo/spirv/word.h"

namespace vireo::spirv::text {

/// A word with both ends loaded; equal words have equal keys, and equal keys of up to 16 bytes are equal words.
struct WordKey {
  std::uint64_t head = 0;  ///< the first eight bytes, zeros behind a shorter word
  std::uint64_t tail = 0;  ///< the last eight bytes; 0 for a word of fewer
  std::uint32_t length = 0;

  WordKey() = default;
  WordKey(const Lexer& lexer, const char* begin, const char* end)
      : head(lexer.load8(begin)), length(static_cast<std::uint32_t>(end - begin)) {
    if (length >= 8) {
      tail = lexer.load8(end - 8);
    } else {
      head &= (std::uint64_t{1} << (8 * length)) - 1;
    }
  }
  [[nodiscard]] bool matches(const WordKey& other, const char* a, const char* b) const {
    return head == other.head && tail == other.tail && length == other.length &&
           (length <= 16 || std::memcmp(a + 8, b + 8, length - 16) == 0);
  }
  // One multiplication. A collision costs a look into the grammar's table, so a good spread is not worth more.
  [[nodiscard]] std::size_t slot(std::uint64_t salt, unsigned bits) const {
    return static_cast<std::size_t>(((head ^ std::rotl(tail, 27) ^ salt) * 0x9E3779B97F4A7C15ull) >> (64 - bits));
  }
};

/// A direct-mapped table: one row for each slot, the last one that was asked for. Slots hold numbers of rows, and rows lie
/// one behind the other as they were first used: a small text touches two pages of it, not all that it could fill.
template <typename Row, unsigned slot_bits>
class DirectTable {
 public:
  DirectTable() {
    rows_.reserve((std::size_t{1} << slot_bits) + 1);     // rows never move: their addresses are kept
    rows_.emplace_back().key.length = ~std::uint32_t{0};  // the row of free slots: no word is that long
  }

  /// The row in the slot of a key; an empty one when the slot is free.
  [[nodiscard]] Row& at(const WordKey& key, std::uint64_t salt) { return rows_[slots_[key.slot(salt, slot_bits)]]; }

  /// Puts a row in the slot of its key. What was there is gone, so there are never more rows than slots.
  Row& put(const Row& row, std::uint64_t salt) {
    std::uint16_t& slot = slots_[row.key.slot(salt, slot_bits)];
    if (slot != 0) return rows_[slot] = row;
    slot = static_cast<std::uint16_t>(rows_.size());
    return rows_.emplace_back(row);
  }

 private:
  std::array<std::uint16_t, std::size_t{1} << slot_bits> slots_{};
  std::vector<Row> rows_;
};

/// What an instruction leaves behind for those below it.
enum class Outcome : std::uint8_t { Nothing, Value, Type, Import, OtherResult };

/// How the operands of an opcode are read.
struct OpcodePlan {
  WordKey key;
  const char* name = nullptr;  // in the grammar
  const InstructionRow* row = nullptr;
  const OperandRow* operands = nullptr;
  std::uint16_t operand_count = 0;
  std::uint16_t opcode = 0;
  std::uint8_t id_count = 0;  // required ids behind type and result, read on the straight path
  bool has_type = false;
  bool has_result = false;
  bool ends_in_ids = false;    // then come any number of ids and nothing else
  bool ends = false;           // then comes nothing
  bool ends_in_words = false;  // then come names and numbers that mean the same wherever they stand
  Outcome outcome = Outcome::Nothing;
};

struct OpcodeRules {
  Version version;  ///< opcodes without capability or extension must be in it
  bool is_gated = true;
  bool has_straight_path = true;  ///< false: all operands go through the general path
};

class OpcodeCache {
 public:
  OpcodeCache(const Grammar& grammar, const Lexer& lexer, OpcodeRules rules);

  /// The plan of an opcode; nullptr when the grammar has none of that name in this version.
  const OpcodePlan* find(const char* begin, const char* end) {
    const WordKey key(lexer_, begin, end);
    const OpcodePlan& plan = plans_.at(key, 0);
    if (key.matches(plan.key, begin, plan.name)) [[likely]]
      return &plan;
    return fill(key, begin);
  }

  /// Whether an opcode is kept out by the version alone.
  [[nodiscard]] bool is_too_new(const InstructionRow& row) const;
  [[nodiscard]] Version version() const { return rules_.version; }

 private:
  [[gnu::noinline]] const OpcodePlan* fill(const WordKey& key, const char* begin);

  const Grammar& grammar_;
  const Lexer& lexer_;
  OpcodeRules rules_;
  DirectTable<OpcodePlan, 9> plans_;
};

/// Names of enumerants and of extended instructions, by scope (name_scope).
class NameCache {
 public:
  static constexpr std::uint32_t none = 0xFFFFFFFF;

  NameCache(const Grammar& grammar, const Lexer& lexer) : grammar_(grammar), lexer_(lexer) {}

  /// The row of a name: an index into enumerants or ext_instructions, as the scope says; or none.
  std::uint32_t find(std::uint16_t scope, const char* begin, const char* end) {
    const WordKey key(lexer_, begin, end);
    const Name& name = names_.at(key, salt_of(scope));
    if (name.scope == scope && key.matches(name.key, begin, name.text)) [[likely]]
      return name.row;
    return fill(scope, key, begin);
  }

 private:
  struct Name {
    WordKey key;
    std::uint16_t scope = 0;
    std::uint16_t row = 0;
    const char* text = nullptr;  // in the grammar
  };

  static constexpr std::uint64_t salt_of(std::uint16_t scope) { return std::uint64_t{scope} << 40; }
  [[gnu::noinline]] std::uint32_t fill(std::uint16_t scope, const WordKey& key, const char* begin);

  const Grammar& grammar_;
  const Lexer& lexer_;
  DirectTable<Name, 9> names_;
};

}  // namespace vireo::spirv::text
