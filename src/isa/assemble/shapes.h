// SPDX-License-Identifier: Apache-2.0
//
// Shapes of lines, and the words that lines of a shape became.
//
// The one idea: programs say the same things of other registers. The shape of a line is its text without what may be
// exchanged in it, its *pieces*: numbers, and single letters out of a small set such as `xyzw`. What a search found for one
// line of a shape serves each other line for which the search would have asked the same questions and got the same answers;
// a Trace (trace.h) wrote down for which pieces that is so. So the answer never depends on what was assembled before: it is
// the one that the search gives. docs/isa-assembler.md, "Remembered lines".
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "vireo/isa/bits.h"

namespace vireo::isa {

class Grammar;

/// A part of a line that other lines of its shape have otherwise.
struct Piece {
  static constexpr std::uint8_t number = 0;
  std::uint32_t begin = 0;  ///< bytes of the shortened line
  std::uint32_t end = 0;
  std::uint32_t value = 0;     ///< of a number; of a letter its place in the alphabet
  std::uint8_t kind = number;  ///< or which alphabet, counted from 1
};

/// The letters that single-letter pieces can be: the alphabets of enums that show nothing else.
class Alphabets {
 public:
  explicit Alphabets(const Grammar& grammar);

  static constexpr std::size_t most_letters = 16;  // of one
  static constexpr std::size_t most = 6;

  /// What a character is. Behind `digit` come the letters of each alphabet.
  using Class = std::uint8_t;
  static constexpr Class plain = 0;
  static constexpr Class control = 1;
  static constexpr Class word = 2;
  static constexpr Class digit = 3;
  static constexpr bool is_word(Class character) { return character >= word; }
  [[nodiscard]] Class class_of(char c) const { return classes_[static_cast<unsigned char>(c)]; }
  [[nodiscard]] std::uint32_t place_of(char c) const { return places_[static_cast<unsigned char>(c)]; }
  [[nodiscard]] std::string_view letters(std::uint8_t kind) const { return letters_[kind - 1u]; }

 private:
  std::array<Class, 256> classes_{};
  std::array<std::uint8_t, 256> places_{};
  std::vector<std::string> letters_;
};

/// A line seen without its pieces. Lines of one shape are equal in `masked`, and piece i of one stands for piece i of
/// another.
struct Shape {
  static constexpr std::size_t most_pieces = 24;
  static constexpr std::uint32_t most_digits = 9;  // of a piece: such a number fits into 32 bits

  std::string masked;  ///< the line, with one byte below a blank for each piece
  std::vector<Piece> pieces;
  std::uint64_t hash = 0;  ///< of `masked`

  /// Reads a shortened line. False: it is better left alone.
  bool read(std::string_view line, const Alphabets& alphabets);
};

/// Which other pieces may stand for one.
struct RememberedPiece {
  std::uint32_t least = 0;  ///< a fixed piece has no other value
  std::uint32_t most = 0;
  bool is_guarded = false;                 ///< `allowed` counts, and `most` is below 256
  std::array<std::uint64_t, 4> allowed{};  ///< a bit for each value
};

/// Where some bits of a piece stand in the word.
struct RememberedBits {
  std::uint32_t piece = 0;
  std::uint32_t low = 0;  ///< of the word
  std::uint32_t width = 0;
  std::uint32_t shift = 0;  ///< of the value: its bits below are elsewhere
  bool is_negative = false;
  std::int32_t letters = -1;  ///< of a letter: which of the line's values
};

/// What a search found for a line.
struct RememberedLine {
  using LetterBits = std::array<BitWord, Alphabets::most_letters>;
  std::string masked;
  std::vector<RememberedPiece> pieces;
  std::vector<RememberedBits> bits;
  std::vector<LetterBits> letters;  ///< what a field has for each letter
  std::uint32_t size = 0;           ///< of the instruction
  std::array<BitWord, 2> words{};   ///< with zeros where pieces stand that are not fixed
};

/// A bounded number of lines: a newer one may drive an older one out.
class RememberedLines {
 public:
  static constexpr std::uint32_t most_bits = 128;  ///< of instructions that are remembered

  /// Fills in the word of a line; 0: nothing is remembered that serves it. Else the size of the instruction.
  std::uint32_t find(const Shape& shape, std::array<BitWord, 2>& words);
  /// Whether it is worth remembering, which is so when its like was seen before.
  bool is_seen_again(const Shape& shape);
  void add(RememberedLine line, std::uint64_t hash);

 private:
  static constexpr std::size_t places = 4096;
  static constexpr std::size_t most_in_place = 6;
  static constexpr std::size_t marks = 4;  // in a place
  struct Place {
    std::vector<RememberedLine> lines;
    std::uint32_t next = 0;  // the one that gives way
  };
  std::vector<Place> places_;
  std::vector<std::uint32_t> seen_;  // hashes
};

}  // namespace vireo::isa
