// SPDX-License-Identifier: Apache-2.0
//
// vireo reflect --pipeline (pipeline_command.h).
//
// The one idea: a conflict concerns two files, and a diagnostic refers to one. So the message names both places.
#include "cli/inspect/pipeline_command.h"

#include <fmt/format.h>

#include <deque>
#include <string_view>
#include <vector>

#include "cli/common/output.h"
#include "cli/common/shared_options.h"
#include "cli/module/named_modules.h"
#include "spirv/rules.h"
#include "support/printable.h"
#include "vireo/spirv/inspect/pipeline.h"

namespace vireo::cli {
namespace {

// What is read from a module of the pipeline. Each part refers to the one before it.
struct ReflectedModule {
  ReflectedModule(spirv::Words words, const spirv::Grammar& grammar)
      : module(spirv::Module::read(words, grammar)), facts(module), reflection(facts) {}

  const spirv::Module module;
  const spirv::Facts facts;
  const spirv::Reflection reflection;
};

}  // namespace

int run_reflect_pipeline(const Invocation& invocation, std::string_view entry, const spirv::Grammar& grammar,
                         Reporter& reporter) {
  const ParsedOptions& options = invocation.options;
  const std::string_view format = options.value(format_option);
  if (options.has(out_dir_option)) return usage_error(invocation, "--pipeline has one output; use -o");
  if (format == "c" || format == "c++") return usage_error(invocation, "--pipeline prints a table or JSON");

  std::deque<NamedModule> modules;
  // The other modules alone would seem to lack outputs.
  if (const int status = read_modules(invocation, grammar, reporter, modules); status != exit_status::fine)
    return status;

  std::deque<ReflectedModule> reflected;
  std::vector<const spirv::Reflection*> reflections;
  std::vector<std::string_view> files;
  for (const NamedModule& each : modules) {
    reflections.push_back(&reflected.emplace_back(each.subject.words(), grammar).reflection);
    files.push_back(each.name);
  }
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
  const int status = write_output(invocation, text.text(), diagnostics);
  reporter.add({"pipeline", {}}, diagnostics);
  return status;
}

}  // namespace vireo::cli
