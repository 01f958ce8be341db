// SPDX-License-Identifier: Apache-2.0
//
// Reads the parts common to all elements.
//
// Reading an attribute marks it as used, and finish() reports the unused ones. So no separate list of
// attributes is needed. Mesa's loader ignores unknown attributes, so a misspelt `displayname` silently changes the
// display there.
#include "isa/model/element_reader.h"

#include <charconv>

#include "support/nearest.h"
#include "support/printable.h"

namespace vireo::isa {
namespace {

constexpr std::uint32_t max_bit = max_bitset_size - 1;

// The allowed children of each element (docs/isaspec.md, "Reference: elements"). `encoding` and the elements that begin
// with `vireo-` are additions of Vireo. Mesa's tools ignore unknown elements, so they can still read such descriptions.
struct ChildrenRow {
  std::string_view parent;
  std::string_view children;  // each followed by a space
};
// clang-format off
constexpr ChildrenRow children_rows[] = {
    {"",         "import expr template enum bitset encoding vireo-names doc "},  // the document element
    {"enum",     "value doc "},
    {"value",    "doc vireo-alias "},
    {"bitset",   "gen meta doc pattern field derived assert display override encode decode vireo-alias "},
    {"override", "expr derived assert field display doc vireo-alias "},
    {"field",    "param doc "},
    {"derived",  "expr doc "},
    {"encode",   "map "},
    {"encoding", "root doc "},
    {"root",     "pattern "},
    {"vireo-names", "name doc "},
};
// clang-format on

// Elements that contain only text. `doc` may contain any markup, which is not checked.
constexpr std::string_view text_elements = "expr template pattern assert display map ";

std::string_view children_of(std::string_view parent) {
  for (const ChildrenRow& row : children_rows) {
    if (row.parent == parent) return row.children;
  }
  return {};
}

// Searches a list in which each name is followed by a space. Element names contain no spaces.
bool is_listed(std::string_view name, std::string_view list) {
  const std::size_t at = list.find(std::string(name) + ' ');
  return !name.empty() && at != std::string_view::npos && (at == 0 || list[at - 1] == ' ');
}

}  // namespace

void ElementReader::check_children(const XmlElement& parent, std::string_view kind) {
  const std::string_view allowed = children_of(kind);
  const std::string_view within = kind.empty() ? "the document" : kind;
  if (parent.has_text && !allowed.empty()) {
    draft_.warning(rule::stray_text, place(parent), "text is not allowed in " + std::string(within));
  }
  each(parent, "", [&](const XmlElement& child) {
    if (is_listed(child.name, allowed)) {
      if (is_listed(child.name, text_elements)) check_children(child, child.name);
      return;
    }
    // Mesa's ir3.xml has three patterns in overrides. Cases are evaluated after the leaf is chosen, so the author
    // probably intended an assert, or a separate bitset.
    if (kind == "override" && child.name == "pattern") {
      draft_.warning(rule::misplaced_pattern, place(child), "a pattern inside an override has no effect",
                     "an assert checks bits of an override; a pattern of the bitset chooses the leaf");
      return;
    }
    // The time is linear in the size of the file, because lists are short and NearestNames limits the length of names.
    NearestNames nearest(child.name);
    for (std::string_view rest = allowed; !rest.empty(); rest.remove_prefix(rest.find(' ') + 1)) {
      nearest.offer(rest.substr(0, rest.find(' ')));
    }
    draft_.warning(rule::unknown_element, place(child),
                   "element " + quoted(child.name) + " is not allowed in " + std::string(within),
                   did_you_mean(nearest.best()));
  });
}

// The position of the text without surrounding blanks.
Place ElementReader::text_place(const XmlElement& e) const {
  const std::string_view inner = trimmed(e.text);
  if (inner.empty()) return place(e);
  return draft_.place_of({file_, &e}, static_cast<std::size_t>(inner.data() - e.text.data()), inner.size());
}

const XmlAttribute* ElementReader::find(const XmlElement& e, std::string_view name) {
  const XmlAttribute* found = nullptr;
  for (std::uint32_t i = 0; i < e.attribute_count; ++i) {
    const XmlAttribute& attribute = document_.attributes[e.first_attribute + i];
    if (attribute.name != name) continue;
    // XML forbids duplicate attributes, but the library accepts them. The last one is used.
    if (found != nullptr) draft_.error(rule::malformed_xml, place(attribute), "duplicate attribute " + quoted(name));
    attribute.is_used = true;
    found = &attribute;
  }
  return found;
}

const XmlAttribute* ElementReader::need(const XmlElement& e, std::string_view name) {
  const XmlAttribute* attribute = find(e, name);
  if (attribute == nullptr) {
    draft_.error(rule::missing_attribute, place(e), quoted(e.name) + " requires attribute " + quoted(name));
  }
  return attribute;
}

Reference ElementReader::reference(const XmlAttribute* attribute) const {
  return attribute == nullptr ? Reference{} : Reference{attribute->value, place(*attribute)};
}

// `known` is used only for the hint; an attribute is valid if it was read.
void ElementReader::finish(const XmlElement& e, std::string_view known) {
  for (std::uint32_t i = 0; i < e.attribute_count; ++i) {
    const XmlAttribute& attribute = document_.attributes[e.first_attribute + i];
    if (attribute.is_used) continue;
    NearestNames nearest(attribute.name);
    for (std::string_view rest = known; !rest.empty(); rest.remove_prefix(rest.find(' ') + 1)) {
      nearest.offer(rest.substr(0, rest.find(' ')));
    }
    draft_.warning(rule::unknown_attribute, place(attribute),
                   "attribute " + quoted(attribute.name) + " is not allowed in " + quoted(e.name),
                   did_you_mean(nearest.best()));
  }
}

std::optional<std::uint64_t> ElementReader::number(const XmlAttribute& attribute, std::uint64_t max, bool is_literal) {
  // Only values of enums, of defaults and of custom names are C literals. Bits and generations are decimal: `010` is
  // ten.
  std::string_view digits = trimmed(attribute.value);
  int base = 10;
  if (is_literal) {
    if (digits.starts_with("0x") || digits.starts_with("0X")) base = 16;
    else if (digits.starts_with("0b") || digits.starts_with("0B")) base = 2;
    if (base != 10) digits.remove_prefix(2);
    while (!digits.empty() && std::string_view("uUlL").find(digits.back()) != std::string_view::npos)
      digits.remove_suffix(1);
  }
  std::uint64_t value = 0;
  const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
  if (digits.empty() || code == std::errc::invalid_argument || end != digits.data() + digits.size()) {
    draft_.error(rule::malformed_value, place(attribute), "expected a number, found " + quoted(attribute.value));
    return std::nullopt;
  }
  // The limit ensures that later additions and allocations need no further check.
  if (code == std::errc::result_out_of_range || value > max) {
    draft_.error(rule::malformed_value, place(attribute),
                 "expected a number of at most " + std::to_string(max) + ", found " + quoted(attribute.value));
    return std::nullopt;
  }
  return value;
}

std::uint32_t ElementReader::small_number(const XmlAttribute* attribute, std::uint32_t otherwise, std::uint32_t max) {
  if (attribute == nullptr) return otherwise;
  return static_cast<std::uint32_t>(number(*attribute, max).value_or(otherwise));
}

bool ElementReader::flag(const XmlAttribute* attribute) {
  if (attribute == nullptr || attribute->value == "true") return attribute != nullptr;
  if (attribute->value != "false") {
    draft_.warning(rule::malformed_value, place(*attribute),
                   "expected 'true' or 'false', found " + quoted(attribute->value) + ", which is read as 'false'");
  }
  return false;
}

std::string_view ElementReader::doc_of(const XmlElement& parent) {
  std::string_view doc;
  each(parent, "doc", [&](const XmlElement& e) { doc = trimmed(e.text); });
  return doc;
}

// Reports an unusable range and returns false; the element then gives no row.
bool ElementReader::range(const XmlElement& e, std::uint32_t& low, std::uint32_t& width) {
  const XmlAttribute* from = find(e, "low");
  const XmlAttribute* to = find(e, "high");
  const XmlAttribute* pos = find(e, "pos");
  // The two forms could contradict each other, so only one is allowed, as in Mesa.
  if (pos != nullptr && (from != nullptr || to != nullptr)) {
    draft_.error(rule::bad_range, place(*pos), "'pos' cannot be combined with 'low' or 'high'");
    return false;
  }
  if (pos != nullptr) from = to = pos;
  if (from == nullptr || to == nullptr) {
    draft_.error(rule::missing_attribute, place(e), quoted(e.name) + " requires 'low' and 'high', or 'pos'");
    return false;
  }
  const std::optional<std::uint64_t> first = number(*from, max_bit);
  const std::optional<std::uint64_t> last = number(*to, max_bit);
  if (!first || !last) return false;
  if (*first > *last) {
    draft_.error(rule::bad_range, place(*from),
                 "'low' (" + std::to_string(*first) + ") is greater than 'high' (" + std::to_string(*last) + ")");
    return false;
  }
  low = static_cast<std::uint32_t>(*first);
  width = static_cast<std::uint32_t>(*last - *first + 1);
  return true;
}

}  // namespace vireo::isa
