// SPDX-License-Identifier: Apache-2.0
//
// Reads the values of specialization constants (specialization_options.h).
#include "cli/module/specialization_options.h"

#include <cstddef>
#include <string>
#include <utility>

#include "cli/common/inputs.h"
#include "cli/common/report.h"
#include "spirv/rules.h"
#include "support/json.h"

namespace vireo::cli {

int ChosenSpecialization::load(const Invocation& invocation) {
  for (const auto& [option, text] : invocation.options.in_order()) {
    if (option != &set_option && option != &set_name_option) continue;
    const std::string_view setting = text;
    const std::size_t equals = setting.find('=');
    const bool is_name = option == &set_name_option;
    if (equals == std::string_view::npos || equals == 0) {
      return usage_error(invocation, is_name ? "--set-name expects NAME=VALUE" : "--set expects ID=VALUE");
    }
    settings_.push_back({is_name, setting.substr(0, equals), setting.substr(equals + 1)});
  }
  return invocation.options.has(values_option) ? read_file(invocation) : exit_status::fine;
}

int ChosenSpecialization::read_file(const Invocation& invocation) {
  const std::string_view path = invocation.options.value(values_option);
  Reporter reporter(invocation);
  json_ = read_input(invocation, path, reporter);
  if (!json_) return exit_status::no_file;
  JsonFault fault;
  if (JsonDocument::parse(json_->text(), fault)) return exit_status::fine;
  Diagnostics diagnostics;
  diagnostics.error(spirv::rule::spec_value, Location::in_text(fault.offset, fault.offset + 1),
                    "expected a JSON object: " + fault.message);
  reporter.add({name_of_input(path), json_->text()}, diagnostics);
  return exit_status::wrong_input;
}

Result<std::vector<spirv::Specialization>> ChosenSpecialization::values(const spirv::Specializer& specializer,
                                                                        Diagnostics& diagnostics) const {
  std::vector<spirv::Specialization> values;
  std::optional<Reported> reported;
  if (json_) {
    Result<std::vector<spirv::Specialization>> parsed = specializer.parse_values(json_->text(), diagnostics);
    if (parsed) values = std::move(*parsed);
    else reported = parsed.failure();
  }
  // After those of the file, so that they take precedence.
  for (const Setting& each : settings_) {
    const Result<spirv::Specialization> value =
        each.is_name ? specializer.parse_named_value(each.constant, each.value, diagnostics)
                     : specializer.parse_value(each.constant, each.value, diagnostics);
    if (value) values.push_back(*value);
    else reported = value.failure();
  }
  if (reported) return *reported;
  return values;
}

}  // namespace vireo::cli
