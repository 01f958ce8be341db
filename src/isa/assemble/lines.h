// SPDX-License-Identifier: Apache-2.0
//
// Text of assembly lines: blanks, names, and comparison of spellings.
//
// Lines are shortened before any other processing: runs of blanks become one, and blanks at the ends are removed. Texts
// can then be compared character by character.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "support/ascii.h"

namespace vireo::isa {

/// Letters, digits, and the other characters of names and registers.
constexpr bool is_word_character(char c) {
  return is_letter(c) || is_digit(c) || c == '_' || c == '$' || c == '@' || c == '%';
}
constexpr bool is_name_start(char c) { return is_letter(c) || c == '_' || c == '$' || c == '.'; }
constexpr bool is_name_character(char c) { return is_name_start(c) || is_digit(c); }

/// Copies `line` to `shortened` with runs of blanks shortened to one and none at the ends.
void shorten(std::string_view line, std::string& shortened);

/// Converts a position in the shortened line to the position in the original line.
std::size_t original_position(std::string_view line, std::size_t position);

/// Returns whether `printed`, once shortened, equals `wanted`. `wanted` must already be shortened.
bool is_same_text(std::string_view printed, std::string_view wanted);
/// Like is_same_text(), but ignores blanks except between two words.
bool is_same_loosely(std::string_view printed, std::string_view wanted);

}  // namespace vireo::isa
