// SPDX-License-Identifier: Apache-2.0
//
// --job, --test and --template: executions that a file describes (job.h).
#pragma once

#include "cli/common/command.h"
#include "cli/common/report.h"
#include "cli/run/run_options.h"
#include "cli/run/run_output.h"

namespace vireo::cli {

inline constexpr TextOption job_option("--job=FILE", "run what FILE describes: modules, inputs, expectations",
                                       "A JSON document of the format vireo-run-test 1, such as --template prints; "
                                       "docs/run.md describes it. '-' is standard input.",
                                       {.file_purpose = "the job", .replaces_inputs = true});
inline constexpr Flag test_option(
    "--test", "run all jobs in FILE|DIR..., and report those that fail",
    "A directory means every *.json file below it. Prints a line for each job that fails, "
    "and a summary. A job without the key \"findings\" does not fail for its findings.");
inline constexpr Flag template_option("--template", "print a job for the module, with zeros for all inputs");
inline constexpr auto job_options = option_list(job_option, test_option, template_option);

// Each returns an exit status.
int run_job(const Invocation& invocation, const ChosenRun& chosen, Reporter& reporter, RunOutput& output);
int run_tests(const Invocation& invocation, const ChosenRun& chosen, Reporter& reporter);
int print_template(const Invocation& invocation, const ChosenRun& chosen, Reporter& reporter, RunOutput& output);

}  // namespace vireo::cli
