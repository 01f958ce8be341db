// SPDX-License-Identifier: Apache-2.0
//
// Runs each case written in C as a test, and all of them on several threads at once.
#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "c/check.h"

void check_failed(const char* file, int line, const char* what) { ADD_FAILURE_AT(file, line) << what; }

namespace vireo::c {
namespace {

struct Case {
  const char* name;
  void (*run)();
};

// The list that declares the cases also runs them.
constexpr Case cases[] = {
#define ROW_OF_CASE(name) {#name, name},
    FOR_EACH_CASE(ROW_OF_CASE)
#undef ROW_OF_CASE
};

class C : public testing::TestWithParam<Case> {};

TEST_P(C, case_in_c) { GetParam().run(); }

std::string name_of_case(const testing::TestParamInfo<Case>& row) { return row.param.name; }
INSTANTIATE_TEST_SUITE_P(Interface, C, testing::ValuesIn(cases), name_of_case);

// The cases share no object, so no thread can observe another. ThreadSanitizer checks this.
TEST(CInterface, can_be_used_by_several_threads) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([] {
      for (const Case& each : cases) each.run();
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(CInterface, returns_the_project_version) {
  const std::string version = std::to_string(VIREO_VERSION_MAJOR) + "." + std::to_string(VIREO_VERSION_MINOR) + "." +
                              std::to_string(VIREO_VERSION_PATCH);
  EXPECT_EQ(version, VIREO_PROJECT_VERSION);
}

}  // namespace
}  // namespace vireo::c
