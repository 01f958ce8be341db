// SPDX-License-Identifier: Apache-2.0
//
// Traces a pointer back to its origin, as origin_of() does, and lists the chains in between.
#include "spirv/validate/analysis/access_path.h"

#include <algorithm>

#include "vireo/spirv/binary/views/composite.h"

namespace vireo::spirv {

AccessPath access_path(const ModuleCheck& c, Word pointer) {
  AccessPath path;
  InstructionIndex at = c.module.definition(pointer);
  // Few chains lead to a pointer, so the first steps do not count against the budget.
  constexpr std::size_t free_steps = 16;
  for (std::size_t step = 0; !at.is_none(); ++step) {
    if (step >= free_steps && !c.budget.spend(1)) return {};
    const InstructionView view = c.module.instruction(at);
    const auto chain = access_chain(view);
    const auto copy = as<Op::OpCopyObject>(view);
    if (!chain && !copy) break;
    if (chain) path.chains.push_back(at);
    const Word from = chain ? Word{chain->base} : Word{copy->operand()};
    const InstructionIndex base = c.module.definition(from);
    // Another check reports a definition that does not precede its use.
    if (base.is_none() || base >= at) break;
    pointer = from;
    at = base;
  }
  path.root = pointer;
  std::ranges::reverse(path.chains);
  return path;
}

const TypeRow* part_at(const ModuleCheck& c, const TypeRow& type, Word index) {
  if (!type.is_composite()) return nullptr;
  if (!type.is(TypeKind::Struct)) return c.types.find(type.element);
  const Words members = c.types.members(type);
  const auto number = c.constants.as_u64(index, ValueUse::OrDefault);
  return number && *number < members.size() ? c.types.find(members[static_cast<std::size_t>(*number)]) : nullptr;
}

}  // namespace vireo::spirv
