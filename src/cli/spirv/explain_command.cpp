// SPDX-License-Identifier: Apache-2.0
//
// vireo explain: explains names.
//
// Everything with a name can be explained: an instruction, an enumerant, or a diagnostic rule. If a name
// has several meanings, all of them are explained.
#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/common/all_commands.h"
#include "cli/common/report.h"
#include "cli/common/shared_options.h"
#include "cli/module/module_options.h"
#include "cli/spirv/execution_rules.h"
#include "isa/model/rules.h"
#include "spirv/rules.h"
#include "support/nearest.h"
#include "support/printable.h"
#include "vireo/spirv/grammar/grammar_tools.h"
#include "vireo/spirv/run.h"
#include "vireo/spirv/validate/profile.h"
#include "vireo/spirv/validate/rule_texts.h"
#include "vireo/spirv/validate/validate.h"
#include "vireo/support/render.h"

namespace vireo::cli {
namespace {

constexpr ChoiceOption example_option("--example=KIND", "failing|passing", "print only a module of a rule's example",
                                      "failing is the module that breaks the rule, passing the one that does not.");

constexpr auto explain_options = option_list(grammar_option, example_option, format_and_reporting_options);

// --- rules of the validator -----------------------------------------------------------------------------------------

// One line with a heading in the first column; lines without a heading continue the one above.
void append_line(std::string& text, std::string_view heading, std::string_view content) {
  constexpr std::size_t column = 14;
  text.append("\n  ").append(heading).append(column - heading.size(), ' ').append(content);
}

// Calls `use` for each part of a list.
template <typename Use>
void for_each_part(std::string_view list, std::string_view separator, Use use) {
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(separator), list.size());
    use(list.substr(0, end));
    list.remove_prefix(std::min(end + separator.size(), list.size()));
  }
}

void append_example(std::string& text, const spirv::RuleText& rule) {
  // The profile of an example is a document; --profile reads it from a file. The options of a rule of executions begin
  // with the name of the command.
  std::string command = is_of_executions(rule) ? "vireo " : "vireo val ", options(rule.options);
  if (const std::size_t begin = options.find('{'); options.find("--profile {") != std::string::npos) {
    const std::size_t end = options.rfind('}') + 1;
    command.insert(0, "echo '" + options.substr(begin, end - begin) + "' | ");
    options.replace(begin, end - begin, "-");
  }
  if (!options.empty()) command.append(options).push_back(' ');
  append_line(text, "example", "this command reports the module with the lines '-', not the one with '+'");
  append_line(text, "", command + "FILE\n");
  for_each_part(rule.example, "\n", [&](std::string_view line) { text.append("\n    ").append(line); });
}

std::string explain_old_name(std::string_view name) {
  std::string text;
  for (const spirv::RenamedRule& row : spirv::renamed_rules()) {
    if (row.old_name != name) continue;
    if (text.empty()) text.append(name).append("  old name of rules of the validator");
    const spirv::ValidationRule* rule = spirv::find_validation_rule(row.name);
    append_line(text, text.find("now") == std::string::npos ? "now" : "", row.name);
    if (rule != nullptr) text.append(" (").append(rule->section).append(")");
  }
  return text.empty() ? text : text + '\n';
}

std::string explain_group(std::string_view name) {
  std::string text;
  for (const spirv::GroupedRule& row : spirv::grouped_rules()) {
    if (row.group != name) continue;
    if (text.empty()) {
      text.append(name).append("  group of rules of the validator");
      append_line(text, "lifted by", "--rule ");
      text.append(name).append("=off");
    }
    append_line(text, text.find("\n  rules") == std::string::npos ? "rules" : "", row.name);
    text.append(": ").append(spirv::find_validation_rule(row.name)->requirement);
  }
  return text.empty() ? text : text + '\n';
}

// The entries of RuleText::lifted_by, with the options and keys that users write: "feature relax-block-layout
// (--relax-block-layout)".
std::string lifted_by_text(std::string_view entry) {
  std::string text(entry);
  const std::string_view kind = entry.substr(0, entry.find(' '));
  const std::string_view name = entry.substr(std::min(kind.size() + 1, entry.size()));
  if (kind == "feature") text.append(" (--").append(name).append(", or in \"features\" of a profile)");
  if (kind == "limit") text.append(" (--").append(name).append(" N, or in \"limits\" of a profile)");
  if (kind == "mode") text.insert(0, "execution ");
  if (kind == "profile") text = std::string("key \"").append(name).append("\" of a profile");
  return text;
}

