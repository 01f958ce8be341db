// SPDX-License-Identifier: Apache-2.0
//
// Converts JSON to a description (load_json.h).
#include "spirv/grammar/load/load_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_map>
#include <utility>

#include "spirv/grammar/grammar_rules.h"
#include "spirv/grammar/load/describe_text.h"
#include "spirv/grammar/row_names.h"
#include "vireo/support/id_map.h"

namespace vireo::spirv {
namespace {

constexpr std::array<std::string_view, 8> type_names = {"nothing",  "null",     "a boolean", "an integer",
                                                        "a number", "a string", "an array",  "an object"};
std::string_view name_of(JsonType type) { return type_names[static_cast<std::size_t>(type)]; }

/// Reads the values of one document. Every function returns a usable value after a fault, so that one run reports all
/// faults. If `faults` has recorded an error, no rows are made.
class DocumentReader {
 public:
  DocumentReader(std::uint16_t document, GrammarFaults& faults) : document_(document), faults_(faults) {}

  GrammarDocument read(JsonValue root);

 private:
  [[nodiscard]] Origin origin_of(JsonValue value) const { return {document_, value.index()}; }

  // The first functions read one member, by its type. The others read one type of object each, and define its keys.

  // Returns a member of the expected type. A member of another type is reported and returned as absent; `required`
  // reports a missing member as well.
  JsonValue optional(JsonValue object, std::string_view key, JsonType expected);
  JsonValue required(JsonValue object, std::string_view key, JsonType expected);
  bool has_type(JsonValue value, JsonType expected);

  std::string name(JsonValue object, std::string_view key);
  std::string spelt_name(JsonValue object, std::string_view key);
  void check_spelling(JsonValue value);
  std::optional<std::uint32_t> number(JsonValue object, std::string_view key, std::uint64_t limit);
  std::vector<std::string> names(JsonValue object, std::string_view key);
  std::vector<std::string> aliases(JsonValue object);
  Version version(JsonValue object, std::string_view key, Version when_absent);
  Availability availability(JsonValue object);
  std::vector<OperandDescription> operands(JsonValue object, std::string_view key);
  void instruction(JsonValue object, std::vector<InstructionDescription>& into);
  void enumerant(JsonValue object, std::vector<EnumerantDescription>& into);
  void kind(JsonValue object, std::vector<KindDescription>& into);
  template <typename Item, typename Number>
  void fold_aliases(std::vector<Item>& items, Number Item::*number, std::string_view key);

