// SPDX-License-Identifier: Apache-2.0
//
// Checks the parts of a description that only the assembler uses. docs/isaspec.md, "For the assembler".
//
// An alias that already has another meaning is an error, and so are two canonical marks for one text. `vireo isa check
// --assembler` checks whether two displays can print one text, because that depends on all their words. Texts are found
// with hash tables, and a limited number of owners per text is compared.
#include <algorithm>
#include <string>
#include <unordered_map>
#include <vector>

#include "isa/model/model_builder.h"
#include "support/printable.h"

namespace vireo::isa {
namespace {

// Leaves of one name are compared in pairs. Real descriptions have a handful, one for each generation.
constexpr std::size_t max_compared = 64;

class AssemblyValidator {
 public:
  AssemblyValidator(ModelBuilder& draft, const Model& model) : draft_(draft), model_(model) {}

  void run() {
    // These five checks are independent.
    check_defaults();
    for (const Enum& e : model_.enums()) check_values(e);
    for (const Bitset& b : model_.bitsets()) check_cases(b);
    check_leaves();
    check_custom_names();
  }

 private:
  void report_alias(const Alias& alias, std::string message, Place other, std::string what) {
    draft_.error(rule::ambiguous_alias, alias.where, std::move(message));
    draft_.note(alias.where, other, std::move(what));
  }

  // The bits of an override's field belong to fields of the default case, whose defaults apply to all cases.
  void check_defaults() {
    for (const Field& field : model_.rows().fields) {
      if (!field.default_value || model_[field.owner].is_default()) continue;
      draft_.error(rule::bad_default, field.where,
                   "a field in an override cannot have a default; its bits use the defaults of the default case");
    }
  }

  void check_values(const Enum& e) {
    // Collect all displays first: an alias may precede the value with the same display.
    std::unordered_map<std::string_view, const EnumValue*> displays;
    for (const EnumValue& value : model_.values(e)) displays.try_emplace(value.display, &value);
    std::unordered_map<std::string_view, const Alias*> aliases;
    for (const EnumValue& value : model_.values(e)) {
      for (const Alias& alias : model_.aliases(value)) {
        if (const auto found = displays.find(alias.text); found != displays.end() && found->second != &value)
          report_alias(alias, quoted(alias.text) + " is already the display of another value", found->second->where,
                       "the other value");
        const auto [entry, is_new] = aliases.try_emplace(alias.text, &alias);
        if (!is_new)
          report_alias(alias, "alias " + quoted(alias.text) + " is declared twice", entry->second->where,
                       "the first declaration");
      }
    }
  }

  // Checks the displays, aliases and marks of one bitset.
  void check_cases(const Bitset& b) {
    // Only one override of a bitset may be canonical. In a chain, each bitset may have one, and the nearest is used.
    const Case* canonical = nullptr;
    // Texts are compared as written; `isa check --assembler` finds different texts that parse alike.
    std::unordered_map<std::string_view, Place> texts;
    bool has_alias = false;
    for (const Case& row : model_.cases(b)) {
      has_alias |= row.aliases.count != 0;
      if (row.mark != AssemblyMark::Canonical) continue;
      if (canonical != nullptr) {
        draft_.error(rule::competing_marks, row.where, "two overrides of one bitset are marked as canonical");
        draft_.note(row.where, canonical->where, "the other one");
      }
      canonical = &row;
    }
    if (!has_alias) return;
    for (const Case& row : model_.cases(b)) {
      // Two overrides may have the same display, but an alias must differ from all displays.
      if (row.has_display) texts.try_emplace(row.display, row.where);
    }
    for (const Case& row : model_.cases(b)) {
      for (const Alias& alias : model_.aliases(row)) {
        const auto [entry, is_new] = texts.try_emplace(alias.text, alias.where);
        if (!is_new)
          report_alias(alias, quoted(alias.text) + " is already a display of this bitset", entry->second,
                       "the other display");
      }
    }
  }

  // --- leaves ------------------------------------------------------------------------------------------------------------

  // Returns a key for the set of leaves whose texts must differ: all instruction roots share one.
  [[nodiscard]] std::uint32_t namespace_of(const Bitset& leaf) const {
    for (const InstructionRoot& row : model_.instruction_roots()) {
      if (row.root == leaf.root) return model_.instruction_roots().front().root.raw;
    }
    return leaf.root.raw;
  }

  struct Word {
    const Bitset* leaf;
    const Alias* alias;  // null: the display name
  };