// An execution may find with certainty what the validator suspects.
std::string severity_text(const spirv::ValidationRule& rule, const spirv::RuleText& texts) {
  const std::optional<Severity> of_run = spirv::run_severity(rule.name);
  if (of_run && is_of_executions(texts)) return std::string(vireo::name_of(*of_run));
  std::string text(vireo::name_of(rule.severity));
  if (rule.is_off) text += ", off by default";
  if (of_run) text.append("; in 'vireo run': ").append(vireo::name_of(*of_run));
  return text;
}

// The explanation of a rule; of an old name or a group: its rules, one line each. Empty if there is no such rule.
std::string explain_validation_rule(std::string_view name) {
  const spirv::ValidationRule* row = spirv::find_validation_rule(name);
  const spirv::RuleText* texts = spirv::find_rule_text(name);
  if (row == nullptr || texts == nullptr) return explain_old_name(name) + explain_group(name);
  std::string text(name);
  text += is_of_executions(*texts) ? "  rule of executions ('vireo run')" : "  rule of the validator";
  append_line(text, "requires", row->requirement);
  append_line(text, "section", row->section);
  append_line(text, "severity", severity_text(*row, *texts));
  for_each_part(row->vuids, " ", [&, heading = std::string_view("Vulkan")](std::string_view vuid) mutable {
    append_line(text, heading, vuid);
    heading = "";
  });
  append_line(text, "lifted by", "");
  if (texts->lifted_by != "nothing") {
    for_each_part(texts->lifted_by, "; ", [&, is_first = true](std::string_view entry) mutable {
      if (is_first) text.append(lifted_by_text(entry));
      else append_line(text, "", lifted_by_text(entry));
      is_first = false;
    });
    append_line(text, "", "");
  }
  text.append("--rule ").append(name).append("=off");
  for (const spirv::GroupedRule& grouped : spirv::grouped_rules()) {
    if (grouped.name != name) continue;
    append_line(text, "", "--rule ");
    text.append(grouped.group).append("=off, with all rules of this group");
  }
  append_line(text, "fix", texts->fix);
  if (!texts->example.empty()) append_example(text, *texts);
  return text += '\n';
}

// --- other names ----------------------------------------------------------------------------------------------------

/// Two operands may form one name: `vireo explain GLSL.std.450 Sqrt`, `vireo explain Decoration Block`.
std::optional<spirv::Explanation> explain_pair(const spirv::Grammar& grammar, std::string_view owner,
                                               std::string_view name) {
  if (grammar.find_set(owner).is_none() && grammar.find_kind(owner).is_none()) return std::nullopt;
  spirv::Explanation explanation = spirv::explain(grammar, std::string(owner).append(" ").append(name));
  if (!explanation.found()) return std::nullopt;
  return explanation;
}

/// Explains the rules that check a VUID. If no single rule does, states what checks it, or why nothing can. Empty for an
/// unknown VUID.
std::string explain_vuid(std::string_view name) {
  std::string text;
  for (const spirv::OtherVuid& row : spirv::other_vuids()) {
    if (row.vuid != name) continue;
    text.append(name).append("  VUID of Vulkan");
    append_line(text, row.is_checked ? "checked by" : "unchecked", row.text);
    text += '\n';
  }
  for (const spirv::VuidRow& row : spirv::validation_vuids()) {
    if (row.vuid != name) continue;
    if (!text.empty()) text += '\n';
    if (!row.subject.empty()) {
      text.append(name).append("  VUID of Vulkan");
      append_line(text, "about", row.subject);
      append_line(text, "checked by", row.rule->name);
      text += "\n\n";
    }
    text += explain_validation_rule(row.rule->name);
  }
  return text;
}

/// Explains a rule for instruction set descriptions; empty if there is no such rule.
std::string explain_isa_rule(std::string_view name) {
  const isa::RuleRow* row = isa::find_rule(name);
  if (row == nullptr) return {};
  // In the order of RuleSeverity.
  constexpr std::string_view severities[] = {"error", "error; a warning with --mesa-compat", "warning"};
  std::string text(name);
  text.append("  rule for instruction set descriptions\n  requires      ").append(row->requirement);
  text.append("\n  severity      ").append(severities[static_cast<std::size_t>(row->severity)]);
  text.append("\n  fix           ").append(row->fix).push_back('\n');
  return text;
}

