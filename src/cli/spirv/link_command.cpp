// SPDX-License-Identifier: Apache-2.0
//
// vireo link, and spirv-link: several modules become one.
//
// All inputs make one output, so an input that cannot be read leaves nothing to link. spirv-link has the
// flags, the default output and the exit status of the reference; its messages are ours.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "cli/common/all_commands.h"
#include "cli/common/compatibility.h"
#include "cli/common/inputs.h"
#include "cli/common/output.h"
#include "cli/common/report.h"
#include "cli/common/row_options.h"
#include "cli/common/shared_options.h"
#include "cli/module/module_options.h"
#include "cli/module/named_modules.h"
#include "spirv/rules.h"
#include "vireo/spirv/binary/writer.h"
#include "vireo/spirv/text/disassemble.h"
#include "vireo/spirv/transform/link.h"

namespace vireo::cli {
namespace {

constexpr auto link_part_options = options_of(spirv::link_options);
constexpr Flag link_verbose_option("-v, --verbose", "print the imports that remain");
constexpr auto link_options = option_list(text_option, link_part_options, link_verbose_option, output_option,
                                          force_option, grammar_option, format_and_reporting_options);

// The reference has other names for two of the options, and has options for function variants.
constexpr Flag create_library_option("--create-library", "keep the exports: the result is a library", "",
                                     {.variant_of = &named(link_part_options, "library")});
constexpr Flag allow_partial_option("--allow-partial-linkage", "keep imports that no module exports", "",
                                    {.variant_of = &named(link_part_options, "partial")});
constexpr Flag verify_ids_option("--verify-ids", "accepted; ids are always unique");
constexpr Option link_target_env_option = target_env_option.with("accepted; linking does not depend on it");
constexpr std::string_view refused = "refused: function variants are not supported";
constexpr std::array function_variant_options = {Option(TextOption("--fnvar-targets=FILE", refused)),
                                                 Option(TextOption("--fnvar-architectures=FILE", refused)),
                                                 Option(Flag("--fnvar-capabilities", refused))};
constexpr auto spirv_link_options =
    option_list(create_library_option, allow_partial_option, named(link_part_options, "use-highest-version"),
                named(link_part_options, "allow-pointer-mismatch"), verify_ids_option, link_target_env_option,
                function_variant_options, reference_output_option, reference_help_options);

// Refuses the flags of spirv-link that ask for something else. Returns the problem.
std::string problem_of(const Invocation& invocation) {
  const ParsedOptions& options = invocation.options;
  const auto is_given = [&](const Option& option) { return options.has(option); };
  if (std::ranges::any_of(function_variant_options, is_given))
    return "function variants (--fnvar-...) are not supported.";
  if (!environment_of_target(options).problem.empty()) {
    return "Unrecognized target env: " + std::string(options.value(target_env_option));
  }
  for (const std::string& operand : invocation.operands()) {
    if (is_directory(operand)) return "'" + operand + "' is a directory";
  }
  return invocation.operands().empty() ? "No input file specified" : "";
}

int run_link(const Invocation& invocation) {
  const ParsedOptions& options = invocation.options;
  const bool is_compatible = invocation.command.is_imitation();
  if (is_compatible) {
    if (const std::string problem = problem_of(invocation); !problem.empty())
      return complain(invocation.streams, problem);
  }
  std::string_view output = options.value(output_option, "-");
  if (is_compatible && (output.empty() || !options.has(output_option))) output = "out.spv";
  const bool as_text = options.has(text_option) || (!is_compatible && output.ends_with(".spvasm"));
  if (output.empty()) return usage_error(invocation, "-o needs the name of a file");
  if (!is_compatible && output == "-" && !as_text && !options.has(force_option) &&
      ::isatty(invocation.streams.out) != 0) {
    return usage_error(invocation, "not writing a binary to a terminal; use -o FILE, or --force");
  }
  Reporter reporter(invocation);
  ChosenGrammar chosen;
  if (const int status = chosen.load(invocation, reporter); status != exit_status::fine) return status;
  const spirv::Grammar& grammar = chosen.grammar();

  std::deque<NamedModule> modules;
  std::vector<RepeatedInput> repeated;
  if (const int status = read_modules(invocation, grammar, reporter, modules, repeated); status != exit_status::fine)
    return is_compatible ? usage_status : status;
  // Linking a module twice would define all of it twice.
  for (const RepeatedInput& each : repeated) {
    Diagnostics problem;
    problem.error(spirv::rule::link_module, Location::none(), each.text() + "; each module is linked once");
    reporter.add({name_of_input(each.again), {}}, problem);
  }
  if (!repeated.empty()) return exit_status::wrong_input;

  std::vector<spirv::LinkInput> inputs;
  inputs.reserve(modules.size());
  for (const NamedModule& module : modules) inputs.push_back({module.subject.words(), module.name});
  const spirv::LinkOptions link = chosen_parts(options, link_part_options, spirv::link_options);
  Diagnostics found(reporter.limit());
  const Result<spirv::WordBuffer> words = spirv::link(inputs, link, found, grammar);
  Diagnostics shown(reporter.limit());
  for (const Diagnostic& each : found.all()) {
    if (each.severity != Severity::Note || options.has(link_verbose_option)) shown.report(each);
  }
  const std::string_view format = options.value(diagnostics_format_option, options.value(format_option));
  report_places(shown, modules, grammar, format == "json" || format == "github", reporter);
  if (!words) return exit_status::wrong_input;
  Diagnostics writing;
  CommandOutput out(invocation.streams, output);
  if (as_text) spirv::disassemble(*words, {.grammar = &grammar}, out.sink(), writing);
  else out.sink().write(spirv::bytes_of(*words));
  if (out.commit(writing)) return exit_status::fine;
  reporter.add({output, {}}, writing);
  return is_compatible ? usage_status : exit_status::no_file;
}

}  // namespace

constinit const Command link_command(
    "link", any_inputs, "link SPIR-V modules into one",
    "Joins modules: each import is replaced by the export with its name and type, and equal types, constants and "
    "interface variables become one. A conflict is an error that shows both places, and no module is written. Without "
    "--library the result exports nothing; without --partial each import needs an export.\n\n"
    "The inputs are binaries or assembly texts; the output is a binary unless its name ends in .spvasm.",
    "vireo link kernel.spv libclc.spv -o program.spv\n"
    "vireo link --only-needed kernel.spv libclc.spv -o program.spv\n"
    "vireo link --library --partial a.spv b.spv -o library.spv",
    "spv|spvasm", link_options, run_link);

constinit const Command spirv_link_command(
    "spirv-link", "FILE...", "link SPIR-V binary modules",
    "Joins modules into one, which is written to out.spv unless -o is given. Any flag that is not listed is an error.",
    "", "spv", spirv_link_options, run_link, {.imitation = Imitation::Program});

}  // namespace vireo::cli
