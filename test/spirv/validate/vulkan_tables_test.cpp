// SPDX-License-Identifier: Apache-2.0
//
// The tables of the recorded data with all VUIDs about modules: each id exists on both sides, and the modules of the
// tables violate the VUIDs that they claim to.
//
// `groups` selects rows of vulkan-standalone.tsv.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "outside.h"
#include "spirv/validate/support/case_reader.h"
#include "vireo/spirv/validate/rule_texts.h"
#include "vireo/spirv/validate/validate.h"

namespace vireo::spirv {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view groups[] = {"standalone", "other", "built-in"};

/// A VUID whose modules differ from the table on purpose.
struct Exception {
  std::string_view module;  ///< a part of its file name
  std::string_view reason;
};
constexpr Exception exceptions[] = {
    {"UniformConstant-04655.array-of-arrays-of-images",
     "the text does not say whether arrays of arrays count; all "
     "validators reject them"},
};

using Row = std::map<std::string, std::string>;  // by the name of the column

std::vector<Row> rows_of(const fs::path& path) {
  std::vector<Row> rows;
  std::vector<std::string> names;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::vector<std::string> cells;
    std::stringstream rest(line);
    for (std::string cell; std::getline(rest, cell, '\t');) cells.push_back(cell);
    if (names.empty()) {
      names = cells;
      continue;
    }
    Row row;
    for (std::size_t i = 0; i < std::min(cells.size(), names.size()); ++i) row[names[i]] = cells[i];
    rows.push_back(std::move(row));
  }
  return rows;
}

class VulkanTables : public testing::Test {
 protected:
  void SetUp() override {
    const auto shared = outside::shared_folder();
    if (!shared) GTEST_SKIP() << outside::no_shared;
    folder_ = *shared / "reference/vulkan";
    for (const Row& row : rows_of(folder_ / "vulkan-standalone.tsv")) {
      all_.insert(row.at("vuid"));
      if (std::ranges::count(groups, row.at("group")) != 0) selected_.insert(row.at("vuid"));
    }
    if (all_.empty()) GTEST_SKIP() << "no tables of VUIDs in the recorded data";
  }

  // Checks that a module violates the VUID, or not.
  void check(const fs::path& path, const std::string& environment, const std::string& vuid, bool is_violated) {
    if (!selected_.contains(vuid)) return;
    const std::string name = path.filename().string();
    if (std::ranges::any_of(exceptions, [&](const Exception& each) { return name.starts_with(each.module); })) return;
    std::ifstream file(path);
    ASSERT_TRUE(file) << path;
    std::stringstream text;
    text << file.rdbuf();
    test::ValidatorCase module;
    module.environment = environment;
    module.text = text.str();
    const auto read = test::read_case(module);
    ASSERT_TRUE(read) << path;
    Diagnostics diagnostics;
    validate(read->words, read->options, diagnostics);
    std::vector<std::string> found;
    for (const Diagnostic& diagnostic : diagnostics.all()) {
      found.push_back(diagnostic.requirement);
      // A note names the VUID of a built-in's other name.
      for (const auto& note : diagnostic.notes) {
        if (note.message.find(vuid) != std::string::npos) found.push_back(vuid);
      }
    }
    if (is_violated) {
      EXPECT_THAT(found, testing::Contains(vuid)) << name;
    } else {
      EXPECT_THAT(found, testing::Not(testing::Contains(vuid))) << name;
      EXPECT_FALSE(diagnostics.has_errors()) << name << ": " << diagnostics.all().front().message;
    }
    ++checked_;
  }

  fs::path folder_;
  std::set<std::string> all_, selected_;  // VUIDs of the table; those of the selected groups
  std::size_t checked_ = 0;
};

TEST_F(VulkanTables, have_pairs_of_modules) {
  for (const Row& row : rows_of(folder_ / "cases.tsv")) {
    const std::string& name = row.at("case");
    check(folder_ / "cases" / (name + ".spvasm"), row.at("env"), name.substr(0, name.rfind('.')),
          row.at("expected") != "valid");
  }
  EXPECT_GE(checked_, 100u);
}

TEST_F(VulkanTables, have_further_modules) {
  for (const Row& row : rows_of(folder_ / "spot-checks.tsv")) {
    check(folder_ / "spot-checks" / row.at("file"), row.at("env"), row.at("vuid"), row.at("expected") != "valid");
  }
  EXPECT_GE(checked_, 50u);
}

TEST_F(VulkanTables, list_each_checked_vuid) {
  std::set<std::string> known = all_;
  for (const Row& row : rows_of(folder_ / "vulkan-runtime.tsv")) known.insert(row.at("vuid"));
  for (const VuidRow& row : validation_vuids()) {
    // The tables omit the limits of pipelines and layouts.
    if (row.vuid.starts_with("VUID-Vk")) continue;
    EXPECT_TRUE(known.contains(row.vuid)) << row.vuid << " of " << row.rule->name;
  }
  for (const OtherVuid& row : other_vuids()) {
    const bool is_of_pipeline = row.vuid.starts_with("VUID-VkGraphicsPipeline");
    EXPECT_TRUE(is_of_pipeline || known.contains(std::string(row.vuid))) << row.vuid;
  }
}

TEST_F(VulkanTables, have_no_other_vuids) {
  std::set<std::string, std::less<>> known;
  for (const VuidRow& row : validation_vuids()) known.insert(row.vuid);
  for (const OtherVuid& row : other_vuids()) known.emplace(row.vuid);
  for (const std::string& vuid : selected_) { EXPECT_TRUE(known.contains(vuid)) << vuid; }
}

// A rule checks each VUID of "Runtime SPIR-V Validation", or a list says what does, or why nothing can.
TEST_F(VulkanTables, of_runtime_validation_are_accounted_for) {
  std::set<std::string, std::less<>> known;
  for (const VuidRow& row : validation_vuids()) known.insert(row.vuid);
  for (const OtherVuid& row : other_vuids()) {
    if (row.vuid.starts_with("VUID-RuntimeSpirv-")) {
      EXPECT_TRUE(known.emplace(row.vuid).second) << row.vuid << " has a rule";
    }
  }
  for (const Row& row : rows_of(folder_ / "vulkan-runtime.tsv")) {
    EXPECT_TRUE(known.contains(row.at("vuid"))) << row.at("vuid");
  }
}

}  // namespace
}  // namespace vireo::spirv
