// SPDX-License-Identifier: Apache-2.0
//
// The recorded pairs of modules about uniformity: one module of each pair breaks a rule, the other obeys it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "outside.h"
#include "vireo/spirv/environment.h"
#include "vireo/spirv/text/assemble.h"
#include "vireo/spirv/text/source_map.h"
#include "vireo/spirv/validate/validate.h"

namespace vireo::spirv {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;

/// The module of a pair that breaks a rule.
struct Pair {
  std::string_view name, rule;
  std::size_t line;  ///< of the finding
};
constexpr std::string_view missing = "missing-non-uniform", derivative = "derivative-control-flow",
                           barrier = "barrier-control-flow";
constexpr Pair pairs[] = {
    {"02-workgroup-id", missing, 72},
    {"03-push-constant", missing, 72},
    {"04-uniform-buffer-element", missing, 71},
    {"06-loop-index-start", missing, 78},
    {"07-loop-exit-value", missing, 83},
    {"08-phi-divergent-branch", missing, 78},
    {"09-phi-equal-operands", missing, 80},
    {"10-select", missing, 71},
    {"11-function-variable", missing, 82},
    {"12-call-argument", missing, 77},
    {"14-call-two-returns", missing, 81},
    {"15-atomic-result", missing, 71},
    {"17-elect-and-ballot", missing, 71},
    {"19-two-access-chains", missing, 72},
    {"20-copy-object", missing, 71},
    {"22-same-buffer-other-element", missing, 69},
    {"23-flat-input", missing, 61},
    {"24-combined-image-sampler", missing, 63},
    {"25-separate-image-and-sampler", missing, 69},
    {"26-image-atomic", missing, 63},
    {"27-derivative-in-branch", derivative, 57},
    {"29-quad-uniform-control-flow", derivative, 61},
    {"30-derivative-in-callee", derivative, 53},
    {"31-barrier-in-branch", barrier, 72},
    {"32-barrier-after-return", barrier, 74},
    {"33-barrier-in-loop", barrier, 77},
};
/// The index is uniform in each iteration, which no analysis can show: only rules that are off by default report it.
constexpr std::string_view unprovable = "18-waterfall-loop";

/// "RULE at LINE" for each finding.
std::vector<std::string> findings_of(const fs::path& path, std::span<const RuleChoice> rules) {
  std::ifstream file(path);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  Diagnostics diagnostics;
  SourceMap map;
  const Result<WordBuffer> words = assemble({path.string(), text}, {}, diagnostics, &map);
  if (!words) return {"not assembled"};
  validate(words.value(), {.environment = find_environment("vulkan1.3").value(), .rules = rules}, diagnostics);
  std::vector<std::string> findings;
  for (const Diagnostic& diagnostic : diagnostics.all()) {
    const ByteRange range = map.range_of(diagnostic.where.instruction);
    const auto line = 1 + std::ranges::count(std::string_view(text).substr(0, range.begin), '\n');
    findings.push_back(std::string(diagnostic.rule) + " at " + std::to_string(line));
  }
  return findings;
}

TEST(UniformityPairs, have_the_recorded_answers) {
  const auto shared = outside::shared_folder();
  if (!shared) GTEST_SKIP() << outside::no_shared;
  const fs::path folder = *shared / "reference" / "vulkan" / "uniformity";
  if (!fs::exists(folder)) GTEST_SKIP() << "the recorded data has no pairs of uniformity";
  const auto path_of = [&](std::string_view pair, std::string_view which) {
    return folder / (std::string(pair) + "." + std::string(which) + ".spvasm");
  };
  for (const Pair& pair : pairs) {
    const std::string expected = std::string(pair.rule) + " at " + std::to_string(pair.line);
    EXPECT_THAT(findings_of(path_of(pair.name, "fail"), {}), ElementsAre(expected)) << pair.name;
    EXPECT_THAT(findings_of(path_of(pair.name, "pass"), {}), IsEmpty()) << pair.name;
  }
  const RuleChoice all[] = {{"uniformity-unproven", Severity::Warning}};
  EXPECT_THAT(findings_of(path_of(unprovable, "fail"), {}), IsEmpty());
  EXPECT_THAT(findings_of(path_of(unprovable, "pass"), {}), IsEmpty());
  EXPECT_THAT(findings_of(path_of(unprovable, "fail"), all),
              ElementsAre("unproven-tangle at 74", "unproven-resource at 80"));
}

}  // namespace
}  // namespace vireo::spirv
