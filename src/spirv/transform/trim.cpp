// SPDX-License-Identifier: Apache-2.0
//
// Finds and removes the declarations that nothing needs.
//
// The grammar and a table (spirv/build/used_capabilities.h) state most requirements, and the validator
// states the rest. So the declarations that the former do not require are removed from a copy, and the copy is
// validated. If it has a further finding, each half of them is tried (largest_subset.h).
//
// Source: specification 2.16.1 (capabilities), 3.31 (Capability), 3.42.5 (OpEntryPoint).
#include "vireo/spirv/transform/trim.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "spirv/transform/removable_declarations.h"
#include "spirv/transform/rewrite.h"
#include "support/largest_subset.h"
#include "vireo/spirv/binary/views/extension.h"
#include "vireo/spirv/binary/views/mode_setting.h"
#include "vireo/spirv/build/requirements.h"
#include "vireo/spirv/environment.h"
#include "vireo/spirv/module/call_graph.h"
#include "vireo/spirv/module/module_declarations.h"
#include "vireo/spirv/validate/validate.h"

namespace vireo::spirv {
namespace {

using enum Op;

// The newest environment of each API, and the capability of modules for it. Without a name: universal SPIR-V.
struct ApiRow {
  std::string_view environment;
  Capability capability;
};
constexpr ApiRow apis[] = {{"", Capability::Matrix},
                           {"vulkan1.4", Capability::Shader},
                           {"opengl4.5", Capability::Shader},
                           {"opencl2.2", Capability::Kernel},
                           // Only Vulkan 1.0 has rules about scopes for them (VUID 07951).
                           {"vulkan1.0", Capability::SubgroupBallotKHR},
                           {"vulkan1.0", Capability::SubgroupVoteKHR}};

// A module with more findings is not trimmed. Each attempt validates the module once for each API.
constexpr std::size_t most_findings = 10'000;
constexpr std::size_t most_attempts = 64;

// Findings apart from their places, which change with the words before them.
using Findings = std::multiset<std::string>;

class DeclarationTrimmer {
 public:
  /// The declarations in `kept` are none to remove.
  DeclarationTrimmer(const Module& module, const TrimOptions& options, const Requirements& kept = {})
      : module_(module) {
    const auto declarations = ModuleDeclarations::read(module);
    for (const ApiRow& api : apis) {
      if (api.environment.empty() || declarations.has(api.capability)) environments_.push_back(api.environment);
    }
    const Requirements unneeded = unneeded_declarations(module.words(), module.grammar());
    const auto add_if = [&](InstructionIndex index, bool is_unneeded) {
      if (is_unneeded) candidates_.push_back(index);
    };
    std::set<Capability> repeated, seen;
    for (const CapabilityRow& row : declarations.capabilities()) {
      if (row.condition == 0 && !seen.insert(row.capability).second) repeated.insert(row.capability);
    }
    seen.clear();
    for (const auto [index, view] : module.instructions(Section::Capabilities)) {
      const auto declaration = as<OpCapability>(view);
      if (!options.capabilities || !declaration) continue;
      const Capability capability = declaration->capability().value;
      if (std::ranges::find(kept.capabilities, capability) != kept.capabilities.end()) continue;
      // A repeated capability is listed for its repetitions, and once more if its first declaration is unneeded, too.
      const bool is_first_of_several = seen.insert(capability).second && repeated.contains(capability);
      add_if(index, std::ranges::count(unneeded.capabilities, capability) > (is_first_of_several ? 1 : 0));
    }
    for (const auto [index, view] : module.instructions(Section::Extensions)) {
      const auto extension = as<OpExtension>(view);
      const auto contains = [&](const Requirements& declarations) {
        return std::ranges::count(declarations.extensions, std::string_view(extension->name())) != 0;
      };
      add_if(index, options.extensions && extension && contains(unneeded) && !contains(kept));
    }
  }

