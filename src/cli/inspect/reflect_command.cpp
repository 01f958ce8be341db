// SPDX-License-Identifier: Apache-2.0
//
// vireo reflect: the resources, blocks, interfaces and specialization constants of modules.
#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/common/all_commands.h"
#include "cli/common/batch.h"
#include "cli/common/inputs.h"
#include "cli/common/output.h"
#include "cli/common/shared_options.h"
#include "cli/module/module_options.h"
#include "cli/module/named_modules.h"
#include "cli/module/subject.h"
#include "spirv/module/truncated_module.h"
#include "spirv/rules.h"
#include "spirv/validate/rules/rules.h"
#include "support/printable.h"
#include "vireo/spirv/binary/reader.h"
#include "vireo/spirv/inspect/pipeline.h"
#include "vireo/spirv/inspect/reflection_text.h"
#include "vireo/spirv/module/module_declarations.h"

namespace vireo::cli {
namespace {

constexpr TextOption entry_option("--entry=NAME", "only entry points with this name, and what they use");
constexpr Option reflect_format_option =
    format_with("table|json|c|c++|human|short|sarif|github", "output format (table)",
                "json prints one document for each module; c and c++ a header with structures that have the layout of "
                "the blocks, and constants for bindings, locations and SpecIds. human, short, sarif and github select "
                "the format of the diagnostics, as in other commands; --diagnostics-format takes precedence.");
constexpr Flag pipeline_option(
    "--pipeline", "treat all modules as stages of one pipeline; report conflicts",
    "Prints the bindings, push constants and SpecIds of all stages together. Stages conflict if no pipeline has both, "
    "if "
    "they differ in a binding or SpecId, or if an input has no output of its type in the previous stage.");
constexpr TextOption namespace_option(
    "--namespace=NAME", "prefix of names in C, namespace in C++ (that of the file)",
    "A namespace may be nested: with app::scene, the names of C begin with app_scene_.");
constexpr Flag vulkan_option(
    "--vulkan", "also print structures of Vulkan",
    "In a header of c or c++: tables of VkDescriptorSetLayoutBinding, VkVertexInputAttributeDescription, "
    "VkPushConstantRange, VkSpecializationMapEntry and VkDescriptorSetAndBindingMappingEXT; the header then includes "
    "vulkan_core.h. In tables and json: the sets, bindings and resource masks of VkDescriptorSetAndBindingMappingEXT, "
    "which modules with capability DescriptorHeapEXT get always.");

constexpr auto reflect_options =
    option_list(entry_option, reflect_format_option, pipeline_option, namespace_option, vulkan_option, output_option,
                out_dir_option, jobs_option, grammar_option, reporting_options);

// A value of --format, and the files in --out-dir. The first is the default, also for the formats of diagnostics.
struct ReflectForm {
  std::string_view name, extension;
  bool is_json = false;
  std::optional<spirv::HeaderLanguage> language = {};  // of a generated header
};
constexpr ReflectForm forms[] = {
    {"table", ".txt"},
    {"json", ".json", true},
    {"c", ".h", false, spirv::HeaderLanguage::C},
    {"c++", ".hpp", false, spirv::HeaderLanguage::Cpp},
};

const ReflectForm& form_of(std::string_view name) {
  const auto* found = std::ranges::find(forms, name, &ReflectForm::name);
  return found == std::end(forms) ? forms[0] : *found;
}

// Reports an entry point that a module lacks, with the names of those that it has. Returns whether there is one.
bool has_entry_point(const spirv::Facts& facts, std::string_view name, Diagnostics& diagnostics) {
  std::vector<std::string_view> known;
  for (const spirv::EntryPointRow& entry : facts.module_declarations().entry_points()) {
    if (entry.name == name) return true;
    known.push_back(entry.name);
  }
  report_unknown_entry_point("the module has", name, std::move(known), diagnostics);
  return false;
}

// Reports words that are no module, or that cannot be read to their end.
bool is_whole(const spirv::Module& module, Diagnostics& diagnostics) {
  return spirv::read_header(module.words(), diagnostics).ok() && !report_break(module, diagnostics);
}

// Reports conflicts with their severities, but at most with `most`.
void report_conflicts(std::span<const spirv::PipelineConflict> conflicts, std::span<const std::string_view> files,
                      Severity most, Diagnostics& diagnostics) {
  for (const spirv::PipelineConflict& conflict : conflicts) {
    const bool is_lowered = conflict.severity == Severity::Error && most != Severity::Error;
    Diagnostic diagnostic{conflict.rule, is_lowered ? most : conflict.severity};
    diagnostic.message = pipeline_conflict_text(conflict, files);
    diagnostic.requirement = conflict.vuid;
    diagnostics.report(std::move(diagnostic));
  }
}

// --- a pipeline -------------------------------------------------------------------------------------------------------

// A module of the pipeline with its facts and its reflection. Each part refers to the one before it.
struct ReflectedModule {
  ReflectedModule(spirv::Words words, const spirv::Grammar& grammar)
      : module(spirv::Module::read(words, grammar)), facts(module), reflection(facts) {}

