// SPDX-License-Identifier: Apache-2.0
//
// vireo isa check: reports the faults and warnings of descriptions of instruction sets.
//
// The one idea: no output means no fault. The findings of the loader and of the checks form one list per file, imported
// files included, in the order of the file. Only the assembler's round-trip report is a table of its own.
#include <algorithm>

#include "cli/common/all_commands.h"
#include "cli/isa/isa_inputs.h"
#include "cli/isa/isa_options.h"
#include "cli/isa/isa_round_trips.h"
#include "vireo/isa/check.h"

namespace vireo::cli {
namespace {

constexpr Option checked_gen_option =
    gen_option.with("check only this generation (all)",
                    "The number used by the gen elements of the description: 600 for ir3, 7 for afuc.");
constexpr Flag assembler_option(
    "--assembler", "also report how the texts of each leaf assemble",
    "A table on standard output, or JSON Lines with --format=json. Words of each leaf, with every field at its extreme "
    "values, are printed and assembled again. 'exact': every text gives its word; 'text': some give another word with "
    "the same text; 'broken': some text does not assemble; 'never': the description excludes the leaf from assembly.");

constexpr auto isa_check_options =
    option_list(checked_gen_option, mesa_compat_option, assembler_option, format_and_reporting_options);

int check_description(const Invocation& invocation, std::string_view path, Reporter& reporter) {
  const isa::LoadedModel loaded = load_description(invocation, path);
  isa::CheckOptions options;
  options.mesa_compat = invocation.options.has(mesa_compat_option);
  if (invocation.options.has(gen_option)) options.gen = generation_of(invocation.options);
  options.checks_round_trips = invocation.options.has(assembler_option);
  const isa::CheckReport report = isa::check(loaded, options);

  // A missing file has status 3, a faulty one 1.
  int status = report.ok() ? exit_status::fine : exit_status::wrong_input;
  for (std::size_t i = 0; i < loaded.files.size(); ++i) {
    Diagnostics kept(reporter.limit());
    for (const Diagnostic& diagnostic : report.files[i].all()) {
      kept.report(diagnostic);
      if (diagnostic.rule == rule::cannot_read) status = exit_status::no_file;
    }
    reporter.add({loaded.files[i].name, loaded.files[i].text}, kept);
  }
  if (!report.assembly) return status;
  StringSink text;
  if (invocation.options.value(format_option) == "json") write_survey(loaded.model, *report.assembly, text);
  else text.write(survey_table(loaded.model, *report.assembly));
  return std::max(status, print(invocation.streams, text.text()));
}

int run_isa_check(const Invocation& invocation) {
  if (invocation.operands().empty()) return usage_error(invocation, "expected a description");
  Reporter reporter(invocation);
  // Each description is checked separately: two descriptions may use the same names.
  int status = exit_status::fine;
  for (const std::string_view path : invocation.operands())
    status = std::max(status, check_description(invocation, path, reporter));
  return status;
}

}  // namespace

constinit const Command isa_check_command(
    "isa check", "SPEC...", "check an XML description of an instruction set",
    "Reports the errors of a description in the isaspec language with their locations: syntax errors; leaves that "
    "match the same word, with such a word; leaves that are never chosen; unknown names; overrides that never apply; "
    "displays that cannot be distinguished. 'vireo explain RULE' describes a rule. Warnings alone do not fail the "
    "check.",
    "vireo isa check ir3.xml\n"
    "vireo isa check --gen 600 --format=short ir3.xml\n"
    "vireo isa check --assembler ir3.xml",
    "xml", isa_check_options, run_isa_check, {.only_reports = true});

}  // namespace vireo::cli
