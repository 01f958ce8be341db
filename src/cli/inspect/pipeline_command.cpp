// SPDX-License-Identifier: Apache-2.0
//
// vireo reflect --pipeline (pipeline_command.h).
//
// The one idea: a conflict concerns two files, and a diagnostic refers to one. So the message names both places.
#include "cli/inspect/pipeline_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "cli/common/inputs.h"
#include "cli/val/val_subject.h"
#include "spirv/rules.h"
#include "support/io.h"
#include "support/printable.h"
#include "vireo/spirv/inspect/pipeline.h"

namespace vireo::cli {
namespace {

// A module of the pipeline. Each part refers to those before it.
struct PipelineModule {
  std::string name;
  FileBytes bytes;
  Subject subject;
  std::optional<spirv::Module> module;
  std::optional<spirv::Facts> facts;
  std::optional<spirv::Reflection> reflection;
};

// Returns the exit status.
int read_module(const Invocation& invocation, const Input& input, const spirv::Grammar& grammar, Reporter& reporter,
                PipelineModule& read) {
  Diagnostics diagnostics(reporter.limit());
  read.name = input.name();
  if (!input.problem.empty()) {
    diagnostics.error(rule::cannot_read, Location::none(), input.problem);
    reporter.add({read.name, {}}, diagnostics);
    return exit_status::no_file;
  }
  std::optional<FileBytes> bytes = read_input(invocation, input.path, reporter);
  if (!bytes) return exit_status::no_file;
  read.bytes = std::move(*bytes);
  spirv::ValidateOptions reading;
  reading.grammar = &grammar;
  const bool is_read = read_subject({read.name, read.bytes.text()}, reading, diagnostics, read.subject);
  reporter.add({read.name, read.bytes.text()}, diagnostics);
  if (!is_read) return exit_status::wrong_input;
  read.module.emplace(spirv::Module::read(read.subject.words(), grammar));
  read.facts.emplace(*read.module);
  read.reflection.emplace(*read.facts);
  return exit_status::fine;
}

// Writes a text to -o or standard output. Returns whether it was written.
bool write_text(const Invocation& invocation, std::string_view text, Diagnostics& diagnostics) {
  const std::string_view path = invocation.options.value(OptionId::Output, "-");
  if (path != "-") {
    // On an error no file is created.
    if (diagnostics.has_errors()) return true;
    OutputFile file(path);
    file.write(text);
    return file.commit(diagnostics);
  }
  DescriptorSink out(invocation.streams.out);
  out.write(text);
  if (out.flush()) return true;
  diagnostics.error(rule::cannot_write, Location::none(),
                    "cannot write to standard output: " + describe_error(out.error()));
  return false;
}

}  // namespace

int run_reflect_pipeline(const Invocation& invocation, const spirv::Grammar& grammar, Reporter& reporter) {
  const ParsedOptions& options = invocation.options;
  const std::string_view format = options.value(OptionId::Format);
  if (options.has(OptionId::OutDir)) return usage_error(invocation, "--pipeline has one output; use -o");
  if (format == "c" || format == "c++") return usage_error(invocation, "--pipeline prints a table or JSON");

  constexpr std::string_view extensions[] = {".spv", ".spvasm"};
  std::deque<PipelineModule> modules;
  int status = exit_status::fine;
  for (const Input& input : expand_inputs(invocation.operands(), extensions, invocation.streams.in)) {
    status = std::max(status, read_module(invocation, input, grammar, reporter, modules.emplace_back()));
  }
  // The other modules alone would seem to lack outputs.
  if (status != exit_status::fine) return status;

  std::vector<const spirv::Reflection*> reflections;
  std::vector<std::string_view> files;
  for (const PipelineModule& each : modules) {
    reflections.push_back(&*each.reflection);
    files.push_back(each.name);
  }
  const std::string_view entry = options.value(OptionId::Entry);
  const spirv::PipelineReflection pipeline = spirv::reflect_pipeline(reflections, {.entry_point = entry});
  Diagnostics diagnostics(reporter.limit());
  if (pipeline.stages.empty()) {
    diagnostics.error(entry.empty() ? spirv::rule::pipeline_stage : spirv::rule::unknown_function, Location::none(),
                      entry.empty() ? "the modules have no entry point"
                                    : fmt::format("the modules have no entry point {}", quoted(entry)));
  }
  for (const spirv::PipelineConflict& conflict : pipeline.conflicts) {
    diagnostics.error(conflict.rule, Location::none(),
                      fmt::format("{}: {} and {}", conflict.message, pipeline_place_text(conflict.first, files),
                                  pipeline_place_text(conflict.second, files)));
  }
  StringSink text;
  const auto write = format == "json" ? spirv::write_pipeline_json : spirv::write_pipeline_table;
  if (!pipeline.stages.empty()) write(pipeline, reflections, files, text);
  status = diagnostics.has_errors() ? exit_status::wrong_input : exit_status::fine;
  if (!write_text(invocation, text.text(), diagnostics)) status = exit_status::no_file;
  reporter.add({"pipeline", {}}, diagnostics);
  return status;
}

}  // namespace vireo::cli
