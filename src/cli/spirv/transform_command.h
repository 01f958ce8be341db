// SPDX-License-Identifier: Apache-2.0
//
// run_transform: applies a transform of the library to every input.
//
// The one idea: all commands that change modules read text or binary, write binary or text, and report alike. A command
// only translates its options.
#pragma once

#include <functional>

#include "cli/common/commands.h"
#include "vireo/spirv/grammar.h"
#include "vireo/spirv/transform/report.h"
#include "vireo/spirv/word.h"
#include "vireo/support/diagnostic.h"
#include "vireo/support/result.h"

namespace vireo::cli {

/// Returns the changed module and fills the report unless it is null. Called on any thread.
using Transform = std::function<Result<spirv::WordBuffer>(spirv::Words words, const spirv::Grammar& grammar,
                                                          Diagnostics& diagnostics, spirv::TransformReport* report)>;

/// Reads each input, applies the transform, writes the result as binary or text, and reports as --verbose and
/// --format=json request. Returns the exit status.
int run_transform(const Invocation& invocation, const Transform& transform);

}  // namespace vireo::cli
