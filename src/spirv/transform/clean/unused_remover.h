// SPDX-License-Identifier: Apache-2.0
//
// UnusedRemover: removes unused functions, code, variables, types and constants.
//
// It follows the operands of what remains after the changes that a Rewrite already contains. What depends
// on the module only is read once, so that a Specializer can use one object again and again.
#pragma once

#include <memory>

#include "spirv/transform/clean/passes.h"
#include "spirv/transform/rewrite.h"

namespace vireo::spirv {

/// What else an UnusedRemover does.
struct UnusedRemovalOptions {
  bool constructs = true;      ///< removes selections and loops without an effect; not after BlockPruner
  bool keeps_outputs = false;  ///< keeps unused variables of the storage class Output, although bindings are dropped
};

class UnusedRemover {
 public:
  /// The parts of `input` are borrowed.
  UnusedRemover(const PassInput& input, const UnusedRemovalOptions& options);
  ~UnusedRemover();

  /// Adds its changes to those of `rewrite`, also the removal of annotations.
  void run(Rewrite& rewrite);

 private:
  class Work;
  std::unique_ptr<Work> work_;
};

}  // namespace vireo::spirv
