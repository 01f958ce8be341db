// SPDX-License-Identifier: Apache-2.0
//
// A depth-first walk over the references of units, without recursion.
#pragma once

#include <cstddef>
#include <vector>

#include "spirv/transform/unit_graph.h"

namespace vireo::spirv {

/// Enters each unit once.
class UnitWalk {
 public:
  explicit UnitWalk(const UnitGraph& graph) : graph_(graph), is_entered_(graph.size()) {}

  [[nodiscard]] bool is_entered(UnitIndex u) const { return is_entered_[u]; }

  /// Enters a unit and, in the order of references, each unit that it leads to. Calls enter(unit) before the references
  /// of the unit are followed, leave(unit) afterwards. A reference is followed if follows(from, to).
  template <typename Enter, typename Follows, typename Leave>
  void from(UnitIndex root, Enter&& enter, Follows&& follows, Leave&& leave) {
    const auto push = [&](UnitIndex u) {
      if (is_entered_[u]) return;
      is_entered_[u] = true;
      enter(u);
      stack_.push_back({u, 0});
    };
    push(root);
    while (!stack_.empty()) {
      auto& [unit, next] = stack_.back();
      const auto references = graph_.references(unit);
      if (next == references.size()) {
        const UnitIndex left = unit;
        stack_.pop_back();
        leave(left);
        continue;
      }
      const UnitIndex to = references[next++];
      if (follows(unit, to)) push(to);
    }
  }

 private:
  struct Step {
    UnitIndex unit;
    std::size_t next;  // of its references
  };
  const UnitGraph& graph_;
  std::vector<bool> is_entered_;
  std::vector<Step> stack_;
};

}  // namespace vireo::spirv
