// SPDX-License-Identifier: Apache-2.0
//
// The bookkeeping of a trace. What has to be asked again for other values needs the parser (parse_traced.cpp); what can be
// said of characters, of bits that meet and of candidates stands here. Everything errs on one side: a piece that is fixed
// without need costs a search for other lines, a piece that is free without right would cost a wrong word.
#include "isa/assemble/trace.h"

#include <algorithm>

namespace vireo::isa {
namespace {

// Numbers begin with any digit, but for 0, which only 0 does: that makes sets that lack it alone look uneven, which
// errs on the safe side.
constexpr std::string_view all_digits = "0123456789";
constexpr std::uint32_t most_number = 999'999'999;  // Shape::most_digits

}  // namespace

void LineTrace::begin(const Shape& shape, std::size_t size) {
  size_ = size;
  is_usable_ = true;
  tries_ = 0;
  // What grows with a line is emptied, not freed: the next line needs as much.
  states_.clear();
  placed_.clear();
  letters_.clear();
  candidates_.clear();
  piece_of_.clear();
  for (const Piece& piece : shape.pieces) {
    State state;
    state.piece = piece;
    const bool is_number = piece.kind == Piece::number;
    // At first any other piece of the same shape would do.
    state.most = is_number ? most_number : static_cast<std::uint32_t>(alphabets_.letters(piece.kind).size() - 1);
    state.allowed.fill(~std::uint64_t{0});
    // By position, so that a question about a character finds its piece at once; what no piece covers is `none`.
    piece_of_.resize(piece.end, none);
    std::fill(piece_of_.begin() + piece.begin, piece_of_.end(), static_cast<std::uint32_t>(states_.size()));
    states_.push_back(state);
  }
}

// --- characters ---------------------------------------------------------------------------------------------------------

// Whether a set has all characters that the piece could begin with, or none.
bool LineTrace::is_alike(std::uint32_t index, const FirstSet& set) const {
  const Piece& piece = states_[index].piece;
  const std::string_view others = piece.kind == Piece::number ? all_digits : alphabets_.letters(piece.kind);
  const bool has_first = set.has(others.front());
  return std::all_of(others.begin(), others.end(), [&](char c) { return set.has(c) == has_first; });
}

// The set decides what may come next. Sets of digits are mostly whole; enums that list some of their numbers are not.
void LineTrace::sees(std::uint32_t position, const FirstSet& set) {
  const std::uint32_t index = piece_at(position);
  if (index != none && !is_alike(index, set)) fix(index);
}

// Where a step leads somewhere the ways part. Who knows better does not ask (Parser::letters_at).
void LineTrace::steps(std::uint32_t position, std::uint32_t node) {
  const std::uint32_t index = piece_at(position);
  if (index == none) return;
  const Piece& piece = states_[index].piece;
  const std::string_view others = piece.kind == Piece::number ? all_digits : alphabets_.letters(piece.kind);
  const bool leads_nowhere = std::all_of(others.begin(), others.end(),
                                         [&](char c) { return characters_.step(node, c) == CharacterTree::none; });
  if (!leads_nowhere) fix(index);
}

// A literal that has a digit of its own at the place of a number: other numbers might, or might not, agree with it.
void LineTrace::compares(std::uint32_t position, char with) {
  const std::uint32_t index = piece_at(position);
  if (index == none) return;
  const Piece& piece = states_[index].piece;
  const std::string_view others = piece.kind == Piece::number ? all_digits : alphabets_.letters(piece.kind);
  if (others.find(with) != std::string_view::npos) fix(index);
}

void LineTrace::fix_text(std::uint32_t begin, std::uint32_t end) {
  for (std::uint32_t i = begin; i < end; ++i) {
    if (const std::uint32_t index = piece_at(i); index != none) fix(index);
  }
}

// --- values -------------------------------------------------------------------------------------------------------------

// Every field that the piece was offered to has its say, those that did not take it as well: where a number does not fit, no
// smaller one may be let in.
void LineTrace::bound(std::uint32_t index, std::uint64_t least, std::uint64_t most) {
  State& state = states_[index];
  state.least = static_cast<std::uint32_t>(std::max<std::uint64_t>(state.least, least));
  state.most = static_cast<std::uint32_t>(std::min<std::uint64_t>(state.most, most));
}

// A piece is guarded from the first condition that asks about it: from then on each of its values is allowed or not.
bool LineTrace::guard(std::uint32_t index) {
  State& state = states_[index];
  // Registers and small immediates are below; of large numbers each is remembered alone, if a condition asks about them.
  if (state.piece.value > most_guarded) state.is_fixed = true;
  if (state.is_fixed) return false;
  state.is_guarded = true;
  state.most = std::min(state.most, most_guarded);
  return true;
}

// --- bits ---------------------------------------------------------------------------------------------------------------

// Whether a piece has bits under a mask of one word.
bool LineTrace::meets(const Placed& placed, std::size_t word, BitWord mask) {
  const std::size_t first = placed.low / bits_per_word;
  const std::uint32_t shift = placed.low % bits_per_word;
  if (word == first) return (low_mask(placed.width) << shift & mask) != 0;
  // A field may lie across two words.
  if (word == first + 1 && shift + placed.width > bits_per_word)
    return (low_mask(shift + placed.width - bits_per_word) & mask) != 0;
  return false;
}

// Whoever learns or compares bits that a piece has put there learns something about the piece.
void LineTrace::touches_word(std::size_t word, BitWord mask) {
  for (const Placed& placed : placed_) {
    if (meets(placed, word, mask)) fix(placed.piece);
  }
}

// The same for the bits of a field, which may lie across two words.
void LineTrace::touches(std::uint32_t low, std::uint32_t width) {
  for (const Placed& placed : placed_) {
    if (placed.low < low + width && low < placed.low + placed.width) fix(placed.piece);
  }
}

void LineTrace::fix_those_in(const std::vector<Placed>& list, const BitWord* mask) {
  for (const Placed& placed : list) {
    for (std::size_t word = 0; word < size_; ++word) {
      if (meets(placed, word, mask[word])) fix(placed.piece);
    }
  }
}

// One piece can be tried value by value. Of two, all pairs would have to be: both are fixed instead.
std::optional<std::uint32_t> LineTrace::only_one_in(const BitWord* mask) {
  std::uint32_t found = none;
  bool are_more = false;
  for (const Placed& placed : placed_) {
    if (states_[placed.piece].is_fixed) continue;  // it has one value: that is not a question any more
    bool is_in = false;
    for (std::size_t word = 0; word < size_; ++word) is_in |= meets(placed, word, mask[word]);
    if (!is_in) continue;
    are_more |= found != none && found != placed.piece;
    found = placed.piece;
  }
  if (are_more) fix_those_in(mask);
  if (are_more || found == none || !guard(found)) return std::nullopt;
  return found;
}

// What a value of the piece puts there: of a number in two's complement the bits from `shift` on, of a letter what the
// field has for it.
BitWord LineTrace::bits_of(const Placed& placed, std::uint32_t value) const {
  if (placed.letters != none) return letters_[placed.letters][value];
  return (placed.is_negative ? 0 - BitWord{value} : BitWord{value}) >> placed.shift & low_mask(placed.width);
}

// A piece may have bits in several places, as a wired field does.
void LineTrace::put(std::uint32_t piece, std::uint32_t value, BitWord* words) const {
  for (const Placed& placed : placed_) {
    if (placed.piece != piece) continue;
    const BitWord bits = bits_of(placed, value);
    const std::uint32_t shift = placed.low % bits_per_word;
    BitWord* word = words + placed.low / bits_per_word;
    word[0] = (word[0] & ~(low_mask(placed.width) << shift)) | bits << shift;
    if (shift + placed.width <= bits_per_word) continue;
    word[1] = (word[1] & ~low_mask(shift + placed.width - bits_per_word)) | bits >> (bits_per_word - shift);
  }
}

// --- candidates ---------------------------------------------------------------------------------------------------------

void LineTrace::add_candidate() {
  // Candidates are ordered by their bits at last, and those that are equal are one. Both comparisons see the pieces, unless
  // these are the same bits on both sides: then whatever they are, they are equal.
  if (!candidates_.empty()) {
    const std::vector<Placed>& first = candidates_.front();
    const auto fix_what_lacks = [&](const std::vector<Placed>& some, const std::vector<Placed>& other) {
      for (const Placed& placed : some) {
        const bool is_there = std::any_of(other.begin(), other.end(), [&](const Placed& at) {
          const bool same_letters = placed.letters == at.letters || (placed.letters != none && at.letters != none &&
                                                                     letters_[placed.letters] == letters_[at.letters]);
          return placed.low == at.low && placed.width == at.width && placed.piece == at.piece &&
                 placed.shift == at.shift && placed.is_negative == at.is_negative && same_letters;
        });
        if (!is_there) fix(placed.piece);
      }
    };
    fix_what_lacks(first, placed_);
    fix_what_lacks(placed_, first);
  }
  candidates_.push_back(placed_);
}

// Free pieces leave holes in the word and say what may fill them; all else is as it was found.
RememberedLine LineTrace::result(const Shape& shape, std::uint32_t size, const BitWord* words) const {
  RememberedLine line;
  line.masked = shape.masked;
  line.size = size;
  for (std::size_t i = 0; i < words_for(size); ++i) line.words[i] = words[i];
  std::vector<std::uint8_t> is_exchanged(states_.size());
  for (const Placed& placed : candidates_.front()) {
    if (states_[placed.piece].is_fixed) continue;
    is_exchanged[placed.piece] = 1;
    RememberedBits part = {placed.piece, placed.low, placed.width, placed.shift, placed.is_negative};
    if (placed.letters != none) {
      part.letters = static_cast<std::int32_t>(line.letters.size());
      line.letters.push_back(letters_[placed.letters]);
    }
    line.bits.push_back(part);
    // Its place is left empty, for the pieces of later lines.
    const std::uint32_t shift = placed.low % bits_per_word;
    line.words[placed.low / bits_per_word] &= ~(low_mask(placed.width) << shift);
    if (shift + placed.width > bits_per_word)
      line.words[placed.low / bits_per_word + 1] &= ~low_mask(shift + placed.width - bits_per_word);
  }
  // A piece that left no bits decided something else.
  for (std::size_t i = 0; i < states_.size(); ++i) {
    const State& state = states_[i];
    RememberedPiece piece{state.piece.value, state.piece.value};
    if (is_exchanged[i] != 0) piece = {state.least, state.most, state.is_guarded, state.allowed};
    line.pieces.push_back(piece);
  }
  return line;
}

}  // namespace vireo::isa
