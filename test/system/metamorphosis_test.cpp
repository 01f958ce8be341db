// SPDX-License-Identifier: Apache-2.0
//
// Real modules after changes that preserve semantics: the verdict and the rules stay the same, valid or not.
//
// A module that is validated for the wrong environment is invalid in ways that no hand-written test covers. So each
// module is validated in two environments, which need not include its own.
#include "spirv/validate/metamorphosis.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <set>

#include "system/real_modules.h"
#include "vireo/spirv/validate/validate.h"

namespace vireo::system_test {
namespace {

using namespace spirv;

std::multiset<std::string_view> rules_of(Words words, const ValidateOptions& options) {
  Diagnostics diagnostics;
  validate(words, options, diagnostics);
  std::multiset<std::string_view> rules;
  for (const Diagnostic& diagnostic : diagnostics.all()) rules.insert(diagnostic.rule);
  return rules;
}

std::string difference(const std::multiset<std::string_view>& before, const std::multiset<std::string_view>& after) {
  std::string text;
  for (const std::string_view rule : before) {
    if (!after.contains(rule)) text.append(" no longer ").append(rule);
  }
  for (const std::string_view rule : after) {
    if (!before.contains(rule)) text.append(" now ").append(rule);
  }
  return text.empty() ? " in number" : text;
}

TEST(ValidatorMetamorphoses, do_not_change_the_verdict_of_real_modules) {
  std::atomic<std::size_t> compared = 0;
  check_real_modules([&](const Module& module) -> std::string {
    std::string faults;
    for (const std::string_view name : {"spv1.6", "vulkan1.1"}) {
      ValidateOptions options;
      options.environment = find_environment(name).value();
      const std::multiset<std::string_view> before = rules_of(module.words(), options);
      for (const test::Metamorphosis& metamorphosis : test::metamorphoses) {
        const std::optional<WordBuffer> changed = metamorphosis.change(module);
        if (!changed) continue;
        ++compared;
        const std::multiset<std::string_view> after = rules_of(*changed, options);
        if (after == before) continue;
        faults.append(metamorphosis.name).append(" for ").append(name).append(":").append(difference(before, after)) +=
            '\n';
      }
    }
    return faults;
  });
  if (::testing::Test::IsSkipped()) return;
  EXPECT_GE(compared, 10'000u);
}

}  // namespace
}  // namespace vireo::system_test