  std::uint16_t document_;
  GrammarFaults& faults_;
  std::vector<IncompleteDescription> incomplete_;
};

bool DocumentReader::has_type(JsonValue value, JsonType expected) {
  if (value.is(expected)) return true;
  faults_.error(rule::grammar_wrong_type, origin_of(value),
                fmt::format("expected {}, found {}", name_of(expected), name_of(value.type())));
  return false;
}

JsonValue DocumentReader::optional(JsonValue object, std::string_view key, JsonType expected) {
  const JsonValue value = object.find(key);
  return value.is_absent() || has_type(value, expected) ? value : JsonValue();
}

// After a report the value is absent. An absent value has no text and no elements, so callers need no check for each
// key.
JsonValue DocumentReader::required(JsonValue object, std::string_view key, JsonType expected) {
  if (object.find(key).is_absent()) {
    faults_.error_at_key(rule::grammar_missing_key, origin_of(object), key,
                         fmt::format("missing key '{}'; expected {}", key, name_of(expected)));
  }
  return optional(object, key, expected);
}

std::string DocumentReader::name(JsonValue object, std::string_view key) {
  const JsonValue value = required(object, key, JsonType::String);
  const std::string_view text = value.text();
  if (value.is_absent()) return {};
  if (text.empty()) faults_.error(rule::grammar_bad_value, origin_of(value), "expected a name, found an empty string");
  if (text.size() > 0xFFFF) {
    faults_.error(rule::grammar_limit, origin_of(value),
                  fmt::format("a name of {} bytes; expected at most 65535", text.size()));
    return {};
  }
  return std::string(text);
}

// Whether a name is one word of a text, and one part of a mask (docs/text.md, "Words"). Khronos' documents contain
// letters, digits and underscores only; other spellings are accepted if the lexer can read them.
bool can_be_spelt(std::string_view name) {
  constexpr std::string_view refused = ";(),\"\\|";
  const bool has_sign = name.starts_with('%') || name.starts_with('!') || name == "=";
  return !has_sign && std::ranges::all_of(name, [&](char c) {
    return static_cast<unsigned char>(c) > ' ' && c != '\x7F' && refused.find(c) == std::string_view::npos;
  });
}

void DocumentReader::check_spelling(JsonValue value) {
  if (can_be_spelt(value.text())) return;
  faults_.error(rule::grammar_bad_value, origin_of(value),
                fmt::format("invalid name '{}'; expected letters, digits and underscores", value.text()));
}

// A name that cannot be written in a text is reported but used, as the references to it are not at fault.
std::string DocumentReader::spelt_name(JsonValue object, std::string_view key) {
  std::string result = name(object, key);
  if (!result.empty()) check_spelling(object.find(key));
  return result;
}

/// Reads an integer, or a string that contains one (hexadecimal or decimal).
std::optional<std::uint32_t> DocumentReader::number(JsonValue object, std::string_view key, std::uint64_t limit) {
  // Opcodes and values of enumerations are numbers; values of masks are strings such as "0x0001". Documents of other
  // years differ, so both forms are accepted everywhere.
  const JsonValue value = object.find(key);
  if (!value.is(JsonType::String)) {
    const JsonValue checked = required(object, key, JsonType::Integer);
    if (checked.is_absent()) return std::nullopt;
    const std::int64_t found = *checked.integer();
    if (found >= 0 && static_cast<std::uint64_t>(found) <= limit) return static_cast<std::uint32_t>(found);
    faults_.error(rule::grammar_bad_value, origin_of(value),
                  fmt::format("{} is out of range; expected 0 to {}", found, limit));
    return std::nullopt;
  }
  const std::optional<std::uint64_t> found = number_in(value.text());
  if (found && *found <= limit) return static_cast<std::uint32_t>(*found);
  faults_.error(rule::grammar_bad_value, origin_of(value),
                found ? fmt::format("'{}' is out of range; expected 0 to {}", value.text(), limit)
                      : fmt::format("'{}' is not a number", value.text()));
  return std::nullopt;
}

// An optional list of names.
std::vector<std::string> DocumentReader::names(JsonValue object, std::string_view key) {
  std::vector<std::string> result;
  const JsonValue list = optional(object, key, JsonType::Array);
  for (const JsonValue item : list.elements()) {
    if (!has_type(item, JsonType::String)) continue;
    if (item.text().empty() || item.text().size() > 0xFFFF) {
      faults_.error(rule::grammar_bad_value, origin_of(item), "expected a name of 1 to 65535 bytes");
    } else if (std::find(result.begin(), result.end(), item.text()) == result.end()) {
      // Duplicates are ignored; generators write them.
      result.emplace_back(item.text());
    }
    if (result.size() > 0x3FF) {  // also bounds the cost of the linear search above
      faults_.error(rule::grammar_limit, origin_of(list), "more than 1023 names in one list");
      break;
    }
  }
  return result;
}

std::vector<std::string> DocumentReader::aliases(JsonValue object) {
  for (const JsonValue item : object.find("aliases").elements()) check_spelling(item);
  return names(object, "aliases");
}

/// Parses "1.3"; "None" means that the item is in no version.
// Both numbers must fit in a byte, as in a module's header (specification 2.3, table 1).
Version DocumentReader::version(JsonValue object, std::string_view key, Version when_absent) {
  const JsonValue value = optional(object, key, JsonType::String);
  if (value.is_absent()) return when_absent;
  const std::string_view text = value.text();
  // JSON schema: "None" for items that are in no version of the core and need an extension.
  if (text == "None") return Version::none();
  const std::size_t dot = text.find('.');
  if (dot != std::string_view::npos) {
    const auto major = number_in(text.substr(0, dot));
    const auto minor = number_in(text.substr(dot + 1));
    if (major && minor && *major != 0 && *major <= 0xFF && *minor <= 0xFF) {
      return {static_cast<std::uint8_t>(*major), static_cast<std::uint8_t>(*minor)};
    }
  }
  faults_.error(rule::grammar_bad_value, origin_of(value),
                fmt::format("'{}' is not a version; expected '1.3' or 'None'", text));
  return when_absent;
}

Availability DocumentReader::availability(JsonValue object) {
  Availability result;
  result.capabilities = names(object, "capabilities");
  // OpenCL.DebugInfo.100 contains one misspelt key, with one name instead of a list.
  if (const JsonValue misspelt = object.find("capability");
      !misspelt.text().empty() && misspelt.text().size() <= 0xFFFF) {
    result.capabilities.emplace_back(misspelt.text());
  }
  result.extensions = names(object, "extensions");
  // Without `version`, the item is in all versions: documents before 1.3 have no such key.
  result.since = version(object, "version", {1, 0});
  result.last = version(object, "lastVersion", Version::none());
  result.is_provisional = optional(object, "provisional", JsonType::Boolean).boolean();
  return result;
}

/// Documents of 2016 to 2023 put operand names in single quotes (one of them begins with two).
std::string_view without_quotes(std::string_view name) {
  const std::size_t first = name.find_first_not_of('\'');
  const std::size_t last = name.find_last_not_of('\'');
  if (first == std::string_view::npos || first == 0 || last + 1 == name.size()) return name;
  const std::string_view inner = name.substr(first, last + 1 - first);
  return inner.find('\'') == std::string_view::npos ? inner : name;
}

std::vector<OperandDescription> DocumentReader::operands(JsonValue object, std::string_view key) {
  std::vector<OperandDescription> result;
  for (const JsonValue item : optional(object, key, JsonType::Array).elements()) {
    if (!has_type(item, JsonType::Object)) continue;
    // JSON schema, operands: `kind` is required, `quantifier` and `name` are not.
    OperandDescription operand;
    operand.origin = origin_of(item);
    operand.kind = name(item, "kind");
    operand.name = without_quotes(optional(item, "name", JsonType::String).text());
    // Names of operands are prose, so long ones are truncated.
    if (operand.name.size() > 0xFFFF) operand.name.resize(0xFFFF);
    const JsonValue quantifier = optional(item, "quantifier", JsonType::String);
    if (quantifier.text() == "?") operand.quantifier = Quantifier::Optional;
    else if (quantifier.text() == "*") operand.quantifier = Quantifier::Star;
    else if (!quantifier.is_absent()) {
      faults_.error(rule::grammar_bad_value, origin_of(quantifier),
                    fmt::format("unknown quantifier '{}'; expected '?' or '*'", quantifier.text()));
    }
    result.push_back(std::move(operand));
  }
  return result;
}

void DocumentReader::instruction(JsonValue object, std::vector<InstructionDescription>& into) {
  if (!has_type(object, JsonType::Object)) return;
  InstructionDescription result;
  result.origin = origin_of(object);
  result.name = spelt_name(object, "opname");
  // Opcodes of the core have 16 bits, numbers of extended instructions 32; compact() checks the limit.
  const std::optional<std::uint32_t> opcode = number(object, "opcode", 0xFFFFFFFF);
  result.printing_class = optional(object, "class", JsonType::String).text();
  result.operands = operands(object, "operands");
  result.aliases = aliases(object);
  result.availability = availability(object);
  // A missing number or name is already reported. Other rows cannot refer to such an instruction.
  if (!opcode || result.name.empty()) {
    incomplete_.push_back(
        {std::move(result.name), std::move(result.operands), std::move(result.availability), false, result.origin});
    return;
  }
  result.opcode = *opcode;
  into.push_back(std::move(result));
}

// JSON schema, enumerants: an enumerant is like an instruction, with `value` as its number and `parameters` as its
// operands.
void DocumentReader::enumerant(JsonValue object, std::vector<EnumerantDescription>& into) {
  if (!has_type(object, JsonType::Object)) return;
  EnumerantDescription result;
  result.origin = origin_of(object);
  result.name = spelt_name(object, "enumerant");
  const std::optional<std::uint32_t> value = number(object, "value", 0xFFFFFFFF);
  result.parameters = operands(object, "parameters");
  result.aliases = aliases(object);
  result.availability = availability(object);
  if (!value || result.name.empty()) {
    incomplete_.push_back(
        {std::move(result.name), std::move(result.parameters), std::move(result.availability), true, result.origin});
    return;
  }
  result.value = *value;
  into.push_back(std::move(result));
}

// JSON schema, operand_kinds. The category determines the required keys.
void DocumentReader::kind(JsonValue object, std::vector<KindDescription>& into) {
  if (!has_type(object, JsonType::Object)) return;
  KindDescription result;
  result.origin = origin_of(object);
  result.name = spelt_name(object, "kind");
  result.doc = optional(object, "doc", JsonType::String).text();
  if (result.doc.size() > 0xFFFF) result.doc.resize(0xFFFF);

  const JsonValue category = required(object, "category", JsonType::String);
  const auto known = std::find(category_names.begin(), category_names.end(), category.text());
  if (known == category_names.end()) {
    if (!category.is_absent()) {
      faults_.error(rule::grammar_bad_value, origin_of(category), fmt::format("unknown category '{}'", category.text()),
                    "BitEnum, ValueEnum, Id, Literal or Composite");
    }
    // The keys show which category was meant. So the kind is known, and the rest of it is checked.
    if (!object.find("enumerants").is_absent()) result.category = Category::ValueEnum;
    else if (!object.find("bases").is_absent()) result.category = Category::Composite;
  } else {
    result.category = static_cast<Category>(known - category_names.begin());
  }
  // JSON schema, operand kinds: `enumerants` for the two enumerated categories, `bases` for composites, neither for
  // the others.
  if (result.category == Category::BitEnum || result.category == Category::ValueEnum) {
    for (const JsonValue item : required(object, "enumerants", JsonType::Array).elements())
      enumerant(item, result.enumerants);
    fold_aliases(result.enumerants, &EnumerantDescription::value, "value");
  }
  if (result.category == Category::Composite) {
    for (const JsonValue base : required(object, "bases", JsonType::Array).elements()) {
      // JSON schema, composites: bases are names only; quantifiers and descriptions belong to operands.
      if (has_type(base, JsonType::String))
        result.bases.push_back({std::string(base.text()), Quantifier::One, {}, origin_of(base)});
    }
  }
  if (!result.name.empty()) into.push_back(std::move(result));
}

// Overloads for fold_aliases().
const std::vector<OperandDescription>& pattern_of(const InstructionDescription& item) { return item.operands; }
const std::vector<OperandDescription>& pattern_of(const EnumerantDescription& item) { return item.parameters; }

// Names of operands are ignored: they are prose, and often differ between an alias and its primary name.
bool same_pattern(const std::vector<OperandDescription>& a, const std::vector<OperandDescription>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const OperandDescription& x, const OperandDescription& y) {
                      return x.kind == y.kind && x.quantifier == y.quantifier;
                    });
}

