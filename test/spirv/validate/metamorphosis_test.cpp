// SPDX-License-Identifier: Apache-2.0
//
// The cases of the validator after changes that change nothing: what is found stays the same, rule by rule.
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

// The rules of the findings, sorted by name: a change may move the instructions that they are about.
std::vector<std::string> rules_of(const Diagnostics& diagnostics) {
  std::vector<std::string> rules;
  for (const Diagnostic& diagnostic : diagnostics.all()) {
    // A use of another function's value is reported as used too early when that function stands further down.
    rules.emplace_back(diagnostic.rule == "other-function" ? "forward-reference" : diagnostic.rule);
  }
  std::sort(rules.begin(), rules.end());
  return rules;
}

// Whether a finding is about an instruction of the kind that a change removes, or in front of which it puts something.
bool is_about(const Diagnostics& found, const Module& module, bool (*is_meant)(Op)) {
  return std::any_of(found.all().begin(), found.all().end(), [&](const Diagnostic& diagnostic) {
    const std::uint64_t ordinal = diagnostic.where.instruction;
    return ordinal != 0 && ordinal <= module.instruction_count() &&
           is_meant(module.instruction(InstructionIndex(std::size_t{ordinal} - 1)).opcode);
  });
}

TEST(ValidatorMetamorphoses, change_nothing_that_is_found) {
  std::map<std::string_view, std::size_t> compared;
  for (const ValidatorCase& the_case : test::validator_cases()) {
    const std::optional<test::ReadCase> read = test::read_case(the_case);
    if (!read) continue;  // another test tells
    const Module module = Module::read(read->words);
    // Where instructions do not fit into their module, nobody can say where a change should put them.
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
