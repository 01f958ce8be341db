// SPDX-License-Identifier: Apache-2.0
//
// Makes untrusted bytes safe to print on a terminal.
//
// Bytes that could control a terminal or reorder the displayed text are printed as escapes like `\x1b` or
// `\u202e`. These are control characters, ill-formed UTF-8 and bidirectional controls. All other text is unchanged.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace vireo {

/// The sizes of a character in the input and in the output of append_printable_character().
struct PrintedCharacter {
  std::size_t bytes = 0;    ///< bytes of the input; at least 1
  std::size_t columns = 0;  ///< terminal columns of the output; a wide character counts as one
};

/// Appends the first character of `text`, which must not be empty, in its safe form. A tab is escaped as a control
/// character.
PrintedCharacter append_printable_character(std::string& out, std::string_view text);

/// Appends all of `text` in its safe form.
void append_printable(std::string& out, std::string_view text);

/// Quotes a word of the input for a message: 'word'. The bytes are not escaped, because the whole message is escaped
/// when it is printed.
std::string quoted(std::string_view text);

}  // namespace vireo
