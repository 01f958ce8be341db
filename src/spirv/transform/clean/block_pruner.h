// SPDX-License-Identifier: Apache-2.0
//
// BlockPruner: folds branches with a constant condition and removes the blocks that nothing reaches.
//
// Facts that depend only on the module are read once. So a Specializer can prune a module many times, each time with
// other values of its constants.
#pragma once

#include <memory>
#include <span>

#include "spirv/transform/clean/constant_branches.h"
#include "spirv/transform/operand_index.h"
#include "spirv/transform/rewrite.h"
#include "vireo/spirv/module/module.h"
#include "vireo/spirv/word.h"

namespace vireo::spirv {

class BlockPruner {
 public:
  /// The module and its operands are borrowed.
  BlockPruner(const Module& module, const OperandIndex& operands);
  ~BlockPruner();

  // Each function adds its changes to `rewrite`, also the order of the blocks, and needs remove_annotations() after it.
  // It returns false if the ids do not suffice, or if a remaining instruction of an invalid module uses a removed
  // label. The caller must then discard the changes.

  /// Folds branches whose condition is a constant instruction.
  bool fold(Rewrite& rewrite);
  /// Folds branches whose condition has a known value.
  bool fold(Rewrite& rewrite, const KnownValues& values);
  /// Lets branches go to chosen targets: `targets` has a label for each block of the module, or 0. Branches whose target
  /// cannot be fixed stay.
  bool fold_to(Rewrite& rewrite, std::span<const Word> targets);
  /// Only removes unreachable blocks.
  bool remove_unreachable(Rewrite& rewrite);

 private:
  class Work;
  std::unique_ptr<Work> work_;
};

}  // namespace vireo::spirv
