// SPDX-License-Identifier: Apache-2.0
//
// clean(): applies its passes until none of them changes the module (vireo/spirv/transform/clean.h).
#include "vireo/spirv/transform/clean.h"

#include <utility>

#include "spirv/transform/passes.h"
#include "spirv/transform/rewrite.h"
#include "vireo/spirv/edit.h"

namespace vireo::spirv {
namespace {

struct PassRow {
  Pass pass;
  bool is_chosen;
};

// One pass uncovers work for another one, such as an unused constant after a branch that is folded. Real modules need
// two or three rounds; the limit bounds the time for modules that are made to need more.
constexpr int most_rounds = 16;

// Sets `reported` if the words cannot be decoded. Returns whether the pass changed them.
bool apply(Pass pass, const CleanOptions& options, const Grammar& grammar, WordBuffer& words) {
  const Module module = Module::read(words, grammar);
  Diagnostics diagnostics;
  const Result<OperandIndex> operands = OperandIndex::read(module, diagnostics);
  if (!operands) return false;
  std::optional<WordBuffer> changed = pass({module, *operands, options});
  if (!changed) return false;
  words = std::move(*changed);
  return true;
}

}  // namespace

Result<WordBuffer> clean(Words words, const CleanOptions& options, Diagnostics& diagnostics, TransformReport* report,
                         const Grammar& grammar) {
  const Result<Module> module = read_for_transform(words, grammar, diagnostics);
  if (!module) return module.failure();
  if (const Result<OperandIndex> operands = OperandIndex::read(*module, diagnostics); !operands) {
    return operands.failure();
  }
  const bool removes_unused =
      options.functions || options.code || options.variables || options.types || options.constants;
  const PassRow passes[] = {
      {fold_branches, options.branches},
      {remove_unreachable_blocks, options.branches || options.blocks},
      {order_blocks, options.branches || options.blocks},
      {remove_trivial_phis, options.branches || options.blocks},
      {remove_unused, removes_unused},
      {remove_duplicates, options.duplicate_types || options.duplicate_constants},
      {merge_blocks, options.blocks},
  };
  WordBuffer result(words.begin(), words.end());
  bool is_changed = true;
  for (int round = 0; is_changed && round < most_rounds; ++round) {
    is_changed = false;
    for (const PassRow& row : passes) {
      if (row.is_chosen) is_changed |= apply(row.pass, options, grammar, result);
    }
  }
  if (options.compact_ids) {
    Result<WordBuffer> compacted = compact_ids(result, diagnostics, grammar);
    if (!compacted) return compacted.failure();
    result = std::move(*compacted);
  }
  if (report != nullptr) *report = describe_transform(words, result, grammar);
  return result;
}

}  // namespace vireo::spirv
