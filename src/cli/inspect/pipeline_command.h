// SPDX-License-Identifier: Apache-2.0
//
// vireo reflect --pipeline: several modules as the stages of one pipeline.
#pragma once

#include <string_view>

#include "cli/common/command.h"
#include "cli/common/report.h"
#include "vireo/spirv/grammar.h"

namespace vireo::cli {

/// Reads all inputs, writes their common table or JSON document, and reports conflicts. `entry`: only entry points with
/// this name; empty = all. Returns the exit status.
int run_reflect_pipeline(const Invocation& invocation, std::string_view entry, const spirv::Grammar& grammar,
                         Reporter& reporter);

}  // namespace vireo::cli
