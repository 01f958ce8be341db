// SPDX-License-Identifier: Apache-2.0
//
// Two sides, leaf by leaf and enum by enum.
//
// The one idea: what is compared is what the decoder sees, not what the file says. A leaf is flattened first (leaf_view.h) and
// its conditions folded for the generation (fold.h), so moving rows between a leaf and its parent is no change, and two
// generations of one description are compared like two descriptions. Names decide what belongs together: an
// instruction that was renamed is one that went and one that came. Near linear: partners are found in hash tables.
#include "vireo/isa/diff.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "isa/diff/leaf_view.h"
#include "isa/explain/origin.h"
#include "support/counted.h"
#include "support/printable.h"

namespace vireo::isa {
namespace {

using Kind = IsaChange::Kind;
// None: that side has no such thing, which is not the same as one whose text is empty.
using Text = std::optional<std::string>;

// The condition is part of the name of what changed: one field may mean something else in each of five cases.
std::string under(std::string_view part, std::string_view condition) {
  std::string text(part);
  if (!condition.empty()) text.append(" if ").append(condition);
  return text;
}

std::string quoted(std::string_view text) { return "\"" + std::string(text) + "\""; }

/// For each of `a` the place in `b` of what has the same condition; b.size() for none. Of several the first goes with the
/// first.
template <typename T>
std::vector<std::size_t> partners_of(const std::vector<T>& a, const std::vector<T>& b) {
  std::unordered_map<std::string_view, std::vector<std::size_t>> places;  // the first one last
  for (std::size_t i = b.size(); i-- > 0;) places[b[i].condition].push_back(i);
  std::vector<std::size_t> partners;
  for (const T& one : a) {
    const auto found = places.find(one.condition);
    const bool is_alone = found == places.end() || found->second.empty();
    partners.push_back(is_alone ? b.size() : found->second.back());
    if (!is_alone) found->second.pop_back();
  }
  return partners;
}

/// Those of `b` that are nobody's partner.
template <typename T>
std::vector<const T*> rest_of(const std::vector<T>& b, const std::vector<std::size_t>& partners) {
  std::vector<bool> is_taken(b.size() + 1, false);
  for (const std::size_t partner : partners) is_taken[partner] = true;
  std::vector<const T*> rest;
  for (std::size_t i = 0; i < b.size(); ++i) {
    if (!is_taken[i]) rest.push_back(&b[i]);
  }
  return rest;
}

// One walk over both sides, which collects changes in an order that does not depend on hashing: the same question has
// the same answer, line by line. Backwards it finds the same changes with their sides exchanged.
class Comparison {
 public:
  Comparison(const DiffSide& before, const DiffSide& after) : before_(before), after_(after) {}

  std::vector<IsaChange> run() {
    compare_units();
    // Instructions before operands, as a reader asks for them.
    compare_leaves(true);
    compare_leaves(false);
    compare_enums();
    return std::move(changes_);
  }

 private:
  void change(Kind kind, std::string part, Text before, Text after) {
    changes_.push_back({kind, subject_, std::move(part), std::move(before), std::move(after)});
  }
  // All comparing is of texts that a reader would see. What is written otherwise and shows the same is no change;
  // whatever is one can be shown.
  void compare(std::string part, const std::string& before, const std::string& after) {
    if (before != after) change(Kind::Changed, std::move(part), before, after);
  }
  // Texts that may be missing: empty ones are.
  void compare_optional(std::string part, const std::string& before, const std::string& after) {
    if (before == after) return;
    change(Kind::Changed, std::move(part), before.empty() ? Text() : before, after.empty() ? Text() : after);
  }

  // An index of a branch counts units, so another unit changes every target without changing an instruction.
  void compare_units() {
    subject_ = "program";
    compare("unit", std::to_string(before_.model.unit_bits()) + " bits",
            std::to_string(after_.model.unit_bits()) + " bits");
  }

  // --- leaves ------------------------------------------------------------------------------------------------------------

  // Leaves of a side by root and name, in their order. The variants of a name stand together.
  struct Group {
    std::string_view root;
    std::string_view name;
    std::vector<BitsetId> leaves;
  };
  // The length keeps names apart that could run into each other: they may contain any character.
  static std::string key_of(std::string_view root, std::string_view name) {
    return std::to_string(root.size()) + ":" + std::string(root) + std::string(name);
  }

