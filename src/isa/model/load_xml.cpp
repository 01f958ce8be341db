// SPDX-License-Identifier: Apache-2.0
//
// Converts XML text to elements with positions. Only this file uses pugixml.
//
// The library parses without recursion. It reports positions of element names but not of attributes, so this file scans
// the start tags, which are well-formed by then. Document types are ignored, so entities cannot expand the input. The
// depth is limited here, so later stages need no check.
#include <pugixml.hpp>

#include <algorithm>
#include <charconv>
#include <cstring>

#include "isa/model/elements.h"
#include "isa/model/rules.h"
#include "support/printable.h"
#include "support/utf8.h"
#include "vireo/isa/load.h"

namespace vireo::isa {
namespace {

// White space is kept, because positions count bytes of texts. Document types are kept to warn about them.
constexpr unsigned parse_flags = pugi::parse_default | pugi::parse_doctype | pugi::parse_ws_pcdata;

constexpr std::string_view entities[] = {"lt", "gt", "amp", "quot", "apos"};
constexpr std::string_view reference_characters = "#0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

constexpr bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// Whether the digits of a character reference, such as `65` or `x41`, denote a character. Control characters are
// accepted as in XML 1.1; the printer escapes them.
bool names_character(std::string_view digits) {
  const bool is_hex = digits.starts_with('x');
  if (is_hex) digits.remove_prefix(1);
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, is_hex ? 16 : 10);
  const bool is_read = error == std::errc() && end == digits.data() + digits.size();
  return is_read && value != 0 && value <= 0x10FFFF && (value < 0xD800 || value > 0xDFFF);
}

// Scans a start tag in the file's text. The library has accepted the tag, so there are no faults to report. Positions
// are still checked against the size, because the two parsers may disagree.
struct TagScanner {
  std::string_view text;
  std::size_t at;

  void skip_blanks() {
    while (at < text.size() && is_blank(text[at])) ++at;
  }
  void skip_name() {
    while (at < text.size() && !is_blank(text[at]) && text[at] != '=' && text[at] != '>' && text[at] != '/') ++at;
  }
  // Returns the range of the next attribute's value without quotes; empty at the end of the tag. Values may contain `>`
  // and `/`, so the scanner skips from quote to quote.
  ByteRange next_value() {
    skip_blanks();
    skip_name();
    skip_blanks();
    if (at >= text.size() || text[at] != '=') return {at, at};
    ++at;
    skip_blanks();
    if (at >= text.size() || (text[at] != '"' && text[at] != '\'')) return {at, at};
    const char quote = text[at++];
    const std::size_t begin = at;
    at = std::min(text.find(quote, at), text.size());
    const std::size_t end = at;
    at = std::min(at + 1, text.size());
    return {begin, end};
  }
  // Moves past the `>` of the tag.
  void leave() { at = std::min(text.find('>', at), text.size() - 1) + 1; }
};

class Reader {
 public:
  Reader(std::string_view text, Diagnostics& diagnostics) : text_(text), diagnostics_(diagnostics) {}

  XmlElements run() {
    // The library would silently ignore the text after a null byte.
    if (const std::size_t nul = text_.find('\0'); nul != std::string_view::npos) {
      diagnostics_.error(rule::malformed_xml, Location::in_text(nul, nul + 1), "the file contains a NUL byte");
      return {};
    }
    // The library's positions do not count the byte order mark.
    start_ = mark_size(text_);
    // Elements refer to its texts, so the result shares its ownership.
    auto document = std::make_shared<pugi::xml_document>();
    const std::string_view body = text_.substr(start_);
    const pugi::xml_parse_result parsed =
        // Explicit UTF-8 prevents conversion, so that positions count the file's bytes.
        document->load_buffer(body.data(), body.size(), parse_flags, pugi::encoding_utf8);
    convert(*document);
    // The part before the fault is kept, so that its own faults are reported too. The last declaration is incomplete
    // and is removed.
    if (!parsed) {
      report(parsed);
      drop_last_declaration();
    }
    result_.is_whole = parsed && !result_.elements.empty();
    check_references();
    check_encoding();
    result_.document = std::move(document);
    return std::move(result_);
  }

