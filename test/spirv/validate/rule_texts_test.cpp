// SPDX-License-Identifier: Apache-2.0
//
// Every rule of the validator has its texts, and its examples are true: one module breaks exactly this rule, the other
// breaks none.
#include "vireo/spirv/validate/rule_texts.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "spirv/validate/support/rule_examples.h"
#include "vireo/spirv/validate/profile.h"

namespace vireo::spirv {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// Rules that no text can break, with the reason.
constexpr std::string_view without_example[] = {
    "id-bound",    // the assembler states a true bound
    "work-limit",  // only huge modules exceed it
    "alias-race",  // two descriptors need the same buffer
};

TEST(RuleTexts, exist_for_every_rule) {
  ASSERT_EQ(rule_texts().size(), validation_rules().size());
  for (std::size_t i = 0; i < rule_texts().size(); ++i) {
    const RuleText& text = rule_texts()[i];
    EXPECT_EQ(text.rule, validation_rules()[i].name);
    EXPECT_TRUE(text.fix.ends_with('.')) << text.rule << " has no fix";
    EXPECT_FALSE(text.lifted_by.empty()) << text.rule << " does not state the conditions that lift it";
    EXPECT_EQ(text.example.empty(), std::ranges::count(without_example, text.rule) != 0) << text.rule;
    EXPECT_EQ(find_rule_text(text.rule), &text);
  }
  EXPECT_EQ(find_rule_text("no-such-rule"), nullptr);
}

TEST(RuleTexts, have_examples_that_are_true) {
  for (const RuleText& text : rule_texts()) {
    if (text.example.empty()) continue;
    EXPECT_NE(text.example.find_first_of("-+"), std::string_view::npos) << text.rule;
    EXPECT_THAT(test::rules_broken_by_example(text, failing_example(text)), ElementsAre(text.rule)) << text.rule;
    EXPECT_THAT(test::rules_broken_by_example(text, passing_example(text)), IsEmpty()) << text.rule;
  }
}

TEST(RuleTexts, name_what_lifts_a_rule) {
  const Grammar& grammar = builtin_grammar();
  std::set<std::string_view> extensions;
  for (const StringRef extension : grammar.string_pool) extensions.insert(grammar.text(extension));
  const auto has_name = [](const auto& rows, std::string_view name) {
    return std::ranges::any_of(rows, [&](const auto& row) { return row.name == name; });
  };
  for (const RuleText& text : rule_texts()) {
    if (text.lifted_by == "nothing") continue;
    for (std::string_view rest = text.lifted_by; !rest.empty();) {
      const std::string_view entry = rest.substr(0, rest.find("; "));
      rest.remove_prefix(std::min(entry.size() + 2, rest.size()));
      const std::string_view kind = entry.substr(0, entry.find(' '));
      const std::string_view name = entry.substr(std::min(kind.size() + 1, entry.size()));
      bool is_known = kind == "profile" || entry == "environment universal" || entry == "environment vulkan";
      if (kind == "version" || entry.starts_with("before version ")) {
        is_known = entry.substr(entry.size() - 3, 2) == "1." && entry.back() >= '1' && entry.back() <= '6';
      }
      if (kind == "capability") is_known = grammar.find_enumerant(grammar.find_kind("Capability"), name) != nullptr;
      if (kind == "mode") is_known = grammar.find_enumerant(grammar.find_kind("ExecutionMode"), name) != nullptr;
      if (kind == "extension") is_known = name.starts_with("SPV_");
      if (kind == "feature") is_known = has_name(features(), name);
      if (kind == "limit") is_known = has_name(limits(), name);
      EXPECT_TRUE(is_known && !name.empty()) << text.rule << ": " << entry;
    }
  }
}

TEST(RuleTexts, are_true_of_rules_that_only_an_environment_has) {
  std::size_t checked = 0;
  for (const RuleText& text : rule_texts()) {
    if (text.lifted_by.find("environment universal") == std::string_view::npos || text.example.empty()) continue;
    RuleText universal = text;
    universal.options = {};
    if (failing_example(text).find("; Version:") != std::string::npos) continue;
    EXPECT_THAT(test::rules_broken_by_example(universal, failing_example(text)),
                testing::Not(testing::Contains(text.rule)))
        << text.rule;
    ++checked;
  }
  EXPECT_GE(checked, 100u);
}

TEST(RuleTexts, state_the_feature_that_the_row_of_the_rule_names) {
  for (const ValidationRule& rule : validation_rules()) {
    if (!rule.lifted_by) continue;
    const auto* const row = std::ranges::find(features(), *rule.lifted_by, &FeatureRow::feature).base();
    EXPECT_NE(find_rule_text(rule.name)->lifted_by.find("feature " + std::string(row->name)), std::string_view::npos)
        << rule.name;
  }
}

TEST(RuleTexts, cite_a_section_or_a_name) {
  for (const ValidationRule& rule : validation_rules()) {
    EXPECT_FALSE(rule.section.starts_with("environments")) << rule.name;
    EXPECT_FALSE(rule.section.empty()) << rule.name;
  }
}

// A user can choose the severity of a VUID, also where one rule checks many.
TEST(RuleChoices, of_a_vuid_apply_to_its_findings_alone) {
  std::size_t checked = 0;
  for (const RuleText& text : rule_texts()) {
    if (text.example.empty()) continue;
    const std::string failing = failing_example(text);
    const std::vector<std::string> vuids = test::vuids_of_example(text, failing);
    if (vuids.empty() || vuids.front().empty()) continue;
    ++checked;
    const RuleChoice off{vuids.front(), std::nullopt};
    EXPECT_THAT(test::rules_broken_by_example(text, failing, off), IsEmpty()) << text.rule;
    const RuleChoice other{"VUID-StandaloneSpirv-None-00000", std::nullopt};
    EXPECT_THAT(test::rules_broken_by_example(text, failing, other), ElementsAre(text.rule)) << text.rule;
    EXPECT_EQ(unknown_rule(vuids.front()), "");
    EXPECT_TRUE(find_rule_choice(vuids.front(), "warn")) << text.rule;
  }
  EXPECT_GE(checked, 100u);
  EXPECT_EQ(unknown_rule("VUID-Position-Position-04319"), "");
  EXPECT_EQ(unknown_rule("VUID-Position-Position-0431"),
            "unknown rule 'VUID-Position-Position-0431'; did you mean 'VUID-Position-Position-04318'?");
}

TEST(RuleChoices, of_a_vuid_count_warnings_as_warnings) {
  const RuleText& text = *find_rule_text("built-in-storage");
  const std::string failing = failing_example(text);
  test::ExampleOptions options(text.options);
  const WordBuffer words = test::words_of_example(text, options, failing);
  const std::string vuid = test::vuids_of_example(text, failing).front();
  const RuleChoice choices[] = {{vuid, Severity::Warning}};
  options.options.rules = choices;
  Diagnostics diagnostics;
  EXPECT_TRUE(validate(words, options.options, diagnostics));
  EXPECT_EQ(diagnostics.warning_count(), 1u);
  EXPECT_EQ(diagnostics.error_count(), 0u);
}

TEST(RenamedRules, stand_for_the_rules_that_have_replaced_them) {
  for (const RenamedRule& row : renamed_rules()) {
    EXPECT_NE(find_validation_rule(row.name), nullptr) << row.name;
    EXPECT_EQ(find_validation_rule(row.old_name), nullptr) << row.old_name;
    EXPECT_EQ(unknown_rule(row.old_name), "");
  }
  // An old name in a profile and in a comment.
  RuleText renamed = *find_rule_text("arithmetic-type-match");
  const std::string failing = failing_example(renamed);
  renamed.options = R"(--profile {"rules": {"operand-relation": "off"}})";
  EXPECT_THAT(test::rules_broken_by_example(renamed, failing), IsEmpty());
  renamed.options = {};
  std::string allowed = failing;
  const std::size_t line = allowed.find("%sum");
  ASSERT_NE(line, std::string::npos);
  allowed.insert(line, "; vireo: allow operand-relation\n");
  EXPECT_THAT(test::rules_broken_by_example(renamed, allowed), IsEmpty());
  // The choice of an old name applies to the new ones.
  const RuleText& example = *find_rule_text("arithmetic-type-match");
  EXPECT_THAT(
      test::rules_broken_by_example(example, failing_example(example), RuleChoice{"operand-relation", std::nullopt}),
      IsEmpty());
  EXPECT_THAT(
      test::rules_broken_by_example(example, failing_example(example), RuleChoice{"operand-shape", std::nullopt}),
      ElementsAre("arithmetic-type-match"));
}

TEST(GroupsOfRules, stand_for_their_rules) {
  for (const GroupedRule& row : grouped_rules()) {
    EXPECT_NE(find_validation_rule(row.name), nullptr) << row.name;
    EXPECT_EQ(find_validation_rule(row.group), nullptr) << row.group;
    EXPECT_EQ(unknown_rule(row.group), "");
  }
  const RuleText& text = *find_rule_text("zero-divisor");
  std::string failing = failing_example(text);
  const auto broken = [&](std::string_view rules, std::string_view module) {
    RuleText example = text;
    const std::string options = fmt::format(R"(--profile {{"rules": {{{}}}}})", rules);
    example.options = options;
    return test::rules_broken_by_example(example, module);
  };
  EXPECT_THAT(broken(R"("undefined-behavior": "off")", failing), IsEmpty());
  // The last choice applies.
  EXPECT_THAT(broken(R"("undefined-behavior": "off", "zero-divisor": "warn")", failing), ElementsAre("zero-divisor"));
  EXPECT_THAT(broken(R"("zero-divisor": "warn", "undefined-behavior": "off")", failing), IsEmpty());
  failing.insert(failing.find("%quotient"), "; vireo: allow undefined-behavior\n");
  EXPECT_THAT(broken("", failing), IsEmpty());
}

TEST(GroupsOfRules, contain_all_warnings_about_undefined_behavior) {
  // The other rules whose default severity is a warning.
  constexpr std::string_view others[] = {
      "built-in-vertex-array",  // the words of the requirement allow it
      "decoration-repeated",    // the decoration has the same effect once
      "lod-missing",            // the specification requires the operand
      "unused-allow",           // about the text, not the module
      // Vulkan forbids these; compilers write such modules, and drivers and the reference accept them.
      "enqueue-model",             // built-ins of the capability are valid in other stages
      "dynamic-descriptor-index",  // glslang declares the capabilities for few kinds of descriptors
      "interface-width",           // front ends of other clients have such variables
      "ray-flag-conflict",         // the last flag applies
      "written-components",        // HLSL stores to parts of texels
      "environment-extension",     // drivers ignore unknown extensions without capabilities
      "spec-sized-array",          // glslang has arrays of specialized length in blocks
      // The module alone does not decide these.
      "fragment-output-path",   // some paths may never be taken
      "attachment-twice",       // another entry point of the pipeline may use one of the variables
      "graph-tensor-shape",     // the pipeline decides which graph it uses
      "long-index-mode",        // a flag of the pipeline allows it
      "point-size-path",        // some paths may never be taken
      "stage-mode-missing",     // another stage of the pipeline may have the mode
      "pipeline-block",         // members of one name may be different ones
      "pipeline-spec-default",  // the application may specialize each stage
  };
  const auto is_in = [](std::string_view group, std::string_view rule) {
    return std::ranges::any_of(grouped_rules(),
                               [&](const GroupedRule& row) { return row.group == group && row.name == rule; });
  };
  for (const ValidationRule& rule : validation_rules()) {
    // These have groups of their own.
    if (is_in("uniformity", rule.name) || rule.is_off) continue;
    if (find_rule_text(rule.name)->options.starts_with("run")) continue;  // of executions
    const bool is_grouped = std::ranges::any_of(grouped_rules(), [&](const GroupedRule& row) {
      return row.group == "undefined-behavior" && row.name == rule.name;
    });
    const bool is_other = rule.severity == Severity::Error || std::ranges::count(others, rule.name) != 0;
    EXPECT_NE(is_grouped, is_other) << rule.name << ": add a row to rules/groups.def, or the rule to `others` above";
  }
}

}  // namespace
}  // namespace vireo::spirv
