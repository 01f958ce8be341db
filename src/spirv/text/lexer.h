// SPDX-License-Identifier: Apache-2.0
//
// The lexer of assembly text: finds the end of a word and the beginning of the next.
//
// The lexer copies and stores nothing. A word is a pair of pointers into the text. It is found once,
// eight bytes at a time. The blanks and comments after it are skipped at the same time, so the lookahead for `=` is one
// byte. Bytes are classified by arithmetic on whole registers. A byte that ends a word, or that begins a quoted or
// escaped part, is at most `,`, or is `;` or a backslash. Other bytes in this range are rare and are checked one at a
// time.
//
// docs/text.md, "Words".
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "spirv/text/eight_bytes.h"
#include "spirv/text/read_decimal.h"
#include "support/ascii.h"
#include "support/utf8.h"
#include "vireo/support/source.h"

namespace vireo::spirv::text {

/// The effect of a byte on its word.
enum class ByteClass : std::uint8_t {
  Ordinary,
  Letter,       ///< part of names: letters, digits and underscore; otherwise like Ordinary
  Blank,        ///< ends a word
  Punctuation,  ///< ends a word: `;` `(` `)` `,`
  Quote,        ///< opens or closes a quoted part
  Backslash,    ///< escapes the next byte
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
}  // namespace detail

inline ByteClass class_of(char c) { return detail::byte_classes.of[static_cast<unsigned char>(c)]; }
inline bool ends_word(char c) {
  const ByteClass k = class_of(c);
  return k == ByteClass::Blank || k == ByteClass::Punctuation;
}
inline bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }

/// One word of the text. `next` is the beginning of the following word.
struct Piece {
  const char* begin = nullptr;
  const char* end = nullptr;
  const char* next = nullptr;

  [[nodiscard]] std::string_view text() const { return {begin, static_cast<std::size_t>(end - begin)}; }
};

/// The name of an id, without its `%`.
struct IdToken {
  const char* begin = nullptr;
  std::size_t length = 0;
  std::uint64_t head = 0;   ///< the first eight bytes, the first one in the lowest byte; zeros after a shorter name
  std::uint32_t value = 0;  ///< the value of a decimal name
  bool is_decimal = false;  ///< 1 to 7 digits, the first one not zero: each number has one spelling

  [[nodiscard]] const char* end() const { return begin + length; }
  [[nodiscard]] std::string_view text() const { return {begin, length}; }
};

class Lexer {
 public:
  /// The text ends at its first NUL, if it has one; a leading byte order mark is skipped.
  // spirv-as reads a C string, so a NUL ends the text there too.
  explicit Lexer(std::string_view text)
      : text_(text.data()),
        begin_(text.data() + mark_size(text)),
        end_(text.data() + text.substr(0, text.find('\0')).size()),
        wide_end_(end_ - begin_ >= 8 ? end_ - 7 : begin_) {}

  [[nodiscard]] const char* begin() const { return begin_; }
  [[nodiscard]] const char* end() const { return end_; }
  [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(end_ - begin_); }

  [[nodiscard]] std::uint64_t offset_of(const char* p) const { return static_cast<std::uint64_t>(p - text_); }
  [[nodiscard]] ByteRange range_of(const char* from, const char* to) const { return {offset_of(from), offset_of(to)}; }

  /// The byte at `p`; 0 at the end.
  [[nodiscard]] char peek(const char* p) const { return p < end_ ? *p : '\0'; }

  /// Eight bytes from `p` on, the first one in the lowest byte; zeros after the end of the text.
  [[nodiscard]] std::uint64_t load8(const char* p) const {
    if (p >= wide_end_) [[unlikely]]
      return load_tail(p);
    std::uint64_t x;
    std::memcpy(&x, p, 8);
    if constexpr (std::endian::native == std::endian::big) x = __builtin_bswap64(x);
    return x;
  }

