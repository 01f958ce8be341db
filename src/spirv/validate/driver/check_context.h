// SPDX-License-Identifier: Apache-2.0
//
// CheckContext: a ModuleCheck together with what it refers to, for a module and its facts.
//
// The validator checks a module with it; an execution (spirv/execute) reports its findings with it.
#pragma once

#include <optional>

#include "spirv/validate/analysis/device_values.h"
#include "spirv/validate/core/check.h"

namespace vireo::spirv {

class CheckContext {
 public:
  /// The module, the facts and the options are borrowed.
  CheckContext(const Module& module, const Facts& facts, const ValidateOptions& options);
  CheckContext(const CheckContext&) = delete;
  CheckContext& operator=(const CheckContext&) = delete;

  [[nodiscard]] const ModuleCheck& check() const { return check_; }
  [[nodiscard]] Report& report() { return report_; }
  [[nodiscard]] Soundness& soundness() { return soundness_; }

 private:
  Fragments fragments_;
  Soundness soundness_;
  WorkBudget budget_;
  FeatureSet features_;
  Severities severities_;
  Report report_;
  std::optional<DeviceValues> device_;
  ModuleCheck check_;
};

}  // namespace vireo::spirv