  /// The declarations to remove.
  std::vector<InstructionIndex> run() {
    if (candidates_.empty() || !find_before()) return {};
    const auto instructions_of = [&](const std::vector<std::size_t>& members) {
      std::vector<InstructionIndex> instructions;
      instructions.reserve(members.size());
      for (const std::size_t member : members) instructions.push_back(candidates_[member]);
      return instructions;
    };
    return instructions_of(largest_subset(candidates_.size(), most_attempts, [&](const auto& members) {
      return is_silent_without(instructions_of(members));
    }));
  }

 private:
  // The findings in the module itself. Returns false if there are too many.
  bool find_before() {
    for (const std::string_view environment : environments_) {
      std::optional<Findings> findings = findings_in(module_.words(), environment);
      if (!findings) return false;
      before_.push_back(std::move(*findings));
    }
    return true;
  }

  // Returns nothing if there are too many findings.
  [[nodiscard]] std::optional<Findings> findings_in(Words words, std::string_view environment) const {
    ValidateOptions options;
    options.grammar = &module_.grammar();
    options.max_findings = most_findings;
    if (!environment.empty()) options.environment = find_environment(environment).value();
    Diagnostics found(most_findings);
    validate(words, options, found);
    if (found.error_count() + found.warning_count() != found.all().size()) return std::nullopt;
    Findings findings;
    for (const Diagnostic& each : found.all()) findings.insert(std::string(each.rule) + ' ' + each.message);
    return findings;
  }

  [[nodiscard]] bool is_silent_without(const std::vector<InstructionIndex>& removed) const {
    Rewrite rewrite(module_);
    for (const InstructionIndex index : removed) rewrite.remove(index);
    const WordBuffer words = rewrite.write();
    for (std::size_t i = 0; i < environments_.size(); ++i) {
      const std::optional<Findings> after = findings_in(words, environments_[i]);
      if (!after || !std::ranges::includes(before_[i], *after)) return false;
    }
    return true;
  }

  const Module& module_;
  std::vector<std::string_view> environments_;
  std::vector<InstructionIndex> candidates_;
  std::vector<Findings> before_;  // by environment
};

// Whether a reached function uses a variable. `uses` are those of the variable. A use outside of functions counts as
// well, because an initializer or a constant may be used anywhere.
bool is_used(const Module& module, std::span<const Use> uses, const std::vector<bool>& is_reached) {
  return std::ranges::any_of(uses, [&](const Use& use) {
    if (use.kind != UseKind::Operand && use.kind != UseKind::ResultType) return false;
    const FunctionIndex function = module.function_at(use.instruction);
    return function.is_none() || is_reached[function.index()];
  });
}

void remove_unused_interfaces(const Module& module, Rewrite& rewrite) {
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
      if (!is_used(module, uses.of(variable), is_reached)) rewrite.remove_from_interface(entry.instruction, variable);
    }
  }
}

}  // namespace

std::vector<InstructionIndex> removable_declarations(const Module& module, const TrimOptions& options) {
  return DeclarationTrimmer(module, options).run();
}

Result<WordBuffer> trim(Words words, const TrimOptions& options, Diagnostics& diagnostics, TransformReport* report,
                        const Grammar& grammar) {
  const Result<Module> module = read_for_transform(words, grammar, diagnostics);
  if (!module) return module.failure();
  Rewrite rewrite(*module);
  if (options.capabilities || options.extensions) {
    for (const InstructionIndex index : removable_declarations(*module, options)) rewrite.remove(index);
  }
  if (options.interfaces) remove_unused_interfaces(*module, rewrite);
  WordBuffer result = rewrite.write();
  if (report != nullptr) *report = describe_transform(words, result, grammar);
  return result;
}

Result<WordBuffer> trim_newly_unneeded(Words before, Words after, Diagnostics& diagnostics, const Grammar& grammar) {
  const Result<Module> module = read_for_transform(after, grammar, diagnostics);
  if (!module) return module.failure();
  Rewrite rewrite(*module);
  for (const InstructionIndex index : DeclarationTrimmer(*module, {}, unneeded_declarations(before, grammar)).run())
    rewrite.remove(index);
  return rewrite.write();
}

}  // namespace vireo::spirv
