// SPDX-License-Identifier: Apache-2.0
//
// The rules and messages of layout violations, one row for each kind.
#include "spirv/build/layout_violation_text.h"

#include <fmt/format.h>

#include <array>

#include "spirv/module/opcode_traits.h"
#include "spirv/module/section_walk.h"
#include "spirv/rules.h"

namespace vireo::spirv {
namespace {

// Placeholders: {0} the instruction, {1} the id concerned, {2} the bound, {3} the section that the instruction belongs
// to, {4} the section that it is in.
struct LayoutViolationRow {
  LayoutViolation::Kind kind;
  std::string_view rule;
  std::string_view message;
};
// clang-format off
constexpr auto violation_rows = [] {  // by kind
  using enum LayoutViolation::Kind;
  return std::to_array<LayoutViolationRow>({
      {ZeroWordCount,    rule::zero_word_count,       "an instruction has a word count of 0; expected at least 1"},
      {Truncated,        rule::truncated_instruction, "the word count of the last instruction exceeds the module"},
      {NoResult,         rule::missing_operand,       "{0} has no word for its result id"},
      {ZeroId,           rule::zero_id,               "{0} defines id 0; expected at least 1"},
      {BeyondBound,      rule::edit_bound,            "{0} defines id {1}, which is not less than the bound {2}; "
                                                      "expected an id from fresh_id()"},
      {DefinedTwice,     rule::duplicate_id,          "{0} redefines id {1}"},
      {OutOfSection,     rule::edit_place,            "{0} is among the {4}; expected it among the {3}"},
      {NestedFunction,   rule::edit_place,            "{0} inside a function; expected OpFunctionEnd before it"},
      {NoFunctionEnd,    rule::edit_place,            "function {1} has no OpFunctionEnd"},
      {EndOutside,       rule::edit_place,            "{0} outside a function"},
      {ParameterOutside, rule::edit_place,            "{0} does not directly follow OpFunction or another OpFunctionParameter"},
      {LabelOutside,     rule::edit_place,            "{0} outside a function"},
      {NoTerminator,     rule::edit_place,            "block {1} has no termination instruction"},
      {OutsideOfBlocks,  rule::edit_place,            "{0} outside a block"},
  });
}();
// clang-format on
static_assert([] {
  for (std::size_t i = 0; i < violation_rows.size(); ++i) {
    if (static_cast<std::size_t>(violation_rows[i].kind) != i) return false;
  }
  return violation_rows.size() == layout_violation_kinds;
}());

const LayoutViolationRow& row_of_violation(const LayoutViolation& violation) {
  return violation_rows[static_cast<std::size_t>(violation.kind)];
}

}  // namespace

std::string_view rule_of(const LayoutViolation& violation) { return row_of_violation(violation).rule; }

std::string message_of(const LayoutViolation& violation, const Module& module) {
  std::string name = "an instruction";
  Section home = Section::Functions, found = home;
  if (!violation.instruction.is_none()) {
    const Op opcode = module.instruction(violation.instruction).opcode;
    const InstructionRow* row = module.grammar().find_opcode(opcode);
    name = row == nullptr ? fmt::format("opcode {}", static_cast<unsigned>(opcode))
                          : std::string(module.grammar().text(row->name));
    home = traits_of(module.grammar(), row).home;
    found = section_at(module, violation.instruction);
  }
  return fmt::format(fmt::runtime(row_of_violation(violation).message), name, violation.id, module.header().bound,
                     name_of(home), name_of(found));
}

}  // namespace vireo::spirv
