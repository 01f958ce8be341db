// SPDX-License-Identifier: Apache-2.0
//
// The strings of flags and enums, with the numbers that each string denotes. docs/isa-assembler.md, "Productions".
//
// Invert the decoder's output. A narrow enum lists all its numbers; numbers without a row are written in
// decimal. A wide enum lists only its rows, and the parser reads other numbers as decimals. If several numbers have one
// string, verification selects the one that prints the text.
#include <algorithm>
#include <map>

#include "isa/assemble/grammar.h"

namespace vireo::isa {
namespace {

// An enum of at most this width, in bits, lists all its numbers: at most 256 strings.
constexpr std::uint32_t max_listed_width = 8;

bool is_flag_type(const Definition& definition) {
  return definition.type == FieldType::Bool || definition.type == FieldType::BoolInv;
}

// A plain boolean without a display prints 0 or 1, which the parser reads as a number.
bool has_strings(const Definition& definition) {
  return definition.type == FieldType::Enum ||
         (is_flag_type(definition) && (definition.has_display || definition.type == FieldType::BoolInv));
}

// A derived value may be any number, whatever its declared width.
bool lists_all_numbers(const Definition& definition) {
  return definition.expression == nowhere && definition.width <= max_listed_width;
}

// Serializes a string set, so that equal keys mean equal sets.
std::string key_of(const Grammar::Strings& strings, bool has_number) {
  std::string key(has_number ? "n" : "-");
  for (const auto& [text, list] : strings) {
    key.append(text).push_back('\0');
    for (const Meaning& meaning : list) {
      key.append(std::to_string(meaning.value)).push_back(meaning.kind == Meaning::Kind::Value ? 'v' : 'z');
      if (meaning.canonical.data() != nullptr) key.append(meaning.canonical).push_back('a');
    }
  }
  return key;
}

}  // namespace

std::uint32_t Grammar::string_set_for(std::uint32_t index) {
  if (strings_of[index] != nowhere) return strings_of[index];
  const Definition& definition = tables_.definitions[index];
  if (!has_strings(definition)) return nowhere;
  const bool has_number = definition.type == FieldType::Enum && !lists_all_numbers(definition);
  const Strings strings = is_flag_type(definition) ? strings_of_flag(definition) : strings_of_enum(definition);
  // Descriptions have few enums but hundreds of fields that use them, so fields share sets.
  const auto [known, is_new] =
      set_index_.try_emplace(key_of(strings, has_number), static_cast<std::uint32_t>(string_sets.size()));
  strings_of[index] = known->second;
  if (is_new) add_string_set(strings, has_number);
  return known->second;
}

// All nonzero values print the same text. In a field of one bit, the only nonzero value is 1.
Grammar::Strings Grammar::strings_of_flag(const Definition& definition) {
  const bool has_one_bit = definition.expression == nowhere && definition.width == 1;
  const Meaning zero;
  const Meaning others{has_one_bit ? Meaning::Kind::Value : Meaning::Kind::NonZero, 1};
  Strings strings;
  // A bool prints its display for nonzero values, an inverted bool for 0. For the other values, both print the empty
  // string.
  if (definition.type == FieldType::Bool) {
    strings[std::string(normalised(definition.display))].push_back(others);
    strings[""].push_back(zero);
  } else {
    const bool has_display = definition.has_display;
    strings[std::string(normalised(has_display ? definition.display : std::string_view("1")))].push_back(zero);
    strings[has_display ? "" : "0"].push_back(others);
  }
  return strings;
}

Grammar::Strings Grammar::strings_of_enum(const Definition& definition) {
  Strings strings;
  const auto add = [&](std::string_view text, Meaning meaning) {
    strings[std::string(normalised(text))].push_back(meaning);
  };
  const EnumTable& table = *definition.enumeration;
  const bool lists_all = lists_all_numbers(definition);
  if (lists_all) {
    for (BitWord number = 0; number < BitWord{1} << definition.width; ++number) {
      const std::string_view display = table.find(number);
      if (display.data() != nullptr) add(display, {Meaning::Kind::Value, number});
      else add(std::to_string(number), {Meaning::Kind::Value, number});
    }
  } else {
    // List only the rows: a wide field has too many numbers.
    for (std::size_t number = 0; number < table.dense.size(); ++number) {
      if (table.dense[number].data() != nullptr) add(table.dense[number], {Meaning::Kind::Value, number});
    }
    const EnumTable::Entry* last = nullptr;
    for (const EnumTable::Entry& entry : table.sparse) {
      // If a number has several rows, the decoder prints the first.
      if (last == nullptr || last->number != entry.number) add(entry.display, {Meaning::Kind::Value, entry.number});
      last = &entry;
    }
  }
  // An alias is another string for the same number; the decoder prints the display.
  const Enum& row = model_[model_[definition.field].enumeration];
  for (const EnumValue& value : model_.values(row)) {
    // Rows may exceed the range of the field.
    if (lists_all && value.number > low_mask(definition.width)) continue;
    for (const Alias& alias : model_.aliases(value)) {
      add(alias.text, {Meaning::Kind::Value, value.number, table.find(value.number)});
    }
  }
  return strings;
}

// Adds a set to the shared trie, below its own root.
void Grammar::add_string_set(const Strings& strings, bool has_number) {
  StringSet set;
  set.root = characters.new_root();
  set.has_number = has_number;
  for (const auto& [text, list] : strings) {
    const Run run{static_cast<std::uint32_t>(meanings.size()), static_cast<std::uint32_t>(list.size())};
    meanings.insert(meanings.end(), list.begin(), list.end());
    if (text.empty()) {
      set.empty = run;
      continue;
    }
    const std::uint32_t node = characters.add(set.root, text);
    node_meanings.resize(std::max<std::size_t>(node_meanings.size(), characters.size()));
    node_meanings[node] = run;
    set.first.add(text.front());
    set.is_blank_led |= text.front() == ' ';
    node_strings.resize(characters.size());
    node_strings[node] = static_cast<std::uint32_t>(set.examples.size());
    set.examples.push_back(text);
  }
  if (has_number) {
    for (const char c : std::string_view("0123456789")) set.first.add(c);
  }
  string_sets.push_back(std::move(set));
}

}  // namespace vireo::isa
