// SPDX-License-Identifier: Apache-2.0
//
// Explains a name (grammar_tools.h).
//
// The name is looked up in every table, and each matching row is printed in the same layout: a title,
// then one labelled line for each fact. A search through all rows finds those that a capability or an extension
// enables.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "spirv/grammar/grammar_rules.h"
#include "spirv/grammar/load/describe_text.h"
#include "spirv/rules.h"
#include "support/nearest.h"
#include "vireo/spirv/grammar/grammar_tools.h"

namespace vireo::spirv {
namespace {

constexpr std::size_t label_width = 14;
constexpr std::size_t line_width = 100;

/// The opcode or value if the name is a number of at most 32 bits.
std::optional<std::uint32_t> value_in(std::string_view name) {
  const std::optional<std::uint64_t> number = number_in(name);
  if (!number || *number > 0xFFFFFFFF) return std::nullopt;
  return static_cast<std::uint32_t>(*number);
}

std::string_view title_of(RuleSubject subject) {
  // In the order of the enumerators.
  constexpr std::string_view titles[] = {
      "rule for binary modules",
      "rule for assembly text",
      "rule for modules that a program builds",
      "rule for values of specialization constants",
      "rule for the command of 'vireo shrink'",
      "rule for profiles",
      "rule for edits of modules",
      "rule for linking",
      "rule for executions",
      "rule for conditions, selected parts and pictures",
      "rule for the inputs and outputs of commands",
      "rule for grammar documents",
  };
  static_assert(std::size(titles) == static_cast<std::size_t>(RuleSubject::GrammarDocument) + 1);
  return titles[static_cast<std::size_t>(subject)];
}

class Explainer {
 public:
  explicit Explainer(const Grammar& grammar) : grammar_(grammar) {}

  /// Tries the whole name first: names contain dots (GLSL.std.450), and most queries have no owner.
  std::string run(std::string_view name) {
    plain(name);
    // "Decoration.Block", "GLSL.std.450 Sqrt": an owner and a name in it.
    for (const char separator : {' ', '.'}) {
      const std::size_t at = name.rfind(separator);
      if (!out_.empty() || at == std::string_view::npos) continue;
      owned(name.substr(0, at), name.substr(at + 1));
    }
    return std::move(out_);
  }

 private:
  [[nodiscard]] std::string_view text(StringRef s) const { return grammar_.text(s); }

  // --- layout -------------------------------------------------------------------------------------------------------------

  // A name may have several meanings: an empty line separates them.
  void title(std::string_view name, std::string_view what) {
    if (!out_.empty()) out_.push_back('\n');
    fmt::format_to(std::back_inserter(out_), "{}  {}\n", on_one_line(name), on_one_line(what));
  }
  // A label without a value is omitted, so callers need no check.
  void fact(std::string_view label, std::string_view value) {
    if (!value.empty())
      fmt::format_to(std::back_inserter(out_), "  {:<{}}{}\n", label, label_width, on_one_line(value));
  }
  /// A list of words after a label, wrapped to several lines. The label is on the first line only; the other lines
  /// are indented.
  void words(std::string_view label, const std::vector<std::string>& list) {
    std::string line;
    for (const std::string& word : list) {
      if (!line.empty() && label_width + line.size() + word.size() + 4 > line_width) {
        fact(std::exchange(label, " "), line + ",");
        line.clear();
      }
      if (!line.empty()) line.append(", ");
      line.append(word);
    }
    fact(label, line);
  }

  // --- parts ---------------------------------------------------------------------------------------------------------

  std::vector<std::string> names(Slice slice) const {
    std::vector<std::string> list;
    for (const StringRef s : grammar_.strings(slice)) list.emplace_back(text(s));
    return list;
  }
  std::string capability_name(std::uint16_t row) const { return std::string(text(grammar_.enumerants[row].name)); }

  std::vector<std::string> implied_by(std::uint16_t capability) const {
    std::vector<std::string> list;
    for (const std::uint16_t row : implied_capabilities(grammar_, capability)) list.push_back(capability_name(row));
    return list;
  }

