// SPDX-License-Identifier: Apache-2.0
//
// Findings for words, or for a module as assembly text; and their form in tests.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "spirv/module/assembled.h"
#include "vireo/spirv/validate/validate.h"

namespace vireo::spirv::test {

/// All findings. Checks each time that a module with errors is reported as invalid.
inline Diagnostics findings_of(Words words, const ValidateOptions& options = {}) {
  Diagnostics found;
  const bool is_valid = validate(words, options, found);
  EXPECT_EQ(is_valid, !found.has_errors());
  return found;
}
inline Diagnostics findings_of(std::string_view text, const ValidateOptions& options = {}) {
  return findings_of(assembled(text), options);
}

/// "index-bounds", in the order of the findings.
inline std::vector<std::string> rules_of(const Diagnostics& found) {
  std::vector<std::string> rules;
  for (const Diagnostic& diagnostic : found.all()) rules.emplace_back(diagnostic.rule);
  return rules;
}

/// "id-bound: id 1 is not less than the bound 1 in the header", in the same order.
inline std::vector<std::string> rules_and_messages_of(const Diagnostics& found) {
  std::vector<std::string> lines;
  for (const Diagnostic& diagnostic : found.all())
    lines.push_back(std::string(diagnostic.rule) + ": " + diagnostic.message);
  return lines;
}

}  // namespace vireo::spirv::test
