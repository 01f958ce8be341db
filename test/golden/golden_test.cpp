// SPDX-License-Identifier: Apache-2.0
//
// Each golden case is a test with the name of its file. `./dev bless dis_style` runs the matching cases and updates
// them.
//
// With VIREO_BLESS=1 expectations are rewritten instead of compared. Review the diff.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <sstream>

#include "cli/program.h"
#include "golden/case_file.h"
#include "golden/transcript.h"
#include "outside.h"
#include "spirv/rules.h"

namespace vireo::golden {
namespace {

std::filesystem::path golden_folder() { return outside::source_folder() / "test" / "golden"; }

/// The cases as sorted paths relative to test/golden.
std::vector<std::string> case_paths(std::string_view extension = ".case") {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(golden_folder())) {
    if (entry.path().extension() == extension)
      paths.push_back(entry.path().lexically_relative(golden_folder()).string());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

/// `as_unknown_opcode` of cases/as/unknown_opcode.case.
std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = std::filesystem::path(info.param).replace_extension().string();
  if (name.starts_with("cases/")) name.erase(0, 6);
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == '/' || c == '-' || c == '.'; }, '_');
  return name;
}

bool is_blessing() {
  const char* bless_it = std::getenv("VIREO_BLESS");
  return bless_it != nullptr && std::string_view(bless_it) == "1";
}

class Golden : public cli::InFolder, public testing::WithParamInterface<std::string> {};

TEST_P(Golden, case_matches_its_expectations) {
  const CaseFile golden_case = read_case(golden_folder() / GetParam());
  ASSERT_EQ(golden_case.fault, "") << GetParam();
  put(golden_case.stem() + ".spvasm", golden_case.input);
  for (const NamedText& file : golden_case.files) put(file.name, file.text);

  const Transcript transcript = run_case(golden_case);
  ASSERT_EQ(transcript.fault, "") << GetParam() << "\nstandard error:\n" << transcript.err;
  if (is_blessing()) return bless(golden_case, transcript.out, transcript.err);
  EXPECT_EQ(golden_case.expected_out, transcript.out) << GetParam() << ", output";
  EXPECT_EQ(golden_case.expected_err, transcript.err) << GetParam() << ", errors";
}

INSTANTIATE_TEST_SUITE_P(Case, Golden, testing::ValuesIn(case_paths()), test_name);

/// Rules that no case can trigger, because the input would be too large or is a program that uses the builder. Each row
/// names the test that triggers the rule.
struct RuleElsewhere {
  std::string_view rule;
  std::string_view test;
};
constexpr RuleElsewhere rules_elsewhere[] = {
    {"instruction-too-long", "test/spirv/text/assemble_faults_test.cpp"},
    {"foreign-id", "test/spirv/build/builder_test.cpp"},
    {"undefined-id", "test/spirv/build/builder_test.cpp"},
    {"forward-reference", "test/spirv/build/faults_test.cpp"},
    {"literal-range", "test/spirv/build/builder_test.cpp"},
    {"spec-default", "test/spirv/transform/spec_constants_test.cpp"},
    {"unknown-environment", "test/spirv/environment_test.cpp"},
    {"outside-of-block", "test/spirv/build/builder_test.cpp"},
    {"block-not-ended", "test/spirv/build/builder_test.cpp"},
    {"outside-of-function", "test/spirv/build/builder_test.cpp"},
    {"function-not-ended", "test/spirv/build/builder_test.cpp"},
    {"merge-without-branch", "test/spirv/build/builder_test.cpp"},
    {"memory-model", "test/spirv/build/builder_test.cpp"},
    {"edit-place", "test/spirv/build/edit_test.cpp"},
    {"edit-instruction", "test/spirv/build/edit_test.cpp"},
    {"edit-bound", "test/spirv/build/edit_test.cpp"},
};

std::string_view test_elsewhere(std::string_view rule) {
  const auto* row = std::find_if(std::begin(rules_elsewhere), std::end(rules_elsewhere),
                                 [&](const RuleElsewhere& r) { return r.rule == rule; });
  return row == std::end(rules_elsewhere) ? std::string_view{} : row->test;
}

TEST(GoldenCoverage, each_rule_of_text_and_binary_occurs_in_a_case) {
  std::string said;
  for (const std::string& path : case_paths()) said += read_case(golden_folder() / path).expected_err;
  for (const spirv::RuleRow& row : spirv::rule_rows) {
    if (const std::string_view test = test_elsewhere(row.name); !test.empty()) {
      EXPECT_NE(read_text(outside::source_folder() / test).find(row.name), std::string::npos) << row.name;
      continue;
    }
    EXPECT_NE(said.find("[" + std::string(row.name) + "]"), std::string::npos) << "no case reports " << row.name;
  }
}

// A line of a diagnostic ends with the name of its rule: "a.spv: error: ... [zero-id]".
TEST(GoldenCoverage, each_reported_rule_can_be_explained) {
  std::set<std::string> rules;
  for (const std::string& path : case_paths()) {
    std::istringstream lines(read_case(golden_folder() / path).expected_err);
    for (std::string line; std::getline(lines, line);) {
      const std::size_t begin = line.rfind('[') + 1;
      const bool is_finding = line.find("error: ") != std::string::npos || line.find("warning: ") != std::string::npos;
      if (!is_finding || !line.ends_with(']') || begin == 0) continue;
      const std::string rule = line.substr(begin, line.size() - 1 - begin);
      if (rule.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == std::string::npos) rules.insert(rule);
    }
  }
  ASSERT_GT(rules.size(), 100u);
  for (const std::string& rule : rules) {
    const cli::Ran explained = cli::call({"vireo", "explain", rule});
    EXPECT_EQ(explained.status, 0) << explained.err;
    EXPECT_NE(explained.out.find("  requires "), std::string::npos) << explained.out;
  }
}

TEST(GoldenCoverage, each_out_file_is_named_by_its_case) {
  std::set<std::string> named;
  for (const std::string& path : case_paths()) {
    const CaseFile golden_case = read_case(golden_folder() / path);
    const std::string text = read_text(golden_case.path);
    if (text.find("\n; EXPECT: in ") != std::string::npos) {
      named.insert(golden_case.out_path().lexically_relative(golden_folder()).string());
    }
  }
  for (const std::string& path : case_paths(".out")) EXPECT_EQ(named.count(path), 1u) << path;
}

}  // namespace
}  // namespace vireo::golden
