// SPDX-License-Identifier: Apache-2.0
//
// Building the decision tree.
//
// A node looks at a window of at most eight bits. Best are bits that all candidates fix and not all alike: no candidate
// then stands in two children. Where there are none, the single bit is taken that leaves the fewest in its larger half;
// candidates that do not care go into both. When that gains nothing, or the tree has grown out of proportion, what is
// left is a list.
//
// isaspec 2.1: at most one leaf may match, and two that do are a conflict, so a tree must find both. Copying a
// candidate into two children does; cutting the search at the first would not. Mesa compares all leaves in turn, which
// is a tenth of its time for ir3. The text that says which two conflict, and in which order, comes from the order of
// leaves in the table.
#include "isa/decode/match_tree.h"

#include <algorithm>
#include <bit>

namespace vireo::isa {
namespace {

// 256 children at the most: larger ones are mostly empty, and opcodes are rarely wider.
constexpr std::uint32_t window = 8;
constexpr std::size_t small_list = 1;
// Hostile masks would double candidates at every node. Real sets need two or three nodes for a leaf.
constexpr std::size_t nodes_per_leaf = 24;
constexpr std::size_t work_limit = std::size_t{1} << 24;  // masks looked at; real instruction sets need thousands

}  // namespace

// Leaves of other generations never come into the tree, so choosing one asks for no generation.
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

// A list of tasks instead of recursion: trees of hostile descriptions are as deep as instructions are wide.
void MatchTree::build(const Model& model) {
  // A node that exists and the candidates that reach it.
  struct Task {
    std::uint32_t node;
    std::vector<std::uint32_t> leaves;
  };
  std::vector<std::uint32_t> all(leaves_.size());
  for (std::uint32_t i = 0; i < all.size(); ++i) all[i] = i;
  nodes_.emplace_back();
  std::vector<Task> tasks;
  tasks.push_back({0, std::move(all)});
  const std::uint32_t size = model[root_].size;
  const std::size_t node_limit = 64 + nodes_per_leaf * leaves_.size();
  std::size_t work = 0;

  while (!tasks.empty()) {
    const Task task = std::move(tasks.back());
    tasks.pop_back();
    const std::vector<std::uint32_t>& leaves = task.leaves;
    std::uint32_t low = 0;
    std::uint32_t width = 0;
    BitWord mask = 0;
    work += leaves.size() * word_count_;
    if (leaves.size() > small_list && nodes_.size() < node_limit && work < work_limit) {
      // Bits that all fix, and bits on which they differ.
      Bits common(size);
      common = ~common;
      Bits ones(size);
      Bits zeros(size);
      for (const std::uint32_t leaf : leaves) {
        const Bitset& b = model[leaves_[leaf]];
        common &= b.care;
        ones |= b.match;
        zeros |= b.care & ~b.match;
      }
      // Splitting by these copies no candidate: each stands in exactly one child, and the tree shrinks by their
      // number of values.
      const Bits telling = common & ones & zeros;
      std::uint32_t best = 0;
      for (std::uint32_t at = telling.lowest(); at < size; ++at) {
        if (!telling.test(at)) continue;
        // A window begins at a telling bit and takes what follows; that it may hold bits that tell nothing costs empty
        // children only.
        const std::uint32_t span = std::min(window, size - at);
        const BitWord bits = slice_of(telling.data(), at, span);
        const auto gain = static_cast<std::uint32_t>(std::popcount(bits));
        if (gain <= best) continue;
        best = gain;
        low = at;
        mask = bits;
        width = static_cast<std::uint32_t>(std::bit_width(bits));
      }
      if (best == 0) {
        std::size_t smallest = leaves.size();
        // Every candidate that leaves the bit open is copied. Taken only if the larger half is really smaller, or it
        // would not end.
        const Bits either = ones & zeros;
        for (std::uint32_t at = either.lowest(); at < size; ++at) {
          if (!either.test(at)) continue;
          std::size_t zero = 0;
          std::size_t one = 0;
          for (const std::uint32_t leaf : leaves) {
            const Bitset& b = model[leaves_[leaf]];
            const bool cares = b.care.test(at);
            zero += !cares || !b.match.test(at);
            one += !cares || b.match.test(at);
          }
          if (std::max(zero, one) >= smallest) continue;
          smallest = std::max(zero, one);
          low = at;
          mask = 1;
          width = 1;
        }
      }
    }
    // Nothing more to gain: the candidates are compared one by one, which is what the tree is to spare but never has
    // to.
    if (width == 0) {
      nodes_[task.node].first = static_cast<std::uint32_t>(candidates_.size());
      nodes_[task.node].count = static_cast<std::uint32_t>(leaves.size());
      candidates_.insert(candidates_.end(), leaves.begin(), leaves.end());
      continue;
    }
    std::vector<std::vector<std::uint32_t>> buckets(std::size_t{1} << width);
    for (const std::uint32_t leaf : leaves) {
      const Bitset& b = model[leaves_[leaf]];
      const BitWord care = slice_of(b.care.data(), low, width) & mask;
      const BitWord match = slice_of(b.match.data(), low, width) & mask;
      for (BitWord index = 0; index < buckets.size(); ++index) {
        // An index with bits outside the mask is never asked for.
        if ((index & ~mask) == 0 && (index & care) == (match & care)) buckets[index].push_back(leaf);
      }
    }
    const auto first = static_cast<std::uint32_t>(children_.size());
    children_.resize(children_.size() + buckets.size(), 0);
    Node& node = nodes_[task.node];
    node = {low, width, first, static_cast<std::uint32_t>(buckets.size()), mask};
    std::uint32_t nobody = 0;  // children without candidates share a node; 0 is the top, and nobody's child
    for (std::size_t index = 0; index < buckets.size(); ++index) {
      if (buckets[index].empty() && nobody != 0) {
        children_[first + index] = nobody;
        continue;
      }
      const auto child = static_cast<std::uint32_t>(nodes_.size());
      nodes_.emplace_back();
      children_[first + index] = child;
      if (buckets[index].empty()) nobody = child;
      else tasks.push_back({child, std::move(buckets[index])});
    }
  }
}

}  // namespace vireo::isa
