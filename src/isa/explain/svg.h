// SPDX-License-Identifier: Apache-2.0
//
// Shared by SVG and HTML output: escaping, text, and the frame of a drawing.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "vireo/isa/picture.h"

namespace vireo::isa {

/// Appends text as character data or as an attribute value in double quotes, for XML and HTML. Characters that XML
/// forbids (control characters, ill-formed UTF-8) become U+FFFD. The result contains no markup.
void append_escaped(std::string& out, std::string_view text);

/// The size of a drawing in pixels.
struct DrawnSize {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
};

/// Draws cells and labels with the upper left corner at (x, y), in pixels, with the classes of svg_style().
DrawnSize draw_picture(std::string& out, const BitPicture& picture, std::uint32_t x, std::uint32_t y);
DrawnSize size_of(const BitPicture& picture);

/// Draws one <text> with its baseline at y; `anchor` as in SVG ("" means start).
void draw_text(std::string& out, std::uint32_t x, std::uint32_t y, std::string_view classes, std::string_view text,
               std::string_view anchor = {});

/// The CSS rules for the classes of drawings. A page includes them once; a standalone drawing includes its own.
std::string_view svg_style();

/// Appends the start of a drawing: <svg>, title and description.
void begin_svg(std::string& out, DrawnSize size, const PictureStyle& style, std::string_view title,
               std::string_view description);

}  // namespace vireo::isa
