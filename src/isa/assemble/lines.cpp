// SPDX-License-Identifier: Apache-2.0
//
// Shortens lines and compares texts (lines.h). These functions run for every line, so they check the usual case first.
#include "isa/assemble/lines.h"

namespace vireo::isa {
namespace {

constexpr bool is_blank(char c) { return c == ' ' || c == '\t'; }

// Returns the next significant character in a loose comparison; '\0' at the end. A run of blanks is significant, as one
// blank, only between two words that would otherwise join.
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
  // Most lines need no shortening.
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

// Walks both texts at once: one blank of the shortened line is a run of blanks in the original.
std::size_t original_position(std::string_view line, std::size_t position) {
  std::size_t at = 0;
  while (at < line.size() && is_blank(line[at])) ++at;
  for (; position != 0 && at < line.size(); --position) {
    if (!is_blank(line[at])) {
      ++at;
      continue;
    }
    while (at < line.size() && is_blank(line[at])) ++at;
  }
  return at;
}

bool is_same_text(std::string_view printed, std::string_view wanted) {
  if (printed == wanted) return true;  // the usual case
  // Compare as if `printed` were shortened, but without a copy: this runs for every text with alignment.
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
    // A significant blank is one character, so both texts advance in step.
    if (a != next_loosely(wanted, k)) return false;
    if (a == '\0') return true;
  }
}

}  // namespace vireo::isa
