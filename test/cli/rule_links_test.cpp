// SPDX-License-Identifier: Apache-2.0
//
// The addresses of rules.
#include "cli/common/rule_links.h"

#include <gtest/gtest.h>

#include <string_view>

namespace vireo::cli {
namespace {

TEST(rule_links, lead_to_the_vuid_or_the_section) {
  struct Row {
    std::string_view section, vuids, link;
  };
  const Row rows[] = {
      {"2.4", "", "https://registry.khronos.org/SPIR-V/specs/unified1/SPIRV.html#_logical_layout_of_a_module"},
      {"3.42.13", "", "https://registry.khronos.org/SPIR-V/specs/unified1/SPIRV.html"},
      {"2.4", "VUID-a-b-1 VUID-a-b-2", "https://registry.khronos.org/vulkan/specs/latest/html/vkspec.html#VUID-a-b-1"},
      {"SPV_KHR_untyped_pointers", "",
       "https://github.khronos.org/SPIRV-Registry/extensions/KHR/SPV_KHR_untyped_pointers.html"},
      {"OpenCL.std", "", "https://registry.khronos.org/SPIR-V/"},
      {"OpenCL, Validation Rules", "", "https://registry.khronos.org/SPIR-V/"},
      {"Vulkan, Built-In Variables", "", "https://registry.khronos.org/vulkan/specs/latest/html/vkspec.html"},
      {"limits", "", ""},
  };
  for (const Row& row : rows) {
    spirv::ValidationRule rule{};
    rule.section = row.section;
    rule.vuids = row.vuids;
    EXPECT_EQ(link_of(rule), row.link);
  }
}

TEST(rule_links, exist_for_every_rule_of_a_specification) {
  for (const spirv::ValidationRule& rule : spirv::validation_rules()) {
    EXPECT_EQ(link_of(rule).empty(), rule.section == "limits") << rule.name;
  }
}

}  // namespace
}  // namespace vireo::cli
