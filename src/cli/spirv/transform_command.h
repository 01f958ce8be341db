// SPDX-License-Identifier: Apache-2.0
//
// run_transform: applies a transform of the library to every input.
//
// All commands that change modules read text or binary, write binary or text, and report alike. A command
// only translates its options.
#pragma once

#include <functional>

#include "cli/common/command.h"
#include "cli/common/shared_options.h"
#include "vireo/spirv/grammar/grammar.h"
#include "vireo/spirv/transform/report.h"
#include "vireo/spirv/word.h"
#include "vireo/support/diagnostic.h"
#include "vireo/support/result.h"

namespace vireo::cli {

inline constexpr Flag verbose_option("-v, --verbose", "print what was removed from each module");
inline constexpr Option transform_format_option = format_option.with(
    "format of the diagnostics and of the report (human)",
    "json also prints a record for each module on standard output: its words before and after, and what was removed.");

/// The options of all transforms, after those of the command.
inline constexpr auto transform_options =
    option_list(verbose_option, transform_format_option, output_option, out_dir_option, jobs_option, force_option,
                grammar_option, reporting_options);

/// Returns the changed module and fills the report unless it is null. Called on any thread.
using Transform = std::function<Result<spirv::WordBuffer>(spirv::Words words, const spirv::Grammar& grammar,
                                                          Diagnostics& diagnostics, spirv::TransformReport* report)>;

/// Reads each input, applies the transform, writes the result as binary or text, and reports as --verbose and
/// --format=json request. Returns the exit status.
int run_transform(const Invocation& invocation, const Transform& transform);

}  // namespace vireo::cli
