// SPDX-License-Identifier: Apache-2.0
//
// Where the commands of `vireo isa` that make one text put it.
//
// The one idea: -o names a file that is complete or absent; without it, or with "-", the text goes to standard output.
#pragma once

#include <string_view>

#include "cli/commands.h"
#include "vireo/support/diagnostic.h"

namespace vireo::cli {

bool writes_to_standard_output(const ParsedOptions& options);

/// Writes the text. With errors among the diagnostics a file is not written, while standard output gets what there is.
/// Gives the exit status; what hinders it is added to the diagnostics.
int write_output(const Invocation& invocation, std::string_view text, Diagnostics& diagnostics);

}  // namespace vireo::cli
