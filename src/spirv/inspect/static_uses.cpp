// SPDX-License-Identifier: Apache-2.0
//
// Follows pointers from a variable to the members of its block (static_uses.h).
#include "spirv/inspect/static_uses.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "spirv/binary/access_chain.h"
#include "spirv/grammar/special_sets.h"
#include "vireo/spirv/binary/views/extension.h"
#include "vireo/spirv/module/call_graph.h"
#include "vireo/spirv/module/constants.h"
#include "vireo/spirv/module/module.h"

namespace vireo::spirv {
namespace {

// Whether an instruction is debug information, or has no semantics for another reason.
bool is_without_semantics(const Facts& facts, InstructionView view) {
  const auto call = as<Op::OpExtInst>(view);
  if (!call) return false;
  const auto imports = facts.module_declarations().imports();
  const InstructionIndex place = facts.module().definition(call->set());
  const auto found = std::ranges::lower_bound(imports, place, {}, &ImportRow::instruction);
  return found != imports.end() && found->instruction == place && has_no_semantics(found->name);
}

}  // namespace

StaticUses::StaticUses(const Facts& facts, Word function)
    : facts_(facts), is_reached_(facts.module().functions().size()) {
  const FunctionIndex entry = facts.module().function_of(function);
  if (entry.is_none()) return;
  CallWalk walk(facts.call_graph(), facts.module());
  for (const FunctionIndex each : walk.below(entry)) is_reached_[each.index()] = true;
}

bool StaticUses::is_use(const Use& use) const {
  if (use.kind != UseKind::Operand) return false;
  const FunctionIndex function = facts_.module().function_at(use.instruction);
  return !function.is_none() && is_reached_[function.index()] &&
         !is_without_semantics(facts_, facts_.module().instruction(use.instruction));
}

bool StaticUses::has(Word variable) const {
  return std::ranges::any_of(facts_.uses().of(variable), [&](const Use& use) { return is_use(use); });
}

StaticUses::Members StaticUses::members(Word variable, std::size_t arrays) const {
  struct Pointer {
    Word id;
    std::size_t arrays;  // around the block that it points to
  };
  Members found;
  std::vector<Pointer> pointers = {{variable, arrays}};
  std::set<Word> known = {variable};  // a module may be invalid, and a chain its own base
  const Module& module = facts_.module();
  while (!pointers.empty()) {
    const Pointer pointer = pointers.back();
    pointers.pop_back();
    for (const Use& use : facts_.uses().of(pointer.id)) {
      if (!is_use(use)) continue;
      const InstructionView view = module.instruction(use.instruction);
      const std::optional<AccessChain> chain = access_chain(view);
      const bool is_copy = view.opcode == Op::OpCopyObject;
      const bool is_base = chain && !chain->is_untyped && !chain->element && chain->base.id == pointer.id;
      const std::size_t count = is_base ? chain->indexes.size() : 0;
      if (!is_base && !is_copy) {
        found.are_all = true;
        return found;
      }
      if (count > pointer.arrays) {
        const auto number = facts_.constants().as_u64(chain->indexes[pointer.arrays]);
        if (number) found.numbers.insert(static_cast<Word>(*number));
      } else if (const Word result = module.result_of(view); known.insert(result).second) {
        pointers.push_back({result, pointer.arrays - count});
      }
    }
  }
  return found;
}

}  // namespace vireo::spirv
