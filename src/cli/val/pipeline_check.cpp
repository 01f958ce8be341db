// SPDX-License-Identifier: Apache-2.0
//
// Compares the modules of `vireo val --pipeline` (pipeline_check.h).
#include "cli/val/pipeline_check.h"

#include <algorithm>
#include <deque>
#include <optional>
#include <set>

#include "cli/common/inputs.h"
#include "cli/module/named_modules.h"
#include "spirv/validate/core/report.h"
#include "spirv/validate/rules/rules.h"
#include "vireo/spirv/inspect/pipeline.h"
#include "vireo/spirv/inspect/reflection.h"
#include "vireo/spirv/module/facts.h"
#include "vireo/spirv/module/module.h"

namespace vireo::cli {
namespace {

// The entry points of a module, and what they use. Each part refers to the one before it.
struct ReadModule {
  ReadModule(spirv::Words words, const spirv::Grammar& grammar)
      : module(spirv::Module::read(words, grammar)), facts(module), reflection(facts) {}
  spirv::Module module;
  spirv::Facts facts;
  spirv::Reflection reflection;
};

// A problem of the whole pipeline, which no VUID states.
void report_stages(const spirv::ValidateOptions& options, std::string message, Diagnostics& diagnostics) {
  const std::optional<Severity> severity =
      spirv::Severities(options.features, options.rules).of(spirv::Rule::PipelineStage);
  if (!severity) return;
  Diagnostic diagnostic{spirv::row_of(spirv::Rule::PipelineStage).name, *severity};
  diagnostic.message = std::move(message);
  diagnostics.report(std::move(diagnostic));
}

}  // namespace

// The batch reads equal names once, and other names of one file several times.
void PipelineCheck::report_repeated(std::span<const std::string> operands, const spirv::ValidateOptions& options,
                                    Diagnostics& diagnostics) const {
  const auto report = [&](const RepeatedInput& repeated) {
    report_stages(options, repeated.text() + "; each stage is once in a pipeline", diagnostics);
  };
  std::set<std::string_view> known, reported;
  for (const std::string& operand : operands) {
    if (!known.insert(operand).second && reported.insert(operand).second) report({operand, operand});
  }
  std::map<std::string, std::string_view> files;
  for (const auto& [index, stage] : modules_) {
    const auto [first, is_new] = files.try_emplace(file_identity(stage.file), stage.file);
    if (!is_new) report({std::string(first->second), stage.file});
  }
}

void PipelineCheck::add(std::size_t index, std::string_view file, const Subject& subject) {
  const spirv::Words words = subject.words();
  Stage stage{std::string(file), {words.begin(), words.end()}};
  if (subject.is_text()) {
    for (const spirv::AllowedRule& row : subject.text->allowed_rules())
      stage.allowed.emplace_back(row.instruction, row.rule);
  }
  const std::lock_guard lock(adding_);
  modules_.emplace(index, std::move(stage));
}

void PipelineCheck::run(std::span<const std::string_view> entry_points, std::span<const std::string> operands,
                        const spirv::ValidateOptions& options, Diagnostics& diagnostics) const {
  std::deque<ReadModule> read;
  std::deque<std::vector<spirv::AllowedRule>> allowed;
  std::vector<const spirv::Reflection*> reflections;
  std::vector<spirv::PipelineModule> modules;
  std::set<std::string_view> names;
  for (const auto& [index, stage] : modules_) {
    const spirv::Reflection& reflection = read.emplace_back(stage.words, *options.grammar).reflection;
    std::vector<spirv::AllowedRule>& rows = allowed.emplace_back();
    for (const auto& [instruction, rule] : stage.allowed) rows.push_back({instruction, rule, {}});
    reflections.push_back(&reflection);
    modules.push_back({&reflection, stage.file, rows});
    for (const spirv::ReflectedEntryPoint& entry : reflection.entry_points()) names.insert(entry.name);
  }
  for (const std::string_view name : entry_points) {
    if (names.contains(name)) continue;
    report_unknown_entry_point("the modules have", name, {names.begin(), names.end()}, diagnostics);
  }
  report_repeated(operands, options, diagnostics);
  // Vulkan 1.3 includes the feature. For older versions, an option of its own stands for it.
  const spirv::Environment& environment = options.environment;
  const spirv::PipelineOptions selection{.entry_points = entry_points,
                                         .maintenance4 = environment.client != spirv::Client::Vulkan ||
                                                         environment.client_version >= spirv::Version{1, 3} ||
                                                         options.features.has(spirv::Feature::AllowLocalSizeId)};
  const spirv::PipelineReflection pipeline = spirv::reflect_pipeline(reflections, {}, selection);
  if (pipeline.stages.empty() && !diagnostics.has_errors())
    report_stages(options, "the modules have no entry point", diagnostics);
  spirv::report_conflicts(pipeline, modules, options, diagnostics);
}

}  // namespace vireo::cli
