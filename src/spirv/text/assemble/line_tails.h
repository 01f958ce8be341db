// SPDX-License-Identifier: Apache-2.0
//
// LineTails: the words that stand for the end of a line, for lines that end as one before them did.
//
// The one idea: the other way round what line_ends.h is for printing. Behind the ids of an instruction stands what stood
// behind those of others: `Aligned 8`, `Function`, `0`. With its line feed it fits two registers, and where it is found again
// nothing of it is read. Only texts are kept that mean the same everywhere, so none with an id.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "spirv/text/assemble/eight_bytes.h"
#include "spirv/text/assemble/lexer.h"
#include "vireo/spirv/word.h"

namespace vireo::spirv::text {

class LineTails {
 public:
  static constexpr std::size_t most_words = 3;

  /// The end of a line from a word on, behind the leading ids of an opcode. For the same opcode these are always as many.
  class Key {
   public:
    Key(const Lexer& lexer, const char* at, std::uint16_t opcode) : opcode_(opcode), head_(lexer.load8(at)) {
      if (const std::uint64_t feed = bytes_equal(head_, '\n'); feed != 0) {
        length_ = bits_before(feed) / 8 + 1;
        head_ = up_to(head_, length_);
      } else if (lexer.end() - at > 8) {
        rest_ = lexer.load8(at + 8);
        const std::uint64_t later_feed = bytes_equal(rest_, '\n');
        if (later_feed == 0) return;
        length_ = 8 + bits_before(later_feed) / 8 + 1;
        rest_ = up_to(rest_, length_ - 8);
      }
    }
    /// Bytes up to the line feed and with it; 0: too many.
    [[nodiscard]] std::size_t length() const { return length_; }
    friend bool operator==(const Key&, const Key&) = default;

   private:
    friend class LineTails;
    Key() = default;
    static std::uint64_t up_to(std::uint64_t x, unsigned bytes) { return x & ~std::uint64_t{0} >> (64 - 8 * bytes); }
    [[nodiscard]] std::size_t slot() const {
      return ((head_ ^ rest_ * 3 ^ opcode_) * 0x9E3779B97F4A7C15ull) >> (64 - slot_bits);
    }
    [[nodiscard]] bool has_id() const { return (bytes_equal(head_, '%') | bytes_equal(rest_, '%')) != 0; }

    std::uint16_t opcode_ = 0;
    std::uint32_t length_ = 0;
    std::uint64_t head_ = 0, rest_ = 0;
  };

  /// Writes the words of an end that is known, and returns where they end; nullptr for one that is not. Room for most_words
  /// is needed.
  Word* copy(const Key& key, Word* to) const {
    const Tail& tail = tails_[key.slot()];
    if (key.length() == 0 || !(tail.key == key)) return nullptr;
    std::copy(tail.words.begin(), tail.words.end(), to);
    return to + tail.word_count;
  }

  /// Keeps an end that was read. The last one of a slot counts.
  void keep(const Key& key, Words words) {
    if (key.length() == 0 || key.has_id() || words.size() > most_words) return;
    Tail& tail = tails_[key.slot()];
    tail.key = key;
    tail.word_count = words.size();
    std::copy(words.begin(), words.end(), tail.words.begin());
  }

 private:
  static constexpr unsigned slot_bits = 6;

  struct Tail {
    Key key;
    std::size_t word_count = 0;
    std::array<Word, most_words> words{};
  };
  std::array<Tail, std::size_t{1} << slot_bits> tails_{};
};

}  // namespace vireo::spirv::text
