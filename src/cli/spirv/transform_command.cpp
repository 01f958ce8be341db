// SPDX-License-Identifier: Apache-2.0
//
// The commands that change modules: vireo strip, trim and clean.
#include "cli/spirv/transform_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "cli/common/batch.h"
#include "cli/common/inputs.h"
#include "cli/spirv/assembled_text.h"
#include "cli/spirv/grammar_option.h"
#include "cli/val/val_subject.h"
#include "support/json_writer.h"
#include "vireo/spirv/disassemble.h"
#include "vireo/spirv/listing.h"
#include "vireo/spirv/transform/clean.h"
#include "vireo/spirv/transform/strip.h"
#include "vireo/spirv/transform/trim.h"
#include "vireo/spirv/writer.h"

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

// The faults of one input, with locations in its text if it is a text.
void report_faults(const Diagnostics& found, const SourceText& input, const Subject& subject,
                   Diagnostics& diagnostics) {
  const auto add_all = [&](const Diagnostics& from) {
    for (const Diagnostic& each : from.all()) diagnostics.report(each);
  };
  if (!subject.is_text || found.all().empty()) return add_all(found);
  const AssembledText text(input, subject.assembly, subject.words());
  add_all(spirv::point_into_text(found, subject.words(), text.map()));
}

// An option that selects a part of a transform.
template <typename Options>
struct Part {
  OptionId id;
  bool Options::*member;
};

// Selects the parts that were given. Without any, the options keep their defaults.
template <typename Options>
void choose_parts(const ParsedOptions& given, std::span<const Part<Options>> parts, Options& options) {
  const bool has_any = std::ranges::any_of(parts, [&](const Part<Options>& part) { return given.has(part.id); });
  if (!has_any) return;
  for (const Part<Options>& part : parts) options.*part.member = given.has(part.id);
}

}  // namespace

int run_transform(const Invocation& invocation, const Transform& transform) {
  const ParsedOptions& options = invocation.options;
  const bool is_json = options.value(OptionId::Format) == "json";
  const bool has_file = options.has(OptionId::OutDir) || options.value(OptionId::Output, "-") != "-";
  if (is_json && !has_file) return usage_error(invocation, "--format=json needs -o FILE or --out-dir DIR");
  Reporter reporter(invocation);
  ChosenGrammar chosen;
  if (const int status = chosen.load(invocation, reporter); status != exit_status::fine) return status;
  const spirv::Grammar& grammar = chosen.grammar();
  const bool writes_text = options.has(OptionId::Text) || options.value(OptionId::Output).ends_with(".spvasm");
  const bool is_verbose = options.has(OptionId::Verbose);

  const auto convert = [&](const BatchItem& item) {
    Subject subject;
    spirv::ValidateOptions reading;
    reading.grammar = &grammar;
    if (!read_subject(item.input, reading, item.diagnostics, subject)) return false;
    Diagnostics found(reporter.limit());
    spirv::TransformReport report;
    const Result<spirv::WordBuffer> words =
        transform(subject.words(), grammar, found, is_verbose || is_json ? &report : nullptr);
    report_faults(found, item.input, subject, item.diagnostics);
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

int run_strip(const Invocation& invocation) {
  spirv::StripOptions strip;
  constexpr Part<spirv::StripOptions> parts[] = {{OptionId::Debug, &spirv::StripOptions::debug},
                                                 {OptionId::NameInstructions, &spirv::StripOptions::names},
                                                 {OptionId::NonSemantic, &spirv::StripOptions::nonsemantic},
                                                 {OptionId::Reflection, &spirv::StripOptions::reflection}};
  choose_parts<spirv::StripOptions>(invocation.options, parts, strip);
  return run_transform(invocation, [&](spirv::Words words, const spirv::Grammar& grammar, Diagnostics& diagnostics,
                                       spirv::TransformReport* report) {
    return spirv::strip(words, strip, diagnostics, report, grammar);
  });
}

int run_trim(const Invocation& invocation) {
  spirv::TrimOptions trim;
  constexpr Part<spirv::TrimOptions> parts[] = {{OptionId::TrimCapabilities, &spirv::TrimOptions::capabilities},
                                                {OptionId::TrimExtensions, &spirv::TrimOptions::extensions},
                                                {OptionId::TrimInterfaces, &spirv::TrimOptions::interfaces}};
  choose_parts<spirv::TrimOptions>(invocation.options, parts, trim);
  return run_transform(invocation, [&](spirv::Words words, const spirv::Grammar& grammar, Diagnostics& diagnostics,
                                       spirv::TransformReport* report) {
    return spirv::trim(words, trim, diagnostics, report, grammar);
  });
}

int run_clean(const Invocation& invocation) {
  using Options = spirv::CleanOptions;
  Options clean;
  constexpr Part<Options> parts[] = {{OptionId::CleanFunctions, &Options::functions},
                                     {OptionId::CleanBlocks, &Options::branches},
                                     {OptionId::CleanBlocks, &Options::blocks},
                                     {OptionId::CleanCode, &Options::code},
                                     {OptionId::CleanVariables, &Options::variables},
                                     {OptionId::CleanTypes, &Options::types},
                                     {OptionId::CleanTypes, &Options::duplicate_types},
                                     {OptionId::CleanConstants, &Options::constants},
                                     {OptionId::CleanConstants, &Options::duplicate_constants},
                                     {OptionId::CleanMembers, &Options::members},
                                     {OptionId::CompactIds, &Options::compact_ids},
                                     {OptionId::CanonicalIds, &Options::canonical_ids}};
  choose_parts<Options>(invocation.options, parts, clean);
  clean.drop_bindings = invocation.options.has(OptionId::DropBindings);
  clean.drop_specs = invocation.options.has(OptionId::DropSpecs);
  return run_transform(invocation, [&](spirv::Words words, const spirv::Grammar& grammar, Diagnostics& diagnostics,
                                       spirv::TransformReport* report) {
    return spirv::clean(words, clean, diagnostics, report, grammar);
  });
}

}  // namespace vireo::cli
