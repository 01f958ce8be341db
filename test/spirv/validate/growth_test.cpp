// SPDX-License-Identifier: Apache-2.0
//
// Large modules of every shape are judged, and rightly. What is not linear here does not end; how much work an instruction
// is, test/system/growth_test.cpp counts.
#include <gtest/gtest.h>

#include <string>

#include "spirv/validate/shapes.h"
#include "vireo/spirv/assemble.h"
#include "vireo/spirv/validate.h"

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
    options.environment = find_environment(shape.is_of_old_vulkan ? "vulkan1.0" : "spv1.6");
    validate(*words, options, diagnostics);
    for (const Diagnostic& found : diagnostics.all()) {
      if (found.rule == "environment-capability") continue;  // Vulkan has no libraries
      ADD_FAILURE() << shape.name << ": " << found.rule << ": " << found.message;
      break;
    }
  }
}

}  // namespace
}  // namespace vireo::spirv
