// SPDX-License-Identifier: Apache-2.0
//
// Translates command-line options to ValidateOptions.
//
// A profile is applied first; options override it.
#include "cli/val/val_options.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

#include "cli/common/inputs.h"
#include "cli/module/module_options.h"
#include "support/io.h"
#include "support/printable.h"

namespace vireo::cli {
namespace {

bool parse_count(std::string_view digits, spirv::Word& value) {
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return error == std::errc() && end == digits.data() + digits.size();
}

// "SIZE:ALIGNMENT" in bytes. Returns the error message; empty if there is no error.
std::string read_descriptor_layout(std::string_view text, spirv::DescriptorLayout& layout) {
  const std::size_t colon = text.find(':');
  if (colon != std::string_view::npos && parse_count(text.substr(0, colon), layout.size) &&
      parse_count(text.substr(colon + 1), layout.alignment) && layout.alignment != 0) {
    return {};
  }
  return "expected SIZE:ALIGNMENT in bytes, found " + quoted(text);
}

// "RULE=off|warn|error".
std::string read_rule(std::string_view text, std::vector<spirv::RuleChoice>& rules) {
  const std::size_t equals = std::min(text.find('='), text.size());
  const std::string_view name = text.substr(0, equals);
  if (std::string problem = spirv::unknown_rule(name); !problem.empty()) return problem;
  const auto choice = spirv::find_rule_choice(name, text.substr(std::min(equals + 1, text.size())));
  if (!choice) return "option '--rule' needs " + std::string(name) + "=off, =warn or =error, found " + quoted(text);
  rules.push_back(*choice);
  return {};
}

}  // namespace

std::string ChosenValidation::read(const ParsedOptions& options) {
  const ChosenEnvironment target = environment_of_target(options);
  if (!target.problem.empty()) return target.problem;
  if (target.environment) options_.environment = *target.environment;
  for (std::size_t i = 0; i < limit_options.size(); ++i) {
    spirv::Word& limit = options_.limits.*spirv::limit_rows[i].limit;
    limit = options.count_up_to_max(limit_options[i], limit);
  }
  for (std::size_t i = 0; i < feature_options.size(); ++i) {
    if (options.has(feature_options[i])) options_.features.add(spirv::feature_rows[i].feature);
  }
  for (const DescriptorRow& row : descriptor_rows) {
    if (!options.has(row.option)) continue;
    if (std::string problem = read_descriptor_layout(options.value(row.option), options_.*row.layout);
        !problem.empty()) {
      return problem;
    }
  }
  rules_.assign(options_.rules.begin(), options_.rules.end());
  for (const std::string_view rule : options.values(rule_option)) {
    if (std::string problem = read_rule(rule, rules_); !problem.empty()) return problem;
  }
  options_.rules = rules_;
  return {};
}

int ChosenValidation::load(const Invocation& invocation, const spirv::Grammar& grammar, Reporter& reporter) {
  const ParsedOptions& options = invocation.options;
  options_.grammar = &grammar;
  options_.max_findings = reporter.limit();
  if (options.has(profile_option)) {
    // A second profile would replace the first one.
    if (options.values(profile_option).size() > 1)
      return usage_error(invocation, "option '--profile' was given twice; expected one profile");
    const std::string_view path = options.value(profile_option);
    const std::optional<FileBytes> bytes = read_input(invocation, path, reporter);
    if (!bytes) return exit_status::no_file;
    const SourceText file{name_of_input(path), bytes->text()};
    Diagnostics diagnostics(reporter.limit());
    if (Result<spirv::Profile> profile = spirv::read_profile(file, grammar, diagnostics)) {
      profile_.emplace(std::move(profile).value());
    }
    reporter.add(file, diagnostics);
    if (!profile_) return exit_status::wrong_input;
    spirv::apply(*profile_, options_);
  }
  const std::string problem = read(options);
  return problem.empty() ? exit_status::fine : usage_error(invocation, problem);
}

}  // namespace vireo::cli
