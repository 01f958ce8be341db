// SPDX-License-Identifier: Apache-2.0
//
// Reads what functions and globals use (entry_reach.h).
#include "spirv/inspect/reflect/entry_reach.h"

#include "vireo/spirv/binary/operand.h"

namespace vireo::spirv {

EntryReach::EntryReach(const Module& module) : module_(module), stamps_(module.instruction_count()) {
  const InstructionRange globals = module.section(Section::Globals), functions = module.section(Section::Functions);
  std::vector<std::uint32_t> last_user(module.instruction_count(), ~0u);  // so that each use is listed once
  OperandDecoder decoder(module.grammar(), module.header().bound, module.words().size());
  std::uint32_t owner = ~0u;  // the global, or the OpFunction, that the instruction belongs to
  std::uint32_t owner_end = 0;
  begins_.reserve(module.instruction_count() + std::size_t{1});
  for (const auto [index, view] : module.instructions()) {
    begins_.push_back(static_cast<std::uint32_t>(uses_.size()));
    const bool is_global = index.raw >= globals.first && index.raw < globals.end;
    const bool is_in_function = index.raw >= functions.first && index.raw < functions.end;
    // The decoder needs the imports. It does not need names and annotations, which are slow to decode.
    if (is_global || is_in_function || view.opcode == Op::OpExtInstImport) decoder.decode(view);
    if (!is_global && !is_in_function) continue;
    // The uses of a function follow each other, so they form one list: that of its OpFunction begins there.
    if (is_global || view.opcode == Op::OpFunction) {
      owner = index.raw;
      const FunctionIndex function = is_global ? FunctionIndex::none() : module.function_at(index);
      owner_end = function.is_none() ? owner + 1 : module.functions()[function.index()].all.end;
    }
    for (const Operand& operand : decoder.operands()) {
      if (!operand.uses_id()) continue;
      const InstructionIndex used = module.definition(view.word(operand.word));
      if (used.is_none() || last_user[used.index()] == owner) continue;
      if (used.raw >= owner && used.raw < owner_end) continue;  // of the same function
      const bool is_listed =
          (used.raw >= globals.first && used.raw < globals.end) || module.instruction(used).opcode == Op::OpFunction;
      if (!is_listed) continue;
      last_user[used.index()] = owner;
      uses_.push_back(used);
    }
  }
  begins_.push_back(static_cast<std::uint32_t>(uses_.size()));
}

void EntryReach::enter(Word function) {
  ++stamp_;
  const auto reach = [&](InstructionIndex i) {
    if (i.is_none() || stamps_[i.index()] == stamp_) return;
    stamps_[i.index()] = stamp_;
    waiting_.push_back(i);
  };
  reach(module_.definition(function));
  while (!waiting_.empty()) {
    const InstructionIndex i = waiting_.back();
    waiting_.pop_back();
    std::uint32_t end = i.raw + 1;
    if (module_.instruction(i).opcode == Op::OpFunction) {
      const FunctionIndex f = module_.function_at(i);
      if (!f.is_none()) end = module_.functions()[f.index()].all.end;
    }
    for (std::uint32_t use = begins_[i.index()]; use < begins_[end]; ++use) reach(uses_[use]);
  }
}

}  // namespace vireo::spirv
