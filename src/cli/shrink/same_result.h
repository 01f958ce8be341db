// SPDX-License-Identifier: Apache-2.0
//
// SameResult: compares the execution of a candidate with that of the module to shrink (--same-result).
//
// If the module has findings, a candidate must have findings of the same rules. If it has none, a candidate must have
// none either, and leave the same bytes in all buffers. A candidate is executed as 'vireo run' would execute it with the
// same options, so that its result can be reproduced; but options for buffers that it lacks are ignored.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/common/command.h"
#include "cli/common/report.h"
#include "cli/module/specialization_options.h"
#include "cli/run/interruption.h"
#include "cli/run/module_run.h"
#include "cli/run/run_options.h"
#include "cli/run/runnable_module.h"
#include "vireo/spirv/run.h"
#include "vireo/spirv/transform/shrink.h"

namespace vireo::cli {

inline constexpr Flag same_result_option(
    "--same-result", "keep the findings, or the buffers, of an execution",
    "If the execution of IN has findings, every module that is tried must have findings of the same rules; if it has "
    "none, it must have none either and leave the same bytes in all buffers. The options below, as of 'vireo run', "
    "choose inputs and checks. If COMMAND is given too, it must also succeed.");
/// The options that have an effect only with it.
inline constexpr auto same_result_options = option_list(run_entry_option, groups_option, input_options, set_option,
                                                        set_name_option, values_option, result_deciding_options);

class SameResult {
 public:
  /// All parameters must outlive it. While it exists, signals that end programs are blocked.
  SameResult(const Invocation& invocation, const ChosenRun& chosen, const SourceText& source, Reporter& reporter);

  /// Executes the module itself, and says in notes what candidates must have. Returns an exit status; unless it is
  /// `fine`, the reason has been reported.
  int prepare();
  /// Executes up to `threads` candidates at the same time, and sets their verdicts.
  void test(std::span<spirv::ShrinkCandidate> candidates, unsigned threads);

  /// The signal that ended an execution; 0: none.
  [[nodiscard]] int signal() const { return interruption_.signal(); }
  [[nodiscard]] std::size_t count() const { return count_; }             ///< executions of candidates so far
  [[nodiscard]] std::chrono::nanoseconds time() const { return time_; }  ///< the time that test() took

 private:
  // The result of an execution, without the buffers.
  struct Outcome {
    std::optional<spirv::DispatchReport> report;  // none: it was not possible to execute the module
    std::vector<std::string_view> rules;          // of errors and warnings; sorted, each once
    std::array<spirv::Word, 3> workgroup_size = {};
  };
  int fail();
  int report_problem(const ValueText& problem);
  Outcome execute(spirv::Words words, ModuleInputs& inputs, Diagnostics& found) const;
  spirv::ShrinkVerdict verdict_on(spirv::Words words);  // any thread may call it
  [[nodiscard]] bool has_same_bytes(const ModuleInputs& inputs) const;
  [[nodiscard]] std::string requirement() const;

  const Invocation& invocation_;
  const ChosenRun& chosen_;
  const SourceText& source_;
  Reporter& reporter_;
  Interruption interruption_;
  RunnableModule module_;
  ModuleInputs inputs_;        // of the module, after its execution
  spirv::RunOptions options_;  // of candidates
  Outcome expected_;
  std::size_t count_ = 0;
  std::chrono::nanoseconds time_{0};
};

}  // namespace vireo::cli
