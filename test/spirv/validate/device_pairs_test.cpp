// SPDX-License-Identifier: Apache-2.0
//
// Pairs of modules and devices for the VUIDs of "Runtime SPIR-V Validation" (device/*.pairs).
//
// A pair differs in the device, in the module, or in both:
//
//   === shaderSubgroupClock-06267           the VUID, without "VUID-RuntimeSpirv-", or a whole VUID of another group
//   fail: shaderSubgroupClock=0             what the device states in the failing case
//   pass: shaderSubgroupClock=1             the same in the passing case; `device:` for both
//   @shader                                 the module, in the notation of rule_examples.h
//   -a line of the failing module only
//
// A name without "=" is a feature of the options ("allow-localsizeid"). The failing case has exactly one finding, with
// this VUID; the passing case has none. A device that states nothing is unknown: then the failing module has no finding
// either, if the pair has a device.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "outside.h"
#include "spirv/validate/rules/rule_examples.h"
#include "spirv/validate/support/case_reader.h"
#include "vireo/spirv/validate/rule_texts.h"
#include "vireo/spirv/validate/validate.h"

namespace vireo::spirv {
namespace {

constexpr std::string_view prefix = "VUID-RuntimeSpirv-";

struct Pair {
  std::string vuid, environment = "vulkan1.4", place;
  std::string fail, pass, device;
  std::string module;
};

std::vector<Pair> read_pairs() {
  std::vector<Pair> pairs;
  std::vector<std::filesystem::path> files;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::string(VIREO_SOURCE_DIR) + "/test/spirv/validate/device"))
    if (entry.path().extension() == ".pairs") files.push_back(entry.path());
  std::ranges::sort(files);
  for (const auto& path : files) {
    std::ifstream file(path);
    int number = 0;
    for (std::string line; std::getline(file, line);) {
      ++number;
      const auto rest_after = [&](std::string_view head, std::string& into) {
        if (!line.starts_with(head)) return false;
        into = line.substr(std::min(line.size(), head.size() + 1));
        return true;
      };
      std::string name;
      if (rest_after("===", name)) {
        pairs.push_back({});
        pairs.back().place = path.filename().string() + ":" + std::to_string(number);
        const std::size_t bar = name.find(" | ");
        pairs.back().vuid = (name.starts_with("VUID-") ? std::string() : std::string(prefix)) + name.substr(0, bar);
        if (bar != std::string::npos) pairs.back().environment = name.substr(bar + 3);
      } else if (!pairs.empty()) {
        Pair& pair = pairs.back();
        if (rest_after("fail:", pair.fail) || rest_after("pass:", pair.pass) || rest_after("device:", pair.device))
          continue;
        if (!line.empty()) pair.module += line + "\n";
      }
    }
  }
  return pairs;
}

// The lines of the failing or of the passing module.
std::string module_of(const Pair& pair, char mark) {
  std::istringstream lines(expand_example(pair.module));
  std::string text;
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty() && (line[0] == ' ' || line[0] == mark)) text += line.substr(1) + "\n";
  }
  return text;
}

// The VUIDs of the findings; the rule and the message of a finding without one.
std::vector<std::string> found_in(const Pair& pair, const std::string& module, const std::string& stated) {
  test::ValidatorCase the_case;
  the_case.environment = pair.environment;
  the_case.text = module;
  the_case.file = pair.place;
  auto read = test::read_case(the_case);
  if (!read) return {"no module"};
  DeviceSupport device;
  std::istringstream words(stated);
  for (std::string word; words >> word;) {
    const std::size_t equal = word.find('=');
    if (equal == std::string::npos) {
      const auto row = std::ranges::find(features(), std::string_view(word), &FeatureRow::name);
      EXPECT_TRUE(row != features().end()) << word;
      if (row != features().end()) read->options.features.add(row->feature);
      continue;
    }
    const auto member = std::ranges::find(device_members(), std::string_view(word).substr(0, equal));
    EXPECT_TRUE(member != device_members().end()) << pair.place << ": " << word;
    if (member != device_members().end()) device.limits.push_back({*member, std::stoll(word.substr(equal + 1))});
  }
  if (!device.limits.empty()) read->options.device = &device;
  Diagnostics diagnostics;
  validate(read->words, read->options, diagnostics);
  std::vector<std::string> found;
  for (const Diagnostic& each : diagnostics.all())
    found.push_back(each.requirement.empty() ? std::string(each.rule) + ": " + each.message : each.requirement);
  return found;
}

TEST(DevicePairs, have_exactly_their_findings) {
  const std::vector<Pair> pairs = read_pairs();
  ASSERT_FALSE(pairs.empty());
  for (const Pair& pair : pairs) {
    const std::string failing = module_of(pair, '-'), passing = module_of(pair, '+');
    EXPECT_THAT(found_in(pair, failing, pair.device + " " + pair.fail), testing::ElementsAre(pair.vuid))
        << pair.place << "\n"
        << failing;
    EXPECT_THAT(found_in(pair, passing, pair.device + " " + pair.pass), testing::IsEmpty()) << pair.place << "\n"
                                                                                            << passing;
    if (pair.fail.find('=') != std::string::npos || pair.device.find('=') != std::string::npos) {
      EXPECT_THAT(found_in(pair, failing, ""), testing::IsEmpty()) << pair.place << " without a device\n" << failing;
    }
  }
}

// The fifth column of the table states whether module and device decide a VUID. Those of older texts have no pairs.
TEST(DevicePairs, exist_for_each_decidable_vuid) {
  const auto shared = outside::shared_folder();
  if (!shared) GTEST_SKIP() << outside::no_shared;
  std::set<std::string, std::less<>> with_pair;
  for (const Pair& pair : read_pairs()) with_pair.insert(pair.vuid);
  for (const OtherVuid& row : other_vuids()) {
    if (row.is_checked) with_pair.emplace(row.vuid);
  }
  std::ifstream table(*shared / "reference/vulkan/vulkan-runtime.tsv");
  std::size_t decidable = 0;
  for (std::string line; std::getline(table, line);) {
    std::vector<std::string> cells;
    std::istringstream row(line);
    for (std::string cell; std::getline(row, cell, '\t');) cells.push_back(cell);
    if (cells.size() < 5 || cells[4] != "yes") continue;
    ++decidable;
    EXPECT_TRUE(with_pair.contains(cells[0])) << cells[0];
  }
  EXPECT_GE(decidable, 173u);
}

}  // namespace
}  // namespace vireo::spirv
