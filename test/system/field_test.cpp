// SPDX-License-Identifier: Apache-2.0
//
// Faults from public bug reports (cases/field of the recorded data): each module gets the right verdict.
//
// The first lines of a file are comments: the command with its environment, then the right answer and the sentence that
// decides it. A file whose command cleans the module must be valid after clean(), as it is before.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "outside.h"
#include "system/corpus.h"
#include "vireo/spirv/environment.h"
#include "vireo/spirv/text/assemble.h"
#include "vireo/spirv/transform/clean.h"
#include "vireo/spirv/validate/validate.h"
#include "vireo/support/render.h"

namespace vireo::system_test {
namespace {

using namespace spirv;
namespace fs = std::filesystem;

// Kinds of reports that Vireo does not follow yet: I and J are rules of Vulkan that no validator has. L is reflection and
// M a difference in rounding, which other tests cover.
constexpr std::string_view other_kinds = "IJLM";

struct FieldCase {
  std::string name, text, command, answer;
};

std::vector<FieldCase> field_cases(const fs::path& folder) {
  std::vector<FieldCase> cases;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".spvasm") continue;
    FieldCase each{entry.path().filename().string(), bytes_of_file(entry.path()), {}, {}};
    if (other_kinds.find(each.name.front()) != std::string_view::npos) continue;
    std::istringstream lines(each.text);
    std::getline(lines, each.command);
    for (std::string line; each.answer.empty() && std::getline(lines, line);) {
      if (constexpr std::string_view mark = "; right: "; line.starts_with(mark)) each.answer = line.substr(mark.size());
    }
    cases.push_back(std::move(each));
  }
  std::ranges::sort(cases, {}, &FieldCase::name);
  return cases;
}

// The value of --target-env in the command; the universal environment without one.
Environment environment_of(std::string_view command) {
  constexpr std::string_view option = "--target-env ";
  const std::size_t at = command.find(option);
  if (at == std::string_view::npos) return {};
  const std::string_view rest = command.substr(at + option.size());
  return find_environment_by_prefix(rest.substr(0, rest.find(' '))).value();
}

TEST(FieldReports, get_the_right_verdict) {
  const auto shared = outside::shared_folder();
  if (!shared) GTEST_SKIP() << outside::no_shared;
  if (!fs::exists(*shared / "cases/field")) GTEST_SKIP() << "the recorded data has no reports from the field";
  const std::vector<FieldCase> cases = field_cases(*shared / "cases/field");
  EXPECT_GE(cases.size(), 20u);
  for (const FieldCase& each : cases) {
    SCOPED_TRACE(each.name);
    const Environment environment = environment_of(each.command);
    const bool is_cleaned = each.command.find("vireo clean") != std::string::npos;
    const bool is_right = is_cleaned || each.answer.starts_with("valid");
    ASSERT_TRUE(is_right || each.answer.starts_with("invalid")) << each.answer;

    Diagnostics diagnostics;
    AssembleOptions assembling;
    assembling.version = environment.version;
    Result<WordBuffer> words = assemble({each.name, each.text}, assembling, diagnostics);
    ASSERT_TRUE(words);
    if (is_cleaned) words = clean(*words, {}, diagnostics);
    ASSERT_TRUE(words);
    ValidateOptions options;
    options.environment = environment;
    EXPECT_EQ(validate(*words, options, diagnostics), is_right)
        << each.answer << '\n'
        << (diagnostics.all().empty() ? "no finding" : diagnostics.all().front().message);
  }
}

}  // namespace
}  // namespace vireo::system_test
