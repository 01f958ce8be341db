// SPDX-License-Identifier: Apache-2.0
//
// LineEnds: the ends of lines, behind the leading ids, for instructions that end as an earlier one did.
//
// The one idea: within a module the same words have the same text. ` Aligned 8` behind a load, ` Function` behind a
// variable, ` None` behind a merge block: a walk that looks into the grammar finds the text once, and later lines get
// copies of it. Only short ends are kept, since only they come again.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "spirv/text/disassemble/text_buffer.h"
#include "vireo/spirv/instruction.h"
#include "vireo/spirv/word.h"

namespace vireo::spirv {

class LineEnds {
 public:
  /// The end of an instruction whose words behind the first `ids` are not printed yet. For the same opcode and length
  /// `ids` is always the same.
  class Key {
   public:
    Key(InstructionView instruction, std::size_t ids) : first_(instruction.first[0]) {
      const std::size_t words = instruction.word_count - ids - 1;
      is_short_ = words - 1 < most_words;
      if (!is_short_) return;
      words_ = instruction.first[ids + 1];
      if (words == 2) words_ |= std::uint64_t{instruction.first[ids + 2]} << 32;
    }
    friend bool operator==(const Key& a, const Key& b) { return a.first_ == b.first_ && a.words_ == b.words_; }

   private:
    friend class LineEnds;
    [[nodiscard]] std::size_t slot() const { return ((words_ ^ first_) * 0x9E3779B97F4A7C15ull) >> (64 - slot_bits); }
    Key() = default;

    Word first_ = 0;  // opcode and length; 0: of no instruction
    std::uint64_t words_ = 0;
    bool is_short_ = false;
  };

  /// Writes an end that is known, and returns where it ends; nullptr for one that is not. 32 bytes must be writable.
  char* copy(const Key& key, char* at) const {
    const End& end = ends_[key.slot()];
    if (!key.is_short_ || !(end.key == key)) return nullptr;
    std::memcpy(at, end.text.data(), end.text.size());
    return at + end.length;
  }

  /// Keeps an end that depends on nothing but the words of its key. A new one replaces the one in its slot.
  void keep(const Key& key, std::string_view text) {
    if (!key.is_short_ || text.size() > most_text) return;
    End& end = ends_[key.slot()];
    end.key = key;
    end.length = text.size();
    std::memcpy(end.text.data(), text.data(), text.size());
  }

 private:
  static constexpr std::size_t most_words = 2;
  static constexpr std::size_t most_text = TextBuffer::short_text;
  static constexpr unsigned slot_bits = 6;

  struct End {
    Key key;
    std::size_t length = 0;
    std::array<char, most_text> text{};
  };
  std::array<End, std::size_t{1} << slot_bits> ends_{};
};

}  // namespace vireo::spirv
