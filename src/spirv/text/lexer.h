// SPDX-License-Identifier: Apache-2.0
//
// The lexer of assembly text: where words end, and where the next one begins.
//
// The one idea: nothing is ever copied or stored. A word is a pair of pointers into the text; it is found once, eight
// bytes at a time, and whoever found it also steps over the blanks and comments behind it, so that the look ahead for
// `=` is one byte. Bytes are classed with arithmetic on whole registers: a byte that could end a word is at most `,`,
// or it is `;` or a backslash; what lies between is looked at again, one byte at a time, and is rare.
//
// docs/text.md, "Words".
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "vireo/support/source.h"

namespace vireo::spirv::text {

/// What a byte does to the word that it stands in.
enum class ByteClass : std::uint8_t {
  Ordinary,
  Letter,       ///< of names: letters, digits and underscore; ordinary otherwise
  Blank,        ///< ends a word
  Punctuation,  ///< ends a word: `;` `(` `)` `,`
  Quote,        ///< opens or closes a quoted stretch
  Backslash,    ///< protects the next byte
};

namespace detail {
struct ByteClasses {
  ByteClass of[256] = {};
  constexpr ByteClasses() {
    for (int c = 0; c < 256; ++c) {
      const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
      if (is_letter) of[c] = ByteClass::Letter;
    }
    for (const unsigned char c : {' ', '\t', '\r', '\n'}) of[c] = ByteClass::Blank;
    for (const unsigned char c : {';', '(', ')', ','}) of[c] = ByteClass::Punctuation;
    of[static_cast<unsigned char>('"')] = ByteClass::Quote;
    of[static_cast<unsigned char>('\\')] = ByteClass::Backslash;
  }
};
inline constexpr ByteClasses byte_classes;

inline constexpr std::uint64_t ones = 0x0101010101010101ull;
inline constexpr std::uint64_t tops = 0x8080808080808080ull;
constexpr std::uint64_t every(unsigned char c) { return ones * c; }
}  // namespace detail

inline ByteClass class_of(char c) { return detail::byte_classes.of[static_cast<unsigned char>(c)]; }
inline bool ends_word(char c) {
  const ByteClass k = class_of(c);
  return k == ByteClass::Blank || k == ByteClass::Punctuation;
}
inline bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
inline bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// A word that was found. `next` is the beginning of the word behind it.
struct Piece {
  const char* begin = nullptr;
  const char* end = nullptr;
  const char* next = nullptr;

  [[nodiscard]] std::string_view text() const { return {begin, static_cast<std::size_t>(end - begin)}; }
};

/// The name of an id, without its `%`.
struct NamePiece {
  const char* begin = nullptr;
  std::size_t length = 0;
  std::uint64_t head = 0;  ///< the first eight bytes, the first of them lowest; zeros behind a shorter name

  [[nodiscard]] const char* end() const { return begin + length; }
  [[nodiscard]] std::string_view text() const { return {begin, length}; }
};

class Lexer {
 public:
  /// The text ends at its first NUL, if it has one.
  // The reference reads a C string, so a NUL ends its text as well.
  explicit Lexer(std::string_view text)
      : begin_(text.data()),
        end_(text.data() + text.substr(0, text.find('\0')).size()),
        wide_end_(end_ - begin_ >= 8 ? end_ - 7 : begin_) {}

  [[nodiscard]] const char* begin() const { return begin_; }
  [[nodiscard]] const char* end() const { return end_; }
  [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(end_ - begin_); }

  [[nodiscard]] std::uint64_t offset_of(const char* p) const { return static_cast<std::uint64_t>(p - begin_); }
  [[nodiscard]] ByteRange range_of(const char* from, const char* to) const { return {offset_of(from), offset_of(to)}; }

  /// The byte at `p`; 0 at the end.
  [[nodiscard]] char peek(const char* p) const { return p < end_ ? *p : '\0'; }

  /// Eight bytes from `p` on, the first of them lowest; zeros behind the end.
  [[nodiscard]] std::uint64_t load8(const char* p) const {
    if (p >= wide_end_) [[unlikely]]
      return load_tail(p);
    std::uint64_t x;
    std::memcpy(&x, p, 8);
    if constexpr (std::endian::native == std::endian::big) x = __builtin_bswap64(x);
    return x;
  }

