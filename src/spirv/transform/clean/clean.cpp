// SPDX-License-Identifier: Apache-2.0
//
// clean(): applies its passes until none of them changes the module (vireo/spirv/transform/clean.h).
#include "vireo/spirv/transform/clean.h"

#include <utility>

#include "spirv/transform/clean/passes.h"
#include "spirv/transform/rewrite.h"
#include "vireo/spirv/build/edit.h"
#include "vireo/spirv/transform/canonical_ids.h"

namespace vireo::spirv {
namespace {

struct PassRow {
  Pass pass;
  bool is_chosen;
};

// One pass uncovers work for another one, such as an unused constant after a branch that is folded. Real modules need
// two or three rounds; the limit bounds the time for adversarial modules.
constexpr int most_rounds = 16;

// The words between two passes. They are decoded again only after a change.
struct Decoded {
  Module module;
  OperandIndex operands;
};

}  // namespace

Result<WordBuffer> clean(Words words, const CleanOptions& options, Diagnostics& diagnostics, TransformReport* report,
                         const Grammar& grammar) {
  const auto decode = [&](Words now, OperandIndex&& memory) -> Result<Decoded> {
    Result<Module> module = read_for_transform(now, grammar, diagnostics);
    if (!module) return module.failure();
    Result<OperandIndex> operands = OperandIndex::read(*module, diagnostics, std::move(memory));
    if (!operands) return operands.failure();
    return Decoded{std::move(*module), std::move(*operands)};
  };
  Result<Decoded> decoded = decode(words, {});
  if (!decoded) return decoded.failure();
  const bool removes_unused =
      options.functions || options.code || options.variables || options.types || options.constants;
  const PassRow passes[] = {
      {fold_branches, options.branches},
      {remove_unreachable_blocks, options.branches || options.blocks},
      {remove_trivial_phis, options.branches || options.blocks},
      {remove_unused, removes_unused},
      {remove_members, options.members},
      {remove_duplicates, options.duplicate_types || options.duplicate_constants},
      {merge_blocks, options.blocks},
  };
  WordBuffer result;  // empty until something changes
  bool is_changed = true;
  for (int round = 0; is_changed && round < most_rounds; ++round) {
    is_changed = false;
    for (const PassRow& row : passes) {
      if (!row.is_chosen) continue;
      std::optional<WordBuffer> changed = row.pass({decoded->module, decoded->operands, options});
      if (!changed) continue;
      is_changed = true;
      result = std::move(*changed);
      decoded = decode(result, std::move(decoded->operands));
      if (!decoded) return decoded.failure();
    }
  }
  if (options.compact_ids || options.canonical_ids) {
    const Words last = result.empty() ? words : Words(result);
    Result<WordBuffer> renumbered =
        options.canonical_ids ? canonical_ids(last, diagnostics, grammar) : compact_ids(last, diagnostics, grammar);
    if (!renumbered) return renumbered.failure();
    result = std::move(*renumbered);
  }
  if (result.empty()) result.assign(words.begin(), words.end());
  if (report != nullptr) *report = describe_transform(words, result, grammar);
  return result;
}

}  // namespace vireo::spirv
