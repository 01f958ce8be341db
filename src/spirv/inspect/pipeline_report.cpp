// SPDX-License-Identifier: Apache-2.0
//
// Reports the conflicts of a pipeline as findings of the validator's rules (vireo/spirv/inspect/pipeline.h).
#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "spirv/validate/core/report.h"
#include "spirv/validate/rules/rules.h"
#include "vireo/spirv/inspect/pipeline.h"
#include "vireo/spirv/module/module.h"

namespace vireo::spirv {
namespace {

// Whether a row allows the rule for the instruction that declares the place.
bool is_allowed(std::string_view rule, const PipelinePlace& place, std::span<const PipelineModule> modules) {
  const PipelineModule& module = modules[place.module];
  if (module.allowed.empty()) return false;
  const InstructionIndex declaration = module.reflection->facts().module().definition(place.id);
  return std::ranges::any_of(module.allowed, [&](const AllowedRule& row) {
    return !declaration.is_none() && row.instruction == declaration.raw + std::uint64_t{1} && is_named(rule, row.rule);
  });
}

}  // namespace

void report_conflicts(const PipelineReflection& pipeline, std::span<const PipelineModule> modules,
                      const ValidateOptions& options, Diagnostics& diagnostics) {
  const Severities severities(options.features, options.rules);
  std::vector<std::string_view> files;
  for (const PipelineModule& module : modules) files.push_back(module.file);
  for (const PipelineConflict& conflict : pipeline.conflicts) {
    const auto row = find_validation_rule(conflict.rule);
    std::optional<Severity> severity = severities.of(static_cast<Rule>(row - validation_rules().data()));
    const RuleChoice* choice = severities.choice_for(conflict.vuid);
    if (severity && choice != nullptr) severity = choice->severity;
    if (!severity || is_allowed(conflict.rule, conflict.first, modules) ||
        is_allowed(conflict.rule, conflict.second, modules)) {
      continue;
    }
    Diagnostic diagnostic{conflict.rule, *severity};
    diagnostic.message = pipeline_conflict_text(conflict, files);
    diagnostic.requirement = conflict.vuid;
    diagnostics.report(std::move(diagnostic));
  }
}

}  // namespace vireo::spirv