  /// Past blanks and comments: the beginning of the next word, or the end.
  /// Spaces and line feeds eight at a time, as indentation is mostly these; tabs, carriage returns and comments are
  /// rare enough for a loop.
  [[nodiscard]] const char* skip(const char* p) const {
    for (;;) {
      const std::uint64_t x = load8(p);
      const std::uint64_t other = other_than_space_or_line_feed(x);
      if (other == 0) {
        p += 8;
        continue;
      }
      const int bit = std::countr_zero(other) & ~7;
      const auto c = static_cast<unsigned char>(x >> bit);
      p += bit >> 3;
      if (c > ' ' && c != ';') [[likely]]
        return p;
      if (c != ';' && class_of(static_cast<char>(c)) != ByteClass::Blank) return p;  // the end, or a control byte
      p = skip_rare(p);
    }
  }

  /// One past the last byte of the word that `p` stands in. Punctuation at `p` itself: an empty word.
  [[nodiscard]] const char* word_end(const char* p) const {
    for (;;) {
      const std::uint64_t candidates = may_end_word(load8(p));
      if (candidates == 0) {
        p += 8;
        continue;
      }
      p += std::countr_zero(candidates) >> 3;
      if (p >= end_) return end_;
      if (ends_word(*p)) [[likely]]
        return p;
      if (*p == '"' || *p == '\\') return quoted_word_end(p);
      ++p;
    }
  }

  /// The word at `p`, which is not blank. Punctuation is a word of one byte.
  [[nodiscard]] Piece piece(const char* p) const {
    const char* e = word_end(p);
    if (e == p && p < end_) ++e;
    return {p, e, skip(e)};
  }

  /// The name of the id whose `%` stands before `p`.
  [[nodiscard]] NamePiece name(const char* p) const {
    const std::uint64_t x = load8(p);
    const std::uint64_t candidates = may_end_word(x);
    if (candidates != 0) [[likely]] {
      const unsigned bit = static_cast<unsigned>(std::countr_zero(candidates)) & ~7u;
      const char* e = p + (bit >> 3);
      if (e >= end_ || ends_word(*e)) [[likely]]
        return {p, bit >> 3, x & ((std::uint64_t{1} << bit) - 1)};
      return odd_name(p, e);
    }
    return {p, static_cast<std::size_t>(word_end(p + 8) - p), x};
  }

  /// Whether the word at `p` is a lone `=`.
  [[nodiscard]] bool is_equals(const char* p) const { return peek(p) == '=' && (p + 1 >= end_ || ends_word(p[1])); }
  /// Whether the word at `p` has the shape of an opcode: `Op` and an upper-case letter.
  [[nodiscard]] bool is_opcode_shaped(const char* p) const {
    return end_ - p >= 3 && p[0] == 'O' && p[1] == 'p' && is_upper(p[2]);
  }
  /// Whether an instruction begins at `p`: an opcode, or a result id and `=`.
  [[nodiscard]] bool is_instruction_start(const char* p) const {
    const char c = peek(p);
    if (c == 'O') return is_opcode_shaped(p);
    return c == '%' && is_equals(skip(word_end(p + 1)));
  }
  /// Whether only blanks stand before `p` in its line.
  [[nodiscard]] bool is_first_in_line(const char* p) const;

  /// The end of a word from a quote or a backslash in it on.
  [[gnu::cold]] [[nodiscard]] const char* quoted_word_end(const char* p) const;

 private:
  static std::uint64_t may_end_word(std::uint64_t x) {
    // The lowest bit set is exact; above it there may be false ones, which nobody looks at.
    // x - every(c + 1) borrows in each byte that is at most c, and `& ~x` drops those from 0x80 on: UTF-8 ends no
    // word. The other two find zero bytes after an exclusive or.
    using namespace detail;
    const std::uint64_t s = x ^ every(';');
    const std::uint64_t b = x ^ every('\\');
    return (((x - every(',' + 1)) & ~x) | ((s - ones) & ~s) | ((b - ones) & ~b)) & tops;
  }
  static std::uint64_t other_than_space_or_line_feed(std::uint64_t x) {
    using namespace detail;
    const std::uint64_t s = x ^ every(' ');
    const std::uint64_t l = x ^ every('\n');
    // Without borrows between bytes: here one inexact byte would do harm, as skip() trusts an empty result.
    return (((s & ~tops) + ~tops) | s) & (((l & ~tops) + ~tops) | l) & tops;
  }

  [[gnu::cold]] std::uint64_t load_tail(const char* p) const;
  [[gnu::noinline]] const char* skip_rare(const char* p) const;
  [[gnu::cold]] NamePiece odd_name(const char* p, const char* e) const;

  const char* begin_;
  const char* end_;
  const char* wide_end_;  // eight bytes can be loaded from everything before it
};

}  // namespace vireo::spirv::text
