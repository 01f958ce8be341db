// SPDX-License-Identifier: Apache-2.0
//
// The access chains that lead from a variable or parameter to a pointer, and the types that their indexes select.
//
// A pointer may be made by several chains, with copies between them. Typed chains begin at the pointee of the first
// base, untyped ones at their Base Type.
#pragma once

#include <vector>

#include "spirv/binary/access_chain.h"
#include "spirv/validate/analysis/pointers.h"
#include "spirv/validate/core/check.h"

namespace vireo::spirv {

struct AccessPath {
  Word root = 0;                         ///< variable, parameter or other origin; 0: the work budget is exceeded
  std::vector<InstructionIndex> chains;  ///< in the order of their application
};

AccessPath access_path(const ModuleCheck& c, Word pointer);

/// The type of the part that an index selects; nullptr if it is not known.
const TypeRow* part_at(const ModuleCheck& c, const TypeRow& type, Word index);

/// Calls `visit(type, index, chain)` for each index of a path: the type that it selects from, the operand, and its
/// instruction. Ends if `visit` returns false, or at an unknown type.
template <typename Visit>
void walk_path(const ModuleCheck& c, const AccessPath& path, Visit visit) {
  const TypeRow* type = path.root == 0 ? nullptr : pointee_of(c, path.root);
  for (const InstructionIndex at : path.chains) {
    const auto chain = access_chain(c.module.instruction(at));
    if (!chain) return;
    if (chain->is_untyped) type = c.types.find(chain->base_type);
    for (const auto index : chain->indexes) {
      if (type == nullptr || !visit(*type, index, at)) return;
      type = part_at(c, *type, index);
    }
  }
}

}  // namespace vireo::spirv
