// SPDX-License-Identifier: Apache-2.0
//
// RemovableConstructs: the selections and loops of one function, as remove_unused() needs them.
//
// A selection or a loop can be removed as a whole: its header then branches to its merge block. So every
// block belongs to the innermost construct without which it would not run. A construct is needed if one of its
// instructions is needed, and a construct that leaves another one is needed together with it.
//
// Source: specification 2.11 (structured control flow).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "vireo/spirv/module/control_flow.h"
#include "vireo/spirv/module/module.h"

namespace vireo::spirv {

class RemovableConstructs {
 public:
  using Index = std::uint32_t;
  static constexpr Index none = 0xFFFFFFFF;  ///< no construct: the function itself

  struct Row {
    BlockIndex header;
    BlockIndex merge;
    bool is_loop = false;
    /// A branch leaves it for a block outside of all constructs, or its merge block is unreachable.
    bool is_always_needed = false;
    Index parent = none;
    std::uint32_t first_block = 0, block_count = 0;  ///< its blocks apart from nested constructs; in blocks_of()
    std::vector<Index> leave_with;  ///< constructs with a branch out of this one: needed if this one is
  };

  /// Reads all functions. Constructs are numbered through the module. If not `is_wanted`, there are none.
  explicit RemovableConstructs(const Module& module, bool is_wanted = true);

  [[nodiscard]] std::uint32_t count() const { return static_cast<std::uint32_t>(rows_.size()); }
  [[nodiscard]] const Row& row(Index c) const { return rows_[c]; }
  /// The construct without which a block would not run. The header of a selection belongs to the enclosing construct,
  /// that of a loop to the loop.
  [[nodiscard]] Index owner(BlockIndex b) const { return owners_[b.index()]; }
  /// The construct that the merge instruction of a block begins.
  [[nodiscard]] Index headed_by(BlockIndex b) const { return headed_[b.index()]; }
  [[nodiscard]] std::span<const BlockIndex> blocks_of(Index c) const {
    return std::span(blocks_).subspan(rows_[c].first_block, rows_[c].block_count);
  }

 private:
  void read_function(const FunctionRow& function, const ControlFlow& flow);
  void add_constructs(const FunctionRow& function, const ControlFlow& flow, std::vector<Index>& numbers);

  std::vector<Row> rows_;
  std::vector<Index> owners_, headed_;  // by block
  std::vector<BlockIndex> blocks_;      // by owner
};

}  // namespace vireo::spirv