  /// Any one of the capabilities suffices; each is printed with the capabilities it implies.
  void required_capabilities(Slice slice) {
    std::string_view label = slice.count > 1 ? "any of" : "capability";
    for (const std::uint16_t row : grammar_.capabilities(slice)) {
      // Specification 3, Capability: "Implicitly declares". Implied capabilities need not be declared.
      std::string line = capability_name(row);
      if (const std::vector<std::string> implied = implied_by(row); !implied.empty()) {
        line.append(" (implies ").append(text_of(implied)).append(")");
      }
      fact(std::exchange(label, " "), line);
    }
  }

  // Specification 3, tables: "Missing before" is `since`, and "missing after" is `last`. If `last` is none, all later
  // versions have the item.
  void versions(Version since, Version last) {
    std::string line =
        since.is_none() ? "none, by extension or capability only" : fmt::format("{} and later", text_of(since));
    if (!last.is_none()) line = fmt::format("{} to {}", text_of(since), text_of(last));
    fact("version", line);
  }

  void operands(std::string_view label, Slice slice) {
    const std::span<const OperandRow> rows = grammar_.operands(slice);
    std::size_t width = 0;
    for (const OperandRow& row : rows) width = std::max<std::size_t>(width, grammar_.kind(row.kind).name.length + 1u);
    for (const OperandRow& row : rows) {
      std::string line = fmt::format("{}{}", text(grammar_.kind(row.kind).name), symbol_of(row.quantifier));
      if (row.name.length != 0) line = fmt::format("{:<{}}  {}", line, width, text(row.name));
      fact(std::exchange(label, " "), line);
    }
  }

  // --- rows ---------------------------------------------------------------------------------------------------------------

  void instruction(const InstructionRow& row) {
    title(text(row.name), fmt::format("instruction {0} ({0:#x})", static_cast<unsigned>(row.opcode)));
    operands("operands", row.operands);
    required_capabilities(row.capabilities);
    words("extensions", names(row.extensions));
    versions(row.since, row.last);
    words("aliases", names(row.aliases));
    fact("class", text(grammar_.printing_classes[row.printing_class]));
    if ((row.flags & Provisional) != 0) fact("provisional", "may still change");
  }

  void enumerant(const KindRow& kind, const EnumerantRow& row) {
    const bool is_mask = kind.category == Category::BitEnum;
    title(text(row.name), fmt::format("{} of {}{} {} ({:#x})", is_mask ? "bit" : "value", set_prefix(kind),
                                      text(kind.name), row.value, row.value));
    operands("parameters", row.parameters);
    const auto index = static_cast<std::uint16_t>(&row - grammar_.enumerants.data());
    // In the row of a capability, the capabilities are not alternative requirements: they are the implied ones.
    const bool is_capability = &kind == &grammar_.kinds[0] + grammar_.capability_kind.index();
    if (is_capability) words("implies", implied_by(index));
    else required_capabilities(row.capabilities);
    words("extensions", names(row.extensions));
    versions(row.since, row.last);
    words("aliases", names(row.aliases));
    if ((row.flags & Provisional) != 0) fact("provisional", "may still change");
    if (is_capability) enabled_by(index);
  }

  std::string set_prefix(const KindRow& kind) const {
    return kind.set.is_none() ? std::string() : fmt::format("{} ", text(grammar_.sets[kind.set.index()].name));
  }

  // Values are printed in columns, as in the specification's tables (3, enumerations).
  void kind(const KindRow& row) {
    static constexpr std::string_view categories[] = {"mask", "enumeration", "id", "literal", "composite"};
    title(text(row.name),
          fmt::format("{}operand kind, {}", set_prefix(row), categories[static_cast<std::size_t>(row.category)]));
    fact("about", text(row.doc));
    operands("bases", row.bases);
    std::size_t width = 0;
    for (const EnumerantRow& e : grammar_.enumerants_of(row)) width = std::max<std::size_t>(width, e.name.length);
    std::string_view label = "values";
    for (const EnumerantRow& e : grammar_.enumerants_of(row)) {
      const std::string value =
          row.category == Category::BitEnum ? fmt::format("{:#x}", e.value) : fmt::format("{}", e.value);
      std::string line = fmt::format("{:<{}}  {}", text(e.name), width, value);
      if (e.parameters.count != 0) {
        line.append("  ");
        for (const OperandRow& p : grammar_.operands(e.parameters)) {
          line.append(" ").append(text(grammar_.kind(p.kind).name)).append(symbol_of(p.quantifier));
        }
      }
      fact(std::exchange(label, " "), line);
    }
  }

