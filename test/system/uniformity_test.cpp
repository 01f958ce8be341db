// SPDX-License-Identifier: Apache-2.0
//
// The recorded pairs of modules about uniformity: one module of each pair breaks a rule, the other obeys it.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "outside.h"
#include "vireo/spirv/environment.h"
#include "vireo/spirv/text/assemble.h"
#include "vireo/spirv/validate/validate.h"

namespace vireo::spirv {
namespace {

namespace fs = std::filesystem;

// The violation cannot be shown, so only a rule that is off by default reports it.
constexpr std::string_view unprovable = "unprovable";

std::vector<std::string> findings_of(const fs::path& path, const std::string& text, bool with_unproven) {
  Diagnostics diagnostics;
  const Result<WordBuffer> words = assemble({path.string(), text}, {}, diagnostics);
  if (!words) return {"not assembled"};
  const RuleChoice choices[] = {{"uniformity-unproven", Severity::Warning}};
  ValidateOptions options{.environment = find_environment("vulkan1.3").value()};
  if (with_unproven) options.rules = choices;
  validate(words.value(), options, diagnostics);
  std::vector<std::string> rules;
  for (const Diagnostic& diagnostic : diagnostics.all()) rules.emplace_back(diagnostic.rule);
  return rules;
}

TEST(UniformityPairs, have_the_recorded_answers) {
  const auto shared = outside::shared_folder();
  if (!shared) GTEST_SKIP() << outside::no_shared;
  const fs::path folder = *shared / "reference" / "vulkan" / "uniformity";
  if (!fs::exists(folder)) GTEST_SKIP() << "the recorded data has no pairs of uniformity";
  std::size_t checked = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".spvasm") continue;
    std::ifstream file(entry.path());
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const bool fails = entry.path().stem().extension() == ".fail";
    const std::string answer = text.substr(0, text.find("OpCapability"));
    const bool is_unprovable = answer.find(unprovable) != std::string::npos;
    const std::vector<std::string> usual = findings_of(entry.path(), text, false);
    EXPECT_EQ(usual.size(), fails && !is_unprovable ? 1u : 0u) << entry.path();
    if (fails) { EXPECT_GE(findings_of(entry.path(), text, true).size(), 1u) << entry.path(); }
    ++checked;
  }
  EXPECT_GE(checked, 50u);
}

}  // namespace
}  // namespace vireo::spirv
