// SPDX-License-Identifier: Apache-2.0
//
// The list of VUIDs, and docs/vuids.md, which shows it. VIREO_BLESS=1 writes the page; read the diff.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "outside.h"
#include "spirv/validate/support/case_reader.h"
#include "vireo/spirv/validate/validate.h"

namespace vireo::spirv {
namespace {

constexpr std::string_view page_head = R"(# VUIDs

The valid-usage ids (VUIDs) of the Vulkan specification that `vireo val` checks, with the rules that check them. The
list is generated; `vireo rules --by-vuid` prints it. `vireo explain VUID` describes one.

| VUID | rule | requirement |
|---|---|---|
)";

std::string page_text() {
  std::string text(page_head);
  for (const VuidRow& row : validation_vuids()) {
    text.append("| ").append(row.vuid).append(" | `").append(row.rule->name).append("` | ");
    text.append(row.rule->requirement).append(" |\n");
  }
  return text;
}

TEST(Vuids, are_listed_in_the_documents) {
  const std::string path = std::string(VIREO_SOURCE_DIR) + "/docs/vuids.md";
  if (std::getenv("VIREO_BLESS") != nullptr) std::ofstream(path, std::ios::binary) << page_text();
  std::stringstream page;
  page << std::ifstream(path, std::ios::binary).rdbuf();
  EXPECT_TRUE(page.str() == page_text()) << "run ./dev bless vuids";
}

TEST(Vuids, have_the_form_of_the_specification) {
  const std::vector<VuidRow> rows = validation_vuids();
  EXPECT_GE(rows.size(), 400u);
  for (const VuidRow& row : rows) {
    EXPECT_TRUE(row.vuid.starts_with("VUID-")) << row.vuid;
    ASSERT_GT(row.vuid.size(), 6u);
    EXPECT_EQ(row.vuid.find_first_not_of("0123456789", row.vuid.size() - 5), std::string::npos) << row.vuid;
    EXPECT_EQ(row.vuid.find(' '), std::string::npos) << row.vuid;
  }
}

// The first column of the tables of the Vulkan specification contains each VUID about modules.
TEST(Vuids, exist_in_the_specification) {
  const auto shared = outside::shared_folder();
  if (!shared) GTEST_SKIP() << outside::no_shared;
  std::set<std::string> known;
  for (const char* name : {"vulkan-standalone.tsv", "vulkan-runtime.tsv"}) {
    std::ifstream table(*shared / "reference/vulkan" / name);
    for (std::string line; std::getline(table, line);) known.insert(line.substr(0, line.find('\t')));
  }
  if (known.empty()) GTEST_SKIP() << "no tables of VUIDs in the recorded data";
  for (const VuidRow& row : validation_vuids()) {
    // The tables omit the limits of pipelines and layouts.
    if (row.vuid.starts_with("VUID-Vk")) continue;
    EXPECT_EQ(known.count(row.vuid), 1u) << row.vuid << " of " << row.rule->name;
  }
}

// A module for each of some VUIDs violates the VUID that is its name.
TEST(Vuids, name_the_violated_requirement) {
  const auto shared = outside::shared_folder();
  if (!shared) GTEST_SKIP() << outside::no_shared;
  const auto folder = *shared / "reference/vulkan/cases";
  std::size_t checked = 0;
  for (const VuidRow& row : validation_vuids()) {
    std::ifstream file(folder / (row.vuid + ".fail.spvasm"));
    if (!file || row.vuid.starts_with("VUID-Vk")) continue;  // a limit, which needs a profile
    std::string environment;
    std::getline(file, environment);
    test::ValidatorCase module;
    module.environment = environment.substr(environment.rfind(' ') + 1);
    std::stringstream text;
    text << file.rdbuf();
    module.text = text.str();
    const auto read = test::read_case(module);
    ASSERT_TRUE(read) << row.vuid;
    Diagnostics diagnostics;
    validate(read->words, read->options, diagnostics);
    std::vector<std::string> found;
    for (const Diagnostic& diagnostic : diagnostics.all()) {
      found.push_back(diagnostic.requirement);
      // A note names the VUID of a built-in's other name.
      for (const auto& note : diagnostic.notes) {
        if (note.message.find(row.vuid) != std::string::npos) found.push_back(row.vuid);
      }
    }
    EXPECT_THAT(found, testing::Contains(row.vuid));
    ++checked;
  }
  if (checked == 0) GTEST_SKIP() << "no modules of VUIDs in the recorded data";
  EXPECT_GE(checked, 20u);
}

}  // namespace
}  // namespace vireo::spirv
