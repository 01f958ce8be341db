// SPDX-License-Identifier: Apache-2.0
//
// Groups variables by function: one pass over the uses of variables, then one sort.
#include "spirv/validate/analysis/variable_uses.h"

#include <algorithm>
#include <utility>

#include "spirv/validate/analysis/pointers.h"
#include "spirv/validate/checks/extended_sets/extended_sets.h"

namespace vireo::spirv {

VariableUses::VariableUses(const Context& context) : begins_(context.module.functions().size() + 1) {
  if (!context.module.has(Op::OpVariable) && !context.module.has(Op::OpUntypedVariableKHR)) return;
  std::vector<std::pair<FunctionIndex, Word>> pairs;
  const auto functions = context.module.functions();
  for (const InstructionView view : context.module.views(context.module.section(Section::Globals))) {
    if (!is_variable(view.opcode)) continue;
    const Word id = context.module.result_of(view);
    variables_.push_back(id);
    for (const Use& use : context.facts.some_uses().of(id)) {
      if (use.kind != UseKind::Operand) continue;
      // Uses are in word order, so the uses in one function are adjacent. This test drops most duplicates.
      const bool is_noted = !pairs.empty() && pairs.back().second == id &&
                            functions[pairs.back().first.index()].all.contains(use.instruction);
      const FunctionIndex function = is_noted ? FunctionIndex::none() : context.module.function_at(use.instruction);
      if (function.is_none()) continue;
      const InstructionView user = context.module.instruction(use.instruction);
      if (is_extended(user.opcode) && (is_non_semantic(context, user) || is_older_debug_information(context, user))) {
        continue;
      }
      pairs.emplace_back(function, id);
    }
  }
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  for (const auto& [function, id] : pairs) {
    ++begins_[function.index() + 1];
    used_.push_back(id);
  }
  for (std::size_t i = 1; i < begins_.size(); ++i) begins_[i] += begins_[i - 1];
}

// The interface list is at the end of OpEntryPoint, after a name of any length.
Place place_in_list(const Context& context, const EntryPointRow& entry, std::size_t number) {
  const std::size_t first_word = context.module.instruction(entry.instruction).word_count - entry.interface_.size();
  return {entry.instruction, static_cast<std::uint16_t>(first_word + number)};
}

VariableInfo variable_info(const Context& context, Word id) {
  VariableInfo info;
  const InstructionView view = context.module.find(id);
  const std::uint16_t storage = word_of(view.opcode, OperandName::storage_class);
  if (!is_variable(view.opcode) || view.word_count <= storage) return info;
  info.id = id;
  info.storage = static_cast<StorageClass>(view.word(storage));
  info.declaration = context.module.definition(id);
  info.is_untyped = view.opcode == Op::OpUntypedVariableKHR;
  info.holds = pointee_of(context, id);
  return info;
}

}  // namespace vireo::spirv