  /// Skips blanks and comments. Returns the beginning of the next word, or the end.
  /// Spaces are skipped eight at a time, as indentation is mostly spaces. Line feeds are skipped one by one; tabs,
  /// carriage returns and comments are rare and handled in a loop.
  [[nodiscard]] const char* skip(const char* p) const {
    for (;;) {
      // A nonzero byte is not a space. Only the first one is used, so the bits after it need not be exact.
      const std::uint64_t x = load8(p);
      const std::uint64_t other = x ^ every(' ');
      if (other == 0) {
        p += 8;
        continue;
      }
      const unsigned bits = bits_before(other);
      const auto c = static_cast<char>(x >> bits);
      p += bits / 8;
      if (c == '\n') {
        ++p;
        continue;
      }
      if (static_cast<unsigned char>(c) > ' ' && c != ';') [[likely]]
        return p;
      if (c != ';' && class_of(c) != ByteClass::Blank) return p;  // the end of the text, or a control byte
      p = skip_rare(p);
    }
  }

  /// One past the last byte of the word that contains `p`. If punctuation is at `p`, the word is empty.
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

  /// Like word_end(), but for names, which contain no `;`, quotes or backslashes. If one of these ends the name, the
  /// result is too far. The lookup of such a word fails, and the caller then calls word_end().
  [[nodiscard]] const char* name_end(const char* p) const {
    for (;;) {
      const std::uint64_t candidates = bytes_at_most(load8(p), ',');
      if (candidates == 0) {
        p += 8;
        continue;
      }
      p += std::countr_zero(candidates) >> 3;
      if (p >= end_) return end_;
      if (ends_word(*p)) [[likely]]
        return p;
      ++p;
    }
  }

  /// The word at `p`, which must not be blank. Punctuation is a word of one byte.
  [[nodiscard]] Piece piece(const char* p) const {
    const char* e = word_end(p);
    if (e == p && p < end_) ++e;
    return {p, e, skip(e)};
  }

  /// The name of the id whose `%` precedes `p`.
  [[nodiscard]] IdToken name(const char* p) const {
    const std::uint64_t x = load8(p);
    // Most names are short numbers: parsing the number while searching for its end halves the work.
    std::uint32_t value = 0;
    if (const unsigned digits = leading_decimal(x, value); digits != 0 && is_at_word_end(p + digits))
      return {p, digits, x & below(8 * digits), value, true};
    const std::uint64_t candidates = may_end_word(x);
    if (candidates != 0) [[likely]] {
      const unsigned bits = bits_before(candidates);
      const char* e = p + bits / 8;
      if (is_at_word_end(e)) [[likely]]
        return {p, bits / 8, x & below(bits)};
      return malformed_name(p, e);
    }
    return {p, static_cast<std::size_t>(word_end(p + 8) - p), x};
  }

  /// Whether a word that was parsed up to `p` ends there.
  [[nodiscard]] bool is_at_word_end(const char* p) const { return p >= end_ || ends_word(*p); }
  /// Whether the word at `p` is a lone `=`.
  [[nodiscard]] bool is_equals(const char* p) const { return peek(p) == '=' && is_at_word_end(p + 1); }
  /// Whether the word at `p` looks like an opcode: `Op` and an upper-case letter.
  [[nodiscard]] bool is_opcode_shaped(const char* p) const {
    return end_ - p >= 3 && p[0] == 'O' && p[1] == 'p' && is_upper(p[2]);
  }
  /// Whether an instruction begins at `p`: an opcode, or a result id and `=`.
  [[nodiscard]] bool is_instruction_start(const char* p) const {
    const char c = peek(p);
    if (c == 'O') return is_opcode_shaped(p);
    if (c != '%') return false;
    return is_equals(skip(word_end(p + 1)));
  }
  /// Whether only blanks precede `p` in its line.
  [[nodiscard]] bool is_first_in_line(const char* p) const;

  /// The end of a word; `p` is at a quote or a backslash in it.
  [[gnu::cold]] [[nodiscard]] const char* quoted_word_end(const char* p) const;

 private:
  static std::uint64_t may_end_word(std::uint64_t x) {
    return bytes_at_most(x, ',') | bytes_equal(x, ';') | bytes_equal(x, '\\');
  }
  static std::uint64_t below(unsigned bits) { return (std::uint64_t{1} << bits) - 1; }  // precondition: bits < 64

  [[gnu::cold]] std::uint64_t load_tail(const char* p) const;
  [[gnu::noinline]] const char* skip_rare(const char* p) const;
  [[gnu::cold]] IdToken malformed_name(const char* p, const char* e) const;

  const char* text_;  // base of offsets
  const char* begin_;
  const char* end_;
  const char* wide_end_;  // eight bytes can be loaded from any position before it
};

}  // namespace vireo::spirv::text
