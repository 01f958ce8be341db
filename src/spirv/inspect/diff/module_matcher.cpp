// SPDX-License-Identifier: Apache-2.0
//
// Pairs definitions and functions (module_matcher.h).
#include "spirv/inspect/diff/module_matcher.h"

#include <algorithm>
#include <map>

namespace vireo::spirv {
namespace {

constexpr int most_rounds = 8;

}  // namespace

ModuleMatcher::ModuleMatcher(const DiffSide& before, const DiffSide& after, Pairing& pairing)
    : before_{before, pairing.before, {}},
      after_{after, pairing.after, {}},
      pairing_(pairing),
      aligner_(before, after, pairing) {}

void ModuleMatcher::run() {
  pair_definitions();
  pair_functions();
  const auto is_paired = [](const SidePairs& pairs) {
    return std::ranges::count(pairs.ids, Word{0}) == 1;  // the element that is no id
  };
  if (is_paired(pairing_.before) && is_paired(pairing_.after)) return;
  for (int round = 0; round < most_rounds && pair_by_votes(); ++round) {}
  pair_definitions();
  pair_similar_functions();
  for (int round = 0; round < most_rounds && pair_by_votes(); ++round) {}
  pair_in_order(IdPlace::Function, [](const Side& side, Word id) { return content_of(side, id).full; });
  pair_in_order(IdPlace::Global, [](const Side& side, Word id) { return side.pairs.tokens[id]; });
  for (int round = 0; round < most_rounds && pair_by_votes(); ++round) {}
  pair_undefined_ids();
  // A constant with another value, if it is the only one that is left of its type.
  pair_unique(IdPlace::Global, [](const Side& side, Word id) {
    const InstructionView view = side.module.module().find(id);
    const Word type = side.module.module().type_of(view);
    return key_hash(static_cast<std::uint64_t>(view.opcode), type == 0 ? 0 : side.pairs.tokens[type]);
  });
}

// --- definitions ----------------------------------------------------------------------------------------------------

void ModuleMatcher::compute_tokens(Attributes attributes) {
  compute_tokens(before_, attributes);
  compute_tokens(after_, attributes);
}

// In the order of the module, so that the ids that an instruction uses usually have their tokens. The tokens of
// functions depend on the type only.
void ModuleMatcher::compute_tokens(Side& side, Attributes attributes) const {
  const DiffSide& module = side.module;
  for (Word id = 1; id <= module.id_count(); ++id) {
    if (side.pairs.ids[id] == 0)
      side.pairs.tokens[id] = id_token::undefined | static_cast<std::uint64_t>(module.opcode_of(id));
  }
  for (const Word id : module.globals()) {
    if (side.pairs.ids[id] != 0) continue;
    const InstructionView view = module.module().find(id);
    KeyHash hash;
    hash.add(view.first[0]);
    for (std::size_t w = 1; w < view.word_count; ++w) {
      const Word word = view.first[w];
      if (!module.is_id(view, w)) hash.add(word);
      else hash.add(word == id ? id_token::result : side.pairs.tokens[word]);
    }
    if (attributes == Attributes::Included) hash.add(module.attribute_key(id));
    side.pairs.tokens[id] = hash.value();
  }
}

// Each round uses the pairs of the previous rounds.
void ModuleMatcher::pair_definitions() {
  const auto token = [](const Side& side, Word id) { return side.pairs.tokens[id]; };
  const auto named = [](std::uint64_t (DiffSide::*key)(Word) const) {
    return [key](const Side& side, Word id) {
      const std::uint64_t value = (side.module.*key)(id);
      return value == 0 ? 0 : key_hash(value, static_cast<std::uint64_t>(side.module.opcode_of(id)));
    };
  };
  // A type whose content differs: the only one of its kind that is left.
  const auto kind_of_type = [](const Side& side, Word id) {
    const InstructionView view = side.module.module().find(id);
    return side.module.module().type_of(view) != 0 ? 0 : static_cast<std::uint64_t>(view.opcode) + 1;
  };
  compute_tokens(Attributes::Included);
  pair_unique(IdPlace::Global, token);
  for (int round = 0; round < most_rounds; ++round) {
    compute_tokens(Attributes::Ignored);
    follow_pairs();
    bool found = pair_unique(IdPlace::Global, named(&DiffSide::name_key));
    found |= pair_unique(IdPlace::Global, token);
    found |= pair_unique(IdPlace::Global, named(&DiffSide::interface_key));
    found = found || pair_unique(IdPlace::Global, [&](const Side& side, Word id) { return weak_token(side, id); });
    if (!found && !pair_unique(IdPlace::Global, kind_of_type)) break;
  }
  compute_tokens(Attributes::Ignored);
}

// Like the token, but ids without partner count with their opcode only.
std::uint64_t ModuleMatcher::weak_token(const Side& side, Word id) const {
  const DiffSide& module = side.module;
  const InstructionView view = module.module().find(id);
  KeyHash hash;
  hash.add(view.first[0]);
  for (std::size_t w = 1; w < view.word_count; ++w) {
    const Word word = view.first[w];
    if (!module.is_id(view, w)) hash.add(word);
    else if (word == id) hash.add(id_token::result);
    else if (side.pairs.ids[word] != 0) hash.add(side.pairs.tokens[word]);
    else hash.add(id_token::undefined | static_cast<std::uint64_t>(module.opcode_of(word)));
  }
  return hash.value();
}

// The unpaired ids with their keys. An id with the key 0 has none.
template <typename Key>
KeyedItems ModuleMatcher::items(const Side& side, IdPlace place, Key&& key) const {
  KeyedItems found;
  for (const Word id : side.module.globals()) {
    if (side.pairs.ids[id] != 0 || side.module.place_of(id) != place) continue;
    if (const std::uint64_t value = key(side, id); value != 0) found.emplace_back(value, id);
  }
  return found;
}

template <typename Key>
bool ModuleMatcher::pair_unique(IdPlace place, Key&& key) {
  KeyedItems left = items(before_, place, key), right = items(after_, place, key);
  bool found = false;
  for_each_unique_pair(left, right, [&](Word x, Word y) {
    pair_ids(x, y);
    found = true;
  });
  if (place == IdPlace::Global) follow_pairs();
  return found;
}

// Follows each pair before the next one, because it can decide on other pairs with this key.
template <typename Key>
void ModuleMatcher::pair_in_order(IdPlace place, Key&& key) {
  KeyedItems left = items(before_, place, key), right = items(after_, place, key);
  for_each_common_key(left, right, [&](auto i, auto i_end, auto j, auto j_end) {
    while (true) {
      while (i != i_end && before_.pairs.ids[i->second] != 0) ++i;
      while (j != j_end && after_.pairs.ids[j->second] != 0) ++j;
      if (i == i_end || j == j_end) return;
      pair_ids(i->second, j->second);
      follow_pairs();
    }
  });
}

// An id whose definition was removed can keep its names and decorations.
void ModuleMatcher::pair_undefined_ids() {
  const auto attributed = [](const Side& side, bool is_undefined) {
    KeyedItems found;
    for (Word id = 1; id <= side.module.id_count(); ++id) {
      const std::uint64_t key = side.module.attribute_key(id);
      if (key == 0 || side.pairs.ids[id] != 0) continue;
      if (!is_undefined || side.module.place_of(id) == IdPlace::Undefined) found.emplace_back(key, id);
    }
    return found;
  };
  for (const bool is_removed : {true, false}) {
    KeyedItems left = attributed(before_, !is_removed), right = attributed(after_, is_removed);
    for_each_unique_pair(left, right, [&](Word x, Word y) { pair_ids(x, y); });
  }
}

// --- functions ------------------------------------------------------------------------------------------------------

void ModuleMatcher::read_contents(Side& side) const {
  const DiffSide& module = side.module;
  const auto functions = module.module().functions();
  side.contents.assign(functions.size(), {});
  for (const FunctionRow& function : functions) {
    FunctionContent& content = side.contents[module.module().index_of(function).index()];
    KeyHash hash;
    for (const auto [index, view] : module.module().instructions(function.all)) {
      hash.add(view.first[0]);
      for (std::size_t w = 1; w < view.word_count; ++w) {
        const Word word = view.first[w];
        if (!module.is_id(view, w)) {
          hash.add(word);
          continue;
        }
        const InstructionIndex definition = module.module().definition(word);
        const IdPlace place = module.place_of(word);
        if (place == IdPlace::Local) {
          hash.add(function.all.contains(definition) ? id_token::own_local | (definition.raw - function.all.first)
                                                     : id_token::of_other_function);
        } else if (definition.raw == function.all.first) {
          hash.add(id_token::result);
        } else {
          hash.add(side.pairs.tokens[word]);
          if (place == IdPlace::Function && side.pairs.ids[word] == 0) content.callees.push_back(word);
        }
      }
    }
    content.own = content.full = hash.value();
  }
  std::vector<std::uint64_t> next(functions.size());
  for (int depth = 0; depth < most_rounds; ++depth) {
    for (std::size_t f = 0; f < functions.size(); ++f) {
      KeyHash hash;
      hash.add(side.contents[f].own);
      for (const Word callee : side.contents[f].callees) hash.add(content_of(side, callee).full);
      next[f] = hash.value();
    }
    for (std::size_t f = 0; f < functions.size(); ++f) side.contents[f].full = next[f];
  }
}

void ModuleMatcher::pair_functions() {
  read_contents(before_);
  read_contents(after_);
  const auto full = [](const Side& side, Word id) { return content_of(side, id).full; };
  const auto own = [](const Side& side, Word id) { return content_of(side, id).own; };
  const auto with_attributes = [](auto key) {
    return [key](const Side& side, Word id) { return key_hash(key(side, id), side.module.attribute_key(id)); };
  };
  pair_unique(IdPlace::Function, with_attributes(full));
  pair_unique(IdPlace::Function, with_attributes(own));
  pair_unique(IdPlace::Function, [](const Side& side, Word id) { return side.module.name_key(id); });
  pair_unique(IdPlace::Function, full);
  pair_unique(IdPlace::Function, own);
  follow_pairs();
}

// A function that was renamed and changed: at least half of the smaller one must occur in the other.
void ModuleMatcher::pair_similar_functions() {
  const auto instructions = [](const Side& side) {
    KeyedItems found;
    FunctionKeys keys;
    for (const FunctionRow& function : side.module.module().functions()) {
      const Word id = side.module.result_of(function.all.first);
      if (id == 0 || side.pairs.ids[id] != 0) continue;
      keys.read(side.module, side.pairs, function);
      for (const AlignmentKeys& each : keys.keys(function.all)) found.emplace_back(each.near, id);
    }
    return found;
  };
  const auto size = [](const Side& side, Word id) {
    const FunctionIndex function = side.module.function_of(side.module.definition(id));
    return side.module.module().functions()[function.index()].all.size();
  };
  KeyedItems right = instructions(after_);
  for_each_similar_pair(instructions(before_), right, [&](Word x, Word y, std::uint32_t shared) {
    if (std::uint64_t{shared} * 2 < std::min(size(before_, x), size(after_, y))) return false;
    pair_ids(x, y);
    return true;
  });
  follow_pairs();
}

void ModuleMatcher::match_bodies(FunctionIndex before, FunctionIndex after) {
  const FunctionRow& left = before_.module.module().functions()[before.index()];
  const FunctionRow& right = after_.module.module().functions()[after.index()];
  if (before_.contents[before.index()].own != after_.contents[after.index()].own ||
      left.all.size() != right.all.size()) {
    aligner_.align(left, right);
    return;
  }
  for (std::uint32_t k = 0; k < left.all.size(); ++k) {
    const std::uint32_t i = left.all.first + k, j = right.all.first + k;
    pairing_.pair_instructions(i, j);
    const Word x = before_.module.result_of(i), y = after_.module.result_of(j);
    if (x != 0 && y != 0 && pairing_.are_unpaired(x, y)) pairing_.pair_ids(x, y);
  }
}

// --- consequences of pairs ------------------------------------------------------------------------------------------

// Pairs ids outside functions, and their definitions.
void ModuleMatcher::pair_ids(Word x, Word y) {
  if (!pairing_.are_unpaired(x, y)) return;
  pairing_.pair_ids(x, y);
  const bool both = before_.module.place_of(x) != IdPlace::Undefined && after_.module.place_of(y) != IdPlace::Undefined;
  if (!both) return;
  const std::uint32_t i = before_.module.definition(x), j = after_.module.definition(y);
  if (before_.module.place_of(x) == IdPlace::Function) {
    open_functions_.push_back(before_.module.function_of(i));
    return;
  }
  pairing_.pair_instructions(i, j);
  open_.push_back(i);
}

void ModuleMatcher::follow_pairs() {
  while (!open_.empty() || (!open_functions_.empty() && !before_.contents.empty())) {
    if (!open_.empty()) {
      const std::uint32_t i = open_.back();
      open_.pop_back();
      follow_operands(i, pairing_.before.instructions[i]);
      continue;
    }
    const FunctionIndex function = open_functions_.back();
    open_functions_.pop_back();
    const FunctionRow& row = before_.module.module().functions()[function.index()];
    const Word partner = pairing_.before.ids[before_.module.result_of(row.all.first)];
    match_bodies(function, after_.module.function_of(after_.module.definition(partner)));
    for (std::uint32_t i = row.all.first; i < row.all.end; ++i) {
      if (pairing_.before.instructions[i] != no_partner) follow_operands(i, pairing_.before.instructions[i]);
    }
  }
}

// Pairs the operands of two paired instructions that have equal contents.
void ModuleMatcher::follow_operands(std::uint32_t i, std::uint32_t j) {
  const InstructionView left = before_.module.instruction(i), right = after_.module.instruction(j);
  if (left.first[0] != right.first[0]) return;
  for (std::size_t w = 1; w < left.word_count; ++w) {
    if (!before_.module.is_id(left, w) || !after_.module.is_id(right, w)) continue;
    const Word x = left.first[w], y = right.first[w];
    if (!pairing_.are_unpaired(x, y)) continue;
    const IdPlace place = before_.module.place_of(x);
    if (place == IdPlace::Local || place != after_.module.place_of(y)) continue;
    if (before_.pairs.tokens[x] == after_.pairs.tokens[y]) pair_ids(x, y);
  }
}

// Pairs ids that occur at the same place of paired instructions, the most frequent pairs first. An id whose definition
// was removed corresponds to one without a definition.
bool ModuleMatcher::pair_by_votes() {
  std::map<std::pair<Word, Word>, std::uint32_t> votes;
  const auto is_open = [](const Side& side, Word id) {
    return side.pairs.ids[id] == 0 && (side.module.place_of(id) != IdPlace::Local ||
                                       side.pairs.instructions[side.module.definition(id)] == no_partner);
  };
  const auto count = before_.module.module().instruction_count();
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t j = pairing_.before.instructions[i];
    if (j == no_partner) continue;
    const InstructionView left = before_.module.instruction(i), right = after_.module.instruction(j);
    if (left.opcode != right.opcode) continue;
    const std::size_t words = std::min(left.word_count, right.word_count);
    for (std::size_t w = 1; w < words; ++w) {
      if (!before_.module.is_id(left, w) || !after_.module.is_id(right, w)) continue;
      const Word x = left.first[w], y = right.first[w];
      if (!is_open(before_, x) || !is_open(after_, y)) continue;
      const IdPlace p = before_.module.place_of(x), q = after_.module.place_of(y);
      const bool is_undefined = p == IdPlace::Undefined || q == IdPlace::Undefined;
      const bool is_alike = p == q && p != IdPlace::Local && before_.module.opcode_of(x) == after_.module.opcode_of(y);
      if (is_undefined || is_alike) ++votes[{x, y}];
    }
  }
  using Vote = std::pair<std::uint32_t, std::pair<Word, Word>>;
  std::vector<Vote> sorted;
  sorted.reserve(votes.size());
  for (const auto& [ids, number] : votes) sorted.emplace_back(number, ids);
  std::ranges::stable_sort(sorted, std::ranges::greater(), &Vote::first);
  for (const auto& [number, ids] : sorted) {
    pair_ids(ids.first, ids.second);
    follow_pairs();
  }
  return !sorted.empty();
}

}  // namespace vireo::spirv