  const spirv::Module module;
  const spirv::Facts facts;
  const spirv::Reflection reflection;
};

// Reads all inputs, writes their common table or JSON document, and reports conflicts. A conflict concerns two files, and
// a diagnostic refers to one, so the message names both places.
int run_reflect_pipeline(const Invocation& invocation, const spirv::Grammar& grammar, Reporter& reporter) {
  const std::string_view entry = invocation.options.value(entry_option);
  const ParsedOptions& options = invocation.options;
  const std::string_view format = options.value(format_option);
  if (options.has(out_dir_option)) return usage_error(invocation, "--pipeline has one output; use -o");

  std::deque<NamedModule> modules;
  std::vector<RepeatedInput> repeated;
  // The other modules alone would seem to lack outputs.
  if (const int status = read_modules(invocation, grammar, reporter, modules, repeated); status != exit_status::fine)
    return status;

  std::deque<ReflectedModule> reflected;
  std::vector<const spirv::Reflection*> reflections;
  std::vector<std::string_view> files;
  bool are_whole = true;
  for (const NamedModule& each : modules) {
    reflections.push_back(&reflected.emplace_back(each.subject.words(), grammar).reflection);
    files.push_back(each.name);
    Diagnostics faults(reporter.limit());
    are_whole &= is_whole(reflected.back().module, faults);
    reporter.add({each.name, each.bytes.text()}, faults);
  }
  if (!are_whole) return exit_status::wrong_input;
  const spirv::PipelineReflection pipeline = spirv::reflect_pipeline(reflections, {.entry_point = entry});
  Diagnostics diagnostics(reporter.limit());
  const std::string_view stage_rule = spirv::row_of(spirv::Rule::PipelineStage).name;
  for (const RepeatedInput& each : repeated) {
    diagnostics.error(stage_rule, Location::none(), each.text() + "; each stage is once in a pipeline");
  }
  if (pipeline.stages.empty() && entry.empty()) {
    diagnostics.error(stage_rule, Location::none(), "the modules have no entry point");
  } else if (pipeline.stages.empty()) {
    std::vector<std::string_view> known;
    for (const spirv::Reflection* module : reflections) {
      for (const spirv::ReflectedEntryPoint& row : module->entry_points()) known.push_back(row.name);
    }
    report_unknown_entry_point("the modules have", entry, std::move(known), diagnostics);
  }
  report_conflicts(pipeline.conflicts, files, Severity::Error, diagnostics);
  StringSink text;
  const ReflectForm& form = form_of(format);
  const spirv::ReflectionTextOptions text_options = {.entry_point = entry, .mappings = options.has(vulkan_option)};
  const auto write = form.is_json ? spirv::write_pipeline_json : spirv::write_pipeline_table;
  if (pipeline.stages.empty()) {
    // Nothing to write.
  } else if (form.language) {
    const spirv::ReflectionHeaderOptions header = {.language = *form.language,
                                                   .entry_point = entry,
                                                   .scope = options.value(namespace_option, "pipeline"),
                                                   .vulkan = options.has(vulkan_option)};
    spirv::write_pipeline_header(pipeline, reflections, files, header, text);
  } else {
    write(pipeline, reflections, files, text, text_options);
  }
  const int status = write_output(invocation, text.text(), diagnostics);
  reporter.add({"pipeline", {}}, diagnostics);
  return status;
}

int run_reflect(const Invocation& invocation) {
  const ParsedOptions& options = invocation.options;
  Reporter reporter(invocation);
  ChosenGrammar chosen;
  if (const int status = chosen.load(invocation, reporter); status != exit_status::fine) return status;
  const spirv::Grammar& grammar = chosen.grammar();
  if (options.has(pipeline_option)) return run_reflect_pipeline(invocation, grammar, reporter);
  const ReflectForm& form = form_of(options.value(format_option));
  const spirv::ReflectionTextOptions text = {.entry_point = options.value(entry_option),
                                             .mappings = options.has(vulkan_option)};
  const auto convert = [&](const BatchItem& item) {
    const std::optional<Subject> subject = read_subject(item.input, {.grammar = &grammar}, item.diagnostics);
    if (!subject) return false;
    const spirv::Module module = spirv::Module::read(subject->words(), grammar);
    if (!is_whole(module, item.diagnostics)) return false;
    const spirv::Facts facts(module);
    if (!text.entry_point.empty() && !has_entry_point(facts, text.entry_point, item.diagnostics)) return false;
    const spirv::Reflection reflection(facts);
    // Structures of Vulkan cannot express a conflict; the other tables have a row for each declaration.
    const std::string_view file = item.input.name;
    report_conflicts(spirv::module_conflicts(reflection, text), {&file, 1},
                     options.has(vulkan_option) ? Severity::Error : Severity::Warning, item.diagnostics);
    if (form.language) {
      const spirv::ReflectionHeaderOptions header = {.language = *form.language,
                                                     .entry_point = text.entry_point,
                                                     .scope = options.value(namespace_option, stem_of(item.input.name)),
                                                     .vulkan = options.has(vulkan_option)};
      return spirv::write_reflection_header(reflection, file, header, item.output) && !item.diagnostics.has_errors();
    }
    const auto write = form.is_json ? spirv::write_reflection_json : spirv::write_reflection_table;
    return write(reflection, file, text, item.output) && !item.diagnostics.has_errors();
  };
  return run_batch(invocation, {{".spv", ".spvasm"}, form.extension}, reporter, convert);
}

}  // namespace

constinit const Command reflect_command(
    "reflect", any_inputs, "show resources, blocks and interfaces of shaders",
    "Prints for each module its entry points with the size of their workgroups; descriptors with sets and bindings, "
    "arrays and types; push constants; inputs and outputs with locations and formats; specialization constants with "
    "their defaults; and the layout of each structure: offsets, sizes, padding and strides. Each row names the entry "
    "points that use it.\n\n"
    "The input is a binary or assembly text.",
    "vireo reflect shader.spv\n"
    "vireo reflect --format=json --entry main shader.spv -o shader.json\n"
    "vireo reflect --format=c shader.spv -o shader.h\n"
    "vireo reflect --pipeline vertex.spv fragment.spv\n"
    "vireo reflect --pipeline --format=c++ --vulkan vertex.spv fragment.spv -o pipeline.hpp",
    "spv|spvasm", reflect_options, run_reflect);

}  // namespace vireo::cli
