// SPDX-License-Identifier: Apache-2.0
//
// Function: a copy of a callable object, or empty.
#include "vireo/support/function.h"

#include <gtest/gtest.h>

#include <csignal>
#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace vireo {
namespace {

int twice(int number) { return 2 * number; }

TEST(function, calls_lambdas_functions_and_std_functions) {
  const std::string hello = "hello";
  const Function<std::string(int)> lambda = [&](int number) { return hello + std::to_string(number); };
  EXPECT_EQ(lambda(3), "hello3");
  EXPECT_EQ(Function<int(int)>(twice)(4), 8);
  EXPECT_EQ(Function<int(int)>(std::function<int(int)>(twice))(4), 8);
  EXPECT_EQ(std::function<std::string(int)>(lambda)(5), "hello5");
  int count = 0;
  const Function<void()> discards_its_result = [&] { return ++count; };
  discards_its_result();
  EXPECT_EQ(count, 1);
}

TEST(function, is_empty_without_a_callable_object) {
  EXPECT_FALSE(Function<void()>());
  EXPECT_TRUE(Function<void()>(nullptr) == nullptr);
  EXPECT_FALSE(Function<void()>(std::function<void()>()));
  EXPECT_FALSE(Function<void(int)>(Function<void(long)>()));
  EXPECT_FALSE(Function<int(int)>(static_cast<int (*)(int)>(nullptr)));
  EXPECT_TRUE(Function<int(int)>([](int number) { return number; }));
}

TEST(function, owns_its_copy) {
  const auto shared = std::make_shared<int>(7);
  {
    Function<int()> first = [shared] { return *shared; };
    Function<int()> second = first;
    EXPECT_EQ(shared.use_count(), 3);
    const Function<int()> third = std::move(first);
    EXPECT_FALSE(first);  // NOLINT(bugprone-use-after-move): a moved function is empty
    EXPECT_EQ(third() + second(), 14);
    second = nullptr;
    EXPECT_EQ(shared.use_count(), 2);
    second = third;
    EXPECT_EQ(second(), 7);
  }
  EXPECT_EQ(shared.use_count(), 1);
}

TEST(FunctionDeathTest, an_empty_function_aborts) {
  const Function<void()> empty;
  EXPECT_EXIT(empty(), testing::KilledBySignal(SIGABRT), "");
}

}  // namespace
}  // namespace vireo
