// SPDX-License-Identifier: Apache-2.0
//
// Annotation instructions: their members, groups, forms, and the order of their operands. decoration_checks.cpp checks
// the decorations that result from them.
//
// Source: specification 3.42.3 (annotation instructions).
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <span>
#include <vector>

#include "spirv/validate/analysis/decoration_places.h"
#include "spirv/validate/analysis/extended_sets.h"
#include "spirv/validate/analysis/fixes.h"
#include "spirv/validate/checks/checks.h"
#include "vireo/spirv/binary/views/annotation.h"
#include "vireo/spirv/binary/views/constant_creation.h"

namespace vireo::spirv {
namespace {

using enum Op;

// --- annotation instructions -----------------------------------------------------------------------------------------

// Checks that the structure type has a member of this number. `decorations`: of the instruction, or of its group.
void check_member(const InstructionCheck& c, AnyOperand type, Located<Word> member,
                  std::span<const Decoration> decorations) {
  const TypeRow& row = c.types.of(type);
  const bool is_struct = row.is(TypeKind::Struct);
  if (is_struct && member < row.count) return;
  const auto fault = [&](Decoration decoration) {
    return Report::DecorationFault{Report::DecorationFault::Wrong, decoration, type, member};
  };
  const Rule rule = is_struct ? Rule::MemberNumber : Rule::MemberOfStruct;
  for (const Decoration each : decorations) {
    if (!c.findings.join_counterpart(fault(each), rule)) continue;
    c.note(c.at(member), "{enumerant} decorates member {text} of {id}", {each, member.value, type});
    return;
  }
  if (!is_struct) {
    c.report(Rule::MemberOfStruct, c.at(type), {c.op(), type, c.op_of(type)});
    note_target(c, type);
  } else {
    // A structure that lacks a member is one fault, however many decorations the member has.
    const std::string cause = fmt::format("{} {}", type.id, member.value);
    if (c.findings.join(Rule::MemberNumber, fmt::format("{} {}", cause, c.index.raw), cause, Rule::MemberNumber)) {
      c.note(c.at(member), "member {text} is decorated here as well", {member.value});
      return;
    }
    c.report_once(Rule::MemberNumber, c.at(member), cause, {member, type, row.count});
    note_target(c, type);
  }
  for (const Decoration each : decorations) c.findings.await_counterpart(fault(each));
}

// All these instructions begin with the same operands as OpMemberDecorate. Only the name of the type operand in the
// grammar differs.
void check_member_decorate(const InstructionCheck& c) {
  const auto decorate = c.as<OpMemberDecorate>();
  const Decoration decoration = decorate.decoration();
  const std::size_t count = c.op() == OpMemberName ? 0 : 1;
  check_member(c, decorate.structure_type(), decorate.member(), std::span(&decoration, count));
}

void check_group(const InstructionCheck& c) {
  const AnyOperand group = c.operand(OperandName::decoration_group);
  if (c.op_of(group) != OpDecorationGroup) {
    c.report(Rule::DecorationGroup, c.at(group), {c.op(), group, c.op_of(group)});
    note_target(c, group);
    return;
  }
  if (c.op() == OpGroupDecorate) {
    // Several instructions may apply a group to the same target; one list must not repeat a target.
    std::set<Word> seen;
    for (const auto target : c.as<OpGroupDecorate>().targets()) {
      if (c.op_of(target) == OpDecorationGroup) {
        c.report(Rule::NestedDecorationGroup, c.at(target), {target});
      } else if (!seen.insert(target).second) {
        c.report(Rule::GroupTargetTwice, c.at(target), {target});
        fix_by_removal_of_word(c, c.at(target));
      }
    }
    return;
  }
  // The first decorations of the group suffice to find the consequences of a wrong target.
  constexpr std::size_t most = 8;
  std::vector<Decoration> decorations;
  for (const DecorationRow& row : c.decorations.of(group)) {
    if (decorations.size() < most) decorations.push_back(row.decoration);
  }
  for (const MemberOperand& target : c.as<OpGroupMemberDecorate>().targets()) {
    check_member(c, target.type, target.member, decorations);
  }
}

// --- instruction forms -----------------------------------------------------------------------------------------------

enum class Operands : std::uint8_t { Numbers, Ids, Texts };

struct FormRow {
  Op opcode;
  bool is_of_member;
  Operands takes;  // the kind of the operands after the decoration
};
constexpr FormRow forms[] = {
    {OpDecorate, false, Operands::Numbers},       {OpDecorateId, false, Operands::Ids},
    {OpDecorateString, false, Operands::Texts},   {OpMemberDecorate, true, Operands::Numbers},
    {OpMemberDecorateIdEXT, true, Operands::Ids}, {OpMemberDecorateString, true, Operands::Texts},
};

// The grammar states the kind of a decoration's operands, so new decorations need no row here.
Operands operands_of(const Grammar& grammar, const EnumerantRow& decoration) {
  const auto parameters = grammar.operands(decoration.parameters);
  const auto is_id = [](const OperandRow& operand) { return operand.shape <= OperandShape::IdMemorySemantics; };
  const auto is_text = [](const OperandRow& operand) { return operand.shape == OperandShape::LiteralString; };
  if (std::any_of(parameters.begin(), parameters.end(), is_id)) return Operands::Ids;
  const bool is_of_texts = !parameters.empty() && std::all_of(parameters.begin(), parameters.end(), is_text);
  return is_of_texts ? Operands::Texts : Operands::Numbers;
}

// descriptor_heap.cpp checks OpMemberDecorateIdEXT.
void check_form(const InstructionCheck& c) {
  const FormRow& form =
      *std::find_if(std::begin(forms), std::end(forms), [&](const FormRow& row) { return row.opcode == c.op(); });
  const AnyOperand decoration = c.operand(OperandName::decoration);
  // The decoded operand has the grammar's operand kind.
  const auto operand = std::ranges::find(c.operands, decoration.word, &Operand::word);
  if (operand == c.operands.end()) return;
  const EnumerantRow* row = c.grammar().find_value(operand->kind, decoration);
  // ConditionalINTEL takes a condition in either form (SPV_INTEL_function_variants).
  if (row == nullptr || static_cast<Decoration>(row->value) == Decoration::ConditionalINTEL) return;
  const Operands found = operands_of(c.grammar(), *row);
  // OpDecorate also takes strings, because it predates OpDecorateString.
  if (found == form.takes || (found == Operands::Texts && form.takes == Operands::Numbers)) return;
  const FormRow& expected = *std::find_if(std::begin(forms), std::end(forms), [&](const FormRow& other) {
    return other.takes == found && other.is_of_member == form.is_of_member;
  });
  c.report(Rule::DecorationForm, c.at(*operand), {c.grammar().text(row->name), form.opcode, expected.opcode});
}

// The id operands of a decoration must be defined before its target.
void check_operand_order(const InstructionCheck& c) {
  const auto decorate = c.as<OpDecorateId>();
  const InstructionIndex target = c.module.definition(decorate.target());
  if (target.is_none()) return;
  const auto decoration = decorate.decoration();
  // descriptor_heap.cpp reports a stride of another target, decoration_checks.cpp an identifier of no value.
  const bool is_of_value = decoration == Decoration::UniformId;
  if (is_of_value && c.module.type_of(decorate.target()) == 0) return;
  if (decoration == Decoration::ArrayStrideIdEXT && !c.types.of(decorate.target()).is_array()) return;
  const IdList<IdKind::Any> operands(decoration.parameters(), decoration.word() + std::size_t{1});
  for (const auto operand : operands) {
    const InstructionIndex definition = c.module.definition(operand);
    if (definition.is_none() || definition < target) continue;
    c.report(Rule::DecorationOperandOrder, c.at(operand), {operand, decoration.value(), decorate.target()});
    c.note({definition, 0}, "operand defined here");
    c.note({target, 0}, "target defined here");
  }
}

// The target of OpDecorate may be a decoration group; that of OpDecorateId may not.
void check_decorate_id(const InstructionCheck& c) {
  const AnyOperand target = c.as<OpDecorateId>().target();
  if (c.op_of(target) == OpDecorationGroup) {
    c.report(Rule::GroupUse, c.at(target), {c.op(), target});
    note_target(c, target);
    return;
  }
  check_operand_order(c);
}

void check_group_uses(const InstructionCheck& c) {
  // some_uses() contains all uses of the groups that are declared in the annotation section.
  const bool is_in_annotations = c.module.section(Section::Annotations).contains(c.index);
  const Uses& uses = is_in_annotations ? c.facts.some_uses() : c.facts.uses();
  for (const Use& use : uses.of(c.result)) {
    const InstructionView user = c.module.instruction(use.instruction);
    const Op op = user.opcode;
    // SPV_KHR_non_semantic_info: a non-semantic instruction may name any id, because it has no effect.
    if (is_extended(op) && is_non_semantic(c, user)) continue;
    // Other checks cover OpDecorateId and OpGroupDecorate.
    if (only_annotates(op)) continue;
    c.report(Rule::GroupUse, {use.instruction, use.word}, {op, c.result});
    note_target(c, c.result);
  }
}

}  // namespace

std::span<const Check> annotation_checks() {
  static constexpr Check checks[] = {
      {{OpDecorate, OpDecorateId, OpDecorateString, OpMemberDecorate, OpMemberDecorateString}, check_form},
      {{OpMemberDecorate, OpMemberDecorateIdEXT, OpMemberDecorateString, OpMemberName}, check_member_decorate},
      {{OpDecorateId}, check_decorate_id},
      {{OpGroupDecorate, OpGroupMemberDecorate}, check_group},
      {{OpDecorationGroup}, check_group_uses},
  };
  return checks;
}

}  // namespace vireo::spirv