  static std::vector<Group> groups_of(const DiffSide& side, bool of_instructions) {
    std::vector<Group> groups;
    std::unordered_map<std::string, std::size_t> index;
    // A root that is both, decoded from and a field's type, counts as instructions.
    std::unordered_set<std::uint32_t> roots;
    for (const InstructionRoot& row : side.model.instruction_roots()) roots.insert(row.root.raw);
    for (const Bitset& root : side.model.bitsets()) {
      if (!root.is_root() || (roots.count(side.model.id_of(root).raw) != 0) != of_instructions) continue;
      for (const BitsetId id : side.model.leaves(root)) {
        const Bitset& leaf = side.model[id];
        if (side.gen && !leaf.gens.contains(*side.gen)) continue;
        const std::string_view root_name = side.model.text(root.name);
        const std::string_view name = side.model.text(leaf.name);
        const auto [place, is_new] = index.emplace(key_of(root_name, name), groups.size());
        if (is_new) groups.push_back({root_name, name, {}});
        groups[place->second].leaves.push_back(id);
      }
    }
    return groups;
  }

  void compare_leaves(bool of_instructions) {
    const std::vector<Group> old_groups = groups_of(before_, of_instructions);
    const std::vector<Group> new_groups = groups_of(after_, of_instructions);
    // Old ones in the order of the old file, then those that came in the order of the new one: stable, and read as a story.
    std::unordered_map<std::string, const Group*> is_new;
    for (const Group& group : new_groups) is_new.emplace(key_of(group.root, group.name), &group);
    const std::string_view noun = of_instructions ? "instruction " : "operand ";
    for (const Group& group : old_groups) {
      subject_ = std::string(noun).append(group.name);
      const auto found = is_new.find(key_of(group.root, group.name));
      if (found == is_new.end()) {
        // One line for each variant: each had an encoding of its own, and what has become of it is another question.
        for (const BitsetId id : group.leaves) mention(Kind::Removed, before_, id);
        continue;
      }
      compare_variants(group.leaves, found->second->leaves);
      // What is left in the table at the end has no partner.
      is_new.erase(found);
    }
    for (const Group& group : new_groups) {
      if (is_new.count(key_of(group.root, group.name)) == 0) continue;
      subject_ = std::string(noun).append(group.name);
      for (const BitsetId id : group.leaves) mention(Kind::Added, after_, id);
    }
  }

  // A leaf as a whole: its pattern and how it is displayed.
  void mention(Kind kind, const DiffSide& side, BitsetId id) {
    const LeafView view = view_of(side.model, side.model[id], side.gen);
    std::string text = view.pattern;
    // The last one is that of the default case, the plainest: what precedes it are exceptions.
    if (!view.displays.empty()) text.append(" ").append(quoted(view.displays.back().text));
    if (!side.gen && view.gens != GenRange{}) text.append(" ").append(gens_text(view.gens));
    if (kind == Kind::Added) change(kind, {}, {}, std::move(text));
    else change(kind, {}, std::move(text), {});
  }

  // Variants for the same generations belong together, then those that are left, in their order.
  void compare_variants(const std::vector<BitsetId>& old_leaves, std::vector<BitsetId> new_leaves) {
    std::vector<BitsetId> left;
    for (const BitsetId id : old_leaves) {
      // Variants of one name are few, one for some generations each, so looking at all of them is
      // fastest.
      const auto same = std::find_if(new_leaves.begin(), new_leaves.end(), [&](BitsetId other) {
        return after_.model[other].gens == before_.model[id].gens;
      });
      if (same == new_leaves.end()) {
        left.push_back(id);
        continue;
      }
      compare_pair(id, *same);
      new_leaves.erase(same);
    }
    const std::size_t pairs = std::min(left.size(), new_leaves.size());
    for (std::size_t i = 0; i < pairs; ++i) compare_pair(left[i], new_leaves[i]);
    for (std::size_t i = pairs; i < left.size(); ++i) mention(Kind::Removed, before_, left[i]);
    for (std::size_t i = pairs; i < new_leaves.size(); ++i) mention(Kind::Added, after_, new_leaves[i]);
  }

