// SPDX-License-Identifier: Apache-2.0
//
// spirv-as, spirv-dis and spirv-cfg: the library with the command lines of the reference programs (spirv-val:
// val/val_compatibility.cpp).
//
// Scripts and build systems rely on flags, defaults, message formats and exit statuses of these programs.
// All of that is implemented here as observed, and Vireo's own commands do not depend on it. The differences are:
// a failing run does not destroy an existing output, spirv-dis prints a broken module up to its fault, and the graphs of
// spirv-cfg are those of `vireo cfg`.
#include <algorithm>
#include <iterator>
#include <string>

#include "cli/common/all_commands.h"
#include "cli/common/compatibility.h"
#include "cli/common/report.h"
#include "cli/common/shared_options.h"
#include "cli/module/module_options.h"
#include "support/io.h"
#include "vireo/spirv/binary/reader.h"
#include "vireo/spirv/binary/writer.h"
#include "vireo/spirv/inspect/dot.h"
#include "vireo/spirv/text/assemble.h"
#include "vireo/spirv/text/disassemble.h"

namespace vireo::cli {
namespace {

constexpr auto spirv_as_options =
    option_list(target_env_option, preserve_numeric_ids_option, reference_output_option, reference_help_options);
constexpr auto spirv_dis_options =
    option_list(raw_id_option, no_indent_option, no_header_option, nested_indent_option, reorder_blocks_option,
                offsets_option, comment_option, handle_unknown_opcodes_option, reference_output_option,
                reference_color_options, reference_help_options);
constexpr auto spirv_cfg_options = option_list(reference_output_option, reference_help_options);

// Exit statuses are the reference library's result codes, cut to eight bits. Rules without a row have the default
// status of the tool.
struct StatusRow {
  std::string_view rule;
  int status;
};
constexpr int invalid_text = 251;
constexpr int invalid_binary = 252;
constexpr StatusRow assembler_statuses[] = {
    {"unknown-instruction", 247},
    {"bad-mask", 247},
    {"unsupported-width", 255},
};
constexpr StatusRow disassembler_statuses[] = {
    {"bad-hex-text", 1}, {"odd-size", 1},       {"bad-version", 255},
    {"zero-id", 246},    {"duplicate-id", 246}, {"set-not-imported", 246},
};

// Vireo has more rules than the reference has codes, so rows list only the exceptions.
template <typename Rows>
int status_of(std::string_view rule, const Rows& rows, int usual) {
  const auto row = std::find_if(std::begin(rows), std::end(rows), [&](const StatusRow& r) { return r.rule == rule; });
  return row == std::end(rows) ? usual : row->status;
}

int run_spirv_as(const Invocation& invocation) {
  const Streams& streams = invocation.streams;
  if (invocation.operands().size() > 1) return complain(streams, "one input file at most must be specified.");
  const ChosenEnvironment target = environment_of_target(invocation.options);
  // `--target-env=` counts as absent.
  if (!target.problem.empty() && !invocation.options.value(target_env_option).empty()) {
    return complain(streams, "Unrecognized target env: " + std::string(invocation.options.value(target_env_option)));
  }
  const CompatibilityInput input = read_input(streams, first_operand(invocation));
  if (!input.problem.empty()) return complain(streams, input.problem);
  if (input.bytes.text().empty()) {
    // The library assembles an empty text to a module without instructions; the reference program rejects it.
    complain(streams, "1: 1: missing assembly text");
    return invalid_text;
  }

  spirv::AssembleOptions options;
  options.version = target.version();
  options.preserve_numeric_ids = invocation.options.has(preserve_numeric_ids_option);
  Diagnostics diagnostics;
  const Result<spirv::WordBuffer> words = spirv::assemble({"", input.bytes.text()}, options, diagnostics);
  if (!words || diagnostics.has_errors()) {
    const std::string_view rule = print_first_error(streams, input.bytes.text(), diagnostics);
    return status_of(rule, assembler_statuses, invalid_text);
  }

  const std::string_view path = invocation.options.value(output_option);
  return write_to(streams, path.empty() ? "out.spv" : path, spirv::bytes_of(*words));
}

int run_spirv_dis(const Invocation& invocation) {
  const Streams& streams = invocation.streams;
  const ParsedOptions& given = invocation.options;
  if (invocation.operands().size() > 1) return complain(streams, "more than one input file specified.");
  const CompatibilityInput input = read_input(streams, first_operand(invocation));
  if (!input.problem.empty()) return complain(streams, input.problem);

  Diagnostics diagnostics;
  const Result<spirv::ModuleWords> module = spirv::read_module_words(input.bytes.text(), diagnostics);
  if (!module) { return status_of(print_first_error(streams, "", diagnostics), disassembler_statuses, invalid_binary); }

  const std::string_view path = given.value(output_option, "-");
  const bool is_file = path != "-";
  spirv::DisassembleOptions options = style_of(given);
  // Only one error is reported, so text after it would look as if there were no fault.
  options.stop_at_first_error = true;
  const bool is_forced = given.has(color_option) && !given.has(no_color_option);
  options.color = !is_file && (is_forced || wants_color(given, streams.out));

  // Only one of the two is written to: a file that is not committed is not created.
  OutputFile file(path);
  DescriptorSink out(streams.out);
  TextSink& sink = is_file ? static_cast<TextSink&>(file) : out;
  const bool is_whole = spirv::disassemble(module->words(), options, sink, diagnostics);
  out.flush();
  if (!is_whole && diagnostics.has_errors()) {
    return status_of(print_first_error(streams, "", diagnostics), disassembler_statuses, invalid_binary);
  }
  if (is_file && !file.commit(diagnostics))
    return complain(streams, "could not open file '" + std::string(path) + '\'');
  return out.error() == 0 ? 0 : usage_status;
}

// The help page of the reference promises standard input without a file, which the program itself refuses.
int run_spirv_cfg(const Invocation& invocation) {
  const Streams& streams = invocation.streams;
  if (invocation.operands().size() > 1) return complain(streams, "exactly one input file must be specified.");
  const CompatibilityInput input = read_input(streams, first_operand(invocation));
  if (!input.problem.empty()) return complain(streams, input.problem);

  Diagnostics diagnostics;
  const Result<spirv::ModuleWords> module = spirv::read_module_words(input.bytes.text(), diagnostics);
  StringSink dot;
  if (!module || !spirv::write_control_flow_graph(module->words(), {}, dot, diagnostics)) {
    return status_of(print_first_error(streams, "", diagnostics), disassembler_statuses, invalid_binary);
  }
  const std::string_view path = invocation.options.value(output_option);
  return write_to(streams, path.empty() ? "-" : path, dot.text());
}

}  // namespace

constinit const Command spirv_as_command("spirv-as", "[FILE]",
                                         "create a SPIR-V binary module from SPIR-V assembly text",
                                         "Reads FILE or, without FILE or with '-', standard input. The module is "
                                         "written to out.spv unless -o says otherwise.",
                                         "", "spvasm", spirv_as_options, run_spirv_as,
                                         {.imitation = Imitation::Program});

constinit const Command spirv_dis_command(
    "spirv-dis", "[FILE]", "disassemble a SPIR-V binary module",
    "Reads FILE or, without FILE or with '-', standard input: a module in either byte order, or hexadecimal text.", "",
    "spv", spirv_dis_options, run_spirv_dis, {.imitation = Imitation::Program, .target = "1.5"});

constinit const Command spirv_cfg_command("spirv-cfg", "[FILE]", "draw the control flow of functions",
                                          "Reads FILE or, without FILE or with '-', standard input. Writes a graph in "
                                          "the DOT language of Graphviz for each function, as 'vireo cfg' does.",
                                          "", "spv", spirv_cfg_options, run_spirv_cfg,
                                          {.imitation = Imitation::Program});

}  // namespace vireo::cli
