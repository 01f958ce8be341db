// SPDX-License-Identifier: Apache-2.0
//
// run_batch: one conversion, applied to every input that the user named.
//
// The one idea: a command says how the bytes of one input become the bytes of one output; everything that is alike for
// all commands is here: expanding names, reading, -o, --out-dir, -j, the order of diagnostics, the progress line, the exit
// status. An input that fails leaves no output and does not keep the others from being done.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/common/commands.h"
#include "cli/common/report.h"
#include "vireo/support/diagnostic.h"
#include "vireo/support/source.h"
#include "vireo/support/text_writer.h"

namespace vireo::cli {

/// One input, and where what becomes of it goes.
struct BatchItem {
  const SourceText& input;
  TextSink& output;
  Diagnostics& diagnostics;
  std::string& shown;  ///< set to the text that places in `diagnostics` refer to, when that is not the input's
};

/// Converts one input. False when the output is not to be kept: the diagnostics then say why. Called on any thread.
using Conversion = std::function<bool(const BatchItem& item)>;

/// Writes, as output, that an input cannot be read, and why. Called on any thread.
using Refusal = std::function<void(std::string_view name, const Diagnostics& why, TextSink& output)>;

struct BatchRules {
  std::vector<std::string_view> input_extensions;  ///< what a directory is searched for: ".spv"
  std::string_view output_extension;               ///< of files in --out-dir: ".spvasm"
  bool is_binary = false;  ///< the output goes to no terminal unless forced, and several never to one stream
  Refusal refuse = {};     ///< empty = diagnostics say it, as of any other fault
};

/// Gives the exit status.
int run_batch(const Invocation& invocation, const BatchRules& rules, Reporter& reporter, const Conversion& convert);

}  // namespace vireo::cli
