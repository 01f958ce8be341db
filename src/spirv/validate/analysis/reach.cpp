// SPDX-License-Identifier: Apache-2.0
//
// Propagates bits of entry points to reachable functions and to globals (reach.h). Source: specification 2.4 (an entry
// point has a static call tree).
#include "spirv/validate/analysis/reach.h"

namespace vireo::spirv {

EntryPointReachability::EntryPointReachability(const ModuleCheck& c, BitsOf bits_of)
    : module_(c.module), functions_(c.module.functions().size(), 0) {
  propagate_to_functions(c, bits_of);
  propagate_to_globals(c);
}

void EntryPointReachability::propagate_to_functions(const ModuleCheck& c, BitsOf bits_of) {
  const CallGraph& calls = c.facts.call_graph();
  for (const EntryPointRow& entry : c.module_declarations.entry_points()) {
    const FunctionIndex function = module_.function_of(entry.function);
    if (!function.is_none()) functions_[function.index()] |= bits_of(c, entry);
  }
  // Components are numbered from callees to callers. In descending order, each component has the bits of all its
  // callers before it is visited. All functions of a component share its bits.
  for (std::size_t i = calls.component_count(); i-- > 0;) {
    const auto members = calls.functions_of(ComponentIndex(i));
    std::uint32_t bits = 0;
    for (const FunctionIndex member : members) bits |= functions_[member.index()];
    for (const FunctionIndex member : members) {
      functions_[member.index()] |= bits;
      for (const CallRow& call : calls.calls(member)) functions_[call.callee.index()] |= bits;
    }
  }
}

void EntryPointReachability::propagate_to_globals(const ModuleCheck& c) {
  const auto functions = module_.functions();
  globals_.resize(functions.empty() ? module_.instruction_count() : functions[0].all.first, 0);
  const Uses& uses = c.facts.uses();
  // A global is used only after its definition. So in reverse order, each user already has its bits.
  for (std::size_t i = globals_.size(); i-- > 0;) {
    const Word id = module_.result_of(module_.instruction(InstructionIndex(i)));
    if (id == 0) continue;
    for (const Use& use : uses.of(id)) {
      if (use.kind != UseKind::Operand && use.kind != UseKind::ResultType) continue;
      const std::size_t user = use.instruction.index();
      if (user < globals_.size()) {
        globals_[i] |= globals_[user];
      } else if (const FunctionIndex function = module_.function_at(use.instruction); !function.is_none()) {
        globals_[i] |= functions_[function.index()];
      }
    }
  }
}

std::uint32_t EntryPointReachability::of_global(Word id) const {
  const InstructionIndex definition = module_.definition(id);
  return definition.is_none() || definition.index() >= globals_.size() ? 0 : globals_[definition.index()];
}

Models ModelReachability::of_global(Word id) {
  if (!reach_) reach_.emplace(c_, [](const ModuleCheck&, const EntryPointRow& entry) { return bit_of(entry.model); });
  return reach_->of_global(id);
}

}  // namespace vireo::spirv
