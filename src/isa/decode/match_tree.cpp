// SPDX-License-Identifier: Apache-2.0
//
// Builds the decision tree.
//
// Each node splits its candidates by the bits that discriminate most of them (isa/model/discriminating_bits.h). If
// there are no such bits, or the tree reaches its limits, the node becomes a list. Mesa compares all leaves in turn,
// which takes a tenth of its time for ir3. The order of leaves in the table determines the order of names in a conflict
// message.
#include "isa/decode/match_tree.h"

#include <bit>
#include <numeric>
#include <utility>

#include "isa/model/discriminating_bits.h"

namespace vireo::isa {
namespace {

constexpr std::size_t small_list = 1;
constexpr std::size_t work_limit = std::size_t{1} << 24;  // masks examined; real instruction sets need thousands

}  // namespace

// The tree contains only leaves of this generation.
MatchTree::MatchTree(const Model& model, BitsetId root, std::uint32_t gen) : root_(root) {
  word_count_ = words_for(model[root].size);
  for (const BitsetId id : model.leaves(model[root])) {
    const Bitset& leaf = model[id];
    if (!leaf.gens.contains(gen)) continue;
    leaves_.push_back(id);
    Masks masks;
    masks.care = leaf.care.data()[0];
    masks.match = leaf.match.data()[0];
    masks.dont_care = leaf.dont_care.data()[0];
    masks.has_dont_care = leaf.dont_care.any();
    masks.wide_care = &leaf.care;
    masks.wide_match = &leaf.match;
    masks.wide_dont_care = &leaf.dont_care;
    masks_.push_back(masks);
  }
  build(model);
}

// A task list instead of recursion: a hostile description makes trees as deep as instructions are wide.
void MatchTree::build(const Model& model) {
  std::vector<std::uint32_t> all(leaves_.size());
  std::iota(all.begin(), all.end(), 0u);
  nodes_.emplace_back();
  std::vector<Task> tasks;
  tasks.push_back({0, std::move(all)});
  const std::uint32_t size = model[root_].size;
  std::vector<const Bitset*> candidates;
  std::size_t work = 0;
  while (!tasks.empty()) {
    const Task task = std::move(tasks.back());
    tasks.pop_back();
    DiscriminatingBits split_bits;
    work += task.leaves.size() * word_count_;
    if (task.leaves.size() > small_list && nodes_.size() < most_nodes(leaves_.size()) && work < work_limit) {
      candidates.clear();
      for (const std::uint32_t leaf : task.leaves) candidates.push_back(&model[leaves_[leaf]]);
      split_bits = discriminating_bits(candidates, size);
    }
    if (split_bits.mask != 0) split(model, task, split_bits, tasks);
    else list(task);
  }
}

// Makes the node a list: its candidates are compared one by one.
void MatchTree::list(const Task& task) {
  nodes_[task.node].first = static_cast<std::uint32_t>(candidates_.size());
  nodes_[task.node].count = static_cast<std::uint32_t>(task.leaves.size());
  candidates_.insert(candidates_.end(), task.leaves.begin(), task.leaves.end());
}

// For each value of the bits, adds a child to the node and, if it has candidates, a task for the child.
void MatchTree::split(const Model& model, const Task& task, const DiscriminatingBits& split_bits,
                      std::vector<Task>& tasks) {
  const auto width = static_cast<std::uint32_t>(std::bit_width(split_bits.mask));
  std::vector<std::vector<std::uint32_t>> buckets(std::size_t{1} << width);
  for (const std::uint32_t leaf : task.leaves) {
    const Bitset& b = model[leaves_[leaf]];
    const BitWord care = slice_of(b.care.data(), split_bits.low, width) & split_bits.mask;
    const BitWord match = slice_of(b.match.data(), split_bits.low, width) & split_bits.mask;
    for (BitWord index = 0; index < buckets.size(); ++index) {
      // An index with bits outside the mask never occurs, so that child has no candidates.
      if ((index & ~split_bits.mask) == 0 && (index & care) == (match & care)) buckets[index].push_back(leaf);
    }
  }
  const auto first = static_cast<std::uint32_t>(children_.size());
  children_.resize(children_.size() + buckets.size(), 0);
  nodes_[task.node] = {split_bits.low, width, first, static_cast<std::uint32_t>(buckets.size()), split_bits.mask};
  std::uint32_t empty_child = 0;  // shared by all children without candidates; 0: none yet
  for (std::size_t index = 0; index < buckets.size(); ++index) {
    if (buckets[index].empty() && empty_child != 0) {
      children_[first + index] = empty_child;
      continue;
    }
    const auto child = static_cast<std::uint32_t>(nodes_.size());
    nodes_.emplace_back();
    children_[first + index] = child;
    if (buckets[index].empty()) empty_child = child;
    else tasks.push_back({child, std::move(buckets[index])});
  }
}

}  // namespace vireo::isa