  void compare_pair(BitsetId old_id, BitsetId new_id) {
    const LeafView a = view_of(before_.model, before_.model[old_id], before_.gen);
    const LeafView b = view_of(after_.model, after_.model[new_id], after_.gen);
    // Asked about one generation, the reader knows it; that a range ended elsewhere is no answer to his question.
    if (!before_.gen && !after_.gen) compare("generations", gens_text(a.gens), gens_text(b.gens));
    // From the outside in: what kind of word it is, how it is called, what its names mean, what is shown.
    compare("size", a.size, b.size);
    compare("pattern", a.pattern, b.pattern);
    compare("name shown", quoted(a.shown_name), quoted(b.shown_name));
    for (const std::string_view name : a.names) {
      const auto found = b.meanings.find(name);
      compare_meanings(name, a.meanings.at(name),
                       found == b.meanings.end() ? std::vector<MeaningView>() : found->second);
    }
    // Those that only the new side has, in its order.
    for (const std::string_view name : b.names) {
      if (a.meanings.count(name) == 0) compare_meanings(name, {}, b.meanings.at(name));
    }
    compare_conditionals("display", a.displays, b.displays);
    compare_conditionals("assert", a.asserts, b.asserts);
  }

  // Meanings under one condition belong together.
  void compare_meanings(std::string_view name, const std::vector<MeaningView>& old_ones,
                        const std::vector<MeaningView>& new_ones) {
    const std::string text(name);
    const std::vector<std::size_t> partners = partners_of(old_ones, new_ones);
    for (std::size_t i = 0; i < old_ones.size(); ++i) {
      const MeaningView& a = old_ones[i];
      // A partner has the same condition word for word. A condition that was reworded shows as one that went and one
      // that came, since nobody can say in general whether two expressions mean the same.
      if (partners[i] != new_ones.size()) compare_meaning(text, a, new_ones[partners[i]]);
      else change(Kind::Changed, under("field " + text, a.condition), a.brief(), {});
    }
    for (const MeaningView* b : rest_of(new_ones, partners))
      change(Kind::Changed, under("field " + text, b->condition), {}, b->brief());
  }

  void compare_meaning(const std::string& name, const MeaningView& a, const MeaningView& b) {
    const std::string_view condition = a.condition;
    // A line for each attribute rather than one for the field: "bits 19:18 -> 20:18" can be read at a glance.
    compare_optional(under("bits of " + name, condition), a.bits, b.bits);
    compare_optional(under("value of " + name, condition), a.value, b.value);
    compare_optional(under("type of " + name, condition), a.type, b.type);
    compare_optional(under("text of " + name, condition), a.shows, b.shows);
    compare_optional(under("params of " + name, condition), a.params, b.params);
    compare(under("call of " + name, condition), a.is_call ? "true" : "false", b.is_call ? "true" : "false");
  }

  void compare_conditionals(std::string_view part, const std::vector<Conditional>& old_ones,
                            const std::vector<Conditional>& new_ones) {
    if (old_ones == new_ones) return;
    const std::size_t before = changes_.size();
    const std::vector<std::size_t> partners = partners_of(old_ones, new_ones);
    for (std::size_t i = 0; i < old_ones.size(); ++i) {
      const Conditional& a = old_ones[i];
      const bool is_gone = partners[i] == new_ones.size();
      if (is_gone) change(Kind::Changed, under(part, a.condition), quoted(a.text), {});
      else compare(under(part, a.condition), quoted(a.text), quoted(new_ones[partners[i]].text));
    }
    for (const Conditional* b : rest_of(new_ones, partners))
      change(Kind::Changed, under(part, b->condition), {}, quoted(b->text));
    // They differ, and yet nothing above has found a difference.
    // The first that holds counts (isaspec 2.5), so the same texts in another order are another instruction set.
    if (changes_.size() == before)
      change(Kind::Changed, "order of " + std::string(part) + "s", order_of(old_ones), order_of(new_ones));
  }
  static std::string order_of(const std::vector<Conditional>& all) {
    std::string text;
    for (const Conditional& one : all)
      text.append(text.empty() ? "" : ", ").append(under(quoted(one.text), one.condition));
    return text;
  }

  // --- enums -------------------------------------------------------------------------------------------------------------

  static std::unordered_map<std::string_view, const Enum*> enums_by_name(const Model& model) {
    std::unordered_map<std::string_view, const Enum*> enums;
    for (const Enum& e : model.enums()) enums.insert_or_assign(model.text(e.name), &e);  // the last counts
    return enums;
  }

