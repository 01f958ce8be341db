// SPDX-License-Identifier: Apache-2.0
//
// Generator names map to their numbers and back.
#include "spirv/generators.h"

#include <gtest/gtest.h>

namespace vireo::spirv {
namespace {

TEST(Generators, names_map_back_to_their_numbers) {
  for (unsigned number = 0; number < 0x10000; ++number) {
    const std::string text = generator_text(number << 16 | 9);
    ASSERT_TRUE(text.ends_with("; 9"));
    const auto found = find_generator(std::string_view(text).substr(0, text.size() - 3));
    ASSERT_TRUE(found.has_value()) << text;
    EXPECT_EQ(generator_text(Word{*found} << 16 | 9), text);  // one vendor can have two numbers
  }
}

TEST(Generators, only_registered_names_and_numbers_are_found) {
  for (const std::string_view name :
       {"", "Nobody", "Unknown(", "Unknown()", "Unknown(65536)", "Unknown(1x)", "Unknown(1"}) {
    EXPECT_FALSE(find_generator(name).has_value()) << name;
  }
}

}  // namespace
}  // namespace vireo::spirv