  void ext_inst(const ExtInstSetRow& set, const ExtInstRow& row) {
    title(text(row.name), fmt::format("instruction {} of {}", row.number, text(set.name)));
    operands("operands", row.operands);
    required_capabilities(row.capabilities);
    words("extensions", names(row.extensions));
  }

  // Instructions are listed by name only: a set has up to 160, and each can be explained separately.
  void set(const ExtInstSetRow& row) {
    title(text(row.name), fmt::format("extended instruction set{}{}", row.is_non_semantic ? ", non-semantic" : "",
                                      row.match == SetMatch::Prefix ? ", a version follows" : ""));
    std::vector<std::string> list;
    for (const ExtInstRow& r : grammar_.instructions_of(row)) list.emplace_back(text(r.name));
    words("instructions", list);
  }

  // --- the rows of a capability or an extension ----------------------------------------------------------------------

  // Lists all matching rows. Linear in the grammar.
  template <typename Matches>
  void list_rows(std::string_view verb, Matches matches) {  // the verb is on the first line only
    std::vector<std::string> list;
    for (const InstructionRow& row : grammar_.instructions) {
      if (matches(row)) list.emplace_back(text(row.name));
    }
    if (!list.empty()) words(std::exchange(verb, " "), list);
    for (const KindRow& kind : grammar_.kinds) {
      list.clear();
      for (const EnumerantRow& row : grammar_.enumerants_of(kind)) {
        if (matches(row)) list.emplace_back(text(row.name));
      }
      if (list.empty()) continue;
      list.front().insert(0, fmt::format("{}{}: ", set_prefix(kind), text(kind.name)));
      words(std::exchange(verb, " "), list);
    }
    for (const ExtInstSetRow& row : grammar_.sets) {
      list.clear();
      for (const ExtInstRow& r : grammar_.instructions_of(row)) {
        if (matches(r)) list.emplace_back(text(r.name));
      }
      if (list.empty()) continue;
      list.front().insert(0, fmt::format("{}: ", text(row.name)));
      words(std::exchange(verb, " "), list);
    }
  }

  void enabled_by(std::uint16_t capability) {
    list_rows("enables", [&](const auto& row) {
      const auto list = grammar_.capabilities(row.capabilities);
      return std::find(list.begin(), list.end(), capability) != list.end();
    });
  }

  void extension(std::string_view name) {
    const auto has_it = [&](const auto& row) {
      const auto list = grammar_.strings(row.extensions);
      return std::any_of(list.begin(), list.end(), [&](StringRef s) { return text(s) == name; });
    };
    // Extensions have no rows of their own: an extension exists if a row refers to it.
    const bool exists = std::any_of(grammar_.instructions.begin(), grammar_.instructions.end(), has_it) ||
                        std::any_of(grammar_.enumerants.begin(), grammar_.enumerants.end(), has_it) ||
                        std::any_of(grammar_.ext_instructions.begin(), grammar_.ext_instructions.end(), has_it);
    if (!exists) return;
    title(name, "extension");
    list_rows("adds", has_it);
  }

  // --- lookup --------------------------------------------------------------------------------------------------------

  void plain(std::string_view name) {
    if (const std::optional<std::uint32_t> number = value_in(name)) {
      if (const InstructionRow* row = grammar_.find_opcode(*number)) instruction(*row);
      return;
    }
    if (const InstructionRow* row = grammar_.find_instruction(name)) instruction(*row);
    for (const KindRow& row : grammar_.kinds) {
      if (text(row.name) == name) kind(row);
    }
    for (std::size_t k = 0; k < grammar_.kinds.size(); ++k) {
      if (const EnumerantRow* row = grammar_.find_enumerant(KindId{k}, name)) enumerant(grammar_.kinds[k], *row);
    }
    // A version may follow a set's name, but the name has no blank: a blank precedes the name of an instruction.
    const bool is_one_word = name.find(' ') == std::string_view::npos;
    const ExtInstSetId by_import = is_one_word ? grammar_.find_set(name) : ExtInstSetId::none();
    for (std::size_t s = 0; s < grammar_.sets.size(); ++s) {
      if (ExtInstSetId{s} == by_import) set(grammar_.sets[s]);
      if (const ExtInstRow* row = grammar_.find_ext_inst(ExtInstSetId{s}, name)) ext_inst(grammar_.sets[s], *row);
    }
    extension(name);
    for (const std::span<const RuleRow> rules :
         {std::span<const RuleRow>(rule_rows), std::span<const RuleRow>(grammar_rule_rows)}) {
      for (const RuleRow& row : rules) {
        if (row.name != name) continue;
        title(row.name, title_of(row.subject));
        fact("requires", row.requirement);
        fact("fix", row.fix);
      }
    }
  }

