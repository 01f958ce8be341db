// SPDX-License-Identifier: Apache-2.0
//
// Creates the renderer that the options select.
//
// Commands produce diagnostics, and only the Reporter prints them. Standard error receives only
// diagnostics, so other text never interrupts a machine-readable format.
#include "cli/common/report.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <string>

#include "cli/common/rule_links.h"
#include "cli/common/shared_options.h"
#include "cli/common/version.h"
#include "vireo/spirv/validate/validate.h"

namespace vireo::cli {
namespace {

// An empty variable counts as unset: a shell can clear it so for a single command.
bool is_set(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

// --diagnostics-format, else --format if it names a format of diagnostics (`text` of dis does not).
DiagnosticFormat format_of(const ParsedOptions& options) {
  const std::string_view name = options.value(diagnostics_format_option, options.value(format_option));
  return find_diagnostic_format(name).value_or(DiagnosticFormat::Human);
}

// Machines read standard output, if the command has no other output. Otherwise, and for people: standard error.
int descriptor_of(const Invocation& invocation) {
  const DiagnosticFormat format = format_of(invocation.options);
  const bool is_for_people = format == DiagnosticFormat::Human || format == DiagnosticFormat::Short;
  return invocation.command.traits.only_reports && !is_for_people ? invocation.streams.out : invocation.streams.err;
}

// The description of a broken rule for SARIF.
RuleText describe(std::string_view rule) {
  const spirv::ValidationRule* row = spirv::find_validation_rule(rule);
  return row == nullptr ? RuleText{} : RuleText{row->requirement, row->vuids, link_of(*row)};
}

// The errors and warnings that were kept.
std::size_t shown_count(const Diagnostics& diagnostics) {
  return static_cast<std::size_t>(
      std::ranges::count_if(diagnostics.all(), [](const Diagnostic& each) { return each.severity != Severity::Note; }));
}

}  // namespace

bool wants_color(const ParsedOptions& options, int descriptor) {
  if (options.has(no_color_option)) return false;  // in any order, as in the reference
  const std::string_view when = options.value(color_option, "auto");
  if (when != "auto") return when != "never";
  if (is_set("NO_COLOR")) return false;  // no-color.org: present and not empty
  if (is_set("CLICOLOR_FORCE") && std::string_view(std::getenv("CLICOLOR_FORCE")) != "0") return true;
  return ::isatty(descriptor) != 0;
}

Reporter::Reporter(const Invocation& invocation)
    : sink_(descriptor_of(invocation)),
      renderer_(make_renderer({.format = format_of(invocation.options),
                               .color = wants_color(invocation.options, invocation.streams.err),
                               .tool_version = program_version,
                               .describe = describe},
                              sink_)),
      limit_(invocation.options.count(max_errors_option, Diagnostics::default_limit)),
      is_for_people_(format_of(invocation.options) == DiagnosticFormat::Human) {
  // --max-errors 0 means "no limit", as in compilers.
  if (limit_ == 0) limit_ = std::numeric_limits<std::size_t>::max();
}

Reporter::~Reporter() {
  renderer_->finish();
  sink_.flush();
}

void Reporter::add(const SourceText& source, const Diagnostics& diagnostics) {
  errors_ += diagnostics.error_count();
  warnings_ += diagnostics.warning_count();
  hidden_ += diagnostics.error_count() + diagnostics.warning_count() - shown_count(diagnostics);
  if (diagnostics.all().empty()) return;
  // Findings of one source may be reported in several parts.
  if (sources_ == 0 || last_source_ != source.name) ++sources_;
  last_source_ = source.name;
  renderer_->add(source, diagnostics);
  sink_.flush();  // visible at once
}

void Reporter::summarize() {
  if (!is_for_people_ || errors_ + warnings_ == 0) return;
  const auto counted = [](std::size_t count, std::string_view noun) {
    return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
  };
  std::string line;
  if (errors_ != 0) line = counted(errors_, "error");
  if (warnings_ != 0) line += (line.empty() ? "" : " and ") + counted(warnings_, "warning");
  if (sources_ > 1) line += " in " + counted(sources_, "file");
  if (hidden_ != 0) line += fmt::format("; {} not shown (--max-errors)", hidden_);
  sink_.write(line + '\n');
  sink_.flush();
}

}  // namespace vireo::cli
