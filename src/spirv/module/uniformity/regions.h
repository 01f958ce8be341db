// SPDX-License-Identifier: Apache-2.0
//
// Regions: the parts of a function whose merge block regains uniform control flow, and loops.
//
// In the order of the structural graph a construct is an interval of blocks, and its merge block follows it. So a region
// is an interval: from a header to before its merge block. A loop without OpLoopMerge, as in kernels, is a region
// without a merge block. The whole function is region 0.
#pragma once

#include <cstdint>
#include <vector>

#include "vireo/spirv/module/control_flow.h"

namespace vireo::spirv {

struct Region {
  LocalBlock header;           ///< none for the whole function
  LocalBlock merge;            ///< none if the region has no merge block
  LocalBlock continue_target;  ///< of a loop with a merge instruction
  std::uint32_t begin = 0;     ///< position of the header
  std::uint32_t end = 0;       ///< one past the last position
  std::uint32_t parent = 0;
  std::uint32_t loop = 0;   ///< the innermost loop around the blocks of the region, which may be this region; 0: none
  std::uint32_t depth = 0;  ///< the number of loops around `loop`
  bool is_loop = false;

  [[nodiscard]] bool contains(std::uint32_t position) const { return position >= begin && position < end; }
};

class Regions {
 public:
  /// Reads the regions of a function. `flow` is borrowed until the next call.
  void read(const ControlFlow& flow);

  [[nodiscard]] const Region& operator[](std::uint32_t region) const { return regions_[region]; }
  [[nodiscard]] std::uint32_t count() const { return static_cast<std::uint32_t>(regions_.size()); }
  /// The innermost region that contains a block, which may be its header.
  [[nodiscard]] std::uint32_t around(LocalBlock b) const { return around_[b.index()]; }
  /// The innermost region that contains a block but does not begin with it.
  [[nodiscard]] std::uint32_t outside(LocalBlock b) const {
    std::uint32_t region = around(b);
    while (region != 0 && regions_[region].header == b) region = regions_[region].parent;
    return region;
  }
  /// The region that ends at a merge block; 0 if the block is none.
  [[nodiscard]] std::uint32_t merging_at(LocalBlock b) const { return merging_[b.index()]; }
  /// The innermost loop around a block; 0 if there is none.
  [[nodiscard]] std::uint32_t loop_of(LocalBlock b) const { return regions_[around(b)].loop; }
  /// The loop with this header; 0 if the block is none.
  [[nodiscard]] std::uint32_t loop_at(LocalBlock b) const {
    for (std::uint32_t r = around(b); r != 0 && regions_[r].header == b; r = regions_[r].parent) {
      if (regions_[r].is_loop) return r;
    }
    return 0;
  }
  [[nodiscard]] bool has_loops() const { return has_loops_; }
  /// Whether each loop has one header. If not, the orders on which the analysis relies do not exist.
  [[nodiscard]] bool is_reducible() const { return is_reducible_; }

  [[nodiscard]] std::uint32_t position(LocalBlock b) const { return flow_->structural().position(b); }

 private:
  const ControlFlow* flow_ = nullptr;
  std::vector<Region> regions_;
  std::vector<std::uint32_t> around_, merging_;
  std::vector<std::uint32_t> loop_ends_;  // by block: one past the position of the last back edge's source
  bool has_loops_ = false, is_reducible_ = true;
};

}  // namespace vireo::spirv
