// SPDX-License-Identifier: Apache-2.0
//
// Compares two sides leaf by leaf and enum by enum.
//
// Compare leaves as the decoder reads them. Each leaf is flattened (leaf_view.h), with its conditions
// folded for the generation (fold.h). So moving rows between a leaf and its parent is no change, and two generations of
// one description compare like two descriptions. Leaves are matched by name: a renamed instruction counts as removed
// and added. Matching uses hash tables, so the time is nearly linear.
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
// None: that side lacks the part, which differs from a part with an empty text.
using Text = std::optional<std::string>;

// The condition is part of the changed part's name: one field may have five definitions under five conditions.
std::string under(std::string_view part, std::string_view condition) {
  std::string text(part);
  if (!condition.empty()) text.append(" if ").append(condition);
  return text;
}

std::string quoted(std::string_view text) { return "\"" + std::string(text) + "\""; }

/// Returns, for each element of `a`, the index in `b` of the element with the same condition; b.size() if there is
/// none. If several elements have the same condition, they are matched in order.
template <typename T>
std::vector<std::size_t> partners_of(const std::vector<T>& a, const std::vector<T>& b) {
  std::unordered_map<std::string_view, std::vector<std::size_t>> places;  // in reverse order
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

/// Returns the elements of `b` without a partner.
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

// Collects the changes in an order that does not depend on hashing, so that the output is deterministic. Exchanging the
// sides gives the same changes with their sides exchanged.
class Comparison {
 public:
  Comparison(const DiffSide& before, const DiffSide& after) : before_(before), after_(after) {}

  std::vector<IsaChange> run() {
    compare_units();
    // Instructions come before operands.
    compare_leaves(true);
    compare_leaves(false);
    compare_enums();
    return std::move(changes_);
  }

 private:
  void change(Kind kind, std::string part, Text before, Text after) {
    changes_.push_back({kind, subject_, std::move(part), std::move(before), std::move(after)});
  }
  // Only texts that a reader can see are compared, so different spellings with the same text are no change.
  void compare(std::string part, const std::string& before, const std::string& after) {
    if (before != after) change(Kind::Changed, std::move(part), before, after);
  }
  // For parts that may be missing: an empty text means missing.
  void compare_optional(std::string part, const std::string& before, const std::string& after) {
    if (before == after) return;
    change(Kind::Changed, std::move(part), before.empty() ? Text() : before, after.empty() ? Text() : after);
  }

  // Branch targets count units, so another unit changes every target.
  void compare_units() {
    subject_ = "program";
    compare("unit", std::to_string(before_.model.unit_bits()) + " bits",
            std::to_string(after_.model.unit_bits()) + " bits");
  }

  // --- leaves ------------------------------------------------------------------------------------------------------------

  // The leaves of a side by root and name, in order: the variants of a name form one group.
  struct Group {
    std::string_view root;
    std::string_view name;
    std::vector<BitsetId> leaves;
  };
  // Names may contain any character, so the key contains the length of the first name.
  static std::string key_of(std::string_view root, std::string_view name) {
    return std::to_string(root.size()) + ":" + std::string(root) + std::string(name);
  }

  static std::vector<Group> groups_of(const DiffSide& side, bool of_instructions) {
    std::vector<Group> groups;
    std::unordered_map<std::string, std::size_t> index;
    // A root that is both an instruction root and a field's type counts as an instruction root.
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
    // Old leaves in their order, then new ones in theirs, so the output is stable.
    std::unordered_map<std::string, const Group*> is_new;
    for (const Group& group : new_groups) is_new.emplace(key_of(group.root, group.name), &group);
    const std::string_view noun = of_instructions ? "instruction " : "operand ";
    for (const Group& group : old_groups) {
      subject_ = std::string(noun).append(group.name);
      const auto found = is_new.find(key_of(group.root, group.name));
      if (found == is_new.end()) {
        // One line for each variant, because each had its own encoding.
        for (const BitsetId id : group.leaves) report_leaf(Kind::Removed, before_, id);
        continue;
      }
      compare_variants(group.leaves, found->second->leaves);
      // Groups that remain in the table at the end have no partner.
      is_new.erase(found);
    }
    for (const Group& group : new_groups) {
      if (is_new.count(key_of(group.root, group.name)) == 0) continue;
      subject_ = std::string(noun).append(group.name);
      for (const BitsetId id : group.leaves) report_leaf(Kind::Added, after_, id);
    }
  }

  // Reports a whole leaf with its pattern and its display.
  void report_leaf(Kind kind, const DiffSide& side, BitsetId id) {
    const LeafView view = view_of(side.model, side.model[id], side.gen);
    std::string text = view.pattern;
    // The last display is that of the default case; earlier ones belong to overrides.
    if (!view.displays.empty()) text.append(" ").append(quoted(view.displays.back().text));
    if (!side.gen && view.gens != GenRange{}) text.append(" ").append(gens_text(view.gens));
    if (kind == Kind::Added) change(kind, {}, {}, std::move(text));
    else change(kind, {}, std::move(text), {});
  }

  // Matches variants with equal generations first, and then the others in order.
  void compare_variants(const std::vector<BitsetId>& old_leaves, std::vector<BitsetId> new_leaves) {
    std::vector<BitsetId> unmatched;
    for (const BitsetId id : old_leaves) {
      // A name has few variants, so a linear search is fastest.
      const auto same = std::find_if(new_leaves.begin(), new_leaves.end(), [&](BitsetId other) {
        return after_.model[other].gens == before_.model[id].gens;
      });
      if (same == new_leaves.end()) {
        unmatched.push_back(id);
        continue;
      }
      compare_pair(id, *same);
      new_leaves.erase(same);
    }
    const std::size_t pairs = std::min(unmatched.size(), new_leaves.size());
    for (std::size_t i = 0; i < pairs; ++i) compare_pair(unmatched[i], new_leaves[i]);
    for (std::size_t i = pairs; i < unmatched.size(); ++i) report_leaf(Kind::Removed, before_, unmatched[i]);
    for (std::size_t i = pairs; i < new_leaves.size(); ++i) report_leaf(Kind::Added, after_, new_leaves[i]);
  }

  void compare_pair(BitsetId old_id, BitsetId new_id) {
    const LeafView a = view_of(before_.model, before_.model[old_id], before_.gen);
    const LeafView b = view_of(after_.model, after_.model[new_id], after_.gen);
    // If one generation was requested, changes of the range of generations are irrelevant.
    if (!before_.gen && !after_.gen) compare("generations", gens_text(a.gens), gens_text(b.gens));
    // Order: size, pattern, displayed name, definitions of names, displays, asserts.
    compare("size", a.size, b.size);
    compare("pattern", a.pattern, b.pattern);
    compare("name shown", quoted(a.shown_name), quoted(b.shown_name));
    for (const std::string_view name : a.names) {
      const auto found = b.meanings.find(name);
      compare_meanings(name, a.meanings.at(name),
                       found == b.meanings.end() ? std::vector<MeaningView>() : found->second);
    }
    // Names that only the new side has, in its order.
    for (const std::string_view name : b.names) {
      if (a.meanings.count(name) == 0) compare_meanings(name, {}, b.meanings.at(name));
    }
    compare_conditionals("display", a.displays, b.displays);
    compare_conditionals("assert", a.asserts, b.asserts);
  }

  // Compares the definitions of a name. Those with equal conditions are matched.
  void compare_meanings(std::string_view name, const std::vector<MeaningView>& old_ones,
                        const std::vector<MeaningView>& new_ones) {
    const std::string text(name);
    const std::vector<std::size_t> partners = partners_of(old_ones, new_ones);
    for (std::size_t i = 0; i < old_ones.size(); ++i) {
      const MeaningView& a = old_ones[i];
      // Conditions match only if their texts are equal. A reworded condition gives one removal and one addition,
      // because the function does not check whether expressions are equivalent.
      if (partners[i] != new_ones.size()) compare_meaning(text, a, new_ones[partners[i]]);
      else change(Kind::Changed, under("field " + text, a.condition), a.brief(), {});
    }
    for (const MeaningView* b : rest_of(new_ones, partners))
      change(Kind::Changed, under("field " + text, b->condition), {}, b->brief());
  }

  void compare_meaning(const std::string& name, const MeaningView& a, const MeaningView& b) {
    const std::string_view condition = a.condition;
    // One line per attribute: "bits 19:18 -> 20:18" is easier to read than one line for the whole field.
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
      const bool is_removed = partners[i] == new_ones.size();
      if (is_removed) change(Kind::Changed, under(part, a.condition), quoted(a.text), {});
      else compare(under(part, a.condition), quoted(a.text), quoted(new_ones[partners[i]].text));
    }
    for (const Conditional* b : rest_of(new_ones, partners))
      change(Kind::Changed, under(part, b->condition), {}, quoted(b->text));
    // The lists differ although no element does, so the order differs. The order matters, because the first display
    // whose condition holds is used (isaspec 2.5).
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
    for (const Enum& e : model.enums()) enums.insert_or_assign(model.text(e.name), &e);  // the last one counts
    return enums;
  }

  void compare_enums() {
    // Enums are the same in all generations.
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

  // If several rows have one number, the first counts. A text that moved to another number is reported as renumbered.
  void compare_values(std::span<const EnumValue> old_values, std::span<const EnumValue> new_values) {
    std::unordered_map<std::uint64_t, std::string> old_texts;
    std::unordered_map<std::uint64_t, std::string> new_texts;
    for (const EnumValue& value : old_values) old_texts.emplace(value.number, text_of(value));
    for (const EnumValue& value : new_values) new_texts.emplace(value.number, text_of(value));
    // Texts that are new at their number, in order. One of them may have moved from another number.
    std::unordered_map<std::string, std::uint64_t> new_numbers;
    for (const EnumValue& value : new_values) {
      const auto old = old_texts.find(value.number);
      if (old == old_texts.end() || old->second != new_texts.at(value.number))
        new_numbers.emplace(new_texts.at(value.number), value.number);
    }
    std::unordered_set<std::uint64_t> is_reported;
    std::unordered_set<std::uint64_t> seen;
    for (const EnumValue& value : old_values) {
      if (!seen.insert(value.number).second) continue;
      const std::string& text = old_texts.at(value.number);
      const auto now = new_texts.find(value.number);
      if (now != new_texts.end() && now->second == text) continue;
      if (const auto moved = new_numbers.find(text); moved != new_numbers.end()) {
        change(Kind::Changed, "number of " + text, std::to_string(value.number), std::to_string(moved->second));
        is_reported.insert(moved->second);
        new_numbers.erase(moved);
      } else {
        const bool is_replaced = now != new_texts.end() && is_reported.insert(value.number).second;
        change(Kind::Changed, "value " + std::to_string(value.number), text, is_replaced ? Text(now->second) : Text());
      }
    }
    seen.clear();
    for (const EnumValue& value : new_values) {
      if (!seen.insert(value.number).second || is_reported.count(value.number) != 0) continue;
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
  // In the order of IsaChange::Kind. Only Changed prints `none`; for the others the sign is enough.
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
  // Names and texts come from the description, so control characters are escaped.
  append_printable(line, text);
  return line;
}

}  // namespace vireo::isa
