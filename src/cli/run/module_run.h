// SPDX-License-Identifier: Apache-2.0
//
// Runs one module with the inputs of the command line.
#pragma once

#include "cli/common/command.h"
#include "cli/run/run_options.h"
#include "cli/run/run_output.h"

namespace vireo::cli {

inline constexpr TextOption buffer_option(
    "--buffer=B=V", "contents of a buffer; may be repeated",
    "B is SET.BINDING, SET.BINDING[i] in an array of descriptors, or the name of the variable. V is JSON by the layout "
    "of the block ({\"n\": 3, \"data\": [1, 2]}, or a flat array), zeros:BYTES, fill:VALUE:COUNT, "
    "series:FROM:STEP:COUNT, random:COUNT, or @FILE: JSON if the name ends in .json, else bytes. Default: zeros; an "
    "array without a length gets 64 elements.");
inline constexpr TextOption uniform_option("--uniform=B=V", "the same as --buffer, for uniform buffers");
inline constexpr TextOption push_option("--push=V", "push constants",
                                        "V as of --buffer. Without it, all push constants are zero.");
inline constexpr auto input_options = option_list(buffer_option, uniform_option, push_option);

/// Returns the exit status.
int run_module(const Invocation& invocation, const ChosenRun& chosen, Reporter& reporter, RunOutput& output);

}  // namespace vireo::cli
