// SPDX-License-Identifier: Apache-2.0
//
// run_batch: applies one conversion to every input that the user named.
//
// A command defines how the bytes of one input become the bytes of one output. Everything common to all
// commands is here: expanding names, reading, -o, --out-dir, -j, the order of diagnostics, the progress line, the exit
// status. An input that fails leaves no output and does not stop the others.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/common/command.h"
#include "cli/common/report.h"
#include "vireo/support/diagnostic.h"
#include "vireo/support/source.h"
#include "vireo/support/text_writer.h"

namespace vireo::cli {

/// One input and its output.
struct BatchItem {
  const SourceText& input;
  TextSink& output;
  Diagnostics& diagnostics;
  std::string& shown;         ///< set to the text that locations in `diagnostics` refer to, if not the input's
  TextSink& standard_output;  ///< for text beside the output; the same as `output` if that is not a file
  std::string_view path;      ///< of the output file; empty = standard output
  std::size_t index;          ///< of the input among all
  bool& is_kept;              ///< set to true if the output must be kept although the conversion fails
};

/// Converts one input. Returns false if it fails; the diagnostics then give the reason, and the output is not kept. Called on
/// any thread.
using Conversion = std::function<bool(const BatchItem& item)>;

/// Writes to the output that an input cannot be read, and why. Called on any thread.
using Refusal = std::function<void(std::string_view name, const Diagnostics& why, TextSink& output)>;

struct BatchRules {
  std::vector<std::string_view> input_extensions;  ///< files to search a directory for: ".spv"
  std::string_view output_extension;               ///< of the files in --out-dir: ".spvasm"; empty = that of the input
  bool is_binary = false;  ///< not written to a terminal unless forced; several never share a stream
  Refusal refuse = {};     ///< empty = reported as a diagnostic, like any other fault
};

/// The number of threads for some inputs: that of --jobs, else one for each processor.
unsigned thread_count(const ParsedOptions& options, std::size_t inputs);

/// Returns the exit status.
int run_batch(const Invocation& invocation, const BatchRules& rules, Reporter& reporter, const Conversion& convert);

}  // namespace vireo::cli
