// SPDX-License-Identifier: Apache-2.0
//
// Creates the renderer that the options select.
//
// The one idea: commands produce diagnostics, and only the Reporter prints them. Standard error receives only
// diagnostics, so other text never interrupts a machine-readable format.
#include "cli/common/report.h"

#include <unistd.h>

#include <cstdlib>
#include <limits>

#include "cli/common/version.h"
#include "vireo/spirv/validate.h"

namespace vireo::cli {
namespace {

// An empty variable counts as unset: a shell can clear it so for a single command.
bool is_set(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

// --diagnostics-format, else --format if it names a format of diagnostics (`text` of dis does not).
DiagnosticFormat format_of(const ParsedOptions& options) {
  const std::string_view name = options.value(OptionId::DiagnosticsFormat, options.value(OptionId::Format));
  return find_diagnostic_format(name).value_or(DiagnosticFormat::Human);
}

// The description of a broken rule for SARIF.
RuleText describe(std::string_view rule) {
  const spirv::ValidationRule* row = spirv::find_validation_rule(rule);
  return row == nullptr ? RuleText{} : RuleText{row->demand, row->vuids};
}

}  // namespace

bool wants_color(const ParsedOptions& options, int descriptor) {
  if (options.has(OptionId::NoColor)) return false;  // in any order, as in the reference
  const std::string_view when = options.value(OptionId::Color, "auto");
  if (when != "auto") return when != "never";
  if (is_set("NO_COLOR")) return false;  // no-color.org: present and not empty
  if (is_set("CLICOLOR_FORCE") && std::string_view(std::getenv("CLICOLOR_FORCE")) != "0") return true;
  return ::isatty(descriptor) != 0;
}

Reporter::Reporter(const Invocation& invocation)
    : sink_(invocation.streams.err),
      renderer_(make_renderer({.format = format_of(invocation.options),
                               .color = wants_color(invocation.options, invocation.streams.err),
                               .tool_version = program_version,
                               .describe = describe},
                              sink_)),
      limit_(invocation.options.count(OptionId::MaxErrors, Diagnostics::default_limit)) {
  // --max-errors 0 means "no limit", as in compilers.
  if (limit_ == 0) limit_ = std::numeric_limits<std::size_t>::max();
}

Reporter::~Reporter() {
  renderer_->finish();
  sink_.flush();
}

void Reporter::add(const SourceText& source, const Diagnostics& diagnostics) {
  if (diagnostics.all().empty()) return;
  renderer_->add(source, diagnostics);
  sink_.flush();  // visible at once
}

}  // namespace vireo::cli
