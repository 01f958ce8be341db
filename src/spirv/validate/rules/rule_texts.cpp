// SPDX-License-Identifier: Apache-2.0
//
// The table behind vireo/spirv/validate/rule_texts.h, read from rule_texts.def.
#include "vireo/spirv/validate/rule_texts.h"

#include <array>
#include <cstddef>
#include <iterator>

#include "spirv/validate/rules/rules.h"

namespace vireo::spirv {
namespace {

// A literal without counting its characters: compilers limit the steps of constant expressions.
template <std::size_t size>
constexpr std::string_view literal(const char (&text)[size]) {
  return {text, size - 1};
}

constexpr std::string_view rule_names[] = {
#define RULE(identifier, name, severity, section, vuid, lifted_by, unsound, requirement, message) literal(name),
#include "spirv/validate/rules/rules.def"
#undef RULE
};

// The files are in no order; a row finds its place by its identifier. A rule without a row has an empty one, which a
// test refuses.
constexpr std::array<RuleText, std::size(rule_names)> text_rows = [] {
  std::array<RuleText, std::size(rule_names)> table{};
  const auto add = [&](Rule rule, std::string_view fix, std::string_view lifted_by, std::string_view options,
                       std::string_view example) {
    example.remove_prefix(1);  // the line end after the opening quote
    RuleText& row = table[static_cast<std::size_t>(rule)];
    row.fix = fix;
    row.lifted_by = lifted_by;
    row.options = options;
    row.example = example;
  };
#define RULE_TEXT(identifier, fix, lifted_by, options, example) \
  add(Rule::identifier, literal(fix), literal(lifted_by), literal(options), literal(example));
#include "spirv/validate/rules/rule_texts.def"
#undef RULE_TEXT
  for (std::size_t i = 0; i < table.size(); ++i) table[i].rule = rule_names[i];
  return table;
}();

// The lines of both modules and those with one mark, without the marks.
std::string module_of(std::string_view example, char mark) {
  std::string module;
  while (!example.empty()) {
    const std::string_view line = example.substr(0, example.find('\n') + 1);
    if (line.front() == ' ' || line.front() == mark) module += line.substr(1);
    example.remove_prefix(line.size());
  }
  return module;
}

}  // namespace

std::span<const RuleText> rule_texts() { return text_rows; }

const RuleText* find_rule_text(std::string_view rule) {
  const ValidationRule* row = find_validation_rule(rule);
  return row == nullptr ? nullptr : &text_rows[static_cast<std::size_t>(row - validation_rules().data())];
}

std::string failing_example(const RuleText& text) { return module_of(text.example, '-'); }

std::string passing_example(const RuleText& text) { return module_of(text.example, '+'); }

}  // namespace vireo::spirv
