// SPDX-License-Identifier: Apache-2.0
//
// Collects names from the grammar and from the tables of rules (completion_words.h).
#include "cli/program/completion_words.h"

#include <set>

#include "isa/model/rules.h"
#include "spirv/grammar/grammar_rules.h"
#include "spirv/rules.h"
#include "vireo/spirv/grammar.h"
#include "vireo/spirv/validate.h"

namespace vireo::cli {
namespace {

using Words = std::set<std::string, std::less<>>;

void add_vuids(Words& words) {
  for (spirv::VuidRow& row : spirv::validation_vuids()) words.insert(std::move(row.vuid));
}

void add_sections(Words& words) {
  // "Vulkan" selects "Vulkan, Built-In Variables"; a shell would split the longer name.
  for (const spirv::ValidationRule& rule : spirv::validation_rules()) {
    words.emplace(rule.section.substr(0, rule.section.find(',')));
  }
}

void add_validation_rules(Words& words) {
  for (const spirv::ValidationRule& rule : spirv::validation_rules()) words.emplace(rule.name);
  for (const spirv::GroupedRule& rule : spirv::grouped_rules()) words.emplace(rule.group);
}

// --rule takes the rules of the validator and those of the binary reader.
void add_rules(Words& words) {
  add_validation_rules(words);
  for (const spirv::RuleRow& rule : spirv::rule_rows) {
    if (rule.subject == spirv::RuleSubject::BinaryModule) words.emplace(rule.name);
  }
}

void add_names(Words& words) {
  const spirv::Grammar& grammar = spirv::builtin_grammar();
  for (const spirv::NameEntry& entry : grammar.name_entries) words.emplace(grammar.text(entry.text));
  for (const spirv::KindRow& kind : grammar.kinds) words.emplace(grammar.text(kind.name));
  for (const spirv::ExtInstSetRow& set : grammar.sets) words.emplace(grammar.text(set.name));
  for (const spirv::StringRef extension : grammar.string_pool) words.emplace(grammar.text(extension));
  add_validation_rules(words);
  for (const spirv::RuleRow& rule : spirv::rule_rows) words.emplace(rule.name);
  for (const spirv::RuleRow& rule : spirv::grammar_rule_rows) words.emplace(rule.name);
  for (const isa::RuleRow& rule : isa::rule_rows) words.emplace(rule.name);
  add_vuids(words);
}

struct KindOfWords {
  std::string_view name;
  void (*add)(Words&);
};
constexpr KindOfWords kinds_of_words[] = {
    {"names", add_names}, {"rules", add_rules}, {"sections", add_sections}, {"vuids", add_vuids}};

}  // namespace

std::string completion_words(std::string_view kind) {
  Words words;
  for (const KindOfWords& row : kinds_of_words) {
    if (row.name == kind) row.add(words);
  }
  std::string text;
  for (const std::string& word : words) text.append(word) += '\n';
  return text;
}

}  // namespace vireo::cli
