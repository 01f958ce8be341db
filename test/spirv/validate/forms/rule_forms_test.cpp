// SPDX-License-Identifier: Apache-2.0
//
// Every rule holds for every form (forms.h). The table rule × form is rule_forms.tsv; `./dev bless rule-forms` writes it.
//
// Each cell has one of these values:
//
//   yes    the failing module of the example still breaks the rule, and the passing one breaks none
//   -      the example has nothing that the form changes; the section of the rule is in the second column
//   !RULE  the form is not allowed here: the passing module breaks another rule, whose section decides
//   >RULE  the failing module breaks RULE in place of the rule
//   KEY    the rule does not apply to the form, or forbids it; reasons.tsv has the section and the reason
//
// A cell without a value fails the test.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "spirv/validate/forms/forms.h"
#include "spirv/validate/support/rule_examples.h"

namespace vireo::spirv {
namespace {

using test::Form;
using test::ModuleText;

const std::string folder = std::string(VIREO_SOURCE_DIR) + "/test/spirv/validate/forms/";

struct Reason {
  std::string key, section, text;
  std::vector<std::string> rules, forms;  // "model-*" stands for all forms with this prefix
  mutable bool is_used = false;
};

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

std::vector<Reason> read_reasons() {
  std::vector<Reason> reasons;
  std::ifstream file(folder + "reasons.tsv");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#')) continue;
    const std::vector<std::string> columns = split(line, '\t');
    EXPECT_EQ(columns.size(), 5u) << line;
    if (columns.size() == 5) {
      reasons.push_back({columns[0], columns[1], columns[4], split(columns[3], ' '), split(columns[2], ' ')});
    }
  }
  return reasons;
}

bool names(const std::vector<std::string>& patterns, std::string_view name) {
  return std::ranges::any_of(patterns, [&](const std::string& pattern) {
    return pattern.ends_with('*') ? name.starts_with(pattern.substr(0, pattern.size() - 1)) : name == pattern;
  });
}

std::string key_of(const std::vector<Reason>& reasons, std::string_view rule, std::string_view form) {
  for (const Reason& reason : reasons) {
    if (!names(reason.rules, rule) || !names(reason.forms, form)) continue;
    reason.is_used = true;
    return reason.key;
  }
  return {};
}

// A module in a form; the module itself if the form changes nothing.
std::string in_form(const Form& form, const std::string& text, bool& is_changed) {
  ModuleText module(text);
  if (!form.apply(module)) return text;
  is_changed = true;
  return module.text();
}

// The value of a cell; empty if the rule neither holds nor is a reason known.
std::string cell(const RuleText& rule, const Form& form, const std::vector<Reason>& reasons) {
  bool is_changed = false;
  const std::string failing = in_form(form, failing_example(rule), is_changed);
  const std::string passing = in_form(form, passing_example(rule), is_changed);
  if (!is_changed) return "-";
  const std::vector<std::string> found = test::rules_broken_by_example(rule, failing);
  const std::vector<std::string> others = test::rules_broken_by_example(rule, passing);
  if (!others.empty() && others.front() != rule.rule) return "!" + others.front();
  if (!others.empty()) return key_of(reasons, rule.rule, form.name);
  if (std::ranges::find(found, rule.rule) != found.end()) return "yes";
  if (!found.empty()) return ">" + found.front();
  return key_of(reasons, rule.rule, form.name);
}

TEST(RuleForms, hold_for_every_form) {
  const std::vector<Reason> reasons = read_reasons();
  std::string table = "rule\tsection";
  for (const Form& form : test::forms()) table += '\t' + form.name;
  table += '\n';
  std::size_t held = 0, empty = 0;
  for (const RuleText& rule : rule_texts()) {
    // The validator's forms say nothing about executions.
    if (rule.example.empty() || rule.options.starts_with("run")) continue;
    table.append(rule.rule).append("\t").append(find_validation_rule(rule.rule)->section);
    for (const Form& form : test::forms()) {
      const std::string value = cell(rule, form, reasons);
      held += value == "yes";
      empty += value.empty();
      EXPECT_FALSE(value.empty()) << rule.rule << " does not hold for " << form.name << ": " << form.description;
      table += '\t' + value;
    }
    table += '\n';
  }
  RecordProperty("held", static_cast<int>(held));
  EXPECT_GE(held, 4'000u);
  EXPECT_EQ(empty, 0u);
  for (const Reason& reason : reasons) EXPECT_TRUE(reason.is_used) << reason.key << " is a reason for no cell";
  const std::string path = folder + "rule_forms.tsv";
  if (std::getenv("VIREO_BLESS") != nullptr) std::ofstream(path, std::ios::binary) << table;
  std::stringstream recorded;
  recorded << std::ifstream(path, std::ios::binary).rdbuf();
  EXPECT_TRUE(recorded.str() == table) << "run ./dev bless rule-forms";
}

}  // namespace
}  // namespace vireo::spirv
