// SPDX-License-Identifier: Apache-2.0
//
// The table of an explanation as cells of text, for both text and SVG.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "vireo/isa/explain.h"
#include "vireo/support/text_writer.h"

namespace vireo::isa {

struct TableCell {
  std::string text;  ///< printable
  std::uint32_t columns = 0;
  TokenStyle style = TokenStyle::Plain;
};

struct TableLine {
  static constexpr std::size_t count = 6;  ///< bits, name, type, raw, text, origin
  std::array<TableCell, count> cells;
};

struct Table {
  TableLine head;
  std::vector<TableLine> lines;
  std::array<std::uint32_t, TableLine::count> starts{};  ///< columns where the cells begin
};
Table table_of(const Model& model, const Explanation& explanation);

/// The first line: the word and its text.
struct Heading {
  TableCell hex;
  TableCell text;
};
Heading heading_of(const Explanation& explanation);

/// The marks in the picture, each with its meaning.
std::vector<std::pair<BitMark, std::string_view>> legend_of(const BitPicture& picture);

/// The annotations as cells: bits, message.
std::vector<std::pair<TableCell, TableCell>> annotations_of(const Explanation& explanation);

}  // namespace vireo::isa