 private:
  void report(const pugi::xml_parse_result& parsed) {
    std::size_t at = start_ + static_cast<std::size_t>(std::max<std::ptrdiff_t>(parsed.offset, 0));
    at = std::min(at, text_.size());
    // The part after the fault is not checked.
    read_to_ = at;
    if (parsed.status == pugi::status_end_element_mismatch) return report_open_element(at);
    if (parsed.status == pugi::status_unrecognized_tag) {
      diagnostics_.error(rule::malformed_xml, Location::in_text(std::max<std::size_t>(at, 1) - 1, at),
                         "expected a tag after '<'", "'<' itself is written '&lt;'");
      return;
    }
    std::string message = parsed.description();
    std::replace(message.begin(), message.end(), '\n', ' ');
    if (!message.empty() && message.front() >= 'A' && message.front() <= 'Z')
      // The library's messages begin with a capital letter.
      message.front() = static_cast<char>(message.front() + 32);
    diagnostics_.error(rule::malformed_xml, Location::in_text(at, at), "malformed XML: " + message);
  }

  // `at` is the name of an end tag, or the end of the text. The library does not report the open element.
  void report_open_element(std::size_t at) {
    const bool is_end_tag = text_.substr(0, at).ends_with("</");
    TagScanner tag{text_, at};
    tag.skip_name();
    const std::string found = is_end_tag ? quoted("</" + std::string(text_.substr(at, tag.at - at)) + ">") : "the end";
    const Location where = is_end_tag ? Location::in_text(at, tag.at) : Location::in_text(text_.size(), text_.size());
    const ByteRange open = innermost_open(at);
    if (open.begin == open.end) {
      diagnostics_.error(rule::malformed_xml, where, "found " + found + " but no element is open");
      return;
    }
    const std::string name(text_.substr(open.begin, open.end - open.begin));
    diagnostics_.error(rule::malformed_xml, where, "expected " + quoted("</" + name + ">") + ", found " + found);
    diagnostics_.note(Location::in_text(open.begin, open.end), "opened here");
  }

  // Returns the name of the innermost element that is open at `at`. The text before `at` is well-formed.
  [[nodiscard]] ByteRange innermost_open(std::size_t at) const {
    std::vector<ByteRange> open;
    const std::string_view text = text_.substr(0, at);
    for (std::size_t i = text.find('<'); i < text.size(); i = text.find('<', i)) {
      const std::string_view rest = text.substr(i);
      const auto skip_to = [&](std::string_view end) { i = std::min(text.find(end, i), text.size()); };
      if (rest.starts_with("<!--")) skip_to("-->");
      else if (rest.starts_with("<![CDATA[")) skip_to("]]>");
      else if (rest.starts_with("<!") || rest.starts_with("<?")) skip_to(">");
      else if (rest.starts_with("</")) {
        // The end tag at the fault has its name at `at`.
        if (i + 2 < at && !open.empty()) open.pop_back();
        skip_to(">");
      } else {
        TagScanner tag{text, i + 1};
        tag.skip_name();
        const ByteRange name{i + 1, tag.at};
        for (ByteRange value = tag.next_value(); value.begin != value.end || tag.at > value.end;
             value = tag.next_value()) {}
        tag.leave();
        // A tag that contains the fault opens no element.
        const bool is_whole = text[tag.at - 1] == '>';
        if (is_whole && text[tag.at - 2] != '/') open.push_back(name);
        i = tag.at;
      }
    }
    return open.empty() ? ByteRange{at, at} : open.back();
  }

  void drop_last_declaration() {
    if (result_.elements.empty()) return;
    std::uint32_t* last = &result_.elements.front().first_child;
    while (*last != no_element && result_.elements[*last].next != no_element) last = &result_.elements[*last].next;
    *last = no_element;
  }

