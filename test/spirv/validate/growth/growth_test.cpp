// SPDX-License-Identifier: Apache-2.0
//
// Large modules of every shape are validated correctly; an analysis that would take too long stops at the work budget
// and reports it. A check that is neither linear nor counted does not end here. test/system/growth_test.cpp counts the
// work for each instruction.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "spirv/validate/growth/shapes.h"
#include "vireo/spirv/text/assemble.h"
#include "vireo/spirv/validate/validate.h"

namespace vireo::spirv {
namespace {

constexpr Limits no_limits() {
  constexpr Word most = 0xFFFFFFFF;
  return {most, most, most, most, most, most, most, most, most, most, most, most};
}

TEST(ValidatorGrowth, takes_large_modules_of_every_shape) {
  for (const test::Shape& shape : test::all_shapes) {
    Diagnostics diagnostics;
    AssembleOptions assembly;
    if (shape.is_of_old_vulkan) assembly.version = {1, 0};
    const Result<WordBuffer> words = assemble({"shape", shape.make(shape.large)}, assembly, diagnostics);
    ASSERT_TRUE(words.ok()) << shape.name << ": " << diagnostics.all().front().message;
    ValidateOptions options;
    options.limits = no_limits();
    options.environment = find_environment(shape.is_of_old_vulkan ? "vulkan1.0" : "spv1.6").value();
    validate(*words, options, diagnostics);
    std::size_t stops = 0;
    for (const Diagnostic& found : diagnostics.all()) {
      if (found.rule == "environment-capability") continue;  // libraries are invalid in Vulkan
      if (found.rule == "work-limit" && ++stops == 1) continue;
      ADD_FAILURE() << shape.name << ": " << found.rule << ": " << found.message;
      break;
    }
    EXPECT_EQ(stops != 0, shape.is_stopped) << shape.name;
  }
}

// Unlike the shapes of shapes.h these are invalid, or valid only with an option.
TEST(ValidatorGrowth, takes_large_modules_that_are_invalid_or_need_an_option) {
  struct Row {
    std::string (*make)(std::size_t count);
    std::string_view environment;
    bool is_before_legalization;
    std::string_view rule;  // one of the reported rules; empty: none
  };
  const Row rows[] = {
      {test::shapes::variables_of_what_is_decorated, "spv1.6", false, "universal-limit"},
      {test::shapes::roundings, "spv1.6", false, "decoration-twice"},
      {test::shapes::wrong_strides, "vulkan1.0", false, "array-stride-alignment"},
      {test::shapes::crossed_arguments, "spv1.6", true, ""},
      {test::shapes::divergent<test::shapes::barriers_in_branches>, "spv1.6", false, "barrier-control-flow"},
      // The climbs through the selections are too long, so nothing is certain.
      {test::shapes::divergent<test::shapes::barrier_after_returns>, "spv1.6", false, ""},
      {test::shapes::divergent<test::shapes::barrier_after_phis>, "spv1.6", false, "barrier-control-flow"},
      {test::shapes::divergent<test::shapes::barrier_after_construction>, "spv1.6", false, "barrier-control-flow"},
      {test::shapes::divergent<test::shapes::barrier_after_calls>, "spv1.6", false, "barrier-control-flow"},
      {test::shapes::divergent<test::shapes::contents_at_returns>, "spv1.6", false, ""},
      // There are too many guards, so no access is certain.
      {test::shapes::divergent<test::shapes::guarded_accesses>, "vulkan1.3", false, ""},
  };
  constexpr std::size_t count = 40'000;
  for (const Row& row : rows) {
    Diagnostics diagnostics;
    AssembleOptions assembly;
    if (row.environment == "vulkan1.0") assembly.version = {1, 0};
    const Result<WordBuffer> words = assemble({"shape", row.make(count)}, assembly, diagnostics);
    ASSERT_TRUE(words.ok()) << diagnostics.all().front().message;
    ValidateOptions options;
    options.limits = no_limits();
    options.environment = find_environment(row.environment).value();
    if (row.is_before_legalization) options.features.add(Feature::BeforeHlslLegalization);
    validate(*words, options, diagnostics);
    const auto found = std::ranges::find(diagnostics.all(), row.rule, &Diagnostic::rule);
    EXPECT_EQ(found == diagnostics.all().end(), row.rule.empty()) << row.rule;
    EXPECT_EQ(diagnostics.all().empty(), row.rule.empty())
        << row.rule << (diagnostics.all().empty() ? "" : diagnostics.all().front().message);
  }
}

}  // namespace
}  // namespace vireo::spirv
