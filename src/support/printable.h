// SPDX-License-Identifier: Apache-2.0
//
// Bytes of unknown origin, made safe to show on a terminal.
//
// The one idea: everything that could steer a terminal or reorder what the reader sees (control characters, ill-formed
// UTF-8, bidirectional controls) is shown as an escape like `\x1b` or `\u202e`; all other text passes unchanged.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace vireo {

/// What append_printable_piece() took from its text, and what it put out.
struct PrintablePiece {
  std::size_t bytes = 0;    ///< taken; at least 1
  std::size_t columns = 0;  ///< put out, as a terminal counts them (wide characters are not known: they count as one)
};

/// Appends the first character of `text` (not empty) in its safe form. A tab is a control character here.
PrintablePiece append_printable_piece(std::string& out, std::string_view text);

/// Appends all of `text` in its safe form.
void append_printable(std::string& out, std::string_view text);

/// A word of the input in a message: between the house's quotes, 'so', and otherwise as it is. Whoever shows a message
/// makes it printable as a whole.
std::string quoted(std::string_view text);

}  // namespace vireo
