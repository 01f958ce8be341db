// SPDX-License-Identifier: Apache-2.0
//
// vireo run: executes a shader and reports what is undefined about the execution.
#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string>

#include "cli/common/all_commands.h"
#include "cli/common/shared_options.h"
#include "cli/module/module_options.h"
#include "cli/run/job_run.h"
#include "cli/run/module_run.h"
#include "cli/run/run_options.h"
#include "cli/run/run_output.h"

namespace vireo::cli {
namespace {

constexpr Option run_format_option = format_option.with(
    "format of the findings and buffers (human)",
    "human and short: findings go to standard error, buffers to standard output. json, sarif and github: findings go "
    "to "
    "standard output; json is one record per line for each finding, buffer and printed line, the last one is the "
    "result; sarif contains no buffers.");

constexpr Option run_quiet_option = quiet_option.with("print no notes, changed buffers or summary");

constexpr auto run_options =
    option_list(run_entry_option, groups_option, schedules_option, input_options, set_option, set_name_option,
                values_option, result_options, job_options, jobs_option, execution_options, grammar_option,
                run_format_option, diagnostics_format_option, max_errors_option, run_quiet_option, werror_option,
                color_option, no_color_option, help_options);

// A job ignores some options. They are refused, because users would expect an effect. Returns an empty text, or the
// problem.
std::string problem_of_options(const ParsedOptions& options) {
  struct Mode {
    const Option& option;
    std::span<const Option* const> unused;
  };
  static constexpr const Option* unused_by_job[] = {
      &run_entry_option, &groups_option, &schedules_option, &buffer_option, &uniform_option,
      &push_option,      &set_option,    &set_name_option,  &values_option, &template_option};
  static constexpr const Option* unused_by_test[] = {&job_option, &print_option, &out_option, &expect_option};
  const Mode modes[] = {{job_option, unused_by_job}, {test_option, unused_by_job}, {test_option, unused_by_test}};
  for (const Mode& mode : modes) {
    if (!options.has(mode.option)) continue;
    for (const Option* const unused : mode.unused) {
      if (options.has(*unused)) return fmt::format("--{} and --{} cannot be combined", mode.option.name, unused->name);
    }
  }
  return {};
}

int run_run(const Invocation& invocation) {
  if (const std::string problem = problem_of_options(invocation.options); !problem.empty())
    return usage_error(invocation, problem);
  Reporter reporter(invocation);
  ChosenGrammar grammar;
  if (const int status = grammar.load(invocation, reporter); status != exit_status::fine) return status;
  ChosenRun chosen;
  if (const int status = chosen.load(invocation, grammar.grammar(), reporter); status != exit_status::fine)
    return status;
  if (invocation.options.has(test_option)) return run_tests(invocation, chosen, reporter);
  RunOutput output(invocation, reporter);
  const auto run = invocation.options.has(job_option)        ? run_job
                   : invocation.options.has(template_option) ? print_template
                                                             : run_module;
  const int status = run(invocation, chosen, reporter, output);
  const int finished = output.finish();
  return std::max(status, finished);
}

}  // namespace

constinit const Command run_command(
    "run", "[IN]", "execute a shader and check the execution",
    "Executes a compute entry point without a GPU, and reports what is undefined about the execution: accesses outside "
    "buffers, undefined values, data races, divisions by zero. Then prints the buffers that it has changed.\n\n"
    "Status 0: no error was found and all expectations hold; 1: an error, a failed expectation, or an execution that "
    "does "
    "not end; 2: wrong options, or inputs or jobs that do not fit; 3: a file cannot be read or written.\n\n"
    "IN is a binary or assembly text. Comments '; vireo: allow RULE' suppress findings as in 'vireo val'.",
    "vireo run shader.spv\n"
    "vireo run --groups 4 --buffer 0.0=zeros:1024 --buffer 0.1=[1,2,3,4] --push '{\"n\": 2}' sum.spv\n"
    "vireo run --buffer data=random:256 --expect 'sum=[12]' --out data=data.json sum.spv\n"
    "vireo run --template sum.spv > sum.json\n"
    "vireo run --job sum.json\n"
    "vireo run --test tests/ -j 8",
    "spv|spvasm", run_options, run_run, {.only_reports = true});

}  // namespace vireo::cli
