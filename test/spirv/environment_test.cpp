// SPDX-License-Identifier: Apache-2.0
//
// Target environments by the spellings that users type.
#include "vireo/spirv/environment.h"

#include <gtest/gtest.h>

#include <set>

namespace vireo::spirv {
namespace {

struct Row {
  std::string_view spelling;
  std::string_view name;  // empty: no environment is selected
  Version version;
};

TEST(Environment, a_prefix_selects_the_longest_name) {
  for (const Row& row :
       {Row{"spv1.0", "spv1.0", {1, 0}}, Row{"spv1.60", "spv1.6", {1, 6}}, Row{"vulkan1.1", "vulkan1.1", {1, 3}},
        Row{"vulkan1.1spv1.4", "vulkan1.1spv1.4", {1, 4}}, Row{"vulkan1.1spv", "vulkan1.1", {1, 3}},
        Row{"opencl2.2embedded", "opencl2.2embedded", {1, 2}}, Row{"opencl2.1", "opencl2.1", {1, 0}},
        Row{"opengl4.5", "opengl4.5", {1, 0}}, Row{"Vulkan1.1", "", {}}, Row{"spv1.9", "", {}}, Row{"", "", {}}}) {
    const std::optional<Environment> found = find_environment_by_prefix(row.spelling);
    EXPECT_EQ(found ? found->name : "", row.name) << row.spelling;
    EXPECT_EQ(found ? found->version : Version::none(), row.version) << row.spelling;
  }
}

TEST(Environment, a_name_is_matched_exactly) {
  for (const Environment& environment : environments()) EXPECT_EQ(find_environment(environment.name), environment);
  for (const std::string_view name : {"", "vulkan1.3oops", "vulkan9", "Vulkan1.1", "spv1.60"}) {
    EXPECT_EQ(find_environment(name), std::nullopt) << name;
  }
}

TEST(Environment, an_unknown_name_is_reported_with_the_nearest_one) {
  Diagnostics diagnostics;
  EXPECT_EQ(find_environment("vulkan1.2", diagnostics)->version, (Version{1, 5}));
  EXPECT_FALSE(find_environment("vulcan1.2", diagnostics));
  ASSERT_EQ(diagnostics.all().size(), 1u);
  EXPECT_EQ(diagnostics.all()[0].rule, "unknown-environment");
  EXPECT_EQ(diagnostics.all()[0].message, "unknown environment 'vulcan1.2'");
  EXPECT_EQ(diagnostics.all()[0].hint.substr(0, 26), "expected spv1.0, spv1.1, s");
  EXPECT_TRUE(diagnostics.all()[0].hint.ends_with("or opengl4.5; did you mean 'vulkan1.2'?"));
}

TEST(Environment, the_default_is_universal_and_the_newest) { EXPECT_EQ(Environment{}, find_environment("spv1.6")); }

TEST(Environment, names_differ) {
  std::set<std::string_view> names;
  for (const Environment& environment : environments())
    EXPECT_TRUE(names.insert(environment.name).second) << environment.name;
}

}  // namespace
}  // namespace vireo::spirv
