// SPDX-License-Identifier: Apache-2.0
//
// vireo link, and spirv-link: several modules become one.
//
// The one idea: all inputs make one output, so an input that cannot be read leaves nothing to link. spirv-link has the
// flags, the default output and the exit status of the reference; its messages are ours.
#include <unistd.h>

#include <algorithm>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/common/compatibility.h"
#include "cli/common/inputs.h"
#include "cli/common/report.h"
#include "cli/spirv/environment_option.h"
#include "cli/spirv/grammar_option.h"
#include "cli/spirv/input_places.h"
#include "spirv/rules.h"
#include "support/io.h"
#include "vireo/spirv/disassemble.h"
#include "vireo/spirv/transform/link.h"
#include "vireo/spirv/writer.h"

namespace vireo::cli {
namespace {

// Reads an input. Returns the exit status.
int read_module(const Invocation& invocation, const Input& input, const spirv::Grammar& grammar, Reporter& reporter,
                NamedModule& module) {
  Diagnostics diagnostics(reporter.limit());
  module.name = input.name();
  if (!input.problem.empty()) {
    diagnostics.error(rule::cannot_read, Location::none(), input.problem);
    reporter.add({module.name, {}}, diagnostics);
    return exit_status::no_file;
  }
  std::optional<FileBytes> bytes = read_input(invocation, input.path, reporter);
  if (!bytes) return exit_status::no_file;
  module.bytes = std::move(*bytes);
  spirv::ValidateOptions reading;
  reading.grammar = &grammar;
  const bool is_read = read_subject({module.name, module.bytes.text()}, reading, diagnostics, module.subject);
  reporter.add({module.name, module.bytes.text()}, diagnostics);
  return is_read ? exit_status::fine : exit_status::wrong_input;
}

// Writes the module as binary or text. Returns whether it was written.
bool write_module(const Invocation& invocation, spirv::Words words, const spirv::Grammar& grammar,
                  std::string_view path, bool as_text, Diagnostics& diagnostics) {
  OutputFile file(path);
  DescriptorSink out(invocation.streams.out);
  const bool is_file = path != "-";
  TextSink& sink = is_file ? static_cast<TextSink&>(file) : out;
  if (as_text) spirv::disassemble(words, {.grammar = &grammar}, sink, diagnostics);
  else sink.write(spirv::bytes_of(words));
  if (is_file) return file.commit(diagnostics);
  if (out.flush()) return true;
  diagnostics.error(rule::cannot_write, Location::none(),
                    "cannot write to standard output: " + describe_error(out.error()));
  return false;
}

// Refuses the flags of spirv-link that ask for something else. Returns the problem.
std::string problem_of(const Invocation& invocation) {
  const ParsedOptions& options = invocation.options;
  if (options.has(OptionId::FunctionVariants)) return "function variants (--fnvar-...) are not supported.";
  if (!version_of_target(options).problem.empty()) {
    return "Unrecognized target env: " + std::string(options.value(OptionId::TargetEnv));
  }
  return invocation.operands().empty() ? "No input file specified" : "";
}

}  // namespace

int run_link(const Invocation& invocation) {
  const ParsedOptions& options = invocation.options;
  const bool is_compatible = invocation.command.id == CommandId::SpirvLink;
  if (is_compatible) {
    if (const std::string problem = problem_of(invocation); !problem.empty())
      return complain(invocation.streams, problem);
  }
  const std::string_view output = options.value(OptionId::Output, is_compatible ? "out.spv" : "-");
  const bool as_text = options.has(OptionId::Text) || (!is_compatible && output.ends_with(".spvasm"));
  if (output.empty()) return usage_error(invocation, "-o needs the name of a file");
  if (!is_compatible && output == "-" && !as_text && !options.has(OptionId::Force) &&
      ::isatty(invocation.streams.out) != 0) {
    return usage_error(invocation, "not writing a binary to a terminal; use -o FILE, or --force");
  }
  Reporter reporter(invocation);
  ChosenGrammar chosen;
  if (const int status = chosen.load(invocation, reporter); status != exit_status::fine) return status;
  const spirv::Grammar& grammar = chosen.grammar();

  constexpr std::string_view extensions[] = {".spv", ".spvasm"};
  std::deque<NamedModule> modules;
  int status = exit_status::fine;
  for (const Input& input : expand_inputs(invocation.operands(), extensions, invocation.streams.in)) {
    status = std::max(status, read_module(invocation, input, grammar, reporter, modules.emplace_back()));
  }
  if (status != exit_status::fine) return is_compatible ? usage_status : status;

  std::vector<spirv::LinkInput> inputs;
  inputs.reserve(modules.size());
  for (const NamedModule& module : modules) inputs.push_back({module.subject.words(), module.name});
  const spirv::LinkOptions link = {.library = options.has(OptionId::Library),
                                   .partial = options.has(OptionId::Partial),
                                   .only_needed = options.has(OptionId::OnlyNeeded),
                                   .use_highest_version = options.has(OptionId::UseHighestVersion),
                                   .allow_pointer_mismatch = options.has(OptionId::AllowPointerMismatch)};
  Diagnostics found(reporter.limit());
  const Result<spirv::WordBuffer> words = spirv::link(inputs, link, found, grammar);
  Diagnostics shown(reporter.limit());
  for (const Diagnostic& each : found.all()) {
    if (each.severity != Severity::Note || options.has(OptionId::Verbose)) shown.report(each);
  }
  const std::string_view format = options.value(OptionId::DiagnosticsFormat, options.value(OptionId::Format));
  report_places(shown, modules, grammar, format == "json" || format == "github", reporter);
  if (!words) return exit_status::wrong_input;
  Diagnostics writing;
  if (write_module(invocation, *words, grammar, output, as_text, writing)) return exit_status::fine;
  reporter.add({output, {}}, writing);
  return is_compatible ? usage_status : exit_status::no_file;
}

}  // namespace vireo::cli
