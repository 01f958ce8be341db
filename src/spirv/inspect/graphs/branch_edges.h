// SPDX-License-Identifier: Apache-2.0
//
// BranchEdges: the edges from a block, with kinds and labels (specification 2.11, "Structured Control Flow"; 3.42.17).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vireo/spirv/module/control_flow.h"
#include "vireo/spirv/module/module.h"

namespace vireo::spirv {

/// The kind of an edge determines its style. A kind of the second group takes precedence over one of the first.
enum class EdgeKind : std::uint8_t {
  Jump,
  True,
  False,
  Case,
  Default,
  Both,  ///< true and false, or default and a case
  // Special targets.
  Break,        ///< to the merge block of the innermost loop or switch
  Continue,     ///< from a loop construct to its continue target
  Back,         ///< back edge
  Unreachable,  ///< from a block that is not reachable
  // No branches: operands of the merge instruction.
  Merge,
  ContinueTarget,
};

struct BranchEdge {
  LocalBlock to;  ///< none: the target is not a block of the function
  Word target = 0;
  EdgeKind kind = EdgeKind::Jump;
  std::string label = {};  ///< "true", "case 1, 2", "default"; empty for a jump
};

class BranchEdges {
 public:
  BranchEdges(const Module& module, const ControlFlow& flow) : module_(module), flow_(flow) {}

  /// The edges from a block: one for each target, in the order of the operands, then those of the merge instruction to
  /// which the block has no branch. Valid until the next call.
  std::span<const BranchEdge> of(LocalBlock block);

 private:
  struct LabelOperand {
    Word target = 0;
    EdgeKind kind = EdgeKind::Jump;
    std::uint32_t order = 0;
    std::string literal = {};
  };
  void read_operands(InstructionView terminator);
  void combine();
  void add_merges(LocalBlock block);
  [[nodiscard]] EdgeKind kind_of(LocalBlock from, LocalBlock to, EdgeKind branch) const;

  const Module& module_;
  const ControlFlow& flow_;
  std::vector<LabelOperand> operands_;
  std::vector<BranchEdge> edges_;
};

}  // namespace vireo::spirv
