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
  std::string_view name;  // empty: nothing is selected
  Version version;
};

TEST(Environment, the_longest_name_that_a_spelling_begins_with_is_selected) {
  for (const Row& row :
       {Row{"spv1.0", "spv1.0", {1, 0}}, Row{"spv1.60", "spv1.6", {1, 6}}, Row{"vulkan1.1", "vulkan1.1", {1, 3}},
        Row{"vulkan1.1spv1.4", "vulkan1.1spv1.4", {1, 4}}, Row{"vulkan1.1spv", "vulkan1.1", {1, 3}},
        Row{"opencl2.2embedded", "opencl2.2embedded", {1, 2}}, Row{"opencl2.1", "opencl2.1", {1, 0}},
        Row{"opengl4.5", "opengl4.5", {1, 0}}, Row{"Vulkan1.1", "", {}}, Row{"spv1.9", "", {}}, Row{"", "", {}}}) {
    const Environment* found = find_environment(row.spelling);
    EXPECT_EQ(found != nullptr ? found->name : "", row.name) << row.spelling;
    EXPECT_EQ(found != nullptr ? found->version : Version::none(), row.version) << row.spelling;
  }
}

TEST(Environment, names_differ) {
  std::set<std::string_view> names;
  for (const Environment& environment : environments())
    EXPECT_TRUE(names.insert(environment.name).second) << environment.name;
}

}  // namespace
}  // namespace vireo::spirv
