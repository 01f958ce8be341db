// SPDX-License-Identifier: Apache-2.0
//
// Shortening, and three ways to be the same text (lines.h). They run for every line, so the usual case is asked first.
#include "isa/assemble/lines.h"

namespace vireo::isa {
namespace {

constexpr bool is_blank(char c) { return c == ' ' || c == '\t'; }

// The next character that counts in a loose comparison; '\0' at the end.
// A run of blanks counts as one blank between two words, whose letters would run together, and as nothing elsewhere.
char next_loosely(std::string_view text, std::size_t& at) {
  const std::size_t from = at;
  while (at < text.size() && is_blank(text[at])) ++at;
  if (at == text.size()) return '\0';
  const bool joins = at != from && from != 0 && is_word_character(text[from - 1]) && is_word_character(text[at]);
  return joins ? ' ' : text[at++];
}

}  // namespace

void shorten(std::string_view line, std::string& shortened) {
  while (!line.empty() && is_blank(line.front())) line.remove_prefix(1);
  while (!line.empty() && is_blank(line.back())) line.remove_suffix(1);
  // Most lines have nothing to be shortened.
  if (line.find('\t') == std::string_view::npos && line.find("  ") == std::string_view::npos) {
    shortened = line;
    return;
  }
  shortened.resize(line.size());
  char* out = shortened.data();
  bool was_blank = false;
  for (const char c : line) {
    const bool blank = is_blank(c);
    *out = blank ? ' ' : c;
    if (!(blank && was_blank)) ++out;
    was_blank = blank;
  }
  shortened.resize(static_cast<std::size_t>(out - shortened.data()));
}

// Walks both texts at once: a blank of the shortened line is a whole run of them in the line as it was written.
std::size_t place_in(std::string_view line, std::size_t place) {
  std::size_t at = 0;
  while (at < line.size() && is_blank(line[at])) ++at;
  for (; place != 0 && at < line.size(); --place) {
    if (!is_blank(line[at])) {
      ++at;
      continue;
    }
    while (at < line.size() && is_blank(line[at])) ++at;
  }
  return at;
}

bool is_same_text(std::string_view printed, std::string_view wanted) {
  if (printed == wanted) return true;  // by far the commonest case
  // As shorten() would, without writing it down: this runs for every proof whose text has alignment in it.
  while (!printed.empty() && is_blank(printed.front())) printed.remove_prefix(1);
  while (!printed.empty() && is_blank(printed.back())) printed.remove_suffix(1);
  std::size_t at = 0;
  for (std::size_t i = 0; i < printed.size(); ++i) {
    const char c = printed[i] == '\t' ? ' ' : printed[i];
    if (c == ' ' && is_blank(printed[i - 1])) continue;
    if (at == wanted.size() || wanted[at] != c) return false;
    ++at;
  }
  return at == wanted.size();
}

bool is_same_loosely(std::string_view printed, std::string_view wanted) {
  std::size_t i = 0;
  std::size_t k = 0;
  while (true) {
    const char a = next_loosely(printed, i);
    // A blank that counts is one character, so both texts step by what is to be compared.
    if (a != next_loosely(wanted, k)) return false;
    if (a == '\0') return true;
  }
}

}  // namespace vireo::isa
