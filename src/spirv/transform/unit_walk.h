// SPDX-License-Identifier: Apache-2.0
//
// A depth-first walk over edges between units, without recursion.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "spirv/transform/unit_graph.h"

namespace vireo::spirv {

/// Enters each unit once.
class UnitWalk {
 public:
  explicit UnitWalk(const UnitEdges& edges) : edges_(edges), is_entered_(edges.unit_count()) {}

  /// Enters a unit and each unit that it leads to, in the order of the edges. Calls enter(unit) before it follows the
  /// edges of the unit, and leave(unit) afterwards.
  template <typename Enter, typename Leave>
  void from(UnitIndex root, Enter&& enter, Leave&& leave) {
    const auto push = [&](UnitIndex u) {
      if (is_entered_[u]) return;
      is_entered_[u] = true;
      enter(u);
      stack_.push_back({u, 0});
    };
    push(root);
    while (!stack_.empty()) {
      const Step step = stack_.back();
      const std::span<const UnitIndex> ends = edges_.from(step.unit);
      if (step.next == ends.size()) {
        stack_.pop_back();
        leave(step.unit);
        continue;
      }
      ++stack_.back().next;
      push(ends[step.next]);
    }
  }

 private:
  struct Step {
    UnitIndex unit;
    std::size_t next;  // of its edges
  };
  const UnitEdges& edges_;
  std::vector<bool> is_entered_;
  std::vector<Step> stack_;
};

}  // namespace vireo::spirv
