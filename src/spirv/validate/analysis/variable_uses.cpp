// SPDX-License-Identifier: Apache-2.0
//
// Groups variables by function: one pass over the uses of variables, then one sort.
#include "spirv/validate/analysis/variable_uses.h"

#include <algorithm>
#include <utility>

#include "spirv/validate/analysis/extended_sets.h"
#include "spirv/validate/analysis/pointers.h"

namespace vireo::spirv {

std::vector<Word> module_variables(const ModuleCheck& c) {
  std::vector<Word> variables;
  if (!c.module.has(Op::OpVariable) && !c.module.has(Op::OpUntypedVariableKHR)) return variables;
  for (const InstructionView view : c.module.views(c.module.section(Section::Globals))) {
    if (is_variable(view.opcode)) variables.push_back(c.module.result_of(view));
  }
  return variables;
}

VariableUses::VariableUses(const ModuleCheck& c)
    : variables_(module_variables(c)), begins_(c.module.functions().size() + 1) {
  std::vector<std::pair<FunctionIndex, Word>> pairs;
  const auto functions = c.module.functions();
  for (const Word id : variables_) {
    for (const Use& use : c.facts.some_uses().of(id)) {
      if (use.kind != UseKind::Operand) continue;
      // Uses are in word order, so the uses in one function are adjacent. This test drops most duplicates.
      const bool is_noted = !pairs.empty() && pairs.back().second == id &&
                            functions[pairs.back().first.index()].all.contains(use.instruction);
      const FunctionIndex function = is_noted ? FunctionIndex::none() : c.module.function_at(use.instruction);
      if (function.is_none()) continue;
      const InstructionView user = c.module.instruction(use.instruction);
      if (is_extended(user.opcode) && (is_non_semantic(c, user) || is_older_debug_information(c, user))) { continue; }
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
Place place_in_list(const ModuleCheck& c, const EntryPointRow& entry, std::size_t number) {
  const std::size_t first_word = c.module.instruction(entry.instruction).word_count - entry.interface_.size();
  return {entry.instruction, static_cast<std::uint16_t>(first_word + number)};
}

VariableInfo variable_info(const ModuleCheck& c, Word id) {
  VariableInfo info;
  const InstructionView view = c.module.find(id);
  const std::uint16_t storage = word_of(view.opcode, OperandName::storage_class);
  if (!is_variable(view.opcode) || view.word_count <= storage) return info;
  info.id = id;
  info.storage = static_cast<StorageClass>(view.word(storage));
  info.declaration = c.module.definition(id);
  info.is_untyped = view.opcode == Op::OpUntypedVariableKHR;
  info.holds = pointee_of(c, id);
  return info;
}

bool is_per_primitive(const ModuleCheck& c, Word variable) {
  if (c.decorations.has(variable, Decoration::PerPrimitiveEXT)) return true;
  const TypeRow* pointee = pointee_of(c, variable);
  return pointee != nullptr && c.decorations.has_on_member(pointee->innermost().id, Decoration::PerPrimitiveEXT);
}

}  // namespace vireo::spirv
