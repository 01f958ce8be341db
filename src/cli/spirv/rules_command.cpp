// SPDX-License-Identifier: Apache-2.0
//
// vireo rules: lists the rules of the validator, by name or by VUID.
#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/common/all_commands.h"
#include "cli/common/report.h"
#include "cli/common/shared_options.h"
#include "cli/spirv/execution_rules.h"
#include "spirv/rules.h"
#include "support/json_writer.h"
#include "support/printable.h"
#include "vireo/spirv/run.h"
#include "vireo/spirv/validate/rule_texts.h"
#include "vireo/spirv/validate/validate.h"

namespace vireo::cli {
namespace {

constexpr TextOption section_option("--section=NUMBER", "only rules of a section of the specification, such as 3.42.8",
                                    "A number includes its subsections. 'Vulkan' and 'OpenCL' select the rules of an "
                                    "API; the name of an extension selects its rules.",
                                    {.words = "sections"});
constexpr TextOption vuid_option("--vuid=VUID", "only VUIDs that contain this text", "", {.words = "vuids"});
constexpr Flag by_vuid_option("--by-vuid", "list the VUIDs of Vulkan and the rules that check them");
constexpr Option rules_format_option =
    format_with("text|json", "format of the list (text)", "json prints one record per line.");

constexpr auto rules_options =
    option_list(section_option, vuid_option, by_vuid_option, rules_format_option, help_options);

// One line: a rule, and for lists by VUID the VUID.
struct ListedRule {
  const spirv::ValidationRule* rule;
  std::string vuids;
};

std::vector<ListedRule> all_rules(bool by_vuid) {
  std::vector<ListedRule> listed;
  if (by_vuid) {
    for (spirv::VuidRow& row : spirv::validation_vuids()) listed.push_back({row.rule, std::move(row.vuid)});
  } else {
    for (const spirv::ValidationRule& rule : spirv::validation_rules()) {
      listed.push_back({&rule, std::string(rule.vuids)});
    }
    std::ranges::sort(listed, {}, [](const ListedRule& each) { return each.rule->name; });
  }
  return listed;
}

// Each column is as wide as its longest text.
std::string text_of(const std::vector<ListedRule>& listed, bool by_vuid) {
  std::size_t name_width = 0, vuid_width = 0;
  for (const ListedRule& each : listed) {
    name_width = std::max(name_width, each.rule->name.size());
    vuid_width = std::max(vuid_width, each.vuids.size());
  }
  std::string text;
  const auto append = [&](std::string_view column, std::size_t width) {
    text.append(column).append(width - column.size() + 2, ' ');
  };
  for (const ListedRule& each : listed) {
    if (by_vuid) append(each.vuids, vuid_width);
    append(each.rule->name, name_width);
    text.append(each.rule->requirement);
    if (is_of_executions(*spirv::find_rule_text(each.rule->name))) text += " (only 'vireo run' reports it)";
    text += '\n';
  }
  return text;
}

void write_texts(JsonWriter& json, const spirv::RuleText& texts) {
  json.key("lifted_by").begin_array();
  if (texts.lifted_by != "nothing") {
    for (std::string_view rest = texts.lifted_by; !rest.empty();) {
      const std::string_view entry = rest.substr(0, rest.find("; "));
      json.string(entry);
      rest.remove_prefix(std::min(rest.size(), entry.size() + 2));
    }
  }
  json.end_array().key("fix").string(texts.fix);
  if (!texts.example.empty()) {
    json.key("example").begin_object().key("options").string(texts.options);
    json.key("failing").string(failing_example(texts)).key("passing").string(passing_example(texts)).end_object();
  }
  json.key("old_names").begin_array();
  for (const spirv::RenamedRule& row : spirv::renamed_rules()) {
    if (row.name == texts.rule) json.string(row.old_name);
  }
  json.end_array().key("groups").begin_array();
  for (const spirv::GroupedRule& row : spirv::grouped_rules()) {
    if (row.name == texts.rule) json.string(row.group);
  }
  json.end_array();
}

void write_json(const std::vector<ListedRule>& listed, TextSink& sink) {
  JsonWriter json(sink);
  for (const auto& [rule, vuids] : listed) {
    json.begin_object();
    json.key("rule").string(rule->name).key("severity").string(vireo::name_of(rule->severity));
    json.key("is_off").boolean(rule->is_off);
    json.key("section").string(rule->section).key("requirement").string(rule->requirement);
    json.key("vuids").begin_array();
    for (std::string_view rest = vuids; !rest.empty();) {
      const std::string_view vuid = rest.substr(0, rest.find(' '));
      json.string(vuid);
      rest.remove_prefix(std::min(rest.size(), vuid.size() + 1));
    }
    json.end_array();
    const spirv::RuleText& texts = *spirv::find_rule_text(rule->name);
    const std::optional<Severity> of_run = spirv::run_severity(rule->name);
    json.key("commands").begin_array();
    if (!is_of_executions(texts)) json.string("val");
    if (of_run) json.string("run");
    json.end_array();
    if (of_run) json.key("run_severity").string(vireo::name_of(*of_run));
    write_texts(json, texts);
    json.end_object().end_document();
  }
}

int run_rules(const Invocation& invocation) {
  if (!invocation.operands().empty()) return usage_error(invocation, "expected no operands; see 'vireo explain RULE'");
  const ParsedOptions& options = invocation.options;
  const bool by_vuid = options.has(by_vuid_option) || options.has(vuid_option);
  std::vector<ListedRule> listed = all_rules(by_vuid);
  if (options.has(section_option)) {
    const std::string_view section = options.value(section_option);
    std::erase_if(listed, [&](const ListedRule& each) {
      // "3.42" includes "3.42.8", and "Vulkan" includes "Vulkan, Built-In Variables".
      const std::string_view own = each.rule->section;
      if (!own.starts_with(section)) return true;
      return own != section && own[section.size()] != '.' && own[section.size()] != ',';
    });
  }
  if (options.has(vuid_option)) {
    const std::string_view wanted = options.value(vuid_option);
    std::erase_if(listed, [&](const ListedRule& each) { return each.vuids.find(wanted) == std::string::npos; });
  }
  if (listed.empty()) {
    Reporter reporter(invocation);
    Diagnostics diagnostics;
    diagnostics.error(spirv::rule::unknown_name, {}, "no rule matches");
    reporter.add({"vireo rules", {}}, diagnostics);
    return exit_status::wrong_input;
  }
  if (options.value(format_option) != "json") return print(invocation.streams, text_of(listed, by_vuid));
  StringSink sink;
  write_json(listed, sink);
  return print(invocation.streams, sink.text());
}

}  // namespace

constinit const Command rules_command(
    "rules", "", "list the rules of the validator",
    "Prints the name and the requirement of each rule, also of those that only executions ('vireo run') report. "
    "--by-vuid lists the VUIDs of the Vulkan specification with the rules that check them. 'vireo explain RULE' and "
    "'vireo explain VUID' describe one rule.",
    "vireo rules --section 3.42.8\n"
    "vireo rules --vuid 04916\n"
    "vireo rules --by-vuid --format=json",
    "", rules_options, run_rules);

}  // namespace vireo::cli
