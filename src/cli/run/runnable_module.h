// SPDX-License-Identifier: Apache-2.0
//
// A module that is read and specialized for an execution.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "cli/run/run_options.h"
#include "cli/val/checked_input.h"
#include "vireo/spirv/run.h"

namespace vireo::cli {

class RunnableModule {
 public:
  /// The source and the options must outlive it. `environment` takes precedence over that of the options.
  RunnableModule(const SourceText& source, const ChosenRun& chosen, std::size_t limit,
                 std::optional<spirv::Environment> environment = {});
  RunnableModule(const RunnableModule&) = delete;
  RunnableModule& operator=(const RunnableModule&) = delete;

  /// Reads or assembles the module. Returns false after an error.
  bool read();
  /// The values of specialization constants.
  bool specialize(const ChosenSpecialization& chosen);

  [[nodiscard]] spirv::Words words() const { return input_.subject->words(); }
  [[nodiscard]] const spirv::Grammar& grammar() const { return *chosen_.validation().grammar; }
  [[nodiscard]] const std::vector<spirv::Specialization>& values() const { return values_; }
  /// Options of the executor, with the names and comments of the text. They refer to this object.
  [[nodiscard]] spirv::RunOptions options();

  [[nodiscard]] Diagnostics& found() { return input_.found; }
  /// To be called when the execution has reported its findings.
  void sort();
  /// The module with its findings, ready to be shown.
  [[nodiscard]] CheckedInput& input();

 private:
  const ChosenRun& chosen_;
  spirv::ValidateOptions validation_;
  CheckedInput input_;
  std::vector<spirv::AllowedRule> allowed_;
  std::vector<spirv::Specialization> values_;
};

}  // namespace vireo::cli
