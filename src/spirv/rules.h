// SPDX-License-Identifier: Apache-2.0
//
// The names of the rules that the reader, the assembler, the disassembler, the builder and the commands report.
//
// A rule is a row of rules.def. The rules of grammar documents are in grammar/grammar_rules.h, those of
// the validator in validate/rules.
#pragma once

#include <cstdint>
#include <string_view>

namespace vireo::spirv {

/// What a rule applies to.
enum class RuleSubject : std::uint8_t {
  BinaryModule,
  AssemblyText,
  Builder,
  Specialization,
  Shrinking,
  ProfileDocument,
  Edit,
  Linking,
  Running,
  Query,
  Files,
  GrammarDocument,
};

struct RuleRow {
  std::string_view name;
  RuleSubject subject;
  std::string_view requirement;  ///< the requirement on the input
  std::string_view fix;          ///< sentences that say how to meet it
};

namespace rule {
#define RULE(identifier, name, subject, requirement, fix) inline constexpr std::string_view identifier = name;
#include "spirv/rules.def"
#undef RULE
}  // namespace rule

inline constexpr RuleRow rule_rows[] = {
#define RULE(identifier, name, subject, requirement, fix) {name, RuleSubject::subject, requirement, fix},
#include "spirv/rules.def"
#undef RULE
};

}  // namespace vireo::spirv
