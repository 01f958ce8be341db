// SPDX-License-Identifier: Apache-2.0
//
// What checks read of a module, its environment and the options (check_context.h).
#include "spirv/validate/driver/check_context.h"

#include <algorithm>
#include <vector>

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

// The limits of a device, with the extensions that the version of Vulkan includes.
DeviceSupport with_promoted(const std::vector<DeviceLimit>& limits, Version version) {
  DeviceSupport device;
  if (version >= Version{1, 3}) device.limits.push_back({"VK_KHR_format_feature_flags2", 1});
  device.limits.insert(device.limits.end(), limits.begin(), limits.end());
  return device;
}

std::optional<DeviceValues> device_of(const ValidateOptions& options) {
  std::optional<DeviceValues> device;
  if (options.environment.client == Client::Vulkan && options.device != nullptr && !options.device->limits.empty())
    device.emplace(with_promoted(options.device->limits, options.environment.client_version));
  return device;
}

}  // namespace

CheckContext::CheckContext(const Module& module, const Facts& facts, const ValidateOptions& options)
    : fragments_(module),
      soundness_(module, facts.types(), fragments_),
      budget_(module.words().size()),
      features_(features_of(options.environment, options.features)),
      severities_(features_, options.rules),
      report_(module, severities_, soundness_, options.environment.client == Client::Vulkan, options.fixes,
              options.allowed, options.max_findings),
      device_(device_of(options)),
      check_{module,
             facts,
             options,
             options.environment,
             facts.module_declarations(),
             facts.types(),
             facts.constants(),
             facts.decorations(),
             fragments_,
             soundness_,
             report_,
             budget_,
             KindsByName(module.grammar()),
             features_,
             is_logical(facts.module_declarations().addressing_model()),
             gives_poison(facts.module_declarations()),
             has_null_pointers(facts),
             device_ ? &*device_ : nullptr,
             nullptr} {}

}  // namespace vireo::spirv
