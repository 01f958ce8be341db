// SPDX-License-Identifier: Apache-2.0
//
// What reading any element needs.
//
// The one idea: reading is asking. Whoever finds an attribute marks it, and finish() reports what nobody asked for; so
// the list of what an element may have is the code that reads it, and cannot grow old. Mesa's loader passes over what
// it does not know (isaspec 1): a misspelt `displayname` is then a display that is silently another.
#include "isa/model/element_reader.h"

#include <charconv>

#include "support/nearest.h"
#include "support/printable.h"

namespace vireo::isa {
namespace {

constexpr std::uint32_t max_bit = max_bitset_size - 1;

// Which elements may stand where. What is read for its parent's sake (param, map, value) is listed as well. isaspec 1.1
// to 1.6. `encoding` and what begins with `vireo-` is ours: Mesa's tools look at none but the elements they know, so a
// description that has them is still theirs to read.
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

// What these hold is text alone. `doc` may have any markup, and nobody looks into the rest.
constexpr std::string_view text_elements = "expr template pattern assert display map ";

std::string_view children_of(std::string_view parent) {
  for (const ChildrenRow& row : children_rows) {
    if (row.parent == parent) return row.children;
  }
  return {};
}

// Names of elements hold no blanks, so a list with a blank behind each name can be searched as a text.
bool is_listed(std::string_view name, std::string_view list) {
  const std::size_t at = list.find(std::string(name) + ' ');
  return !name.empty() && at != std::string_view::npos && (at == 0 || list[at - 1] == ' ');
}

}  // namespace

void ElementReader::check_children(const XmlElement& parent, std::string_view kind) {
  const std::string_view allowed = children_of(kind);
  const std::string_view within = kind.empty() ? "the document" : kind;
  if (parent.has_text && !allowed.empty()) {
    draft_.warning(rule::stray_text, place(parent), "text has no meaning in " + std::string(within));
  }
  each(parent, "", [&](const XmlElement& child) {
    if (is_listed(child.name, allowed)) {
      if (is_listed(child.name, text_elements)) check_children(child, child.name);
      return;
    }
    // Three stand in ir3.xml. A pattern chooses leaves, and when a case is looked at the leaf is chosen: what was meant
    // is an assert, or a bitset of its own.
    if (kind == "override" && child.name == "pattern") {
      draft_.warning(rule::misplaced_pattern, place(child), "a pattern inside an override has no effect",
                     "an assert checks bits of an override; a pattern of the bitset chooses the leaf");
      return;
    }
    // Lists are short and names are bounded by what NearestNames compares: a file full of nonsense costs its length.
    NearestNames nearest(child.name);
    for (std::string_view rest = allowed; !rest.empty(); rest.remove_prefix(rest.find(' ') + 1)) {
      nearest.offer(rest.substr(0, rest.find(' ')));
    }
    draft_.warning(rule::unknown_element, place(child),
                   "element " + quoted(child.name) + " has no meaning in " + std::string(within),
                   did_you_mean(nearest.best()));
  });
}

// Of the text without the blanks around it, which is what a caret shall stand under.
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
    // XML forbids it, but the library lets it pass. The last one counts, since something has to.
    if (found != nullptr)
      draft_.error(rule::malformed_xml, place(attribute), "attribute " + quoted(name) + " stands twice");
    attribute.is_used = true;
    found = &attribute;
  }
  return found;
}

const XmlAttribute* ElementReader::need(const XmlElement& e, std::string_view name) {
  const XmlAttribute* attribute = find(e, name);
  if (attribute == nullptr) {
    draft_.error(rule::missing_attribute, place(e), "expected attribute " + quoted(name) + " of " + quoted(e.name));
  }
  return attribute;
}

Reference ElementReader::reference(const XmlAttribute* attribute) const {
  return attribute == nullptr ? Reference{} : Reference{attribute->value, place(*attribute)};
}

// `known` is for the hint alone: whether an attribute is known is told by somebody's having asked for it.
void ElementReader::finish(const XmlElement& e, std::string_view known) {
  for (std::uint32_t i = 0; i < e.attribute_count; ++i) {
    const XmlAttribute& attribute = document_.attributes[e.first_attribute + i];
    if (attribute.is_used) continue;
    NearestNames nearest(attribute.name);
    for (std::string_view rest = known; !rest.empty(); rest.remove_prefix(rest.find(' ') + 1)) {
      nearest.offer(rest.substr(0, rest.find(' ')));
    }
    draft_.warning(rule::unknown_attribute, place(attribute),
                   "attribute " + quoted(attribute.name) + " has no meaning in " + quoted(e.name),
                   did_you_mean(nearest.best()));
  }
}

std::optional<std::uint64_t> ElementReader::number(const XmlAttribute& attribute, std::uint64_t max, bool is_literal) {
  // Only values of enums are C literals there (isaspec 1.2); bits and generations are decimal, `010` is ten.
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
  // The bound is part of every call: a number that gets past here can be added and allocated for without a further
  // look.
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
                   "expected 'true' or 'false', found " + quoted(attribute->value) + ", which counts as 'false'");
  }
  return false;
}

std::string_view ElementReader::doc_of(const XmlElement& parent) {
  std::string_view doc;
  each(parent, "doc", [&](const XmlElement& e) { doc = trimmed(e.text); });
  return doc;
}

// False: nothing can be made of it, which was reported; the element then leaves no row.
bool ElementReader::range(const XmlElement& e, std::uint32_t& low, std::uint32_t& width) {
  const XmlAttribute* from = find(e, "low");
  const XmlAttribute* to = find(e, "high");
  const XmlAttribute* pos = find(e, "pos");
  // Two ways to say one thing could contradict each other; Mesa refuses this, too (isaspec 1.4.3).
  if (pos != nullptr && (from != nullptr || to != nullptr)) {
    draft_.error(rule::bad_range, place(*pos), "'pos' excludes 'low' and 'high'");
    return false;
  }
  if (pos != nullptr) from = to = pos;
  if (from == nullptr || to == nullptr) {
    draft_.error(rule::missing_attribute, place(e), "expected 'low' and 'high', or 'pos', of " + quoted(e.name));
    return false;
  }
  const std::optional<std::uint64_t> first = number(*from, max_bit);
  const std::optional<std::uint64_t> last = number(*to, max_bit);
  if (!first || !last) return false;
  if (*first > *last) {
    draft_.error(rule::bad_range, place(*from),
                 "'low' (" + std::to_string(*first) + ") is above 'high' (" + std::to_string(*last) + ")");
    return false;
  }
  low = static_cast<std::uint32_t>(*first);
  width = static_cast<std::uint32_t>(*last - *first + 1);
  return true;
}

}  // namespace vireo::isa
