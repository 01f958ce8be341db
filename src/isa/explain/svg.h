// SPDX-License-Identifier: Apache-2.0
//
// What SVG and HTML have in common here: escaping, and a writer that cannot leave an element open by accident.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "vireo/isa/picture.h"

namespace vireo::isa {

/// Appends text as character data or as the value of an attribute in double quotes, for XML and HTML alike. What XML
/// cannot hold at all (control characters, ill-formed UTF-8) becomes U+FFFD; no text can end an element or begin one.
void append_escaped(std::string& out, std::string_view text);

/// What a picture takes in a drawing, in pixels.
struct DrawnSize {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
};

/// Draws the cells and labels at a place; the classes are those of svg_style().
DrawnSize draw_picture(std::string& out, const BitPicture& picture, std::uint32_t x, std::uint32_t y);
DrawnSize size_of(const BitPicture& picture);

/// One <text>; `anchor` as in SVG ("" is the start).
void draw_text(std::string& out, std::uint32_t x, std::uint32_t y, std::string_view classes, std::string_view text,
               std::string_view anchor = {});

/// The rules for the classes of drawings, as CSS. A page has them once; a standalone drawing brings them along.
std::string_view svg_style();

/// The start of a drawing: <svg>, title and description.
void begin_svg(std::string& out, DrawnSize size, const PictureStyle& style, std::string_view title,
               std::string_view description);

}  // namespace vireo::isa