  // Walks the tree in document order without recursion; omits elements that are too deep.
  void convert(const pugi::xml_document& document) {
    // One entry per level. Children are linked to it as they are added.
    struct Open {
      pugi::xml_node node;
      std::uint32_t element;
      std::uint32_t last_child;
    };
    std::vector<Open> open;
    bool has_root = false;
    for (pugi::xml_node node = document.first_child(); node; node = node.next_sibling()) {
      if (node.type() == pugi::node_doctype) {
        diagnostics_.warning(rule::ignored_doctype, Location::none(), "the document type and its entities are ignored");
      }
      if (node.type() != pugi::node_element) continue;
      if (has_root) {
        const XmlElement extra = place(node);
        diagnostics_.error(rule::malformed_xml, Location::in_text(extra.begin, extra.end),
                           "a second document element; expected one");
        return;
      }
      has_root = true;
      open.push_back({node, add(node), no_element});
      pugi::xml_node next = node.first_child();
      while (!open.empty()) {
        if (!next) {
          next = open.back().node.next_sibling();
          open.pop_back();
          if (open.empty()) break;
          continue;
        }
        if (next.type() != pugi::node_element) {
          next = next.next_sibling();
          continue;
        }
        const std::uint32_t index = add(next);
        Open& parent = open.back();
        if (parent.last_child == no_element) result_.elements[parent.element].first_child = index;
        else result_.elements[parent.last_child].next = index;
        parent.last_child = index;
        // Add the element without its contents, and report the depth once per file.
        if (open.size() >= max_element_depth) {
          const XmlElement& element = result_.elements[index];
          if (!is_too_deep_) {
            diagnostics_.error(rule::malformed_xml, Location::in_text(element.begin, element.end),
                               "elements nest more than " + std::to_string(max_element_depth) + " levels");
          }
          is_too_deep_ = true;
          next = next.next_sibling();
          continue;
        }
        open.push_back({next, index, no_element});
        next = next.first_child();
      }
    }
  }

  [[nodiscard]] XmlElement place(const pugi::xml_node& node) const {
    XmlElement element;
    element.name = node.name();
    element.begin =
        static_cast<std::uint32_t>(start_ + static_cast<std::size_t>(std::max<std::ptrdiff_t>(node.offset_debug(), 0)));
    element.end = element.begin + static_cast<std::uint32_t>(element.name.size());
    return element;
  }

  std::uint32_t add(const pugi::xml_node& node) {
    // The attributes of an element are contiguous. The tag and the library's list have the same order.
    XmlElement element = place(node);
    element.first_attribute = static_cast<std::uint32_t>(result_.attributes.size());
    TagScanner tag{text_, element.end};
    for (const pugi::xml_attribute& attribute : node.attributes()) {
      const ByteRange range = tag.next_value();
      result_.attributes.push_back({attribute.name(), attribute.value(), static_cast<std::uint32_t>(range.begin),
                                    static_cast<std::uint32_t>(range.end)});
    }
    element.attribute_count = static_cast<std::uint32_t>(result_.attributes.size()) - element.first_attribute;
    tag.leave();
    element.text_begin = static_cast<std::uint32_t>(tag.at);
    element.text = text_of(node);
    element.has_text = std::any_of(node.begin(), node.end(), [](const pugi::xml_node& child) {
      const bool is_text = child.type() == pugi::node_pcdata || child.type() == pugi::node_cdata;
      return is_text && !std::all_of(child.value(), child.value() + std::strlen(child.value()), is_blank);
    });
    result_.elements.push_back(element);
    return static_cast<std::uint32_t>(result_.elements.size() - 1);
  }

  // Returns the text before the first child element. A single text node is borrowed; texts divided by comments or CDATA
  // are joined into a new string.
  std::string_view text_of(const pugi::xml_node& node) {
    std::string_view text;
    std::string* joined = nullptr;
    for (pugi::xml_node child = node.first_child(); child && child.type() != pugi::node_element;
         child = child.next_sibling()) {
      if (child.type() != pugi::node_pcdata && child.type() != pugi::node_cdata) continue;
      const std::string_view piece = child.value();
      if (joined != nullptr) {
        joined->append(piece);
      } else if (text.empty()) {
        text = piece;
      } else {
        joined = &result_.joined.emplace_back(text);
        joined->append(piece);
      }
    }
    return joined != nullptr ? std::string_view(*joined) : text;
  }

