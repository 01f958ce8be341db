// SPDX-License-Identifier: Apache-2.0
//
// Reads the elements and attributes that begin with `vireo-`.
//
// These functions report faults of single elements: a default that does not fit, an unknown mark, an alias without a
// text. After all files are read, validate_assembly.cpp reports faults that involve several elements.
#include "isa/model/assembly_reader.h"

#include <algorithm>

#include "support/counted.h"
#include "support/printable.h"

namespace vireo::isa {
namespace {

// `normal` cancels an inherited mark; a bitset without a mark inherits its parent's.
struct MarkRow {
  std::string_view name;
  AssemblyMark mark;
};
constexpr MarkRow mark_rows[] = {
    {"normal", AssemblyMark::Normal}, {"canonical", AssemblyMark::Canonical}, {"never", AssemblyMark::Never}};

}  // namespace

// A misspelt mark is reported and treated as missing, so the parent's mark applies.
AssemblyMark AssemblyReader::mark_of(const XmlElement& e) {
  const XmlAttribute* attribute = find(e, "vireo-assembly");
  if (attribute == nullptr) return AssemblyMark::Unspecified;
  for (const MarkRow& row : mark_rows) {
    if (row.name == attribute->value) return row.mark;
  }
  draft_.error(rule::malformed_value, place(*attribute),
               "expected 'canonical', 'never' or 'normal', found " + quoted(attribute->value));
  return AssemblyMark::Unspecified;
}

// Converts a negative number, which only signed types allow, to two's complement.
std::optional<BitWord> AssemblyReader::default_of(const XmlElement& e, std::uint32_t width) {
  const XmlAttribute* attribute = find(e, "vireo-default");
  if (attribute == nullptr) return std::nullopt;
  const XmlAttribute* type = find(e, "type");
  // A copy without the sign, because number() reads magnitudes. Its faults still point at the attribute.
  XmlAttribute digits = *attribute;
  digits.value = trimmed(digits.value);
  const bool is_negative = digits.value.starts_with('-');
  if (is_negative) digits.value.remove_prefix(1);
  const std::optional<std::uint64_t> magnitude = number(digits, ~std::uint64_t{0}, true);
  if (!magnitude) return std::nullopt;
  const std::uint32_t bits = std::min(width, bits_per_word);
  const BitWord most = low_mask(bits);
  // Compares the name of the type, because enums and roots are resolved only after all files are read.
  const bool is_signed_type =
      type != nullptr && (type->value == "int" || type->value == "offset" || type->value == "branch");
  // A positive number of a signed type may use the sign bit: `0xff` is a usual spelling of -1 in eight bits.
  const bool fits = is_negative ? is_signed_type && *magnitude <= BitWord{1} << (bits - 1) : *magnitude <= most;
  if (fits) return (is_negative ? ~*magnitude + 1 : *magnitude) & most;
  draft_.error(rule::bad_default, place(*attribute),
               is_negative && !is_signed_type
                   ? "a field of this type cannot have a negative default"
                   : "default " + quoted(attribute->value) + " does not fit in " + counted(width, "bit"));
  return std::nullopt;
}

// The aliases of one owner are read together, so they are contiguous.
Run AssemblyReader::since(std::size_t first) const {
  return {static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(draft_.rows.aliases.size() - first)};
}

void AssemblyReader::add_alias(std::string_view text, Place where, TextSource source) {
  if (text.find('\n') != std::string_view::npos) {
    draft_.error(rule::malformed_display, where, "an alias must be a single line");
    return;
  }
  draft_.rows.aliases.push_back({text, {}, where});
  // The source is needed for positions within a display. It is empty for aliases of names and values, which have no
  // segments.
  draft_.alias_source.push_back(source);
}

Run AssemblyReader::attribute_aliases(const XmlElement& e, std::string_view attribute) {
  const std::size_t first = draft_.rows.aliases.size();
  each(e, "vireo-alias", [&](const XmlElement& child) {
    const XmlAttribute* text = find(child, attribute);
    if (text == nullptr) return;
    if (trimmed(text->value).empty()) {
      // A display may be empty, but an alias may not.
      draft_.error(rule::malformed_value, place(child), "an alias must not be empty");
      return;
    }
    add_alias(text->value, place(*text), {});
  });
  return since(first);
}

// Only leaves have aliases of names; validate_assembly() reports others.
Run AssemblyReader::name_aliases(const XmlElement& bitset) { return attribute_aliases(bitset, "name"); }

Run AssemblyReader::value_aliases(const XmlElement& value, std::string_view display) {
  each(value, "vireo-alias", [&](const XmlElement& child) {
    // Reports an alias that has the attributes of a bitset's alias.
    need(child, "display");
    finish(child, "display ");
  });
  const Run run = attribute_aliases(value, "display");
  for (std::uint32_t i = run.first; i < run.first + run.count; ++i) {
    const Alias& alias = draft_.rows.aliases[i];
    if (alias.text == display)
      draft_.error(rule::ambiguous_alias, alias.where, quoted(display) + " is already the display of this value");
  }
  return run;
}

Run AssemblyReader::display_aliases(const XmlElement& e, const Case& row) {
  const std::size_t first = draft_.rows.aliases.size();
  each(e, "vireo-alias", [&](const XmlElement& child) {
    const bool is_name = find(child, "name") != nullptr;
    finish(child, "name ");
    if (is_name && e.name == "override") {
      draft_.error(rule::misplaced_alias, place(child),
                   "an override has no name, so its alias cannot have attribute 'name'");
      return;
    }
    if (is_name) return;  // read by name_aliases()
    if (trimmed(child.text).empty()) {
      draft_.error(rule::malformed_value, place(child), "expected attribute 'name' or a display in an alias");
    } else if (!row.has_display) {
      draft_.error(rule::misplaced_alias, place(child), "an alias of a display needs a display in the same case");
    } else {
      add_alias(trimmed(child.text), text_place(child), {file_, &child});
    }
  });
  return since(first);
}

// Several elements, possibly in several files, form one table.
void AssemblyReader::read_names(const XmlElement& e) {
  check_children(e, "vireo-names");
  finish(e, "");
  each(e, "name", [&](const XmlElement& child) {
    const XmlAttribute* kind = need(child, "kind");
    const XmlAttribute* value = need(child, "value");
    const XmlAttribute* name = need(child, "name");
    finish(child, "kind value name ");
    if (kind == nullptr || value == nullptr || name == nullptr) return;
    const std::optional<std::uint64_t> count = number(*value, ~std::uint64_t{0}, true);
    if (!count) return;
    if (name->value.empty() || name->value.find_first_of(" \t\n") != std::string_view::npos) {
      draft_.error(rule::malformed_value, place(*name), "expected a name without spaces, found " + quoted(name->value));
      return;
    }
    // validate_assembly() finds duplicates across files.
    draft_.rows.custom_names.push_back({kind->value, *count, name->value, place(child)});
  });
}

}  // namespace vireo::isa
