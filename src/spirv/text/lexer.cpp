// SPDX-License-Identifier: Apache-2.0
//
// The rare paths of the lexer: the last bytes of a text, comments, quotes and backslashes.
//
// Code for bytes that occur less than once in ten words of real texts is kept out of the fast path.
#include "spirv/text/lexer.h"

namespace vireo::spirv::text {

// The text is a view: no byte after its end may be read, not even by a load that discards it.
std::uint64_t Lexer::load_tail(const char* p) const {
  std::uint64_t x = 0;
  for (unsigned i = 0; i < 8 && p + i < end_; ++i) x |= std::uint64_t{static_cast<unsigned char>(p[i])} << (8 * i);
  return x;
}

const char* Lexer::skip_rare(const char* p) const {
  while (p < end_) {
    if (*p == ';') {
      const void* line_feed = std::memchr(p, '\n', static_cast<std::size_t>(end_ - p));
      if (line_feed == nullptr) return end_;
      p = static_cast<const char*>(line_feed) + 1;
      return p;  // blanks mostly follow a comment; skip() is faster for these
    }
    if (class_of(*p) != ByteClass::Blank) return p;
    ++p;
  }
  return p;
}

// A quote opens or closes a quoted part anywhere in a word. A backslash escapes the next byte inside and outside
// quotes.
const char* Lexer::quoted_word_end(const char* p) const {
  bool is_quoted = false;
  for (; p < end_; ++p) {
    switch (class_of(*p)) {
      case ByteClass::Backslash:
        // A backslash at the end of the text escapes nothing and ends the word.
        if (p + 1 < end_) ++p;
        break;
      case ByteClass::Quote: is_quoted = !is_quoted; break;
      case ByteClass::Blank:
      case ByteClass::Punctuation:
        if (!is_quoted) return p;
        break;
      case ByteClass::Ordinary:
      case ByteClass::Letter: break;
    }
  }
  return end_;
}

// A name with a quote or a backslash is malformed. It extends to the end of its word, so that the diagnostic
// underlines the whole word and parsing continues after it.
IdToken Lexer::malformed_name(const char* p, const char* e) const {
  e = word_end(e);
  const auto length = static_cast<std::size_t>(e - p);
  const std::uint64_t x = load8(p);
  return {p, length, length >= 8 ? x : x & ((std::uint64_t{1} << (8 * length)) - 1)};
}

// Scans backwards over blanks only: linear in the indentation, and only called for diagnostics.
bool Lexer::is_first_in_line(const char* p) const {
  while (p > begin_) {
    const char c = *--p;
    if (c == '\n') return true;
    if (class_of(c) != ByteClass::Blank) return false;
  }
  return true;
}

}  // namespace vireo::spirv::text
