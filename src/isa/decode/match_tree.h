// SPDX-License-Identifier: Apache-2.0
//
// A decision tree that finds the leaf of a root that matches a value.
//
// A node reads a few bits of the value, and the search continues at the child with that number. An
// instruction set of two hundred leaves needs two or three steps. The tree only narrows the candidates; find() compares
// the remaining ones with their masks. If two leaves match a value, both are candidates at its node, so conflicts are
// found exactly.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "vireo/isa/model.h"

namespace vireo::isa {

struct DiscriminatingBits;

class MatchTree {
 public:
  MatchTree() = default;
  /// Adds the leaves of the root that exist in the generation, in the model's order.
  MatchTree(const Model& model, BitsetId root, std::uint32_t gen);

  struct Match {
    std::uint32_t leaf = ~std::uint32_t{0};    ///< index into leaves(); all ones: none
    std::uint32_t second = ~std::uint32_t{0};  ///< another matching leaf

    [[nodiscard]] bool is_none() const { return leaf == ~std::uint32_t{0}; }
    [[nodiscard]] bool is_conflict() const { return second != ~std::uint32_t{0}; }
  };
  /// `value` contains the bits of the root, starting at bit 0.
  [[nodiscard]] Match find(const BitWord* value) const {
    const Node* node = nodes_.data();
    while (node->width != 0) {
      const BitWord index = slice_of(value, node->low, node->width) & node->mask;
      node = &nodes_[children_[node->first + index]];
    }
    // Usually at most one candidate is left.
    const std::uint32_t* candidate = candidates_.data() + node->first;
    Match result;
    for (const std::uint32_t* end = candidate + node->count; candidate != end; ++candidate) {
      if (!is_match(masks_[*candidate], value)) continue;
      if (!result.is_none()) {
        result.second = *candidate;
        break;
      }
      result.leaf = *candidate;
    }
    return result;
  }

  [[nodiscard]] std::span<const BitsetId> leaves() const { return leaves_; }
  /// The don't-care bits of leaf `index`; only the first word, for roots of one word.
  [[nodiscard]] BitWord dont_care_word(std::uint32_t index) const { return masks_[index].dont_care; }
  [[nodiscard]] const Bits& dont_care(std::uint32_t index) const { return *masks_[index].wide_dont_care; }
  [[nodiscard]] bool has_dont_care(std::uint32_t index) const { return masks_[index].has_dont_care; }
  [[nodiscard]] BitsetId root() const { return root_; }

 private:
  struct Masks {  // the first word of each; the model has the others
    BitWord care = 0;
    BitWord match = 0;
    BitWord dont_care = 0;
    bool has_dont_care = false;
    const Bits* wide_care = nullptr;
    const Bits* wide_match = nullptr;
    const Bits* wide_dont_care = nullptr;
  };
  struct Node {
    std::uint32_t low = 0;
    std::uint32_t width = 0;  // 0: the node is a list of candidates
    std::uint32_t first = 0;  // first index in children_, or in candidates_
    std::uint32_t count = 0;
    BitWord mask = 0;  // the discriminating bits of the window
  };

  // A node, and the candidates that reach it.
  struct Task {
    std::uint32_t node;
    std::vector<std::uint32_t> leaves;
  };

  void build(const Model& model);
  void list(const Task& task);
  void split(const Model& model, const Task& task, const DiscriminatingBits& split_bits, std::vector<Task>& tasks);
  [[nodiscard]] bool is_match(const Masks& masks, const BitWord* value) const {
    if ((value[0] & masks.care) != masks.match) return false;
    return word_count_ == 1 || matches(value, masks.wide_care->data(), masks.wide_match->data(), word_count_);
  }

  BitsetId root_;
  std::size_t word_count_ = 1;
  std::vector<BitsetId> leaves_;
  std::vector<Masks> masks_;
  std::vector<Node> nodes_;
  std::vector<std::uint32_t> children_;
  std::vector<std::uint32_t> candidates_;
};

}  // namespace vireo::isa
