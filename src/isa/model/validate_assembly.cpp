// SPDX-License-Identifier: Apache-2.0
//
// What is wrong with what a description says for the assembler. docs/isaspec.md, "For the assembler".
//
// The one idea: an alias that means something already would make the meaning of a line depend on an order nobody sees, and
// two marks that say the same say nothing; both are errors, as no other tool reads them. Whether two displays can give one
// text takes a look at all their words, and is told by `vireo isa check --assembler`. Texts are found in hash tables, and
// of one text a bounded number of owners is compared.
#include <algorithm>
#include <string>
#include <unordered_map>
#include <vector>

#include "isa/model/draft.h"
#include "support/printable.h"

namespace vireo::isa {
namespace {

// Leaves of one name are compared in pairs; people write a handful, one for each generation.
constexpr std::size_t max_compared = 64;

class AssemblyValidator {
 public:
  AssemblyValidator(Draft& draft, const Model& model) : draft_(draft), model_(model) {}

  void run() {
    // Values, cases, leaves, names: four tables that do not depend on each other.
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

  // The bits of an override's field belong to fields of the bitset as well: theirs are the defaults, whichever case holds.
  void check_defaults() {
    for (const Field& field : model_.rows().fields) {
      if (!field.default_value || model_[field.owner].is_default()) continue;
      draft_.error(rule::bad_default, field.where,
                   "the bits of a field in an override have the defaults of the fields they lie over");
    }
  }

  void check_values(const Enum& e) {
    // All displays before the first alias: an alias may stand above the value whose display it takes.
    std::unordered_map<std::string_view, const EnumValue*> displays;
    for (const EnumValue& value : model_.values(e)) displays.try_emplace(value.display, &value);
    std::unordered_map<std::string_view, const Alias*> aliases;
    for (const EnumValue& value : model_.values(e)) {
      for (const Alias& alias : model_.aliases(value)) {
        if (const auto found = displays.find(alias.text); found != displays.end() && found->second != &value)
          report_alias(alias, quoted(alias.text) + " is how another value is shown", found->second->where, "this one");
        const auto [entry, is_new] = aliases.try_emplace(alias.text, &alias);
        if (!is_new)
          report_alias(alias, "alias " + quoted(alias.text) + " is declared twice", entry->second->where,
                       "the first declaration");
      }
    }
  }

  // The displays of one bitset, with their aliases and marks.
  void check_cases(const Bitset& b) {
    // Of a bitset one display can be the preferred one; of a chain each bitset may have its own, and the nearest
    // counts.
    const Case* canonical = nullptr;
    // Texts as they are written. That two differ and still read alike is for `isa check --assembler`.
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
      // Two overrides may share a display on purpose, which is no fault; an alias that is one would say nothing.
      if (row.has_display) texts.try_emplace(row.display, row.where);
    }
    for (const Case& row : model_.cases(b)) {
      for (const Alias& alias : model_.aliases(row)) {
        const auto [entry, is_new] = texts.try_emplace(alias.text, alias.where);
        if (!is_new)
          report_alias(alias, quoted(alias.text) + " is a display of this bitset already", entry->second, "this one");
      }
    }
  }

  // --- leaves ------------------------------------------------------------------------------------------------------------

  // Instructions are told apart by their texts alone, whatever root they are decoded from.
  [[nodiscard]] std::uint32_t realm_of(const Bitset& leaf) const {
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
    std::unordered_map<std::string, std::vector<Word>> words;      // by realm and text
    std::unordered_map<std::string, std::vector<Word>> preferred;  // canonical leaves, by realm, name and display
    const auto key = [&](const Bitset& leaf, std::string_view text) {
      return std::to_string(realm_of(leaf)).append(" ").append(text);
    };
    bool has_any = false;
    for (const Bitset& b : model_.bitsets()) {
      has_any |= b.aliases.count != 0 || b.mark == AssemblyMark::Canonical;
      if (b.aliases.count != 0) check_place(b);
    }
    // Most descriptions have none, and their leaves are not looked at.
    if (!has_any) return;
    for (const Bitset& leaf : model_.bitsets()) {
      // All names before the first alias, as above.
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
      // One name with two displays is two forms of an instruction (`add r1, r2` and `add r1, r2, r3`), each with its
      // favourite.
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
      // In no generation do the two meet: an old name may come to mean something new.
      if (!is_own && (other.display_name == leaf.display_name || intersect(other.gens, leaf.gens).is_empty())) continue;
      if (same[i].alias != nullptr) {
        report_alias(alias, "alias " + quoted(alias.text) + " is declared twice", same[i].alias->where,
                     "the first declaration");
      } else {
        report_alias(
            alias,
            is_own ? quoted(alias.text) + " is the name itself" : quoted(alias.text) + " is the name of another leaf",
            other.where, "this one");
      }
      return;
    }
  }

  // A name is written where a display shows it.
  void check_place(const Bitset& b) {
    const Alias& alias = model_.aliases(b).front();
    if (!b.is_leaf) {
      draft_.error(rule::misplaced_alias, alias.where,
                   quoted(model_.text(b.name)) + " is extended: words have the names of leaves");
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

  // That of the default case: what is shown when no exception holds stands for the leaf.
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
    // Kinds and names may hold any character but the one that parts them here.
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
                     "name " + quoted(row.name) + " of " + quoted(row.kind) + " stands for two numbers");
        draft_.note(row.where, name->second->where, "the first one");
      }
    }
  }

  Draft& draft_;
  const Model& model_;
};

}  // namespace

void validate_assembly(Draft& draft, const Model& model) { AssemblyValidator(draft, model).run(); }

}  // namespace vireo::isa
