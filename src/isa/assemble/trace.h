// SPDX-License-Identifier: Apache-2.0
//
// What a search asked about the pieces of a line, so that its result may be remembered for lines with other pieces.
//
// The one idea: a search is a row of questions. Of a piece (shapes.h) it asks which characters it has, whether its number
// fits a field, and, once it stands in the word, what conditions say of its bits. Where every other piece gives the same
// answer, the question does not matter; where some do, those are listed (`allowed`); where that is not known, the piece is
// *fixed*: it is part of what is remembered. As long as no answer changes, the search takes the same way to the same word,
// but for the bits of the pieces. When in doubt a piece is fixed: that costs a search more, never a wrong answer.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "isa/assemble/grammar.h"
#include "isa/assemble/shapes.h"

namespace vireo::isa {

/// Notes one search at a time, from begin() to result(). The parser tells it what it asks; nothing is asked here.
class LineTrace {
 public:
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  static constexpr std::uint32_t most_guarded = 255;  // the values of a piece that conditions are tried with
  static constexpr std::uint32_t most_tries = 1u << 14;

  /// A piece in the word, on the way that the search is on.
  struct Placed {
    std::uint32_t low = 0;
    std::uint32_t width = 0;
    std::uint32_t piece = 0;
    std::uint32_t shift = 0;  ///< of the value: its bits below are elsewhere
    bool is_negative = false;
    std::uint32_t letters = none;  ///< of a letter: index of the values that its alphabet has
    friend bool operator==(const Placed&, const Placed&) = default;
  };
  using LetterBits = RememberedLine::LetterBits;

  LineTrace(const CharacterTree& characters, const Alphabets& alphabets)
      : characters_(characters), alphabets_(alphabets) {}

  void begin(const Shape& shape, std::size_t size);
  /// What was asked cannot be put down: names of labels, a caller's reader.
  void give_up() { is_usable_ = false; }
  [[nodiscard]] bool is_usable() const { return is_usable_; }
  /// Counts one more try of another value. False: that was enough for a line, which is not remembered then.
  bool may_try() {
    if (tries_ == most_tries) give_up();
    else ++tries_;
    return is_usable_;
  }
  [[nodiscard]] std::uint32_t tries() const { return tries_; }

  // Questions about characters.
  [[nodiscard]] std::uint32_t piece_at(std::uint32_t position) const {
    return position < piece_of_.size() ? piece_of_[position] : none;
  }
  [[nodiscard]] const Piece& piece(std::uint32_t index) const { return states_[index].piece; }
  [[nodiscard]] std::string_view letters_of(std::uint32_t index) const {
    return alphabets_.letters(states_[index].piece.kind);
  }
  void sees(std::uint32_t position, const FirstSet& set);
  void steps(std::uint32_t position, std::uint32_t node);
  void compares(std::uint32_t position, char with);

  // What follows from them.
  void fix(std::uint32_t index) { states_[index].is_fixed = true; }
  void fix_text(std::uint32_t begin, std::uint32_t end);
  /// Only values from `least` to `most` go the way of this one, which is among them.
  void bound(std::uint32_t index, std::uint64_t least, std::uint64_t most);
  /// Makes ready for disallow(). False: the piece is fixed, or just became so.
  bool guard(std::uint32_t index);
  void disallow(std::uint32_t index, std::uint32_t value) {
    states_[index].allowed[value / 64] &= ~(std::uint64_t{1} << value % 64);
  }
  [[nodiscard]] bool is_allowed(std::uint32_t index, std::uint32_t value) const {
    const State& state = states_[index];
    return value >= state.least && value <= state.most && (state.allowed[value / 64] >> value % 64 & 1) != 0;
  }

  // Bits. The list goes back with the search.
  void place(const Placed& placed) { placed_.push_back(placed); }
  [[nodiscard]] std::uint32_t placed_count() const { return static_cast<std::uint32_t>(placed_.size()); }
  void take_back(std::uint32_t count) { placed_.resize(count); }
  std::uint32_t add_letters(const LetterBits& bits) {
    letters_.push_back(bits);
    return static_cast<std::uint32_t>(letters_.size() - 1);
  }
  /// Writes what another value of a piece would have put into the word.
  void put(std::uint32_t piece, std::uint32_t value, BitWord* words) const;
  /// Somebody else says something about bits of one word of the mask.
  void touches_word(std::size_t word, BitWord mask);
  void touches(std::uint32_t low, std::uint32_t width);
  /// The piece that alone has bits in a mask. If several have, they become fixed: what they say together is not tried.
  std::optional<std::uint32_t> only_one_in(const BitWord* mask);
  void fix_those_in(const BitWord* mask) { fix_those_in(placed_, mask); }

  // Candidates. Of several, those with the same pieces in the same places keep their order whatever the pieces are.
  void add_candidate();
  void control_counts(std::size_t candidate, const BitWord* mask) { fix_those_in(candidates_[candidate], mask); }
  [[nodiscard]] std::size_t candidate_count() const { return candidates_.size(); }

  /// What to remember of the first candidate, whose word is given.
  [[nodiscard]] RememberedLine result(const Shape& shape, std::uint32_t size, const BitWord* words) const;

 private:
  struct State {
    Piece piece;
    std::uint32_t least = 0;
    std::uint32_t most = 0;
    std::array<std::uint64_t, 4> allowed{};
    bool is_fixed = false;
    bool is_guarded = false;
  };
  [[nodiscard]] BitWord bits_of(const Placed& placed, std::uint32_t value) const;
  static bool meets(const Placed& placed, std::size_t word, BitWord mask);
  void fix_those_in(const std::vector<Placed>& list, const BitWord* mask);
  [[nodiscard]] bool is_alike(std::uint32_t index, const FirstSet& set) const;

  const CharacterTree& characters_;
  const Alphabets& alphabets_;
  std::size_t size_ = 0;  // words of a mask
  bool is_usable_ = true;
  std::uint32_t tries_ = 0;
  std::vector<State> states_;
  std::vector<std::uint32_t> piece_of_;  // by position
  std::vector<Placed> placed_;
  std::vector<LetterBits> letters_;
  std::vector<std::vector<Placed>> candidates_;
};

}  // namespace vireo::isa
