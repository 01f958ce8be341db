// SPDX-License-Identifier: Apache-2.0
//
// What is done for every line, remembered or not: its shape is read, and looked for. So this is the one part of the
// assembler where single instructions count; a line of ir3 that is recalled costs a thousand of them here.
#include "isa/assemble/shapes.h"

#include <algorithm>
#include <cstring>

#include "isa/assemble/grammar.h"
#include "isa/assemble/lines.h"

namespace vireo::isa {
namespace {

// The golden ratio, of 2^64. It is odd, so multiplying by it loses nothing.
constexpr std::uint64_t odd = 0x9E3779B97F4A7C15u;

// Eight bytes at a time: the text is short, and it is hashed for every line.
std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = text.size() * odd;
  while (!text.empty()) {
    std::uint64_t part = 0;
    const std::size_t count = std::min(text.size(), sizeof part);
    std::memcpy(&part, text.data(), count);
    hash = (hash ^ part) * odd;
    hash ^= hash >> 29;
    text.remove_prefix(count);
  }
  return hash;
}

}  // namespace

Alphabets::Alphabets(const Grammar& grammar) {
  for (std::size_t i = 0; i < classes_.size(); ++i) {
    const auto c = static_cast<char>(i);
    classes_[i] = i < ' ' ? control : is_digit(c) ? digit : is_word_character(c) ? word : plain;
  }
  // An alphabet is a set whose strings are all single letters; swizzles and write masks are the usual ones.
  for (const StringSet& set : grammar.string_sets) {
    std::string found;
    bool is_fit = set.examples.size() > 1 && set.examples.size() <= most_letters && letters_.size() < most;
    for (const std::string& text : set.examples) {
      is_fit = is_fit && text.size() == 1 && is_name_start(text[0]) && class_of(text[0]) == word;
      if (is_fit) found += text;
    }
    // A letter belongs to the first alphabet that has it: what class a character is of must not depend on the place. Sets
    // that share some letters only have their lines remembered letter by letter.
    if (!is_fit) continue;
    letters_.push_back(found);
    for (std::size_t i = 0; i < found.size(); ++i) {
      classes_[static_cast<unsigned char>(found[i])] = static_cast<Class>(digit + letters_.size());
      places_[static_cast<unsigned char>(found[i])] = static_cast<std::uint8_t>(i);
    }
  }
}

// Most characters are copied; what each is is looked up once. Nothing here knows the grammar: two lines of one shape may
// be read quite differently, and what tells them apart then is which values a remembered piece may have.
bool Shape::read(std::string_view line, const Alphabets& alphabets) {
  pieces.clear();
  // A piece is at least one byte, so what is written never outgrows the line.
  masked.resize(line.size());
  char* out = masked.data();
  const char* const end = line.data() + line.size();
  bool follows_word = false;  // a letter there would be part of it
  for (const char* at = line.data(); at != end;) {
    const Alphabets::Class character = alphabets.class_of(*at);
    if (character == Alphabets::plain) {
      *out++ = *at++;
      follows_word = false;
      continue;
    }
    if (character == Alphabets::word) {
      *out++ = *at++;
      follows_word = true;
      continue;
    }
    // Control characters stand for pieces, and a line with so many of them is data rather than an instruction.
    if (character == Alphabets::control || pieces.size() == most_pieces) return false;
    const char* const begin = at++;
    const auto ends_word = [&] { return at == end || !Alphabets::is_word(alphabets.class_of(*at)); };
    Piece piece{static_cast<std::uint32_t>(begin - line.data()), 0, 0, Piece::number};
    bool is_piece = false;
    if (character == Alphabets::digit) {
      std::uint64_t value = static_cast<std::uint64_t>(*begin - '0');
      for (; at != end && alphabets.class_of(*at) == Alphabets::digit; ++at) {
        // What is longer is no piece, so the value need not be right then; it only must not overflow.
        if (at - begin < most_digits) value = value * 10 + static_cast<std::uint64_t>(*at - '0');
      }
      // Only numbers as the decoder writes them. What a letter follows is no number of its own: `0x1f`, `8_32`, `3d`.
      is_piece = at - begin <= most_digits && (*begin != '0' || at - begin == 1) && ends_word();
      piece.value = static_cast<std::uint32_t>(value);
    } else {
      // A letter in a longer word is part of a name, which no search may exchange.
      is_piece = !follows_word && ends_word();
      piece.value = alphabets.place_of(*begin);
      piece.kind = static_cast<std::uint8_t>(character - Alphabets::digit);
    }
    follows_word = true;
    if (is_piece) {
      piece.end = static_cast<std::uint32_t>(at - line.data());
      pieces.push_back(piece);
      // Kinds start at 0, so a piece is masked by 1 to 7: bytes that no line with a shape has itself.
      *out++ = static_cast<char>(1 + piece.kind);
      continue;
    }
    out = std::copy(begin, at, out);
  }
  masked.resize(static_cast<std::size_t>(out - masked.data()));
  hash = hash_of(masked);
  return true;
}

