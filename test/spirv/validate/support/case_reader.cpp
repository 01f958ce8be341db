// SPDX-License-Identifier: Apache-2.0
//
// Reads the cases of the validator's rules (case_reader.h).
#include "spirv/validate/support/case_reader.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "spirv/validate/rules/rule_examples.h"
#include "vireo/spirv/text/assemble.h"

namespace vireo::spirv::test {
namespace {

namespace fs = std::filesystem;
using Macros = std::map<std::string, std::string, std::less<>>;

fs::path folder() { return fs::path(VIREO_SOURCE_DIR) / "test/spirv/validate/cases"; }

std::vector<std::string> lines_of(const fs::path& path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

// Macros may use macros defined above them.
std::string expand(const std::string& line, const Macros& macros) {
  if (!line.starts_with('@')) return line + '\n';
  const std::string_view name = std::string_view(line).substr(1);
  const auto found = macros.find(name);
  if (found == macros.end()) {
    if (const std::string_view prelude = find_prelude(name); !prelude.empty()) return std::string(prelude);
    ADD_FAILURE() << "no macro " << line;
    return {};
  }
  return found->second;
}

Macros read_macros() {
  Macros macros;
  std::string name;
  for (const std::string& line : lines_of(folder() / "macros.cases")) {
    if (line.starts_with("@@ ")) {
      name = line.substr(3);
      macros[name] = {};
    } else if (!name.empty()) {
      macros[name] += expand(line, macros);
    }
  }
  return macros;
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

void read_heading(const std::string& heading, ValidatorCase& the_case) {
  const std::size_t bar = heading.find('|');
  the_case.rules = words_of(heading.substr(0, bar));
  if (the_case.rules == std::vector<std::string>{"valid"}) the_case.rules.clear();
  if (bar == std::string::npos) return;
  for (const std::string& word : words_of(heading.substr(bar + 1))) {
    if (word.starts_with('+')) {
      the_case.more_rules.push_back(word.substr(1));
    } else if (word.starts_with("--")) {
      the_case.features.push_back(word.substr(2));
    } else {
      the_case.environment = word;
    }
  }
}

void read_file(const fs::path& path, const Macros& macros, std::vector<ValidatorCase>& cases) {
  std::string group;
  bool is_in_case = false;
  const std::vector<std::string> lines = lines_of(path);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string& line = lines[i];
    if (line.starts_with("=== ")) {
      group = line.substr(4);
      is_in_case = false;
    } else if (line.starts_with("--- ")) {
      ValidatorCase the_case;
      the_case.file = path.filename().string();
      the_case.group = group;
      the_case.line = i + 1;
      read_heading(line.substr(4), the_case);
      cases.push_back(std::move(the_case));
      is_in_case = true;
    } else if (is_in_case) {
      cases.back().text += expand(line, macros);
    }
  }
}

// The version that a text states in a comment, as the disassembler writes it; otherwise the newest of the environment.
Version version_of(const std::string& text, const Environment& environment) {
  const std::size_t comment = text.find("; Version: 1.");
  if (comment == std::string::npos) return environment.version;
  return {1, static_cast<std::uint8_t>(text[comment + 13] - '0')};
}

// Replaces `@variables` by the variables of the case, which macros cannot list.
std::string with_interfaces(const std::string& text, Version version) {
  constexpr std::string_view mark = "@variables";
  std::string list;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    const std::vector<std::string> words = words_of(line);
    if (words.size() < 5 || (words[2] != "OpVariable" && words[2] != "OpUntypedVariableKHR")) continue;
    const bool is_interface = words[4] == "Input" || words[4] == "Output";
    if (version >= Version{1, 4} ? words[4] != "Function" : is_interface) list += words[0] + ' ';
  }
  std::string listed = text;
  for (std::size_t at = listed.find(mark); at != std::string::npos; at = listed.find(mark, at)) {
    listed.replace(at, mark.size(), list);
  }
  return listed;
}

}  // namespace

std::vector<ValidatorCase> validator_cases() {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(folder())) {
    if (entry.path().extension() == ".cases" && entry.path().stem() != "macros") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  const Macros macros = read_macros();
  std::vector<ValidatorCase> cases;
  for (const fs::path& path : paths) read_file(path, macros, cases);
  return cases;
}

std::optional<ReadCase> read_case(const ValidatorCase& the_case) {
  const std::string place = the_case.file + ':' + std::to_string(the_case.line);
  ValidateOptions options;
  if (!the_case.environment.empty()) {
    const std::optional<Environment> environment = find_environment(the_case.environment);
    EXPECT_TRUE(environment) << place << ": no environment " << the_case.environment;
    options.environment = environment.value_or(Environment{});
  }
  for (const std::string& name : the_case.features) {
    const auto rows = features();
    const auto row = std::find_if(rows.begin(), rows.end(), [&](const FeatureRow& r) { return r.name == name; });
    EXPECT_NE(row, rows.end()) << place << ": no feature " << name;
    if (row != rows.end()) options.features.add(row->feature);
  }
  AssembleOptions assembly;
  assembly.preserve_numeric_ids = true;
  // The newest version of the environment, unless the text states one.
  if (the_case.text.find("; Version:") == std::string::npos) assembly.version = options.environment.version;
  Diagnostics diagnostics;
  const std::string text = with_interfaces(the_case.text, version_of(the_case.text, options.environment));
  Result<WordBuffer> words = assemble({place, text}, assembly, diagnostics);
  EXPECT_TRUE(words.ok()) << place << ": " << (diagnostics.all().empty() ? "" : diagnostics.all().front().message);
  if (!words) return std::nullopt;
  return ReadCase{std::move(words).value(), options};
}

std::vector<std::string> rules_broken_by(const ValidatorCase& the_case) {
  const std::optional<ReadCase> read = read_case(the_case);
  if (!read) return {"not-assembled"};
  std::vector<RuleChoice> choices;
  for (const std::string& rule : the_case.more_rules) choices.push_back({rule, Severity::Warning});
  ValidateOptions options = read->options;
  options.rules = choices;
  Diagnostics diagnostics;
  validate(read->words, options, diagnostics);
  std::vector<std::string> rules;
  for (const Diagnostic& diagnostic : diagnostics.all()) rules.emplace_back(diagnostic.rule);
  return rules;
}

}  // namespace vireo::spirv::test
