// SPDX-License-Identifier: Apache-2.0
//
// The commands that change modules: vireo strip, trim and clean.
#include "cli/spirv/transform_command.h"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "cli/common/all_commands.h"
#include "cli/common/batch.h"
#include "cli/common/row_options.h"
#include "cli/module/module_options.h"
#include "cli/module/subject.h"
#include "support/json_writer.h"
#include "vireo/spirv/binary/writer.h"
#include "vireo/spirv/text/disassemble.h"
#include "vireo/spirv/transform/clean.h"
#include "vireo/spirv/transform/strip.h"
#include "vireo/spirv/transform/trim.h"

namespace vireo::cli {
namespace {

std::string_view opcode_name(spirv::Op opcode, const spirv::Grammar& grammar) {
  const spirv::InstructionRow* row = grammar.find_opcode(opcode);
  return row == nullptr ? std::string_view("unknown instruction") : grammar.text(row->name);
}

// "removed 3 OpLine, 2 OpName; 120 → 80 words"
std::string summary_of(const spirv::TransformReport& report, const spirv::Grammar& grammar) {
  std::string removed;
  for (const spirv::RemovedInstructions& row : report.removed) {
    removed += fmt::format("{}{} {}", removed.empty() ? "removed " : ", ", row.count, opcode_name(row.opcode, grammar));
  }
  if (report.interface_entries != 0) {
    removed += fmt::format("{}{} interface variable{}", removed.empty() ? "removed " : ", ", report.interface_entries,
                           report.interface_entries == 1 ? "" : "s");
  }
  if (removed.empty()) {
    removed = report.words_before == report.words_after ? "removed nothing" : "removed no whole instruction";
  }
  return fmt::format("{}; {} words before, {} after", removed, report.words_before, report.words_after);
}

void write_record(std::string_view file, const spirv::TransformReport& report, const spirv::Grammar& grammar,
                  TextSink& output) {
  JsonWriter json(output);
  json.begin_object();
  json.key("file").string(file);
  json.key("words_before").number(report.words_before).key("words_after").number(report.words_after);
  json.key("removed").begin_array();
  for (const spirv::RemovedInstructions& row : report.removed) {
    json.begin_object().key("op").string(opcode_name(row.opcode, grammar));
    json.key("count").number(row.count).key("words").number(row.words).end_object();
  }
  json.end_array();
  json.key("declarations").begin_array();
  for (const std::string& name : report.declarations) json.string(name);
  json.end_array();
  json.key("interface_entries").number(report.interface_entries);
  json.end_object().end_document();
}

}  // namespace

int run_transform(const Invocation& invocation, const Transform& transform) {
  const ParsedOptions& options = invocation.options;
  const bool is_json = options.value(format_option) == "json";
  const bool has_file = options.has(out_dir_option) || options.value(output_option, "-") != "-";
  if (is_json && !has_file) return usage_error(invocation, "--format=json needs -o FILE or --out-dir DIR");
  Reporter reporter(invocation);
  ChosenGrammar chosen;
  if (const int status = chosen.load(invocation, reporter); status != exit_status::fine) return status;
  const spirv::Grammar& grammar = chosen.grammar();
  const bool writes_text = options.has(text_option) || options.value(output_option).ends_with(".spvasm");
  const bool is_verbose = options.has(verbose_option);

  const auto convert = [&](const BatchItem& item) {
    const std::optional<Subject> subject = read_subject(item.input, {.grammar = &grammar}, item.diagnostics);
    if (!subject) return false;
    Diagnostics found(reporter.limit());
    spirv::TransformReport report;
    const Result<spirv::WordBuffer> words =
        transform(subject->words(), grammar, found, is_verbose || is_json ? &report : nullptr);
    report_in_input(found, *subject, item.diagnostics);
    if (!words) return false;
    if (is_verbose)
      item.diagnostics.report({.rule = "", .severity = Severity::Note, .message = summary_of(report, grammar)});
    if (is_json) write_record(item.input.name, report, grammar, item.standard_output);
    if (!writes_text) return item.output.write(spirv::bytes_of(*words));
    return spirv::disassemble(*words, {.grammar = &grammar}, item.output, item.diagnostics);
  };
  const std::string_view extension = writes_text ? ".spvasm" : ".spv";
  return run_batch(invocation, {{".spv", ".spvasm"}, extension, !writes_text}, reporter, convert);
}

namespace {

constexpr auto strip_part_options = options_of(spirv::strip_parts);
constexpr auto trim_part_options = options_of(spirv::trim_parts);
constexpr auto clean_part_options = options_of(spirv::clean_parts);

constexpr auto strip_options = option_list(text_option, strip_part_options, transform_options);
constexpr auto trim_options = option_list(text_option, trim_part_options, transform_options);
constexpr auto clean_options = option_list(text_option, clean_part_options, transform_options);

// Runs a transform with the parts that the user selects.
template <auto transform, typename Options, std::size_t N>
int run_parts(const Invocation& invocation, const std::array<Option, N>& options,
              const spirv::TransformPart<Options> (&parts)[N]) {
  const Options chosen = chosen_parts(invocation.options, options, parts);
  return run_transform(invocation, [&](spirv::Words words, const spirv::Grammar& grammar, Diagnostics& diagnostics,
                                       spirv::TransformReport* report) {
    return transform(words, chosen, diagnostics, report, grammar);
  });
}

int run_strip(const Invocation& invocation) {
  return run_parts<spirv::strip>(invocation, strip_part_options, spirv::strip_parts);
}
int run_trim(const Invocation& invocation) {
  return run_parts<spirv::trim>(invocation, trim_part_options, spirv::trim_parts);
}
int run_clean(const Invocation& invocation) {
  return run_parts<spirv::clean>(invocation, clean_part_options, spirv::clean_parts);
}

}  // namespace

constinit const Command strip_command(
    "strip", any_inputs, "remove debug information from SPIR-V modules",
    "Removes what does not affect the semantics of a module: debug information, names, non-semantic instructions and "
    "reflection. Options select some of these parts; without them all are removed. The ids do not change.\n\n"
    "The input is a binary or assembly text; the output is a binary unless its name ends in .spvasm.",
    "vireo strip shader.spv -o small.spv\n"
    "vireo strip --debug shaders/ --out-dir small/ --verbose",
    "spv|spvasm", strip_options, run_strip);

constinit const Command trim_command(
    "trim", any_inputs, "remove unneeded capabilities and extensions",
    "Removes the capabilities and extensions that neither the grammar nor the validator requires. With --interfaces, "
    "removes the variables that an entry point lists but does not use. Options select some of these parts; without "
    "them capabilities and extensions are removed.\n\n"
    "The input is a binary or assembly text; the output is a binary unless its name ends in .spvasm.",
    "vireo trim shader.spv -o small.spv\n"
    "vireo trim --capabilities --verbose shaders/ --out-dir small/",
    "spv|spvasm", trim_options, run_trim);

constinit const Command clean_command(
    "clean", any_inputs, "remove unused functions, code and declarations",
    "Removes what a module does not need: unused functions, variables, types and constants; instructions without an "
    "effect; branches with a constant condition and the blocks that they never reach; duplicates. Options select some "
    "of these parts; without them all are removed except members, and the ids are renumbered. What the module computes "
    "does not change, nor what others see of it: entry points, exports, interfaces, bindings, SpecIds.\n\n"
    "The input is a binary or assembly text; the output is a binary unless its name ends in .spvasm.",
    "vireo clean shader.spv -o small.spv\n"
    "vireo clean --functions --verbose shaders/ --out-dir small/",
    "spv|spvasm", clean_options, run_clean);

}  // namespace vireo::cli
