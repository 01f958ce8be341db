// SPDX-License-Identifier: Apache-2.0
//
// The one door of pugixml: bytes → elements with positions.
//
// The library parses without recursion and tells where an element's name stands, but not where attributes do; their
// places are found again by scanning the start tag, which the parse has already proved well-formed.
//
// isaspec 1. Of document types nothing is used, so entities that expand into entities cannot make much of little: what
// a file becomes is never longer than the file. Depth is bounded here, once, so no later room has to think of it.
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

// White space is kept, since a place within a text counts its bytes; the document type is kept to be warned of.
constexpr unsigned parse_flags = pugi::parse_default | pugi::parse_doctype | pugi::parse_ws_pcdata;

constexpr std::string_view entities[] = {"lt", "gt", "amp", "quot", "apos"};
constexpr std::string_view reference_characters = "#0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

constexpr bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// `65` or `x41`: a character. Control characters are let pass as in XML 1.1; whoever prints them takes care.
bool names_character(std::string_view digits) {
  const bool is_hex = digits.starts_with('x');
  if (is_hex) digits.remove_prefix(1);
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, is_hex ? 16 : 10);
  const bool is_read = error == std::errc() && end == digits.data() + digits.size();
  return is_read && value != 0 && value <= 0x10FFFF && (value < 0xD800 || value > 0xDFFF);
}

// The parse has proved that the tag is well formed, so there is nothing to report here; the bounds are checked all the
// same, as two readers of one text may still disagree.
// A cursor over the raw start tag.
struct TagScanner {
  std::string_view text;
  std::size_t at;

  void skip_blanks() {
    while (at < text.size() && is_blank(text[at])) ++at;
  }
  void skip_name() {
    while (at < text.size() && !is_blank(text[at]) && text[at] != '=' && text[at] != '>' && text[at] != '/') ++at;
  }
  // The range of the next attribute's value, quotes excluded; empty at the end of the tag.
  // Values may hold `>` and `/`; that is why tags are scanned from quote to quote.
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
  // Goes behind the `>` of the tag.
  void leave() { at = std::min(text.find('>', at), text.size() - 1) + 1; }
};

class Reader {
 public:
  Reader(std::string_view text, Diagnostics& diagnostics) : text_(text), diagnostics_(diagnostics) {}

  XmlElements run() {
    // A null ends the text for the library: what follows it would be ignored in silence.
    if (const std::size_t nul = text_.find('\0'); nul != std::string_view::npos) {
      diagnostics_.error(rule::malformed_xml, Location::in_text(nul, nul + 1), "found a null byte, expected text");
      return {};
    }
    // The library counts from behind the mark, and readers count from the start of the file.
    start_ = mark_size(text_);
    // Shared, since the texts of all elements point into it: it lives as long as somebody holds one of them.
    auto document = std::make_shared<pugi::xml_document>();
    const std::string_view body = text_.substr(start_);
    const pugi::xml_parse_result parsed =
        // UTF-8 is said rather than guessed: bytes stay what they are, and places count them.
        document->load_buffer(body.data(), body.size(), parse_flags, pugi::encoding_utf8);
    convert(*document);
    // What stands before the fault is converted all the same, so its own faults come in the same run; but not the
    // declaration that it stands in, of which nobody knows what it would have had.
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
    // What lies behind the fault is not looked at any more.
    read_to_ = at;
    if (parsed.status == pugi::status_end_element_mismatch) return report_open_element(at);
    if (parsed.status == pugi::status_unrecognized_tag) {
      diagnostics_.error(rule::malformed_xml, Location::in_text(std::max<std::size_t>(at, 1) - 1, at),
                         "expected a tag behind '<'", "'<' itself is written '&lt;'");
      return;
    }
    std::string message = parsed.description();
    std::replace(message.begin(), message.end(), '\n', ' ');
    if (!message.empty() && message.front() >= 'A' && message.front() <= 'Z')
      // The library's sentences begin with a capital; ours do not.
      message.front() = static_cast<char>(message.front() + 32);
    diagnostics_.error(rule::malformed_xml, Location::in_text(at, at), "malformed XML: " + message);
  }

  // `at` is the name of an end tag, or the end of the text. The library does not say which element was open.
  void report_open_element(std::size_t at) {
    const bool is_end_tag = text_.substr(0, at).ends_with("</");
    TagScanner tag{text_, at};
    tag.skip_name();
    const std::string found = is_end_tag ? quoted("</" + std::string(text_.substr(at, tag.at - at)) + ">") : "the end";
    const Location where = is_end_tag ? Location::in_text(at, tag.at) : Location::in_text(text_.size(), text_.size());
    const ByteRange open = innermost_open(at);
    if (open.begin == open.end) {
      diagnostics_.error(rule::malformed_xml, where, "found " + found + ", where nothing is open");
      return;
    }
    const std::string name(text_.substr(open.begin, open.end - open.begin));
    diagnostics_.error(rule::malformed_xml, where, "expected " + quoted("</" + name + ">") + ", found " + found);
    diagnostics_.note(Location::in_text(open.begin, open.end), "opened here");
  }