/// Older documents list an alias as a separate entry with the same number. The first entry becomes the row, and the
/// names of later entries become its aliases. Entries with the same number and different operands are a fault.
template <typename Item, typename Number>
void DocumentReader::fold_aliases(std::vector<Item>& items, Number Item::*number, std::string_view key) {
  // The cost is near-linear, and the order is kept: the first name in the document is the primary name, as users of the
  // JSON expect.
  std::unordered_map<Number, std::size_t, NumberHash> first;
  std::vector<Item> rows;
  rows.reserve(items.size());
  for (Item& item : items) {
    const auto [entry, is_new] = first.emplace(item.*number, rows.size());
    if (is_new) {
      rows.push_back(std::move(item));
      continue;
    }
    Item& row = rows[entry->second];
    if (!same_pattern(pattern_of(row), pattern_of(item)) || row.name == item.name) {
      faults_.error_at_key(
          rule::grammar_duplicate_opcode, item.origin, key,
          fmt::format("'{}' has the same number {} as '{}' at {}, but {}", item.name, item.*number, row.name,
                      faults_.path_of(row.origin), row.name == item.name ? "that is the same name" : "other operands"));
      continue;
    }
    row.aliases.push_back(std::move(item.name));
    std::move(item.aliases.begin(), item.aliases.end(), std::back_inserter(row.aliases));
  }
  items = std::move(rows);
}

