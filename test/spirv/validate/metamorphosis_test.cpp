// SPDX-License-Identifier: Apache-2.0
//
// The cases of the validator after changes that preserve validity: the same rules are reported.
#include "spirv/validate/metamorphosis.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "spirv/validate/support/case_reader.h"
#include "spirv/validate/support/findings.h"

namespace vireo::spirv {
namespace {

using test::Metamorphosis;
using test::ValidatorCase;

// The rules of the findings, sorted by name, because a change may reorder them.
std::vector<std::string> rules_of(const Diagnostics& diagnostics) {
  std::vector<std::string> rules;
  for (const Diagnostic& diagnostic : diagnostics.all()) {
    // If the function follows the use, the use of another function's value is reported as a forward reference.
    rules.emplace_back(diagnostic.rule == "other-function" ? "forward-reference" : diagnostic.rule);
  }
  std::sort(rules.begin(), rules.end());
  return rules;
}

// Whether a finding is about an instruction that a change removes, or before which it inserts one.
bool is_about(const Diagnostics& found, const Module& module, bool (*applies)(Op)) {
  return std::any_of(found.all().begin(), found.all().end(), [&](const Diagnostic& diagnostic) {
    const std::uint64_t ordinal = diagnostic.where.instruction;
    return ordinal != 0 && ordinal <= module.instruction_count() &&
           applies(module.instruction(InstructionIndex(std::size_t{ordinal} - 1)).opcode);
  });
}

TEST(ValidatorMetamorphoses, leave_the_findings_unchanged) {
  std::map<std::string_view, std::size_t> compared;
  for (const ValidatorCase& the_case : test::validator_cases()) {
    const std::optional<test::ReadCase> read = test::read_case(the_case);
    if (!read) continue;  // another test reports the failure
    const Module module = Module::read(read->words);
    // With layout violations the position of a change is not well defined.
    if (!module.layout_violations().empty()) continue;
    const Diagnostics before = test::findings_of(read->words, read->options);
    for (const Metamorphosis& metamorphosis : test::metamorphoses) {
      if (is_about(before, module, test::metamorphosis::is_debug)) continue;
      const std::optional<WordBuffer> changed = metamorphosis.change(module);
      if (!changed) continue;
      ++compared[metamorphosis.name];
      EXPECT_EQ(rules_of(test::findings_of(*changed, read->options)), rules_of(before))
          << the_case.file << ':' << the_case.line << ": " << metamorphosis.name;
    }
  }
  for (const Metamorphosis& metamorphosis : test::metamorphoses) {
    EXPECT_GE(compared[metamorphosis.name], 20u) << metamorphosis.name;
  }
}

}  // namespace
}  // namespace vireo::spirv
