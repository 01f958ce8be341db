// SPDX-License-Identifier: Apache-2.0
//
// spirv-as, spirv-dis and spirv-cfg: the library with the command lines of the reference programs (spirv-val:
// val_compatibility.cpp).
//
// The one idea: scripts and build systems rely on flags, defaults, message formats and exit statuses of these programs.
// All of that is implemented here as observed, and Vireo's own commands do not depend on it. The differences are:
// a failing run does not destroy an existing output, spirv-dis prints a broken module up to its fault, and the graphs of
// spirv-cfg are those of `vireo cfg`.
#include <algorithm>
#include <cerrno>
#include <iterator>
#include <string>

#include "cli/common/commands.h"
#include "cli/common/compatibility.h"
#include "cli/common/report.h"
#include "cli/spirv/environment_option.h"
#include "cli/spirv/style_options.h"
#include "support/io.h"
#include "vireo/spirv/assemble.h"
#include "vireo/spirv/disassemble.h"
#include "vireo/spirv/inspect/dot.h"
#include "vireo/spirv/reader.h"
#include "vireo/spirv/writer.h"

namespace vireo::cli {
namespace {

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

std::string_view first_operand(const Invocation& invocation) {
  return invocation.operands().empty() ? "-" : std::string_view(invocation.operands().front());
}

// Prints the first error in the reference's format: `error: LINE: COLUMN: text` or `error: INSTRUCTION: text`.
std::string_view print_first_error(const Streams& streams, std::string_view text, Diagnostics& diagnostics) {
  diagnostics.sort_by_place();
  for (const Diagnostic& diagnostic : diagnostics.all()) {
    if (diagnostic.severity != Severity::Error) continue;
    std::string line;
    if (diagnostic.where.kind == Location::Kind::Text) {
      const LineColumn at = LineIndex(text).locate(diagnostic.where.begin);
      line += std::to_string(at.line) + ": " + std::to_string(at.column) + ": ";
    } else if (diagnostic.where.kind == Location::Kind::Words && diagnostic.where.instruction != 0) {
      line += std::to_string(diagnostic.where.instruction) + ": ";
    }
    complain(streams, line + diagnostic.message);
    return diagnostic.rule;
  }
  return {};
}

}  // namespace

// The line begins with `error: `, without a program or file name, because scripts parse it.
int complain(const Streams& streams, std::string_view message) {
  DescriptorSink err(streams.err);
  std::string line = "error: ";
  err.write(line.append(message) += '\n');
  return usage_status;
}

CompatibilityInput read_input(const Streams& streams, std::string_view path) {
  Diagnostics diagnostics;
  Result<FileBytes> bytes =
      path == "-" ? read_descriptor(streams.in, "<stdin>", diagnostics) : read_file(path, diagnostics);
  if (bytes) return {std::move(bytes).value(), {}};
  const bool is_directory = diagnostics.all().front().message.ends_with(describe_error(EISDIR));
  if (is_directory) return {};
  return {{}, "file does not exist '" + std::string(path) + '\''};
}

int run_spirv_as(const Invocation& invocation) {
  const Streams& streams = invocation.streams;
  if (invocation.operands().size() > 1) return complain(streams, "one input file at most must be specified.");
  const ChosenVersion target = version_of_target(invocation.options);
  if (!target.problem.empty()) {
    return complain(streams, "Unrecognized target env: " + std::string(invocation.options.value(OptionId::TargetEnv)));
  }
  const CompatibilityInput input = read_input(streams, first_operand(invocation));
  if (!input.problem.empty()) return complain(streams, input.problem);
  if (input.bytes.text().empty()) {
    // The library assembles an empty text to a module without instructions; the reference program rejects it.
    complain(streams, "1: 1: missing assembly text");
    return invalid_text;
  }

  spirv::AssembleOptions options;
  options.version = target.version;
  options.preserve_numeric_ids = invocation.options.has(OptionId::PreserveNumericIds);
  Diagnostics diagnostics;
  const Result<spirv::WordBuffer> words = spirv::assemble({"", input.bytes.text()}, options, diagnostics);
  if (!words || diagnostics.has_errors()) {
    const std::string_view rule = print_first_error(streams, input.bytes.text(), diagnostics);
    return status_of(rule, assembler_statuses, invalid_text);
  }

  const std::string_view bytes = spirv::bytes_of(*words);
  std::string_view path = invocation.options.value(OptionId::Output);
  if (path == "-") return print(streams, bytes) == exit_status::fine ? 0 : usage_status;
  if (path.empty()) path = "out.spv";  // the default output file
  OutputFile file(path);
  file.write(bytes);
  if (file.commit(diagnostics)) return 0;
  return complain(streams, "could not open file '" + std::string(path) + '\'');
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

  const std::string_view path = given.value(OptionId::Output);
  const bool is_file = !path.empty() && path != "-";
  spirv::DisassembleOptions options = style_of(given);
  // Only one error is reported, so text after it would look as if there were no fault.
  options.stop_at_first_error = true;
  const bool is_forced = given.has(OptionId::Color) && !given.has(OptionId::NoColor);
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
  if (is_file && !file.commit(diagnostics)) {
    return complain(streams, "could not open file '" + std::string(path) + '\'');
  }
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
  const std::string_view path = invocation.options.value(OptionId::Output);
  if (path.empty() || path == "-") return print(streams, dot.text()) == exit_status::fine ? 0 : usage_status;
  OutputFile file(path);
  file.write(dot.text());
  if (file.commit(diagnostics)) return 0;
  return complain(streams, "could not open file '" + std::string(path) + '\'');
}

}  // namespace vireo::cli
