// SPDX-License-Identifier: Apache-2.0
//
// The options of `vireo run` that concern every execution: limits, checks, severities, dispatch.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "cli/common/command.h"
#include "cli/common/report.h"
#include "cli/common/shared_options.h"
#include "cli/module/specialization_options.h"
#include "cli/run/value_input.h"
#include "cli/val/baseline.h"
#include "cli/val/locate.h"
#include "cli/val/val_options.h"
#include "vireo/spirv/run.h"

namespace vireo::cli {

inline constexpr Option run_target_env_option =
    target_env_option.with("execute for an environment (spv1.6)",
                           "The environment decides which results are undefined, for example those of OpSRem.");
inline constexpr TextOption run_entry_option("--entry=NAME", "the entry point; needed if there are several");
inline constexpr TextOption groups_option("--groups=X[,Y[,Z]]", "number of workgroups in each dimension (1)");
inline constexpr TextOption subgroup_size_option("--subgroup-size=N", "invocations of a subgroup (32)",
                                                 "A power of two from 1 to 128.");
inline constexpr ChoiceOption robustness_option(
    "--robustness=KIND", "off|robust|robust2", "accesses outside a buffer: off, robust, robust2 (off)",
    "off: an access outside a buffer is an error. robust and robust2: it is a warning, a load gives 0 and a store has "
    "no effect, as with robustBufferAccess and VK_EXT_robustness2.");
inline constexpr ChoiceOption undef_option("--undef=VALUE", "random|zero|ones",
                                           "the bytes of undefined values: random, zero, ones (random)");
inline constexpr ChoiceOption checks_option("--checks=WHICH", "all|none", "checks of the execution: all, none (all)",
                                            "none: reports no findings, and is faster. What is undefined gives an "
                                            "arbitrary value.");
inline constexpr ChoiceOption schedule_option(
    "--schedule=ORDER", "forward|reverse|random",
    "order of workgroups and subgroups: forward, reverse, random (forward)",
    "random is chosen by --seed. Results that are defined do not depend on the order, except for those of atomics.");
inline constexpr CountOption schedules_option(
    "--schedules=N", "run N - 1 more times with random schedules, and compare the buffers",
    "The first buffer that differs is a warning, with the --seed that repeats it. The other runs have no checks.");
inline constexpr CountOption seed_option("--seed=N", "seed of random bytes and schedules (1)",
                                         "Equal modules, inputs, options and seeds give equal results.");
inline constexpr CountOption steps_option("--steps=N", "instructions of all invocations (10,000,000,000)");
inline constexpr CountOption subgroup_steps_option("--steps-per-subgroup=N",
                                                   "instructions of one subgroup (100,000,000)");
inline constexpr TextOption memory_option("--memory=SIZE", "bytes of buffers, variables and values (1G)",
                                          "A number of bytes, or with K, M or G of 1024, 1024^2 or 1024^3 bytes.");

/// Those that decide about the result.
inline constexpr auto result_deciding_options =
    option_list(subgroup_size_option, robustness_option, undef_option, checks_option, schedule_option, seed_option,
                steps_option, subgroup_steps_option, memory_option, rule_option);
inline constexpr auto execution_options =
    option_list(run_target_env_option, result_deciding_options, baseline_option, write_baseline_option, locate_option);

/// The values of these options. They borrow from the invocation and from this object.
class ChosenRun {
 public:
  /// Returns an exit status; unless it is `fine`, the problem has been reported.
  int load(const Invocation& invocation, const spirv::Grammar& grammar, Reporter& reporter);

  [[nodiscard]] const spirv::ValidateOptions& validation() const { return validation_.options(); }
  /// Whether the user has chosen the environment.
  [[nodiscard]] bool has_environment() const { return has_environment_; }
  [[nodiscard]] const spirv::RunOptions& options() const { return options_; }
  [[nodiscard]] const ChosenSpecialization& specialization() const { return specialization_; }
  [[nodiscard]] std::array<spirv::Word, 3> groups() const { return groups_; }
  [[nodiscard]] const std::optional<Baseline>& known() const { return known_; }
  [[nodiscard]] ValueLimits value_limits() const { return {options_.max_memory, options_.seed}; }

 private:
  std::string read(const ParsedOptions& options);

  ChosenValidation validation_;
  ChosenSpecialization specialization_;
  std::optional<Baseline> known_;
  spirv::RunOptions options_;
  std::array<spirv::Word, 3> groups_ = {1, 1, 1};
  bool has_environment_ = false;
};

}  // namespace vireo::cli
