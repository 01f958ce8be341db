// SPDX-License-Identifier: Apache-2.0
//
// Runs one module with the inputs of the command line: --buffer, --uniform and --push.
#pragma once

#include <array>
#include <deque>
#include <string>
#include <vector>

#include "cli/common/command.h"
#include "cli/common/report.h"
#include "cli/run/run_buffers.h"
#include "cli/run/run_options.h"
#include "cli/run/run_output.h"
#include "cli/run/value_input.h"

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

/// The buffers and push constants of an entry point, with their contents.
struct ModuleInputs {
  std::deque<RunBuffer> buffers = {};
  RunBuffer push = {};
  bool has_push_constants = false;

  /// Creates the buffers, and gives them the contents that the options state, or zeros. An option for a buffer or for
  /// push constants that the entry point lacks is a problem, unless `ignores_unknown`.
  ValueText read(const ParsedOptions& options, const EntryInputs& entry, const ValueLimits& limits,
                 bool ignores_unknown = false);
  /// What the user has not chosen.
  [[nodiscard]] std::vector<std::string> notes_of_defaults(const ParsedOptions& options,
                                                           const std::array<spirv::Word, 3>& workgroup_size) const;
};

/// Returns the exit status.
int run_module(const Invocation& invocation, const ChosenRun& chosen, Reporter& reporter, RunOutput& output);

}  // namespace vireo::cli
