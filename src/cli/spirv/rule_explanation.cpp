// SPDX-License-Identifier: Apache-2.0
//
// The text of 'vireo explain' for a rule of the validator.
#include "cli/spirv/rule_explanation.h"

#include <algorithm>
#include <cstddef>

#include "vireo/spirv/validate.h"
#include "vireo/spirv/validate/rule_texts.h"
#include "vireo/support/render.h"

namespace vireo::cli {
namespace {

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
  std::string command = "vireo val ";
  if (!rule.options.empty()) command.append(rule.options).push_back(' ');
  append_line(text, "example", "'" + command + "FILE' reports the module with the lines '-', not the one with '+'\n");
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

}  // namespace

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

std::string explain_validation_rule(std::string_view name) {
  const spirv::ValidationRule* row = spirv::find_validation_rule(name);
  const spirv::RuleText* texts = spirv::find_rule_text(name);
  if (row == nullptr || texts == nullptr) return explain_old_name(name) + explain_group(name);
  std::string text(name);
  text += "  rule of the validator";
  append_line(text, "requires", row->requirement);
  append_line(text, "section", row->section);
  append_line(text, "severity", vireo::name_of(row->severity));
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

}  // namespace vireo::cli
