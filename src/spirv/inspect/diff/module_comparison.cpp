// SPDX-License-Identifier: Apache-2.0
//
// Compares paired modules (module_comparison.h).
#include "spirv/inspect/diff/module_comparison.h"

#include <algorithm>
#include <utility>

#include "spirv/grammar/opcode_families.h"
#include "spirv/inspect/diff/key_join.h"

namespace vireo::spirv {
namespace {

using enum Op;

// The literals after the owner that identify an attribute, such as the member and the decoration.
std::size_t selector_size(Op opcode) {
  if (is_member_decoration(opcode)) return 2;
  return opcode == OpMemberName || is_object_decoration(opcode) || is_execution_mode(opcode) ? 1 : 0;
}

// The keys of an attribute, from exact to coarse. An id counts as its partner in the second module.
enum class AttributeKey : std::uint8_t { All, Selector, Owner };
constexpr AttributeKey attribute_keys[] = {AttributeKey::All, AttributeKey::Selector, AttributeKey::Owner};

// `partner` maps an id to a number that both sides share.
template <typename Partner>
std::uint64_t key_of(const DiffSide& side, const Attribute& attribute, AttributeKey which, Partner&& partner) {
  const InstructionView view = side.module().instruction(attribute.instruction);
  KeyHash hash;
  hash.add(static_cast<std::uint64_t>(view.opcode));
  hash.add(partner(attribute.owner));
  hash.add(attribute.ordinal);
  const auto add_words = [&](const InstructionView& words) {
    for (std::size_t w = 0; w < words.word_count; ++w) {
      if (side.is_id(words, w)) hash.add(partner(words.first[w]) | std::uint64_t{1} << 40);
      else hash.add(words.first[w]);
    }
  };
  if (which == AttributeKey::All) {
    add_words(view);
    if (!attribute.continued.is_none()) add_words(side.module().instruction(attribute.continued));
  } else if (which == AttributeKey::Selector) {
    for (std::size_t w = 2; w < 2 + selector_size(view.opcode); ++w) hash.add(view.word(w));
  }
  return hash.value();
}

}  // namespace

ModuleComparison::ModuleComparison(const DiffSide& before, const DiffSide& after, Pairing& pairing)
    : before_(before),
      after_(after),
      pairing_(pairing),
      kinds_(before.module().instruction_count(), Kind::Same),
      is_addition_(after.module().instruction_count()) {
  compare_attributes();
  compare_instructions();
}

void ModuleComparison::compare_attributes() {
  std::vector<bool> is_left_done(before_.attributes().size()), is_right_done(after_.attributes().size());
  const auto partner_of_left = [&](Word id) -> std::uint64_t {
    if (id == 0) return 0;
    // An id without partner has a number that no id of the second module has.
    return pairing_.before.ids[id] != 0 ? pairing_.before.ids[id] : std::uint64_t{1} << 36 | id;
  };
  const auto partner_of_right = [](Word id) -> std::uint64_t { return id; };
  std::vector<std::pair<std::uint32_t, std::uint32_t>> changed;  // attributes of both modules
  for (const AttributeKey which : attribute_keys) {
    KeyedItems left, right;
    for (std::uint32_t a = 0; a < is_left_done.size(); ++a) {
      if (!is_left_done[a]) left.emplace_back(key_of(before_, before_.attributes()[a], which, partner_of_left), a);
    }
    for (std::uint32_t a = 0; a < is_right_done.size(); ++a) {
      if (!is_right_done[a]) right.emplace_back(key_of(after_, after_.attributes()[a], which, partner_of_right), a);
    }
    for_each_common_key(left, right, [&](auto a, auto a_end, auto b, auto b_end) {
      for (; a != a_end && b != b_end; ++a, ++b) {
        const std::uint32_t i = before_.attributes()[a->second].instruction.raw;
        const std::uint32_t j = after_.attributes()[b->second].instruction.raw;
        if (which == AttributeKey::All && !are_equal(i, j)) continue;  // equal hashes by chance
        is_left_done[a->second] = is_right_done[b->second] = true;
        const bool is_free =
            pairing_.before.instructions[i] == no_partner && pairing_.after.instructions[j] == no_partner;
        if (is_free) pairing_.pair_instructions(i, j);
        if (which != AttributeKey::All) changed.emplace_back(a->second, b->second);
      }
    });
  }
  for (const auto& [a, b] : changed) {
    const Attribute &left = before_.attributes()[a], &right = after_.attributes()[b];
    const std::uint32_t i = left.instruction.raw, j = right.instruction.raw;
    // A continuation of an instruction that changed.
    const bool continues_partner = !left.continued.is_none() && !right.continued.is_none() &&
                                   pairing_.before.instructions[left.continued.raw] == right.continued.raw;
    if (continues_partner && are_equal(i, j)) continue;
    if (kinds_[i] == Kind::Same) kinds_[i] = Kind::Changed;
    // A line that belongs to several definitions may have several partners.
    if (pairing_.after.instructions[j] == no_partner) is_addition_[j] = true;
  }
  // A line is an attribute of each definition after it. If only a new or removed definition lacks a partner for it, the
  // line itself is neither new nor removed.
  for (std::uint32_t a = 0; a < is_left_done.size(); ++a) {
    const auto& [instruction, owner, continued, ordinal] = before_.attributes()[a];
    const bool is_shared =
        owner != 0 && pairing_.before.instructions[instruction.raw] != no_partner && pairing_.before.ids[owner] == 0;
    if (!is_left_done[a] && !is_shared) kinds_[instruction.raw] = Kind::Removed;
  }
  for (std::uint32_t a = 0; a < is_right_done.size(); ++a) {
    const auto& [instruction, owner, continued, ordinal] = after_.attributes()[a];
    const bool is_shared =
        owner != 0 && pairing_.after.instructions[instruction.raw] != no_partner && pairing_.after.ids[owner] == 0;
    if (!is_right_done[a] && !is_shared) is_addition_[instruction.raw] = true;
  }
}

bool ModuleComparison::are_equal(std::uint32_t i, std::uint32_t j) const {
  const InstructionView left = before_.instruction(i), right = after_.instruction(j);
  if (left.first[0] != right.first[0]) return false;
  for (std::size_t w = 1; w < left.word_count; ++w) {
    const bool is_id = before_.is_id(left, w);
    if (is_id != after_.is_id(right, w)) return false;
    if ((is_id ? pairing_.before.ids[left.first[w]] : left.first[w]) != right.first[w]) return false;
  }
  return true;
}

// Definitions, and the instructions of functions. Attributes are compared already.
void ModuleComparison::compare_instructions() {
  const auto is_compared = [](const DiffSide& side, std::uint32_t i) {
    return side.result_of(i) != 0 || !side.function_of(i).is_none();
  };
  for (std::uint32_t i = 0; i < kinds_.size(); ++i) {
    if (!is_compared(before_, i)) continue;
    const std::uint32_t j = pairing_.before.instructions[i];
    if (j == no_partner) kinds_[i] = Kind::Removed;
    else if (pairing_.is_moved[i]) kinds_[i] = Kind::MovedFrom;
    else if (!are_equal(i, j)) kinds_[i] = Kind::Changed;
    if (j != no_partner && pairing_.is_moved[i]) is_addition_[j] = true;
  }
  for (std::uint32_t j = 0; j < is_addition_.size(); ++j) {
    if (is_compared(after_, j) && pairing_.after.instructions[j] == no_partner) is_addition_[j] = true;
  }
}

std::vector<ModuleChange> ModuleComparison::changes(std::span<const DiffLine> lines) {
  std::vector<ModuleChange> changes;
  for (const DiffLine& line : lines) {
    const InstructionIndex before(line.before), after(line.after);
    switch (line.kind) {
      case Kind::Same:
      case Kind::MovedTo: break;  // MovedFrom lists it
      case Kind::Changed: changes.push_back({ChangeKind::Changed, before, after}); break;
      case Kind::Removed: changes.push_back({ChangeKind::Removed, before, {}}); break;
      case Kind::Added: changes.push_back({ChangeKind::Added, {}, after}); break;
      case Kind::MovedFrom: changes.push_back({ChangeKind::Moved, before, after}); break;
    }
  }
  return changes;
}

// For each instruction of the second module the number of instructions of the first one that precede it in the text.
std::vector<std::uint32_t> ModuleComparison::places_of_additions() const {
  std::vector<std::uint32_t> places(is_addition_.size());
  for (std::size_t s = 0; s < section_count; ++s) {
    const InstructionRange section = after_.module().section(static_cast<Section>(s));
    // At the end of the section, unless an instruction with a partner precedes it.
    std::uint32_t place = before_.module().section(static_cast<Section>(s)).end;
    for (std::uint32_t j = section.first; j < section.end; ++j) {
      const std::uint32_t i = pairing_.after.instructions[j];
      if (i != no_partner && !pairing_.is_moved[i]) place = i + 1;
      places[j] = place;
    }
  }
  return places;
}

std::vector<DiffLine> ModuleComparison::lines() const {
  const std::vector<std::uint32_t> places = places_of_additions();
  std::vector<std::uint32_t> additions;
  for (std::uint32_t j = 0; j < is_addition_.size(); ++j) {
    if (is_addition_[j]) additions.push_back(j);
  }
  std::ranges::stable_sort(additions, {}, [&](std::uint32_t j) { return places[j]; });
  std::vector<DiffLine> lines;
  lines.reserve(kinds_.size() + additions.size());
  auto next = additions.begin();
  const auto add_until = [&](std::uint32_t place) {
    for (; next != additions.end() && places[*next] <= place; ++next) {
      const std::uint32_t i = pairing_.after.instructions[*next];
      const bool is_moved = i != no_partner && pairing_.is_moved[i];
      lines.push_back({is_moved ? Kind::MovedTo : Kind::Added, is_moved ? i : no_partner, *next});
    }
  };
  for (std::uint32_t i = 0; i < kinds_.size(); ++i) {
    add_until(i);
    const bool has_partner = kinds_[i] != Kind::Removed;
    lines.push_back({kinds_[i], i, has_partner ? pairing_.before.instructions[i] : no_partner});
  }
  add_until(static_cast<std::uint32_t>(kinds_.size()));
  return lines;
}

}  // namespace vireo::spirv
