// SPDX-License-Identifier: Apache-2.0
//
// Runs the stages of the validator in order.
//
// A stage runs after the stages that check its preconditions. Facts can be computed for any words. Ids
// and requirements are checked for every instruction that can be decoded. Typing rows and check tables run only if the
// ids are sound. The control flow of a function is checked after its last instruction, and the whole module last. No
// stage after check_form stops at an error, and no error is reported twice.
#include "vireo/spirv/validate/validate.h"

#include <optional>
#include <string>

#include "spirv/validate/analysis/device_values.h"
#include "spirv/validate/checks/checks.h"
#include "spirv/validate/driver/verify_fixes.h"
#include "spirv/validate/driver/walk.h"
#include "vireo/spirv/binary/reader.h"

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
void check_all(const ModuleCheck& c, Soundness& soundness) {
  check_layout(c);
  check_capabilities(c);
  check_device(c);
  check_adjacency(c);
  check_unique_types(c);
  check_type_nesting(c);
  check_variable_limits(c);
  check_limits(c);
  check_instructions(c, soundness);
  check_module(c);
  check_uniformity(c);
  c.findings.add_unused_allowed();
  if (c.budget.is_exceeded()) { c.report(Rule::WorkLimit, Place::header(0), {c.budget.limit()}); }
}

// The limits of a device, with the extensions that the version of Vulkan includes.
DeviceSupport with_promoted(const std::vector<DeviceLimit>& limits, Version version) {
  DeviceSupport device;
  if (version >= Version{1, 3}) device.limits.push_back({"VK_KHR_format_feature_flags2", 1});
  device.limits.insert(device.limits.end(), limits.begin(), limits.end());
  return device;
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
  const FeatureSet features = features_of(options.environment, options.features);
  const Severities severities(features, options.rules);
  Report report(module, severities, soundness, options.environment.client == Client::Vulkan, options.fixes,
                options.allowed, options.max_findings);
  std::optional<DeviceValues> device;
  if (options.environment.client == Client::Vulkan && options.device != nullptr && !options.device->limits.empty())
    device.emplace(with_promoted(options.device->limits, options.environment.client_version));
  const ModuleCheck c{module,
                      facts,
                      options,
                      options.environment,
                      facts.module_declarations(),
                      facts.types(),
                      facts.constants(),
                      facts.decorations(),
                      fragments,
                      soundness,
                      report,
                      budget,
                      KindsByName(grammar),
                      features,
                      is_logical(facts.module_declarations().addressing_model()),
                      gives_poison(facts.module_declarations()),
                      has_null_pointers(facts),
                      device ? &*device : nullptr,
                      nullptr};
  check_header(c);
  if (check_form(c)) check_all(c, soundness);
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
