// SPDX-License-Identifier: Apache-2.0
//
// vireo specialize: gives specialization constants values.
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/common/inputs.h"
#include "cli/common/report.h"
#include "cli/spirv/environment_option.h"
#include "cli/spirv/transform_command.h"
#include "spirv/rules.h"
#include "support/json.h"
#include "vireo/spirv/transform/specialize.h"

namespace vireo::cli {
namespace {

// An option --set or --set-name: "3=64".
struct Setting {
  bool is_name = false;
  std::string_view constant, value;
};

// Reads the file of --values and checks its syntax; its values depend on the module. Returns the exit status.
int read_values(const Invocation& invocation, std::optional<FileBytes>& values) {
  const std::string_view path = invocation.options.value(OptionId::Values);
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

}  // namespace

int run_specialize(const Invocation& invocation) {
  const ParsedOptions& options = invocation.options;
  std::vector<Setting> settings;
  for (const auto& [id, text] : options.in_order()) {
    if (id != OptionId::Set && id != OptionId::SetName) continue;
    const std::string_view setting = text;
    const std::size_t equals = setting.find('=');
    const bool is_name = id == OptionId::SetName;
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
  if (options.has(OptionId::Values)) {
    if (const int status = read_values(invocation, json); status != exit_status::fine) return status;
  }
  const spirv::SpecializeOptions specialize = {.freeze_rest = options.has(OptionId::AllDefaults),
                                               .prune = options.has(OptionId::Prune)};

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
        if (report != nullptr) *report = spirv::describe_transform(words, result, grammar);
        return result;
      });
}

}  // namespace vireo::cli
