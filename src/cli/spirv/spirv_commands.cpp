// SPDX-License-Identifier: Apache-2.0
//
// vireo as, vireo dis: translate command-line options to library options, and define one conversion each.
//
// The one idea: a command is one function from the bytes of an input to a sink. Expanding inputs, placing outputs,
// parallel work and the order of reports are in batch.h.
#include <algorithm>
#include <string>

#include "cli/common/batch.h"
#include "cli/common/commands.h"
#include "cli/common/inputs.h"
#include "cli/inspect/part_options.h"
#include "cli/spirv/environment_option.h"
#include "cli/spirv/grammar_option.h"
#include "cli/spirv/style_options.h"
#include "spirv/rules.h"
#include "vireo/spirv/assemble.h"
#include "vireo/spirv/disassemble.h"
#include "vireo/spirv/reader.h"
#include "vireo/spirv/writer.h"

namespace vireo::cli {
namespace {

spirv::DisassembleOptions disassemble_options(const Invocation& invocation) {
  const ParsedOptions& options = invocation.options;
  spirv::DisassembleOptions style = style_of(options);
  // A file is coloured only on explicit request; environment variables apply to terminals.
  const bool is_file = options.value(OptionId::Output, "-") != "-" || options.has(OptionId::OutDir);
  const bool is_requested = options.value(OptionId::Color) == "always" && !options.has(OptionId::NoColor);
  style.color = is_requested || (!is_file && wants_color(options, invocation.streams.out));
  return style;
}

}  // namespace

int run_as(const Invocation& invocation) {
  const ParsedOptions& options = invocation.options;
  const ChosenVersion target = version_of_target(options);
  if (!target.problem.empty()) return usage_error(invocation, target.problem);

  Reporter reporter(invocation);
  ChosenGrammar chosen;
  if (const int status = chosen.load(invocation, reporter); status != exit_status::fine) return status;

  spirv::AssembleOptions assembly;
  assembly.grammar = &chosen.grammar();
  assembly.version = target.version;
  assembly.preserve_numeric_ids = options.has(OptionId::PreserveNumericIds);
  assembly.exact = options.has(OptionId::Exact);

  // Files are little-endian by default, on every machine.
  const bool wants_little = options.value(OptionId::ByteOrder, "little") == "little";
  const bool must_swap = wants_little != (spirv::host_order == spirv::ByteOrder::Little);

  const auto convert = [&](const BatchItem& item) {
    const SourceText& input = item.input;
    Diagnostics& diagnostics = item.diagnostics;
    // Otherwise a module passed by mistake would give thousands of errors about its bytes.
    if (spirv::looks_like_module(input.text)) {
      diagnostics.error(spirv::rule::binary_input, Location::none(), "found a binary module; expected assembly text",
                        "'vireo dis' prints a module as text");
      return false;
    }
    Result<spirv::WordBuffer> words = spirv::assemble(input, assembly, diagnostics);
    if (!words) return false;
    // In place, at the end: the assembler uses the byte order of the machine, and a swap is far cheaper than writing a
    // file.
    if (must_swap) std::transform(words->begin(), words->end(), words->begin(), spirv::swapped);
    return item.output.write(spirv::bytes_of(*words));
  };
  return run_batch(invocation, {{".spvasm"}, ".spv", true}, reporter, convert);
}

int run_dis(const Invocation& invocation) {
  const PartOptions part = part_options(invocation.options);
  Reporter reporter(invocation);
  ChosenGrammar chosen;
  if (const int status = chosen.load(invocation, reporter); status != exit_status::fine) return status;

  spirv::DisassembleOptions style = disassemble_options(invocation);
  style.grammar = &chosen.grammar();
  const bool is_json = invocation.options.value(OptionId::Format) == "json";
  const bool keeps_going = invocation.options.has(OptionId::KeepGoing);

  const auto convert = [&](const BatchItem& item) {
    const SourceText& input = item.input;
    Diagnostics& diagnostics = item.diagnostics;
    // The counterpart of the check in `as`: users confuse the two commands in both directions.
    if (looks_like_assembly(input.text)) {
      diagnostics.error(spirv::rule::text_input, Location::none(), "found text; expected a module",
                        "this looks like assembly text; 'vireo as' assembles it");
      return false;
    }
    const Result<spirv::ModuleWords> module = spirv::read_whole_words(input.text, diagnostics);
    // Without a header there are no words. A later fault leaves the output up to the fault.
    if (!module) return false;
    spirv::DisassembleOptions of_this = style;
    of_this.is_cut_short = diagnostics.has_errors();  // within a word
    item.is_kept = keeps_going;
    if (!part.is_whole()) {
      const bool is_found = print_part(module->words(), part, of_this, is_json, item.output, diagnostics);
      return is_found && !of_this.is_cut_short;
    }
    const bool is_printed = is_json ? spirv::disassemble_to_json(module->words(), of_this, item.output, diagnostics)
                                    : spirv::disassemble(module->words(), of_this, item.output, diagnostics);
    return is_printed && !of_this.is_cut_short;
  };
  return run_batch(invocation, {{".spv"}, is_json ? ".json" : ".spvasm", false}, reporter, convert);
}

}  // namespace vireo::cli