  void owned(std::string_view owner, std::string_view name) {
    const std::optional<std::uint32_t> number = value_in(name);
    for (std::size_t k = 0; k < grammar_.kinds.size(); ++k) {
      if (text(grammar_.kinds[k].name) != owner) continue;
      const EnumerantRow* row = grammar_.find_enumerant(KindId{k}, name);
      if (row == nullptr && number) row = grammar_.find_value(KindId{k}, *number);
      if (row != nullptr) enumerant(grammar_.kinds[k], *row);
    }
    const ExtInstSetId id = grammar_.find_set(owner);
    const ExtInstRow* row = grammar_.find_ext_inst(id, name);
    if (row == nullptr && number) row = grammar_.find_ext_inst(id, *number);
    if (row != nullptr) ext_inst(grammar_.sets[id.index()], *row);
  }

  const Grammar& grammar_;
  std::string out_;
};

// Returns the names that are similar to a name, among all names that plain() finds.
std::vector<std::string> nearest_to(const Grammar& grammar, std::string_view name) {
  NearestNames nearest(name);
  for (const NameEntry& entry : grammar.name_entries) nearest.offer(grammar.text(entry.text));
  for (const KindRow& row : grammar.kinds) nearest.offer(grammar.text(row.name));
  for (const ExtInstSetRow& row : grammar.sets) nearest.offer(grammar.text(row.name));
  for (const StringRef s : grammar.string_pool) nearest.offer(grammar.text(s));  // extensions
  for (const RuleRow& row : rule_rows) nearest.offer(row.name);
  for (const RuleRow& row : grammar_rule_rows) nearest.offer(row.name);
  std::vector<std::string> result;
  for (const std::string_view found : nearest.names()) result.emplace_back(found);
  return result;
}

// "Decoration.Blok", "Decoratio.Block": similar names within the owner, or similar owners that have the name.
std::vector<std::string> nearest_owned(const Grammar& grammar, std::string_view name) {
  std::vector<std::string> result;
  for (const char separator : {' ', '.'}) {
    const std::size_t at = name.rfind(separator);
    if (!result.empty() || at == std::string_view::npos) continue;
    const std::string_view owner = name.substr(0, at);
    NearestNames owned(name.substr(at + 1)), owners(owner);
    for (const KindRow& kind : grammar.kinds) {
      owners.offer(grammar.text(kind.name));
      if (grammar.text(kind.name) != owner) continue;
      for (const EnumerantRow& row : grammar.enumerants_of(kind)) owned.offer(grammar.text(row.name));
    }
    for (const ExtInstSetRow& set : grammar.sets) {
      owners.offer(grammar.text(set.name));
      if (grammar.text(set.name) != owner) continue;
      for (const ExtInstRow& row : grammar.instructions_of(set)) owned.offer(grammar.text(row.name));
    }
    for (const std::string_view found : owned.names())
      result.push_back(std::string(owner) + separator + std::string(found));
    for (const std::string_view found : owners.names()) {
      std::string whole = std::string(found).append(name.substr(at));
      if (!Explainer(grammar).run(whole).empty()) result.push_back(std::move(whole));
    }
  }
  return result;
}

}  // namespace

Explanation explain(const Grammar& grammar, std::string_view name) {
  Explanation result{Explainer(grammar).run(name), {}};
  if (result.found()) return result;
  // The name is unknown. Users often omit the `Op`. The name is truncated, as its length is unlimited.
  const std::string with_op = fmt::format("Op{}", name.substr(0, 255));
  if (grammar.find_instruction(with_op) != nullptr) result.nearest = {with_op};
  else result.nearest = nearest_to(grammar, name);
  if (result.nearest.empty()) result.nearest = nearest_owned(grammar, name);
  return result;
}

}  // namespace vireo::spirv
