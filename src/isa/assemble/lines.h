// SPDX-License-Identifier: Apache-2.0
//
// Lines of assembly as texts: blanks, comments, and when two spellings are the same.
//
// The one idea: a line is shortened before anything else looks at it: runs of blanks become one, those at the ends go.
// After that "the same text" is a comparison of characters.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "support/ascii.h"

namespace vireo::isa {

/// Letters, digits, and what names and registers are written with.
constexpr bool is_word_character(char c) {
  return is_letter(c) || is_digit(c) || c == '_' || c == '$' || c == '@' || c == '%';
}
constexpr bool is_name_start(char c) { return is_letter(c) || c == '_' || c == '$' || c == '.'; }
constexpr bool is_name_character(char c) { return is_name_start(c) || is_digit(c); }

/// Runs of blanks shortened to one, none at the ends; into `shortened`.
void shorten(std::string_view line, std::string& shortened);

/// Where a place of the shortened line stands in the line.
std::size_t place_in(std::string_view line, std::size_t place);

/// Whether a printed text is the wanted one, which has been shortened.
bool is_same_text(std::string_view printed, std::string_view wanted);
/// The same, not counting blanks except between two words.
bool is_same_loosely(std::string_view printed, std::string_view wanted);

}  // namespace vireo::isa
