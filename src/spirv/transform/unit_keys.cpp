// SPDX-License-Identifier: Apache-2.0
//
// Computes keys from contents, references and users (unit_keys.h).
#include "spirv/transform/unit_keys.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "support/key_hash.h"

namespace vireo::spirv {
namespace {

// Cycles of references are rare and short: recursive types, recursive functions. A longer cycle takes this many steps
// along its references in each round.
constexpr std::size_t most_steps_in_cycle = 16;
constexpr int most_rounds = 8;

// Tags that separate ids from literals.
enum : std::uint64_t { LiteralTag = 0, OwnIdTag = 1ull << 32, OtherIdTag = 2ull << 32, RankTag = 3ull << 32 };

// Sets of units that are connected by references.
class UnitSets {
 public:
  explicit UnitSets(std::size_t size) : parents_(size) { std::iota(parents_.begin(), parents_.end(), UnitIndex{0}); }
  UnitIndex find(UnitIndex u) {
    while (parents_[u] != u) u = parents_[u] = parents_[parents_[u]];
    return u;
  }
  void unite(UnitIndex a, UnitIndex b) { parents_[find(a)] = find(b); }

 private:
  std::vector<UnitIndex> parents_;
};

}  // namespace

UnitKeys::UnitKeys(const UnitGraph& graph, const std::vector<std::uint32_t>& components,
                   const std::vector<std::uint32_t>& ranks)
    : graph_(graph), components_(components), ranks_(ranks), contents_(graph.size()), keys_(graph.size()) {
  for (UnitIndex u = 0; u < graph.size(); ++u) {
    if (is_unranked(u)) units_.push_back(u);
    else keys_[u] = key_hash(RankTag | ranks[u]);
  }
  std::ranges::sort(units_, {}, [&](UnitIndex u) { return components[u]; });
  read_contents();
  read_attributes();
  compute_keys();
  std::size_t classes = count_classes();
  for (int round = 0; round < most_rounds && classes < units_.size(); ++round) {
    add_users();
    compute_keys();
    const std::size_t more = count_classes();
    if (more == classes) break;
    classes = more;
  }
}

// Hashes the words of each unit. An id of another unit counts as the number of the reference.
void UnitKeys::read_contents() {
  std::vector<std::uint32_t> ordinals(graph_.size());
  for (const UnitIndex u : units_) {
    std::uint32_t ordinal = 0;
    for (const UnitIndex to : graph_.references(u)) ordinals[to] = ordinal++;
    KeyHash hash;
    const auto add_word = [&](Word word, bool is_id) {
      if (!is_id) return hash.add(LiteralTag | word);
      const UnitIndex to = graph_.unit_of(word);
      if (to != u) hash.add(OtherIdTag | ordinals[to]);
      hash.add(OwnIdTag | graph_.place_in_unit(word));
    };
    const Unit& unit = graph_.unit(u);
    const InstructionRange range = unit.instructions;
    for (std::uint32_t i = range.first; i < range.end; ++i) graph_.for_each_word(InstructionIndex(i), add_word);
    if (unit.line) graph_.for_each_word(unit.line, add_word);
    contents_[u] = hash.value();
  }
}

// Names, decorations and execution modes have no order, so their hashes are added up.
void UnitKeys::read_attributes() {
  for (const InstructionIndex index : graph_.attributes()) {
    UnitIndex unit = no_unit;
    KeyHash hash;
    graph_.for_each_word(index, [&](Word word, bool is_id) {
      if (!is_id) return hash.add(LiteralTag | word);
      unit = graph_.unit_of(word);
      hash.add(OwnIdTag | graph_.place_in_unit(word));
    });
    if (unit != no_unit && is_unranked(unit)) contents_[unit] += hash.value();
  }
}

std::uint64_t UnitKeys::key_from_references(UnitIndex u) const {
  KeyHash hash;
  hash.add(contents_[u]);
  for (const UnitIndex to : graph_.references(u)) hash.add(keys_[to]);
  return hash.value();
}

// Components are in an order from referenced units to their users. Within a cycle all units begin with their contents,
// and each step takes the keys of the step before, so that no unit of the cycle is the first.
void UnitKeys::compute_keys() {
  std::vector<std::uint64_t> next;
  for (std::size_t first = 0, end = 0; first < units_.size(); first = end) {
    while (end < units_.size() && components_[units_[end]] == components_[units_[first]]) ++end;
    if (end - first == 1) {
      keys_[units_[first]] = key_from_references(units_[first]);
      continue;
    }
    for (std::size_t i = first; i < end; ++i) keys_[units_[i]] = contents_[units_[i]];
    for (std::size_t step = std::min(end - first, most_steps_in_cycle); step > 0; --step) {
      next.clear();
      for (std::size_t i = first; i < end; ++i) next.push_back(key_from_references(units_[i]));
      for (std::size_t i = first; i < end; ++i) keys_[units_[i]] = next[i - first];
    }
  }
}

// A unit may have many users in any order, so their hashes are added up.
void UnitKeys::add_users() {
  std::vector<std::uint64_t> users(graph_.size());
  for (const UnitIndex u : units_) {
    std::uint64_t ordinal = 0;
    for (const UnitIndex to : graph_.references(u)) users[to] += key_hash(keys_[u], ordinal++);
  }
  for (const UnitIndex u : units_) contents_[u] = key_hash(contents_[u], users[u]);
}

std::size_t UnitKeys::count_classes() const {
  std::vector<std::uint64_t> sorted;
  sorted.reserve(units_.size());
  for (const UnitIndex u : units_) sorted.push_back(keys_[u]);
  std::ranges::sort(sorted);
  return static_cast<std::size_t>(std::unique(sorted.begin(), sorted.end()) - sorted.begin());
}

// Roots with equal keys can be interchangeable only together with the units that they refer to. So the roots of each
// connected set follow each other.
std::vector<UnitIndex> UnitKeys::roots() const {
  std::vector<bool> is_used(components_.size());  // by component
  UnitSets sets(graph_.size());
  for (const UnitIndex u : units_) {
    for (const UnitIndex to : graph_.references(u)) {
      if (!is_unranked(to)) continue;
      sets.unite(u, to);
      if (components_[u] != components_[to]) is_used[components_[to]] = true;
    }
  }
  std::vector<std::uint64_t> set_keys(graph_.size());
  for (const UnitIndex u : units_) set_keys[sets.find(u)] += keys_[u];
  struct Root {
    std::uint64_t set_key;
    UnitIndex set;
    std::uint64_t key;
    UnitIndex unit;
  };
  std::vector<Root> roots;
  for (const UnitIndex u : units_) {
    if (is_used[components_[u]]) continue;
    const UnitIndex set = sets.find(u);
    roots.push_back({set_keys[set], set, keys_[u], u});
  }
  std::ranges::sort(roots, {},
                    [](const Root& root) { return std::tuple(root.set_key, root.set, root.key, root.unit); });
  std::vector<UnitIndex> units;
  units.reserve(roots.size());
  for (const Root& root : roots) units.push_back(root.unit);
  return units;
}

}  // namespace vireo::spirv