std::string hint_for(std::string_view name, const spirv::Explanation& explanation) {
  // Suggest names of the grammar first: there are thousands of them, and a misspelt rule is rarely near one.
  if (explanation.nearest.empty()) {
    NearestNames nearest(name);
    const std::vector<spirv::VuidRow> vuids =
        name.starts_with("VUID-") ? spirv::validation_vuids() : std::vector<spirv::VuidRow>();
    for (const spirv::VuidRow& row : vuids) nearest.offer(row.vuid);
    if (!vuids.empty()) {
      for (const spirv::OtherVuid& row : spirv::other_vuids()) nearest.offer(row.vuid);
    }
    for (const isa::RuleRow& row : isa::rule_rows) nearest.offer(row.name);
    for (const spirv::ValidationRule& row : spirv::validation_rules()) nearest.offer(row.name);
    for (const spirv::GroupedRule& row : spirv::grouped_rules()) nearest.offer(row.group);
    return did_you_mean(nearest.best());
  }
  return did_you_mean(std::vector<std::string_view>(explanation.nearest.begin(), explanation.nearest.end()));
}

/// --example: prints one of the two modules of a rule's example, for another command to read.
int print_examples(const Invocation& invocation, Reporter& reporter) {
  const std::vector<std::string>& names = invocation.operands();
  if (names.size() != 1) return usage_error(invocation, "option '--example' needs one rule");
  // If exactly one rule has this old name, the example is that of the rule. 'vireo explain' lists several rules.
  std::string_view name = names[0];
  const auto has_old_name = [&](const spirv::RenamedRule& row) { return row.old_name == names[0]; };
  const auto renamed = spirv::renamed_rules();
  if (std::ranges::count_if(renamed, has_old_name) == 1) name = std::ranges::find_if(renamed, has_old_name)->name;
  const spirv::RuleText* texts = spirv::find_rule_text(name);
  if (texts == nullptr || texts->example.empty()) {
    Diagnostics diagnostics;
    if (texts == nullptr)
      diagnostics.error(spirv::rule::unknown_name, {}, "no rule of the validator is named " + quoted(names[0]),
                        spirv::unknown_rule(names[0]).empty() ? "'vireo explain' lists the rules of this name"
                                                              : hint_for(names[0], {}));
    else
      diagnostics.error(spirv::rule::unknown_name, {},
                        "rule " + quoted(names[0]) + " has no example, because no text can break it");
    reporter.add({"vireo explain", {}}, diagnostics);
    return exit_status::wrong_input;
  }
  const bool is_failing = invocation.options.value(example_option) == "failing";
  return print(invocation.streams, is_failing ? failing_example(*texts) : passing_example(*texts));
}

int run_explain(const Invocation& invocation) {
  const std::vector<std::string>& names = invocation.operands();
  if (names.empty()) return usage_error(invocation, "expected a name to explain");
  Reporter reporter(invocation);
  if (invocation.options.has(example_option)) return print_examples(invocation, reporter);
  ChosenGrammar chosen;
  if (const int status = chosen.load(invocation, reporter); status != exit_status::fine) return status;

  std::string text;
  Diagnostics diagnostics(reporter.limit());
  for (std::size_t i = 0; i < names.size(); ++i) {
    // Two words that form one name take precedence: `Decoration Block` would otherwise explain a kind and a block.
    std::optional<spirv::Explanation> pair;
    if (i + 1 < names.size()) pair = explain_pair(chosen.grammar(), names[i], names[i + 1]);
    const spirv::Explanation explanation = pair ? *pair : spirv::explain(chosen.grammar(), names[i]);
    if (pair) ++i;
    const std::string isa_rule =
        pair ? std::string() : explain_validation_rule(names[i]) + explain_vuid(names[i]) + explain_isa_rule(names[i]);
    for (const std::string_view part : {std::string_view(explanation.text), std::string_view(isa_rule)}) {
      if (!text.empty() && !part.empty()) text.push_back('\n');
      text.append(part);
    }
    if (!explanation.found() && isa_rule.empty()) {
      diagnostics.error(spirv::rule::unknown_name, {}, "unknown name " + quoted(names[i]),
                        hint_for(names[i], explanation));
    }
  }
  // Explanations are printed even if another name is unknown, and before its diagnostic.
  const int printed = print(invocation.streams, text);
  reporter.add({"vireo explain", {}}, diagnostics);
  if (printed != exit_status::fine) return printed;
  return diagnostics.has_errors() ? exit_status::wrong_input : exit_status::fine;
}

}  // namespace

constinit const Command explain_command(
    "explain", "NAME...", "explain an instruction, enumerant or diagnostic rule",
    "Prints the operands, capabilities with those they imply, versions, extensions and aliases of an instruction, an "
    "enumerant, a capability, an extension or an extended instruction; or a diagnostic rule. For a rule of the "
    "validator, it prints the requirement, the conditions that lift the rule, a fix, and an example.",
    "vireo explain OpImageSampleImplicitLod\n"
    "vireo explain component-count\n"
    "vireo explain --example=failing component-count | vireo val -\n"
    "vireo explain --example=failing data-race | vireo run -",
    "", explain_options, run_explain, {.words = "names"});

}  // namespace vireo::cli