  void check_leaves() {
    std::unordered_map<std::string, std::vector<Word>> words;      // by namespace and text
    std::unordered_map<std::string, std::vector<Word>> preferred;  // canonical leaves, by namespace, name and display
    const auto key = [&](const Bitset& leaf, std::string_view text) {
      return std::to_string(namespace_of(leaf)).append(" ").append(text);
    };
    bool has_any = false;
    for (const Bitset& b : model_.bitsets()) {
      has_any |= b.aliases.count != 0 || b.mark == AssemblyMark::Canonical;
      if (b.aliases.count != 0) check_place(b);
    }
    // Skip the leaves of descriptions without aliases and marks.
    if (!has_any) return;
    for (const Bitset& leaf : model_.bitsets()) {
      // Collect all names before the first alias is compared.
      if (leaf.is_leaf && !model_.chain(leaf).empty()) words[key(leaf, leaf.display_name)].push_back({&leaf, nullptr});
    }
    for (const Bitset& leaf : model_.bitsets()) {
      if (!leaf.is_leaf || model_.chain(leaf).empty()) continue;
      for (const Alias& alias : model_.aliases(leaf)) {
        std::vector<Word>& same = words[key(leaf, alias.text)];
        compare(leaf, alias, same);
        same.push_back({&leaf, &alias});
      }
      if (model_.assembly_mark(leaf) != AssemblyMark::Canonical) continue;
      // Leaves with one name but different displays are forms of an instruction (`add r1, r2` and `add r1, r2, r3`).
      // Each form may have its own canonical leaf.
      std::vector<Word>& same = preferred[key(leaf, leaf.display_name).append("\n").append(display_of(leaf))];
      for (std::size_t i = 0; i < std::min(same.size(), max_compared); ++i) {
        if (intersect(same[i].leaf->gens, leaf.gens).is_empty()) continue;
        draft_.error(rule::competing_marks, leaf.where,
                     quoted(model_.text(leaf.name)) + " and another leaf with this text are both marked as canonical");
        draft_.note(leaf.where, same[i].leaf->where, "the other one");
        break;
      }
      same.push_back({&leaf, nullptr});
    }
  }

  // Leaves with one display name are forms of one instruction, and may share its aliases.
  void compare(const Bitset& leaf, const Alias& alias, const std::vector<Word>& same) {
    for (std::size_t i = 0; i < std::min(same.size(), max_compared); ++i) {
      const Bitset& other = *same[i].leaf;
      const bool is_own = &other == &leaf;
      // Leaves without a common generation cannot conflict.
      if (!is_own && (other.display_name == leaf.display_name || intersect(other.gens, leaf.gens).is_empty())) continue;
      if (same[i].alias != nullptr) {
        report_alias(alias, "alias " + quoted(alias.text) + " is declared twice", same[i].alias->where,
                     "the first declaration");
      } else {
        report_alias(alias,
                     is_own ? quoted(alias.text) + " is already the name of this leaf"
                            : quoted(alias.text) + " is already the name of another leaf",
                     other.where, "this one");
      }
      return;
    }
  }

  // An alias of a name needs a display that shows {NAME}.
  void check_place(const Bitset& b) {
    const Alias& alias = model_.aliases(b).front();
    if (!b.is_leaf) {
      draft_.error(rule::misplaced_alias, alias.where,
                   quoted(model_.text(b.name)) + " is extended, but only leaves have names in assembly text");
      return;
    }
    for (const BitsetId id : model_.chain(b)) {
      for (const Case& row : model_.cases(model_[id])) {
        const auto is_name = [](const Segment& segment) { return segment.kind == Segment::Kind::Name; };
        const std::span<const Segment> segments = model_.segments(row);
        if (std::any_of(segments.begin(), segments.end(), is_name)) return;
      }
    }
    draft_.error(rule::misplaced_alias, alias.where, "no display of " + quoted(model_.text(b.name)) + " shows {NAME}");
  }

  // Returns the display of the default case, which represents the leaf.
  [[nodiscard]] std::string_view display_of(const Bitset& leaf) const {
    for (const BitsetId id : model_.chain(leaf)) {
      for (const Case& row : model_.cases(model_[id])) {
        if (row.is_default() && row.has_display) return row.display;
      }
    }
    return {};
  }

  // --- custom fields -----------------------------------------------------------------------------------------------------

  void check_custom_names() {
    // A line break separates the parts of a key, because kinds and names may contain any other character.
    std::unordered_map<std::string, const CustomName*> by_value;
    std::unordered_map<std::string, const CustomName*> by_name;
    for (const CustomName& row : model_.custom_names()) {
      const std::string kind = std::string(row.kind) + '\n';
      const auto [value, is_new_value] = by_value.try_emplace(kind + std::to_string(row.value), &row);
      if (!is_new_value) {
        draft_.error(rule::duplicate_value, row.where,
                     "number " + std::to_string(row.value) + " of " + quoted(row.kind) + " has two names");
        draft_.note(row.where, value->second->where, "the first one");
      }
      const auto [name, is_new_name] = by_name.try_emplace(kind + std::string(row.name), &row);
      if (!is_new_name) {
        draft_.error(rule::duplicate_name, row.where,
                     "name " + quoted(row.name) + " of " + quoted(row.kind) + " is used for two numbers");
        draft_.note(row.where, name->second->where, "the first one");
      }
    }
  }

  ModelBuilder& draft_;
  const Model& model_;
};

}  // namespace

void validate_assembly(ModelBuilder& draft, const Model& model) { AssemblyValidator(draft, model).run(); }

}  // namespace vireo::isa
