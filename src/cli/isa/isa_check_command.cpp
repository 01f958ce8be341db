// SPDX-License-Identifier: Apache-2.0
//
// vireo isa check: all that is wrong with descriptions of instruction sets, warnings included.
//
// The one idea: silence is the answer. What the loader found and what the checks found is one list for each file, in the
// order of the file, imported ones included; only the survey of the assembler is a table that is wanted for itself.
#include <algorithm>

#include "cli/isa/isa_inputs.h"
#include "cli/isa/isa_survey.h"
#include "vireo/isa/check.h"

namespace vireo::cli {
namespace {

int check_description(const Invocation& invocation, std::string_view path, Reporter& reporter) {
  const isa::LoadedModel loaded = load_description(invocation, path);
  isa::CheckOptions options;
  options.mesa_compat = invocation.options.has(OptionId::MesaCompat);
  if (invocation.options.has(OptionId::Gen)) options.gen = generation_of(invocation.options);
  options.surveys_assembler = invocation.options.has(OptionId::Assembler);
  const isa::CheckReport report = isa::check(loaded, options);

  // A file that is not there is another kind of failure than one that is wrong: scripts tell 3 from 1.
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
  // Each by itself: two descriptions may have names in common, and neither says anything of the other.
  int status = exit_status::fine;
  for (const std::string_view path : invocation.operands())
    status = std::max(status, check_description(invocation, path, reporter));
  return status;
}

}  // namespace vireo::cli