// The pieces decide which of the lines with one shape it is; each then goes where it belongs.
std::uint32_t RememberedLines::find(const Shape& shape, std::array<BitWord, 2>& words) {
  if (places_.empty()) return 0;
  const auto serves = [&](const RememberedLine& line) {
    // Compared in full: two shapes may share a hash, and a wrong word would be proved wrong, but at the price of a search.
    if (line.masked != shape.masked) return false;
    for (std::size_t i = 0; i < line.pieces.size(); ++i) {
      const RememberedPiece& piece = line.pieces[i];
      const std::uint32_t value = shape.pieces[i].value;
      if (value < piece.least || value > piece.most) return false;
      if (piece.is_guarded && (piece.allowed[value / 64] >> value % 64 & 1) == 0) return false;
    }
    return true;
  };
  for (const RememberedLine& line : places_[shape.hash % places].lines) {
    if (!serves(line)) continue;
    // One word more than is returned: a piece of few bits may end in the last word, and then nothing is carried over.
    std::array<BitWord, 3> sum = {line.words[0], line.words[1], 0};
    for (const RememberedBits& part : line.bits) {
      const std::uint32_t given = shape.pieces[part.piece].value;
      const BitWord value = part.letters >= 0 ? line.letters[static_cast<std::size_t>(part.letters)][given] : given;
      // The same as LineTrace::bits_of: what was tried out then has to be what is put in now.
      const BitWord bits = (part.is_negative ? 0 - value : value) >> part.shift & low_mask(part.width);
      const std::uint32_t shift = part.low % bits_per_word;
      sum[part.low / bits_per_word] |= bits << shift;
      if (shift + part.width > bits_per_word) sum[part.low / bits_per_word + 1] |= bits >> (bits_per_word - shift);
    }
    words = {sum[0], sum[1]};
    return line.size;
  }
  return 0;
}

// The first line of a shape only leaves a mark. Where others of the shape are known, and did not serve, it is the very
// line that has to come again: its numbers steer what they mean, and the next line will have others.
bool RememberedLines::is_seen_again(const Shape& shape) {
  if (places_.empty()) {  // an assembler for one line needs none of this
    places_.resize(places);
    seen_.resize(places * marks);
  }
  std::uint64_t hash = shape.hash;
  const std::vector<RememberedLine>& lines = places_[shape.hash % places].lines;
  if (std::any_of(lines.begin(), lines.end(),
                  [&](const RememberedLine& line) { return line.masked == shape.masked; })) {
    for (const Piece& piece : shape.pieces) hash = (hash ^ piece.value) * odd;
  }
  // Half of the hash is enough: to take one shape for another only costs a trace.
  const auto mark = static_cast<std::uint32_t>(hash >> 32);
  const auto first = seen_.begin() + static_cast<std::ptrdiff_t>(hash % places * marks);
  const auto last = first + marks;
  if (std::find(first, last, mark) != last) return true;
  std::copy_backward(first, last - 1, last);  // the oldest goes
  *first = mark;
  return false;
}

void RememberedLines::add(RememberedLine line, std::uint64_t hash) {
  // Nothing is ever compared by age: in turns is as good, and the same lines always leave the same memory behind.
  Place& place = places_[hash % places];
  if (place.lines.size() < most_in_place) {
    place.lines.push_back(std::move(line));
    return;
  }
  place.lines[place.next] = std::move(line);
  place.next = (place.next + 1) % most_in_place;
}

}  // namespace vireo::isa
