// SPDX-License-Identifier: Apache-2.0
//
// Finds the declarations that nothing needs.
//
// The one idea: the grammar states most requirements, and the validator states the rest. So the declarations that the
// grammar does not require are removed from a copy, and the copy is validated. If it has a further finding, each half
// of them is tried.
//
// Source: specification 2.16.1 (capabilities), 3.31 (Capability), 3.42.5 (OpEntryPoint).
#include "vireo/spirv/transform/trim.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "spirv/binary/literal_string.h"
#include "spirv/transform/removal.h"
#include "vireo/spirv/environment.h"
#include "vireo/spirv/facts/call_graph.h"
#include "vireo/spirv/facts/module_declarations.h"
#include "vireo/spirv/requirements.h"
#include "vireo/spirv/validate.h"
#include "vireo/spirv/views/mode_setting.h"

namespace vireo::spirv {
namespace {

using enum Op;

// The newest environment of each API.
constexpr std::string_view environments_of_apis[] = {"", "vulkan1.4", "opencl2.2", "opengl4.5"};
// A module with more findings is not trimmed by trial.
constexpr std::size_t most_findings = 10'000;

// Findings apart from their places, which change with the words before them.
using Findings = std::multiset<std::string>;

class DeclarationTrimmer {
 public:
  DeclarationTrimmer(const Module& module, const TrimOptions& options) : module_(module), options_(options) {}

  std::vector<InstructionIndex> run() {
    collect();
    if (candidates_.empty()) return {};
    for (const std::string_view name : environments_of_apis) before_.push_back(findings_in(module_.words(), name));
    // Deciding one declaration may free another one: an extension is needed by a capability.
    std::size_t removed = 0;
    do {
      removed = removed_.size();
      try_to_remove(0, candidates_.size());
      std::erase_if(candidates_, [&](InstructionIndex index) { return std::ranges::count(removed_, index) != 0; });
    } while (removed_.size() != removed && !candidates_.empty());
    return removed_;
  }

 private:
  void collect() {
    const Requirements unneeded = unneeded_declarations(module_.words(), module_.grammar());
    for (const auto [index, view] : module_.instructions(Section::Capabilities)) {
      const auto capability = as<OpCapability>(view);
      if (!options_.capabilities || !capability) continue;
      if (std::ranges::count(unneeded.capabilities, capability->capability().value) != 0) candidates_.push_back(index);
    }
    for (const auto [index, view] : module_.instructions(Section::Extensions)) {
      if (!options_.extensions || view.opcode != OpExtension) continue;
      if (std::ranges::count(unneeded.extensions, literal_string(view, 1)) != 0) candidates_.push_back(index);
    }
  }

  [[nodiscard]] Findings findings_in(Words words, std::string_view environment) const {
    ValidateOptions options;
    options.grammar = &module_.grammar();
    options.max_findings = most_findings;
    if (!environment.empty()) options.environment = find_environment(environment).value();
    Diagnostics found(most_findings);
    validate(words, options, found);
    Findings findings;
    for (const Diagnostic& each : found.all()) findings.insert(std::string(each.rule) + ' ' + each.message);
    return findings;
  }

  // Candidates first … end - 1. Recursion depth: the logarithm of their number.
  void try_to_remove(std::size_t first, std::size_t end) {
    if (first == end) return;
    std::vector<InstructionIndex> removed = removed_;
    removed.insert(removed.end(), candidates_.begin() + static_cast<std::ptrdiff_t>(first),
                   candidates_.begin() + static_cast<std::ptrdiff_t>(end));
    if (is_silent_without(removed)) {
      removed_ = std::move(removed);
    } else if (end - first > 1) {
      const std::size_t middle = first + (end - first) / 2;
      try_to_remove(first, middle);
      try_to_remove(middle, end);
    }
  }

  [[nodiscard]] bool is_silent_without(const std::vector<InstructionIndex>& removed) const {
    Removal removal(module_);
    for (const InstructionIndex index : removed) removal.remove(index);
    const WordBuffer words = removal.write();
    for (std::size_t i = 0; i < before_.size(); ++i) {
      const Findings after = findings_in(words, environments_of_apis[i]);
      if (!std::ranges::includes(before_[i], after)) return false;
    }
    return true;
  }

  const Module& module_;
  const TrimOptions& options_;
  std::vector<InstructionIndex> candidates_, removed_;
  std::vector<Findings> before_;  // by environment
};

// Whether an instruction that may belong to a function with these marks uses the variable. A use among the globals
// counts as well: an initializer or a constant may be used anywhere.
bool is_used(const Module& module, std::span<const Use> uses, const std::vector<bool>& is_reached) {
  return std::ranges::any_of(uses, [&](const Use& use) {
    if (use.kind != UseKind::Operand && use.kind != UseKind::ResultType) return false;
    const FunctionIndex function = module.function_at(use.instruction);
    return function.is_none() || is_reached[function.index()];
  });
}

void remove_unused_interfaces(const Module& module, Removal& removal) {
  const Uses uses = Uses::read(module);
  if (!uses.undecoded().empty()) return;  // their operands are unknown
  const CallGraph calls = CallGraph::read(module, uses);
  CallWalk walk(calls, module);
  const ModuleDeclarations declarations = ModuleDeclarations::read(module);
  for (const EntryPointRow& entry : declarations.entry_points()) {
    const FunctionIndex function = module.function_of(entry.function);
    if (function.is_none() || module.instruction(entry.instruction).opcode != OpEntryPoint) continue;
    std::vector<bool> is_reached(module.functions().size());
    for (const FunctionIndex each : walk.below(function)) is_reached[each.index()] = true;
    for (const Word variable : entry.interface_) {
      if (!is_used(module, uses.of(variable), is_reached)) removal.remove_from_interface(entry.instruction, variable);
    }
  }
}

}  // namespace

Result<WordBuffer> trim(Words words, const TrimOptions& options, Diagnostics& diagnostics, TransformReport* report,
                        const Grammar& grammar) {
  const Result<Module> module = read_for_transform(words, grammar, diagnostics);
  if (!module) return module.failure();
  Removal removal(*module);
  for (const InstructionIndex index : DeclarationTrimmer(*module, options).run()) removal.remove(index);
  if (options.interfaces) remove_unused_interfaces(*module, removal);
  WordBuffer result = removal.write();
  if (report != nullptr) removal.describe(result, *report);
  return result;
}

}  // namespace vireo::spirv
