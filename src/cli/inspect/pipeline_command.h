// SPDX-License-Identifier: Apache-2.0
//
// vireo reflect --pipeline: several modules as the stages of one pipeline.
#pragma once

#include "cli/common/commands.h"
#include "cli/common/report.h"
#include "vireo/spirv/grammar.h"

namespace vireo::cli {

/// Reads all inputs, writes their common table or JSON document, and reports conflicts. Returns the exit status.
int run_reflect_pipeline(const Invocation& invocation, const spirv::Grammar& grammar, Reporter& reporter);

}  // namespace vireo::cli
