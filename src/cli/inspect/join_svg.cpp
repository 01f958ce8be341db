// SPDX-License-Identifier: Apache-2.0
//
// Joins SVG documents: `dot` writes one for each graph, but a file contains one document (SVG 1.1, 5.1: an svg element
// within another one has its own position and coordinates).
//
// The documents have a fixed form, as one program writes them, so no XML parser is necessary: an element
// `<svg width="405pt" height="328pt" viewBox="…" …>` begins each picture, and `</svg>` ends it. Graphviz escapes quotes
// in texts, so ` id="` occurs only as an attribute.
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cli/inspect/graphviz.h"

namespace vireo::cli {
namespace {

struct Picture {
  std::string_view open;     // from `<svg` to `>`
  std::string_view content;  // up to `</svg>`
  std::uint64_t width = 0, height = 0;
};

// The number of an attribute in points; 0 if it is missing.
std::uint64_t points_of(std::string_view element, std::string_view attribute) {
  const std::size_t at = element.find(attribute);
  std::uint64_t value = 0;
  if (at == std::string_view::npos) return 0;
  std::from_chars(element.data() + at + attribute.size(), element.data() + element.size(), value);
  return value;
}

std::vector<Picture> pictures_of(std::string_view documents) {
  std::vector<Picture> pictures;
  for (std::size_t at = documents.find("<svg "); at != std::string_view::npos; at = documents.find("<svg ", at)) {
    const std::size_t open_end = documents.find('>', at), end = documents.find("</svg>", at);
    if (open_end == std::string_view::npos || end == std::string_view::npos || open_end > end) return {};
    Picture picture{documents.substr(at, open_end + 1 - at), documents.substr(open_end + 1, end - open_end - 1)};
    picture.width = points_of(picture.open, " width=\"");
    picture.height = points_of(picture.open, " height=\"");
    if (picture.width == 0 || picture.height == 0) return {};
    pictures.push_back(picture);
    at = end;
  }
  return pictures;
}

// Appends text with distinct ids: those of all pictures begin with node1.
void append_with_ids(std::string& out, std::string_view text, std::size_t number) {
  constexpr std::string_view id = " id=\"";
  for (std::size_t at = text.find(id); at != std::string_view::npos; at = text.find(id)) {
    out.append(text.substr(0, at + id.size())).append("p").append(std::to_string(number)).append("-");
    text.remove_prefix(at + id.size());
  }
  out.append(text);
}

}  // namespace

std::string join_svg(std::string_view documents) {
  const std::vector<Picture> pictures = pictures_of(documents);
  if (pictures.empty()) return {};
  if (pictures.size() == 1) return std::string(documents);
  std::uint64_t width = 0, height = 0;
  for (const Picture& picture : pictures) {
    width = std::max(width, picture.width);
    height += picture.height;
  }
  const std::string size = std::to_string(width), total = std::to_string(height);
  std::string joined = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n";
  joined.append("<svg width=\"").append(size).append("pt\" height=\"").append(total).append("pt\" viewBox=\"0 0 ");
  joined.append(size).append(" ").append(total);
  joined.append("\" xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\">\n");
  joined.append("<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n");
  std::uint64_t y = 0;
  for (std::size_t i = 0; i < pictures.size(); ++i) {
    const Picture& picture = pictures[i];
    joined.append("<svg x=\"0\" y=\"").append(std::to_string(y)).append("\" width=\"");
    joined.append(std::to_string(picture.width)).append("\" height=\"").append(std::to_string(picture.height));
    joined.append("\" viewBox=\"0 0 ").append(std::to_string(picture.width)).append(" ");
    joined.append(std::to_string(picture.height)).append("\">");
    append_with_ids(joined, picture.content, i + 1);
    joined.append("</svg>\n");
    y += picture.height;
  }
  joined.append("</svg>\n");
  return joined;
}

}  // namespace vireo::cli