GrammarDocument DocumentReader::read(JsonValue root) {
  GrammarDocument result;
  result.origin = origin_of(root);
  if (!has_type(root, JsonType::Object)) return result;

  GrammarDescription& content = result.content;
  result.name = optional(root, "name", JsonType::String).text();
  // Only a core document has this key; it must then have the following three as well.
  if (!root.find("magic_number").is_absent()) {
    result.has_magic_number = true;
    const std::optional<std::uint32_t> magic = number(root, "magic_number", 0xFFFFFFFF);
    if (magic && *magic != magic_number) {
      faults_.warning(rule::grammar_magic, origin_of(root.find("magic_number")),
                      fmt::format("magic number {:#010x}; expected {:#010x}", *magic, magic_number));
    }
    // A missing number was reported; 0 is never used, as no rows are made then.
    content.major_version = static_cast<std::uint8_t>(number(root, "major_version", 0xFF).value_or(0));
    content.minor_version = static_cast<std::uint8_t>(number(root, "minor_version", 0xFF).value_or(0));
    content.revision = static_cast<std::uint16_t>(number(root, "revision", 0xFFFF).value_or(0));
  }
  for (const JsonValue item : optional(root, "instruction_printing_class", JsonType::Array).elements()) {
    if (has_type(item, JsonType::Object)) content.printing_classes.push_back(name(item, "tag"));
  }
  for (const JsonValue item : optional(root, "operand_kinds", JsonType::Array).elements()) kind(item, content.kinds);
  // A document may consist of new enumerants only. Keys are read in this order, not in the document's, so that kinds
  // are known when faults refer to them.
  const bool needs_instructions = root.find("operand_kinds").is_absent();
  const JsonValue list = needs_instructions ? required(root, "instructions", JsonType::Array)
                                            : optional(root, "instructions", JsonType::Array);
  for (const JsonValue item : list.elements()) instruction(item, content.instructions);
  fold_aliases(content.instructions, &InstructionDescription::opcode, "opcode");
  content.incomplete = std::move(incomplete_);
  return result;
}

}  // namespace

bool GrammarDocument::is_whole_core() const {
  return has_magic_number && std::any_of(content.instructions.begin(), content.instructions.end(),
                                         [](const InstructionDescription& row) { return row.name == "OpNop"; });
}

bool GrammarDocument::extends_core() const {
  return std::all_of(content.instructions.begin(), content.instructions.end(),
                     [](const InstructionDescription& row) { return row.name.starts_with("Op"); });
}

GrammarDocument read_document(const JsonDocument& json, std::uint16_t document, GrammarFaults& faults) {
  return DocumentReader(document, faults).read(json.root());
}

}  // namespace vireo::spirv
