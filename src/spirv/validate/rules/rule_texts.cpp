// SPDX-License-Identifier: Apache-2.0
//
// The texts of vireo/spirv/validate/rule_texts.h, from the stanzas of rules.def.
#include "vireo/spirv/validate/rule_texts.h"

#include <vector>

#include "spirv/validate/rules/rule_examples.h"
#include "spirv/validate/rules/rules.h"

namespace vireo::spirv {
namespace {

struct CompleteTexts {
  std::vector<std::string> examples;
  std::vector<RuleText> rows;
};

CompleteTexts complete_texts() {
  CompleteTexts texts;
  for (const RuleStanza& stanza : rule_stanzas()) texts.examples.push_back(expand_example(stanza.example.text));
  for (const RuleStanza& stanza : rule_stanzas()) {
    texts.rows.push_back({stanza.name.text, stanza.fix.text, stanza.lifted_by.text, stanza.options.text,
                          texts.examples[static_cast<std::size_t>(stanza.rule)]});
  }
  return texts;
}

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

// The examples are completed on the first call. The texts never change afterwards.
std::span<const RuleText> rule_texts() {
  static const CompleteTexts texts = complete_texts();
  return texts.rows;
}

const RuleText* find_rule_text(std::string_view rule) {
  const ValidationRule* row = find_validation_rule(rule);
  return row == nullptr ? nullptr : &rule_texts()[static_cast<std::size_t>(row - validation_rules().data())];
}

std::string failing_example(const RuleText& text) { return module_of(text.example, '-'); }

std::string passing_example(const RuleText& text) { return module_of(text.example, '+'); }

}  // namespace vireo::spirv
