// SPDX-License-Identifier: Apache-2.0
//
// Translates command-line options to ValidateOptions.
//
// The one idea: features and limits have rows in the library. An option is found by the name of its row, so a new row
// needs no change here. The descriptor options have a table in this file. A profile is applied first; options override
// it.
#include "cli/val/val_options.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

#include "cli/common/inputs.h"
#include "cli/spirv/environment_option.h"
#include "support/io.h"
#include "support/printable.h"

namespace vireo::cli {
namespace {

struct DescriptorOption {
  OptionId id;
  spirv::DescriptorLayout spirv::ValidateOptions::*layout;
};
constexpr DescriptorOption descriptor_options[] = {
    {OptionId::BufferDescriptorLayout, &spirv::ValidateOptions::buffer_descriptor},
    {OptionId::ImageDescriptorLayout, &spirv::ValidateOptions::image_descriptor},
    {OptionId::SamplerDescriptorLayout, &spirv::ValidateOptions::sampler_descriptor},
    {OptionId::TensorDescriptorLayout, &spirv::ValidateOptions::tensor_descriptor},
};

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
  for (const spirv::LimitRow& row : spirv::limits()) {
    const OptionRow* option = find_option(CommandId::Val, row.name);
    if (option == nullptr) continue;
    const std::size_t value = options.count(option->id, options_.limits.*row.limit);
    options_.limits.*row.limit = static_cast<spirv::Word>(std::min<std::size_t>(value, 0xFFFFFFFF));
  }
  for (const spirv::FeatureRow& row : spirv::features()) {
    const OptionRow* option = find_option(CommandId::Val, row.name);
    if (option != nullptr && options.has(option->id)) options_.features.add(row.feature);
  }
  for (const DescriptorOption& row : descriptor_options) {
    if (!options.has(row.id)) continue;
    if (std::string problem = read_descriptor_layout(options.value(row.id), options_.*row.layout); !problem.empty()) {
      return problem;
    }
  }
  rules_.assign(options_.rules.begin(), options_.rules.end());
  for (const std::string_view rule : options.values(OptionId::Rule)) {
    if (std::string problem = read_rule(rule, rules_); !problem.empty()) return problem;
  }
  options_.rules = rules_;
  return {};
}

int ChosenValidation::load(const Invocation& invocation, const spirv::Grammar& grammar, Reporter& reporter) {
  const ParsedOptions& options = invocation.options;
  options_.grammar = &grammar;
  options_.max_findings = reporter.limit();
  if (options.has(OptionId::Profile)) {
    const std::string_view path = options.value(OptionId::Profile);
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
