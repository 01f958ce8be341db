// SPDX-License-Identifier: Apache-2.0
//
// Runs the stages of the validator in order.
//
// A stage runs after the stages that check its preconditions. Facts can be computed for any words. Ids
// and requirements are checked for every instruction that can be decoded. Typing rows and check tables run only if the
// ids are sound. The control flow of a function is checked after its last instruction, and the whole module last. No
// stage after check_form stops at an error, and no error is reported twice.
#include "vireo/spirv/validate.h"

#include <optional>
#include <string>

#include "spirv/validate/engine/checks.h"
#include "spirv/validate/engine/verify_fixes.h"
#include "spirv/validate/engine/walk.h"
#include "vireo/spirv/reader.h"

namespace vireo::spirv {
namespace {

// Adds the features that the environment and other features imply.
FeatureSet features_of(const Environment& environment, FeatureSet chosen) {
  if (chosen.has(Feature::BeforeHlslLegalization)) chosen.add(Feature::RelaxLogicalPointer);
  if (environment.client == Client::Vulkan && environment.client_version >= Version{1, 1}) {
    chosen.add(Feature::RelaxBlockLayout);
  }
  if (environment.client != Client::Vulkan || environment.client_version >= Version{1, 3}) {
    chosen.add(Feature::AllowLocalSizeId);
  }
  return chosen;
}

// If there is no memory model, the addressing model is unknown, so the rules of logical pointers do not apply.
bool is_logical(std::optional<AddressingModel> model) {
  return model == AddressingModel::Logical || model == AddressingModel::PhysicalStorageBuffer64;
}

bool gives_poison(const ModuleDeclarations& declarations) {
  return std::ranges::any_of(declarations.execution_modes(), [](const ExecutionModeRow& row) {
    return row.mode == ExecutionMode::ArithmeticPoisonKHR;
  });
}

bool has_null_pointers(const Facts& facts) {
  return std::ranges::any_of(facts.constants().rows(), [&](const ConstantRow& row) {
    return row.kind == ConstantKind::Null && facts.types().row(row.type).is_pointer();
  });
}

// Runs all checks of a module that can be divided into instructions to its end.
void check_all(const Context& context, Soundness& soundness, Report& report) {
  check_layout(context, report);
  check_capabilities(context, report);
  check_device(context, report);
  check_adjacency(context, report);
  check_unique_types(context, report);
  check_type_nesting(context, report);
  check_variable_limits(context, report);
  check_limits(context, report);
  check_instructions(context, soundness, report);
  check_module(context, report);
  report.add_unused_allowed();
  if (context.budget.is_exceeded()) {
    report.add(Rule::WorkLimit, Place::header(0), {std::to_string(context.budget.limit())});
  }
}

// Validates without verifying fixes.
bool find_faults(Words words, const ValidateOptions& options, Diagnostics& diagnostics) {
  const std::size_t errors_before = diagnostics.error_count();
  if (!read_header(words, diagnostics)) return false;
  const Grammar& grammar = options.grammar == nullptr ? builtin_grammar() : *options.grammar;

  const Module module = Module::read(words, grammar);
  const Facts facts(module);
  const Fragments fragments(module);
  Soundness soundness(module, facts.types(), fragments);
  WorkBudget budget(words.size());
  const Context context{module,
                        facts,
                        options,
                        options.environment,
                        facts.module_declarations(),
                        facts.types(),
                        facts.constants(),
                        facts.decorations(),
                        fragments,
                        soundness,
                        budget,
                        KindsByName(grammar),
                        features_of(options.environment, options.features),
                        is_logical(facts.module_declarations().addressing_model()),
                        gives_poison(facts.module_declarations()),
                        has_null_pointers(facts),
                        nullptr};
  const Severities severities(context.features, options.rules);
  Report report(module, severities, soundness, context.is_vulkan(), options.fixes, options.allowed,
                options.max_findings);
  check_header(context, report);
  if (check_form(context, report)) check_all(context, soundness, report);
  const bool is_valid = !report.has_errors();  // includes errors that were only counted
  report.deliver(diagnostics);
  diagnostics.sort_by_place();
  return is_valid && diagnostics.error_count() == errors_before;
}

}  // namespace

bool validate(Words words, const ValidateOptions& options, Diagnostics& diagnostics) {
  if (options.fixes) return validate_with_fixes(words, options, find_faults, diagnostics);
  return find_faults(words, options, diagnostics);
}

}  // namespace vireo::spirv
