// SPDX-License-Identifier: Apache-2.0
//
// Diagnostics: counts, limits, notes, order; and Result, which has a value or a reported error.
#include "vireo/support/diagnostic.h"

#include <gtest/gtest.h>

#include <csignal>
#include <string>
#include <utility>

#include "vireo/support/result.h"

namespace vireo {
namespace {

std::string messages(const Diagnostics& diagnostics) {
  std::string all;
  for (const Diagnostic& diagnostic : diagnostics.all()) all += diagnostic.message + ' ';
  return all;
}

TEST(diagnostics, are_kept_in_the_order_of_reporting_and_counted_by_severity) {
  Diagnostics diagnostics;
  EXPECT_FALSE(diagnostics.has_errors());
  diagnostics.warning("w", Location::none(), "one");
  EXPECT_FALSE(diagnostics.has_errors());
  diagnostics.error("e", Location::none(), "two", "a hint");
  diagnostics.report({"n", Severity::Note, Location::none(), "three", {}, {}, "$.x"});
  EXPECT_EQ(messages(diagnostics), "one two three ");
  EXPECT_EQ(diagnostics.error_count(), 1u);
  EXPECT_EQ(diagnostics.warning_count(), 1u);
  EXPECT_EQ(diagnostics.all()[1].hint, "a hint");
  EXPECT_EQ(diagnostics.all()[2].path, "$.x");
}

TEST(diagnostics, beyond_the_limit_are_counted_and_not_kept) {
  Diagnostics diagnostics(2);
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(diagnostics.is_full(), i >= 2);
    diagnostics.error("e", Location::none(), std::to_string(i));
    diagnostics.note(Location::none(), "of " + std::to_string(i));
  }
  EXPECT_EQ(messages(diagnostics), "0 1 ");
  EXPECT_EQ(diagnostics.error_count(), 5u);
  ASSERT_EQ(diagnostics.all()[1].notes.size(), 1u) << "a note never goes to another diagnostic than its own";
  EXPECT_EQ(diagnostics.all()[1].notes[0].message, "of 1");
}

TEST(diagnostics, warnings_and_errors_have_separate_limits) {
  Diagnostics diagnostics(2);
  for (const char* message : {"w1", "w2", "w3"}) diagnostics.warning("w", Location::none(), message);
  EXPECT_FALSE(diagnostics.is_full()) << "there is room for errors";
  diagnostics.report({"n", Severity::Note, Location::none(), "n1", {}, {}, {}});
  for (const char* message : {"e1", "e2", "e3"}) diagnostics.error("e", Location::none(), message);
  diagnostics.warning("w", Location::none(), "w4");
  diagnostics.note(Location::none(), "of w4");
  EXPECT_EQ(messages(diagnostics), "w1 w2 e1 e2 ");
  EXPECT_TRUE(diagnostics.is_full());
  EXPECT_EQ(diagnostics.error_count(), 3u);
  EXPECT_EQ(diagnostics.warning_count(), 4u);
  EXPECT_TRUE(diagnostics.all().back().notes.empty()) << "a note goes with the diagnostic that was not kept";
}

TEST(diagnostics, counted_diagnostics_do_not_use_the_limit) {
  Diagnostics diagnostics(2);
  diagnostics.error("e", Location::none(), "e1");
  diagnostics.count(Severity::Error, 5);
  diagnostics.count(Severity::Warning, 5);
  EXPECT_FALSE(diagnostics.is_full());
  for (const char* message : {"w1", "w2", "w3"}) diagnostics.warning("w", Location::none(), message);
  for (const char* message : {"e2", "e3"}) diagnostics.error("e", Location::none(), message);
  EXPECT_EQ(messages(diagnostics), "e1 w1 w2 e2 ");
  EXPECT_TRUE(diagnostics.is_full());
  EXPECT_EQ(diagnostics.error_count(), 8u);
  EXPECT_EQ(diagnostics.warning_count(), 8u);
}

TEST(diagnostics, a_note_without_a_diagnostic_is_ignored) {
  Diagnostics diagnostics;
  diagnostics.note(Location::none(), "lost");
  EXPECT_TRUE(diagnostics.all().empty());
}

TEST(diagnostics, are_sorted_stably_by_place_with_placeless_ones_first) {
  Diagnostics diagnostics;
  diagnostics.error("e", Location::in_text(20, 21), "d");
  diagnostics.error("e", Location::in_text(0, 1), "b");
  diagnostics.error("e", Location::in_text(20, 30), "e");
  diagnostics.error("e", Location::none(), "a");
  diagnostics.error("e", Location::in_text(3, 4), "c");
  diagnostics.sort_by_place();
  EXPECT_EQ(messages(diagnostics), "a b c d e ");
}

TEST(diagnostics, are_changed_in_place) {
  Diagnostics diagnostics;
  diagnostics.error("a", Location::none(), "one");
  diagnostics.change_each([](Diagnostic& diagnostic) { diagnostic.hint = "two"; });
  EXPECT_EQ(diagnostics.all().front().hint, "two");
}

TEST(diagnostics, raised_warnings_are_errors_kept_or_not) {
  Diagnostics diagnostics(1);
  diagnostics.error("a", Location::none(), "");
  for (int i = 0; i < 3; ++i) diagnostics.warning("b", Location::none(), "");
  diagnostics.raise_warnings();
  EXPECT_EQ(diagnostics.error_count(), 4u);
  EXPECT_EQ(diagnostics.warning_count(), 0u);
  ASSERT_EQ(diagnostics.all().size(), 2u);
  EXPECT_EQ(diagnostics.all().back().severity, Severity::Error);
}

TEST(result, is_a_value_or_a_reported_error) {
  Diagnostics diagnostics;
  const auto half = [&](int number) -> Result<int> {
    if (number % 2 != 0) return diagnostics.error("odd", Location::none(), "odd number");
    return number / 2;
  };
  ASSERT_TRUE(half(6));
  EXPECT_EQ(*half(6), 3);
  EXPECT_FALSE(half(7).ok());
  EXPECT_EQ(diagnostics.error_count(), 1u);
}

// The program ends by abort(): in every build, and at each way to the value.
TEST(ResultDeathTest, has_no_value_after_a_failure) {
  Diagnostics diagnostics;
  Result<std::string> failed = diagnostics.error("odd", Location::none(), "odd number");
  const Result<std::string>& constant = failed;
  const auto aborts = testing::KilledBySignal(SIGABRT);
  EXPECT_EXIT(static_cast<void>(failed.value()), aborts, "");
  EXPECT_EXIT(static_cast<void>(constant.value()), aborts, "");
  EXPECT_EXIT(static_cast<void>(std::move(failed).value()), aborts, "");
  EXPECT_EXIT(static_cast<void>(*failed), aborts, "");
  EXPECT_EXIT(static_cast<void>(*constant), aborts, "");
  EXPECT_EXIT(static_cast<void>(*std::move(failed)), aborts, "");
  EXPECT_EXIT(static_cast<void>(failed->size()), aborts, "");
  EXPECT_EXIT(static_cast<void>(constant->size()), aborts, "");
  const Result<std::string> succeeded(std::string("text"));
  EXPECT_EXIT(static_cast<void>(succeeded.failure()), aborts, "");
}

}  // namespace
}  // namespace vireo
