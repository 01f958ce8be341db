// SPDX-License-Identifier: Apache-2.0
//
// The rare paths of the lexer: the last bytes of a text, comments, quotes and backslashes.
//
// The one idea: whatever real texts do not hold once in ten words is out of the way of what they do.
#include "spirv/text/assemble/lexer.h"

namespace vireo::spirv::text {

// The text is a view: nothing behind it may be read, not even by a load whose bytes are thrown away.
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
      return p;  // behind a comment there are mostly blanks, which skip() does faster
    }
    if (class_of(*p) != ByteClass::Blank) return p;
    ++p;
  }
  return p;
}

// Quotes toggle wherever they stand, a backslash protects the next byte inside and outside of quotes.
const char* Lexer::quoted_word_end(const char* p) const {
  bool is_quoted = false;
  for (; p < end_; ++p) {
    switch (class_of(*p)) {
      case ByteClass::Backslash:
        // A backslash at the very end protects nothing, and the word ends with it.
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

// A name with a quote or a backslash in it is malformed, but its extent is that of the word, so that the fault
// underlines all of it and reading goes on behind it.
NamePiece Lexer::odd_name(const char* p, const char* e) const {
  e = word_end(e);
  const auto length = static_cast<std::size_t>(e - p);
  const std::uint64_t x = load8(p);
  return {p, length, length >= 8 ? x : x & ((std::uint64_t{1} << (8 * length)) - 1)};
}

// Backwards over blanks only: linear in the indentation, and only faults ask.
bool Lexer::is_first_in_line(const char* p) const {
  while (p > begin_) {
    const char c = *--p;
    if (c == '\n') return true;
    if (class_of(c) != ByteClass::Blank) return false;
  }
  return true;
}

}  // namespace vireo::spirv::text
