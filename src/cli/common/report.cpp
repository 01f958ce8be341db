// SPDX-License-Identifier: Apache-2.0
//
// From options to a renderer.
//
// The one idea: commands make diagnostics and never look at how they are shown. Standard error is theirs alone, so that a
// format for machines is not interrupted by a sentence for people.
#include "cli/common/report.h"

#include <unistd.h>

#include <cstdlib>
#include <limits>

#include "cli/common/version.h"
#include "vireo/spirv/validate.h"

namespace vireo::cli {
namespace {

// An empty variable is how a shell takes one back for a single command.
bool is_set(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

// --diagnostics-format, else --format as far as it names a form of diagnostics (dis: `text` does not).
DiagnosticFormat format_of(const ParsedOptions& options) {
  const std::string_view name = options.value(OptionId::DiagnosticsFormat, options.value(OptionId::Format));
  return find_diagnostic_format(name).value_or(DiagnosticFormat::Human);
}

// What SARIF says of the rules that were broken.
RuleText describe(std::string_view rule) {
  const spirv::ValidationRule* row = spirv::find_validation_rule(rule);
  return row == nullptr ? RuleText{} : RuleText{row->demand, row->vuid};
}

}  // namespace

bool wants_color(const ParsedOptions& options, int descriptor) {
  if (options.has(OptionId::NoColor)) return false;  // whatever the order, as the reference has it
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
  // --max-errors 0 is "no limit", as with compilers; nothing else could be meant by a report of nothing.
  if (limit_ == 0) limit_ = std::numeric_limits<std::size_t>::max();
}

Reporter::~Reporter() {
  renderer_->finish();
  sink_.flush();
}

void Reporter::add(const SourceText& source, const Diagnostics& diagnostics) {
  if (diagnostics.all().empty()) return;
  renderer_->add(source, diagnostics);
  sink_.flush();  // people watch
}

}  // namespace vireo::cli