  void compare_enums() {
    // Enums know no generations.
    if (&before_.model == &after_.model) return;
    const std::unordered_map<std::string_view, const Enum*> old_ones = enums_by_name(before_.model);
    const std::unordered_map<std::string_view, const Enum*> new_ones = enums_by_name(after_.model);
    for (const Enum& e : before_.model.enums()) {
      const std::string_view name = before_.model.text(e.name);
      subject_ = "enum " + std::string(name);
      const auto found = new_ones.find(name);
      if (found == new_ones.end()) change(Kind::Removed, {}, counted(e.values.count, "value"), {});
      else compare_values(before_.model.values(e), after_.model.values(*found->second));
    }
    for (const Enum& e : after_.model.enums()) {
      const std::string_view name = after_.model.text(e.name);
      if (old_ones.contains(name)) continue;
      subject_ = "enum " + std::string(name);
      change(Kind::Added, {}, {}, counted(e.values.count, "value"));
    }
  }

  static std::string text_of(const EnumValue& value) {
    std::string text = quoted(value.display);
    if (!value.name.empty()) text.append(" ").append(value.name);
    return text;
  }

  // Of equal numbers the first counts. A text that only went to another number is renumbered.
  void compare_values(std::span<const EnumValue> old_values, std::span<const EnumValue> new_values) {
    std::unordered_map<std::uint64_t, std::string> old_texts;
    std::unordered_map<std::uint64_t, std::string> new_texts;
    for (const EnumValue& value : old_values) old_texts.emplace(value.number, text_of(value));
    for (const EnumValue& value : new_values) new_texts.emplace(value.number, text_of(value));
    // Texts that are new at their number, in order: where one that is gone may have gone to.
    std::unordered_map<std::string, std::uint64_t> arrived;
    for (const EnumValue& value : new_values) {
      const auto old = old_texts.find(value.number);
      if (old == old_texts.end() || old->second != new_texts.at(value.number))
        arrived.emplace(new_texts.at(value.number), value.number);
    }
    std::unordered_set<std::uint64_t> is_explained;
    std::unordered_set<std::uint64_t> seen;
    for (const EnumValue& value : old_values) {
      if (!seen.insert(value.number).second) continue;
      const std::string& text = old_texts.at(value.number);
      const auto now = new_texts.find(value.number);
      if (now != new_texts.end() && now->second == text) continue;
      if (const auto moved = arrived.find(text); moved != arrived.end()) {
        change(Kind::Changed, "number of " + text, std::to_string(value.number), std::to_string(moved->second));
        is_explained.insert(moved->second);
        arrived.erase(moved);
      } else {
        const bool is_replaced = now != new_texts.end() && is_explained.insert(value.number).second;
        change(Kind::Changed, "value " + std::to_string(value.number), text, is_replaced ? Text(now->second) : Text());
      }
    }
    seen.clear();
    for (const EnumValue& value : new_values) {
      if (!seen.insert(value.number).second || is_explained.count(value.number) != 0) continue;
      const std::string& text = new_texts.at(value.number);
      const auto old = old_texts.find(value.number);
      if (old != old_texts.end() && old->second == text) continue;
      change(Kind::Changed, "value " + std::to_string(value.number), {}, text);
    }
  }

  const DiffSide& before_;
  const DiffSide& after_;
  std::string subject_;
  std::vector<IsaChange> changes_;
};

}  // namespace

std::vector<IsaChange> diff(const DiffSide& before, const DiffSide& after) { return Comparison(before, after).run(); }

std::string to_line(const IsaChange& change) {
  // In the order of IsaChange::Kind. `none` stands only where something changed: what came or went says so by its sign.
  constexpr std::string_view signs[] = {"+ ", "- ", "~ "};
  std::string text(signs[static_cast<std::size_t>(change.kind)]);
  text += change.subject;
  if (!change.part.empty()) text.append(": ").append(change.part);
  if (change.before || change.after) text += ": ";
  if (change.kind == Kind::Changed && !change.before) text += "none";
  if (change.before) text += *change.before;
  if (change.kind == Kind::Changed) text += " -> ";
  if (change.kind == Kind::Changed && !change.after) text += "none";
  if (change.after) text += *change.after;
  std::string line;
  // Names and texts are the description's: control characters in them must not reach a terminal.
  append_printable(line, text);
  return line;
}

}  // namespace vireo::isa
