// SPDX-License-Identifier: Apache-2.0
//
// The list of VUIDs, and docs/vuids.md, which shows it. VIREO_BLESS=1 writes the page; read the diff.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "vireo/spirv/validate/rule_texts.h"
#include "vireo/spirv/validate/validate.h"

namespace vireo::spirv {
namespace {

constexpr std::string_view page_head = R"(# VUIDs

The valid-usage ids (VUIDs) of the Vulkan specification about modules, with the rules that check them. The list is
generated; `vireo rules --by-vuid` prints it. `vireo explain VUID` describes one.

| VUID | checked by | requirement |
|---|---|---|
)";

constexpr std::string_view page_rest = R"(
## VUIDs that no single rule checks

| VUID | checked | by, or why not |
|---|---|---|
)";

// Rules about limits and features of a device check nothing without a profile, those about pipelines nothing without
// their option.
std::string_view needs_of(const ValidationRule& rule) {
  const std::string_view options = find_rule_text(rule.name)->options;
  if (options.find("--profile") != std::string_view::npos) return ", with a profile";
  return options.find("--pipeline") != std::string_view::npos ? ", with `--pipeline`" : "";
}

std::string page_text() {
  std::string text(page_head);
  for (const VuidRow& row : validation_vuids()) {
    text.append("| ").append(row.vuid).append(" | `").append(row.rule->name).append("`");
    text.append(needs_of(*row.rule)).append(" | ").append(row.rule->requirement).append(" |\n");
  }
  text.append(page_rest);
  for (const OtherVuid& row : other_vuids()) {
    text.append("| ").append(row.vuid).append(row.is_checked ? " | yes | " : " | no | ");
    text.append(row.text).append(" |\n");
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

}  // namespace
}  // namespace vireo::spirv
