// SPDX-License-Identifier: Apache-2.0
//
// vireo specialize: gives specialization constants values.
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/common/all_commands.h"
#include "cli/common/inputs.h"
#include "cli/common/report.h"
#include "cli/module/module_options.h"
#include "cli/spirv/transform_command.h"
#include "spirv/rules.h"
#include "support/json.h"
#include "vireo/spirv/transform/specialize.h"
#include "vireo/spirv/transform/trim.h"

namespace vireo::cli {
namespace {

constexpr TextOption set_option("--set=ID=VALUE", "value of the constant with a SpecId; may be repeated",
                                "ID is a SpecId (3=64, 7=true, 2=1.5, 4=0xff) or the id of the constant (%12=64).");
constexpr TextOption set_name_option("--set-name=NAME=VALUE", "value of the constant with a name; may be repeated");
constexpr TextOption values_option("--values=FILE", "values from a JSON object",
                                   "A key is an ID as of --set, or a name: {\"3\": 64, \"scale\": 1.5}. --set and "
                                   "--set-name take precedence. '-' is standard input.",
                                   {.file_purpose = "the values"});
constexpr Flag all_defaults_option("--all-defaults", "give all other constants their default values");
constexpr Flag prune_option(
    "--prune", "fold branches, and remove what is unused then",
    "Blocks, functions, code, variables, types, constants, interface entries, and the capabilities "
    "and extensions that only these needed. Variables of the storage class Output stay.");
constexpr Option specialize_target_env_option =
    target_env_option.with("refuse values that break its rules (spv1.6)",
                           "A rule that the module breaks before it is specialized does not count.");

constexpr auto specialize_options = option_list(specialize_target_env_option, text_option, set_option, set_name_option,
                                                values_option, all_defaults_option, prune_option, transform_options);

// An option --set or --set-name: "3=64".
struct Setting {
  bool is_name = false;
  std::string_view constant, value;
};

// Reads the file of --values and checks its syntax; its values depend on the module. Returns the exit status.
int read_values(const Invocation& invocation, std::optional<FileBytes>& values) {
  const std::string_view path = invocation.options.value(values_option);
  Reporter reporter(invocation);
  values = read_input(invocation, path, reporter);
  if (!values) return exit_status::no_file;
  JsonFault fault;
  if (JsonDocument::parse(values->text(), fault)) return exit_status::fine;
  Diagnostics diagnostics;
  diagnostics.error(spirv::rule::spec_value, Location::in_text(fault.offset, fault.offset + 1),
                    "expected a JSON object: " + fault.message);
  reporter.add({name_of_input(path), values->text()}, diagnostics);
  return exit_status::wrong_input;
}

int run_specialize(const Invocation& invocation) {
  const ParsedOptions& options = invocation.options;
  std::vector<Setting> settings;
  for (const auto& [option, text] : options.in_order()) {
    if (option != &set_option && option != &set_name_option) continue;
    const std::string_view setting = text;
    const std::size_t equals = setting.find('=');
    const bool is_name = option == &set_name_option;
    if (equals == std::string_view::npos || equals == 0) {
      return usage_error(invocation, is_name ? "--set-name expects NAME=VALUE" : "--set expects ID=VALUE");
    }
    settings.push_back({is_name, setting.substr(0, equals), setting.substr(equals + 1)});
  }
  spirv::SpecializerOptions reading;
  const ChosenEnvironment target = environment_of_target(options);
  if (!target.problem.empty()) return usage_error(invocation, target.problem);
  if (target.environment) reading.environment = *target.environment;
  std::optional<FileBytes> json;
  if (options.has(values_option)) {
    if (const int status = read_values(invocation, json); status != exit_status::fine) return status;
  }
  const spirv::SpecializeOptions specialize = {.freeze_rest = options.has(all_defaults_option),
                                               .prune = options.has(prune_option)};

  return run_transform(
      invocation,
      [&](spirv::Words words, const spirv::Grammar& grammar, Diagnostics& diagnostics,
          spirv::TransformReport* report) -> Result<spirv::WordBuffer> {
        spirv::SpecializerOptions with_grammar = reading;
        with_grammar.grammar = &grammar;
        const Result<spirv::Specializer> specializer = spirv::Specializer::read(words, with_grammar, diagnostics);
        if (!specializer) return specializer.failure();
        std::vector<spirv::Specialization> values;
        std::optional<Reported> reported;
        if (json) {
          Result<std::vector<spirv::Specialization>> parsed = specializer->parse_values(json->text(), diagnostics);
          if (parsed) values = std::move(*parsed);
          else reported = parsed.failure();
        }
        // After those of the file, so that they take precedence.
        for (const Setting& each : settings) {
          const Result<spirv::Specialization> value =
              each.is_name ? specializer->parse_named_value(each.constant, each.value, diagnostics)
                           : specializer->parse_value(each.constant, each.value, diagnostics);
          if (value) values.push_back(*value);
          else reported = value.failure();
        }
        if (reported) return *reported;
        spirv::SpecializerMemory memory;
        spirv::WordBuffer result;
        if (const auto refused = specializer->specialize(values, specialize, memory, result, diagnostics))
          return *refused;
        if (specialize.prune) {
          Result<spirv::WordBuffer> trimmed = spirv::trim_newly_unneeded(words, result, diagnostics, grammar);
          if (!trimmed) return trimmed.failure();
          result = std::move(*trimmed);
        }
        if (report != nullptr) *report = spirv::describe_transform(words, result, grammar);
        return result;
      });
}

}  // namespace

constinit const Command specialize_command(
    "specialize", any_inputs, "give specialization constants values",
    "Replaces specialization constants by constants with the given values, and evaluates what depends on them. The "
    "other specialization constants stay. A value that does not fit, or that breaks a rule of the target environment, "
    "is an error, and no module is written.\n\n"
    "The input is a binary or assembly text; the output is a binary unless its name ends in .spvasm.",
    "vireo specialize --set 3=64 --set 7=true shader.spv -o small.spv\n"
    "vireo specialize --values values.json --all-defaults --prune shader.spv -o small.spv",
    "spv|spvasm", specialize_options, run_specialize);

}  // namespace vireo::cli
