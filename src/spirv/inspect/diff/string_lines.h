// SPDX-License-Identifier: Apache-2.0
//
// Compares the printed texts of two instructions by the lines of their strings, such as the source in OpSource.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace vireo::spirv {

/// Whether a printed text contains a line feed, which is printed as `\x0a`.
bool has_lines(std::string_view text);

/// A line of a comparison.
struct ComparedLine {
  char mark = ' ';            ///< ' ', '-' or '+', as in diff -u
  std::string_view text;      ///< without the line feed
  bool is_after_gap = false;  ///< unchanged lines before it were left out
};

/// The changed lines with `context` unchanged ones around each, and the first line, which has the opcode. The texts are
/// borrowed.
std::vector<ComparedLine> compare_lines(std::string_view before, std::string_view after, std::uint32_t context);

}  // namespace vireo::spirv