  // Reports malformed references, which the library accepts. Scans the raw text for exact positions; comments and CDATA
  // contain no references.
  void check_references() {
    const std::string_view text = text_.substr(0, read_to_);
    for (std::size_t at = text.find_first_of("&<"); at != std::string_view::npos;
         at = text.find_first_of("&<", at + 1)) {
      const std::string_view rest = text.substr(at);
      if (rest.front() == '<') {
        if (rest.starts_with("<!--")) at = text.find("-->", at);
        else if (rest.starts_with("<![CDATA[")) at = text.find("]]>", at);
        if (at == std::string_view::npos) return;
        continue;
      }
      const std::string_view name =
          rest.substr(1, std::min(rest.find_first_not_of(reference_characters, 1), rest.size()) - 1);
      std::size_t end = at + 1 + name.size();
      if (name.empty() || end >= text.size() || text[end] != ';') {
        while (end < text.size() && text[end] == '&') ++end;  // report `&&` once
        diagnostics_.error(rule::malformed_xml, Location::in_text(at, end), "expected a name and ';' after '&'",
                           "'&' itself is written '&amp;'");
        at = end - 1;
        continue;
      }
      const bool is_known = name.front() == '#'
                                ? names_character(name.substr(1))
                                : std::find(std::begin(entities), std::end(entities), name) != std::end(entities);
      if (is_known) continue;
      diagnostics_.error(rule::unknown_entity, Location::in_text(at, end + 1), "unknown entity " + quoted(name));
    }
  }

  // Rejects invalid UTF-8, because displays are printed unchanged.
  void check_encoding() {
    for (std::size_t at = 0; at < text_.size();) {
      const CodePoint point = first_code_point(text_.substr(at));
      if (!point.well_formed) {
        result_.is_whole = false;  // names may be wrong
        diagnostics_.error(rule::malformed_xml, Location::in_text(at, at + 1), "expected UTF-8, found an invalid byte");
        return;
      }
      at += point.length;
    }
  }

  std::string_view text_;
  Diagnostics& diagnostics_;
  std::size_t start_ = 0;                         // after the byte order mark
  std::size_t read_to_ = std::string_view::npos;  // where the library stopped
  bool is_too_deep_ = false;
  XmlElements result_;
};

}  // namespace

XmlElements read_xml(std::string_view text, Diagnostics& diagnostics) { return Reader(text, diagnostics).run(); }

std::uint32_t place_in_source(std::string_view source, const XmlElement& element, std::size_t offset) {
  std::size_t at = element.text_begin;
  bool is_raw = false;  // inside of CDATA
  while (at < source.size()) {
    // Advances as the library decodes the text: one reference is one character.
    const std::string_view rest = source.substr(at);
    // Text and source differ in references, comments, CDATA and line ends. Only diagnostics need positions, so the
    // source is scanned again instead of storing a map for every text.
    if (is_raw && rest.starts_with("]]>")) {
      is_raw = false;
      at += 3;
      continue;
    }
    if (!is_raw && rest.starts_with("<![CDATA[")) {
      is_raw = true;
      at += 9;
      continue;
    }
    if (!is_raw && rest.starts_with("<!--")) {
      at = std::min(source.find("-->", at), source.size() - 3) + 3;
      continue;
    }
    if (!is_raw && rest.front() == '<') break;
    if (offset-- == 0) break;
    const std::size_t semicolon =
        // The longest character reference has ten bytes, `&#x10FFFF;`. If a reference gives several bytes, the position
        // is slightly off.
        !is_raw && rest.front() == '&' ? rest.substr(0, 12).find(';') : std::string_view::npos;
    if (semicolon != std::string_view::npos) at += semicolon + 1;
    else at += rest.starts_with("\r\n") ? 2 : 1;
  }
  return static_cast<std::uint32_t>(at);
}

}  // namespace vireo::isa
