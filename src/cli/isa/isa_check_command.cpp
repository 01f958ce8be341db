// SPDX-License-Identifier: Apache-2.0
//
// vireo isa check: reports the faults and warnings of descriptions of instruction sets.
//
// The one idea: no output means no fault. The findings of the loader and of the checks form one list per file, imported
// files included, in the order of the file. Only the assembler's round-trip report is a table of its own.
#include <algorithm>

#include "cli/isa/isa_inputs.h"
#include "cli/isa/isa_round_trips.h"
#include "vireo/isa/check.h"

namespace vireo::cli {
namespace {

int check_description(const Invocation& invocation, std::string_view path, Reporter& reporter) {
  const isa::LoadedModel loaded = load_description(invocation, path);
  isa::CheckOptions options;
  options.mesa_compat = invocation.options.has(OptionId::MesaCompat);
  if (invocation.options.has(OptionId::Gen)) options.gen = generation_of(invocation.options);
  options.checks_round_trips = invocation.options.has(OptionId::Assembler);
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
  if (invocation.options.value(OptionId::Format) == "json") write_survey(loaded.model, *report.assembly, text);
  else text.write(survey_table(loaded.model, *report.assembly));
  return std::max(status, print(invocation.streams, text.text()));
}

}  // namespace

int run_isa_check(const Invocation& invocation) {
  if (invocation.operands().empty()) return usage_error(invocation, "expected a description");
  Reporter reporter(invocation);
  // Each description is checked separately: two descriptions may use the same names.
  int status = exit_status::fine;
  for (const std::string_view path : invocation.operands())
    status = std::max(status, check_description(invocation, path, reporter));
  return status;
}

}  // namespace vireo::cli