  // The name of the innermost element that is open at a place up to which the text is well formed.
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
        // The end tag that the fault is about has its name behind `at`.
        if (i + 2 < at && !open.empty()) open.pop_back();
        skip_to(">");
      } else {
        TagScanner tag{text, i + 1};
        tag.skip_name();
        const ByteRange name{i + 1, tag.at};
        for (ByteRange value = tag.next_value(); value.begin != value.end || tag.at > value.end;
             value = tag.next_value()) {}
        tag.leave();
        // A fault may stand within a tag, which then opens nothing.
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

  // Walks the tree in document order without recursion; what lies too deep is left out.
  void convert(const pugi::xml_document& document) {
    // One for each level; its children are chained as they come.
    struct Open {
      pugi::xml_node node;
      std::uint32_t element;
      std::uint32_t last_child;
    };
    std::vector<Open> open;
    bool has_root = false;
    for (pugi::xml_node node = document.first_child(); node; node = node.next_sibling()) {
      if (node.type() == pugi::node_doctype) {
        diagnostics_.warning(rule::ignored_doctype, Location::none(),
                             "the document type is ignored; its entities are not known");
      }
      if (node.type() != pugi::node_element) continue;
      if (has_root) {
        const XmlElement extra = place(node);
        diagnostics_.error(rule::malformed_xml, Location::in_text(extra.begin, extra.end),
                           "more than one document element");
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
        // The element is there, what is in it is not; one report for the file, as a thousand would say the same.
        if (open.size() >= max_element_depth) {
          const XmlElement& element = result_.elements[index];
          if (!is_too_deep_) {
            diagnostics_.error(rule::malformed_xml, Location::in_text(element.begin, element.end),
                               "elements nested deeper than " + std::to_string(max_element_depth));
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
    // Attributes of one element stand together, in their order: the range of the tag and the library's list go side by
    // side.
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

  // What stands before the first child element. One piece is the rule, and is borrowed; comments and CDATA cut texts
  // into several, and those are put together in a string of their own.
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

  // References that are none: the library leaves them as they stand, other readers of XML refuse them. In raw text, so
  // that the place is right; comments and CDATA hold no references.
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
        while (end < text.size() && text[end] == '&') ++end;  // `&&` is one slip
        diagnostics_.error(rule::malformed_xml, Location::in_text(at, end), "expected a name and ';' behind '&'",
                           "'&' itself is written '&amp;'");
        at = end - 1;
        continue;
      }
      const bool is_known = name.front() == '#'
                                ? names_character(name.substr(1))
                                : std::find(std::begin(entities), std::end(entities), name) != std::end(entities);
      if (is_known) continue;
      diagnostics_.error(rule::unknown_entity, Location::in_text(at, end + 1),
                         "entity " + quoted(name) + " is not known");
    }
  }

  // Displays go to terminals and into pages as they are.
  void check_encoding() {
    for (std::size_t at = 0; at < text_.size();) {
      const CodePoint point = first_code_point(text_.substr(at));
      if (!point.well_formed) {
        result_.is_whole = false;  // a name may be another than was meant
        diagnostics_.error(rule::malformed_xml, Location::in_text(at, at + 1),
                           "expected UTF-8, found a byte that is none");
        return;
      }
      at += point.length;
    }
  }

  std::string_view text_;
  Diagnostics& diagnostics_;
  std::size_t start_ = 0;                         // behind the byte order mark
  std::size_t read_to_ = std::string_view::npos;  // where the library gave up
  bool is_too_deep_ = false;
  XmlElements result_;
};

}  // namespace

XmlElements read_xml(std::string_view text, Diagnostics& diagnostics) { return Reader(text, diagnostics).run(); }

std::uint32_t place_in_source(std::string_view source, const XmlElement& element, std::size_t offset) {
  std::size_t at = element.text_begin;
  bool is_raw = false;  // inside of CDATA
  while (at < source.size()) {
    // Walked as the library decodes: what stands for one character of the text is stepped over in one go.
    const std::string_view rest = source.substr(at);
    // Decoded text and source differ by references, comments, CDATA and line ends. Only diagnostics ask for places,
    // hence the walk: keeping a map for all texts would cost every load for the sake of those that fail.
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
        // The longest reference to a character has ten bytes, `&#x10FFFF;`. One that makes several bytes puts the place
        // a little early, within the same word.
        !is_raw && rest.front() == '&' ? rest.substr(0, 12).find(';') : std::string_view::npos;
    if (semicolon != std::string_view::npos) at += semicolon + 1;
    else at += rest.starts_with("\r\n") ? 2 : 1;
  }
  return static_cast<std::uint32_t>(at);
}

}  // namespace vireo::isa
