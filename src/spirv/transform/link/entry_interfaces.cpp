// SPDX-License-Identifier: Apache-2.0
//
// Completes the interfaces of entry points (entry_interfaces.h).
//
// Source: specification 3.42.5 (OpEntryPoint): from version 1.4 on the interface lists all variables outside functions
// that the entry point uses; before, those of the storage classes Input and Output.
#include "spirv/transform/link/entry_interfaces.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "spirv/module/opcode_traits.h"
#include "spirv/rules.h"
#include "spirv/transform/rewrite.h"
#include "support/printable.h"
#include "vireo/spirv/binary/views/memory.h"
#include "vireo/spirv/binary/writer.h"
#include "vireo/spirv/build/edit.h"
#include "vireo/spirv/module/call_graph.h"
#include "vireo/spirv/module/facts.h"
#include "vireo/spirv/module/module_declarations.h"
#include "vireo/spirv/module/uses.h"

namespace vireo::spirv {
namespace {

using enum Op;

// The variables that belong in interfaces, by each function that uses them.
std::vector<std::vector<Word>> variables_by_function(const Module& module, const Uses& uses) {
  const bool lists_all = module.header().version() >= Version{1, 4};
  std::vector<std::vector<Word>> variables(module.functions().size());
  for (const InstructionView view : module.views(module.section(Section::Globals))) {
    if (!is_variable(view.opcode)) continue;
    const View<OpVariable> variable(view);
    const StorageClass storage = variable.storage_class();
    const Word id = variable.result();
    if (!lists_all && storage != StorageClass::Input && storage != StorageClass::Output) continue;
    for (const Use& use : uses.of(id)) {
      const FunctionIndex function = module.function_at(use.instruction);
      if (function.is_none()) continue;
      std::vector<Word>& list = variables[function.index()];
      if (list.empty() || list.back() != id) list.push_back(id);
    }
  }
  return variables;
}

}  // namespace

std::optional<Reported> complete_interfaces(WordBuffer& words, const Grammar& grammar, Diagnostics& diagnostics) {
  const Module module = Module::read(words, grammar);
  if (module.section(Section::EntryPoints).is_empty()) return std::nullopt;
  const Facts facts(module);
  const std::vector<std::vector<Word>> variables = variables_by_function(module, facts.some_uses());
  CallWalk walk(facts.call_graph(), module);
  Rewrite rewrite(module);
  std::vector<InstructionIndex> listed_by(module.header().bound);  // by variable: the last entry point that lists it
  for (const EntryPointRow& entry : facts.module_declarations().entry_points()) {
    const FunctionIndex function = module.function_of(entry.function);
    const InstructionView view = module.instruction(entry.instruction);
    if (function.is_none() || view.opcode != OpEntryPoint) continue;
    for (const Word variable : entry.interface_) listed_by[variable] = entry.instruction;
    WordBuffer completed;
    for (const FunctionIndex each : walk.below(function)) {
      for (const Word variable : variables[each.index()]) {
        if (listed_by[variable] == entry.instruction) continue;
        listed_by[variable] = entry.instruction;
        if (completed.empty()) completed.assign(view.words().begin(), view.words().end());
        completed.push_back(variable);
      }
    }
    if (completed.empty()) continue;
    if (completed.size() > max_instruction_words) {
      return diagnostics.error(
          rule::link_limit, Location::none(),
          fmt::format("entry point {} uses too many variables for one OpEntryPoint", quoted(entry.name)));
    }
    completed[0] = first_word(completed.size(), OpEntryPoint);
    rewrite.replace(entry.instruction, completed);
  }
  if (!rewrite.is_changed()) return std::nullopt;
  // The new operands are the first occurrences of their ids.
  const WordBuffer changed = rewrite.write();
  Result<WordBuffer> renumbered = compact_ids(changed, diagnostics, grammar);
  if (!renumbered) return renumbered.failure();
  words = std::move(*renumbered);
  return std::nullopt;
}

}  // namespace vireo::spirv
