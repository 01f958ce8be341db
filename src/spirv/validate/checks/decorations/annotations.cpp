// SPDX-License-Identifier: Apache-2.0
//
// Annotation instructions: their members, groups, forms, and the order of their operands. decoration_checks.cpp checks
// the decorations that result from them.
//
// Source: specification 3.42.3 (annotation instructions).
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>

#include "spirv/validate/checks/decorations/decoration_places.h"
#include "spirv/validate/checks/extended_sets/extended_sets.h"
#include "spirv/validate/engine/checks.h"
#include "spirv/validate/engine/fixes.h"
#include "vireo/spirv/views/annotation.h"
#include "vireo/spirv/views/constant_creation.h"

namespace vireo::spirv {
namespace {

using enum Op;

// --- annotation instructions -----------------------------------------------------------------------------------------

// Checks that the structure type has a member of this number. `decoration`: of the instruction; nothing if a group has
// the decorations.
void check_member(const Context& context, const DecodedInstruction& visit, AnyOperand type, Located<Word> member,
                  std::optional<Decoration> decoration, Report& report) {
  const TypeRow& row = context.types.of(type);
  const bool is_struct = row.is(TypeKind::Struct);
  if (is_struct && member < row.count) return;
  if (decoration && report.join_counterpart(*decoration, Report::Misplaced::Yes, type)) {
    report.note(visit.at(member), fmt::format("{} decorates member {} of {}", enumerant_text(context, *decoration),
                                              member.value, id_text(context, type)));
    return;
  }
  if (!is_struct) {
    report.add(Rule::MemberOfStruct, visit.at(type),
               {op_text(context, visit.op()), id_text(context, type), op_text(context, context.op_of(type))});
    note_target(context, report, type);
  } else {
    // A structure that lacks a member is one fault, however many decorations the member has.
    const std::string cause = fmt::format("{} {}", type.id, member.value);
    if (report.join(Rule::MemberNumber, fmt::format("{} {}", cause, visit.index.raw), cause)) {
      report.note(visit.at(member), fmt::format("member {} is decorated here as well", member.value));
      return;
    }
    report.add_once(Rule::MemberNumber, visit.at(member), cause,
                    {std::to_string(member), id_text(context, type), std::to_string(row.count)});
    note_target(context, report, type);
  }
  if (decoration) report.await_counterpart(*decoration, Report::Misplaced::Yes, type);
}

// All these instructions begin with the same operands as OpMemberDecorate. Only the name of the type operand in the
// grammar differs.
void check_member_decorate(const Context& context, const DecodedInstruction& visit, Report& report) {
  const auto decorate = visit.as<OpMemberDecorate>();
  check_member(context, visit, decorate.structure_type(), decorate.member(), decorate.decoration().value(), report);
}

void check_group(const Context& context, const DecodedInstruction& visit, Report& report) {
  const AnyOperand group = visit.operand(OperandName::decoration_group);
  if (context.op_of(group) != OpDecorationGroup) {
    report.add(Rule::DecorationGroup, visit.at(group),
               {op_text(context, visit.op()), id_text(context, group), op_text(context, context.op_of(group))});
    note_target(context, report, group);
    return;
  }
  if (visit.op() == OpGroupDecorate) {
    // Several instructions may apply a group to the same target; one list must not repeat a target.
    std::set<Word> seen;
    for (const auto target : visit.as<OpGroupDecorate>().targets()) {
      if (context.op_of(target) == OpDecorationGroup) {
        report.add(Rule::NestedDecorationGroup, visit.at(target), {id_text(context, target)});
      } else if (!seen.insert(target).second) {
        report.add(Rule::GroupTargetTwice, visit.at(target), {id_text(context, target)});
        fix_by_removal_of_word(context, report, visit.at(target));
      }
    }
    return;
  }
  for (const MemberOperand& target : visit.as<OpGroupMemberDecorate>().targets()) {
    check_member(context, visit, target.type, target.member, std::nullopt, report);
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
void check_form(const Context& context, const DecodedInstruction& visit, Report& report) {
  const FormRow& form =
      *std::find_if(std::begin(forms), std::end(forms), [&](const FormRow& row) { return row.opcode == visit.op(); });
  const AnyOperand decoration = visit.operand(OperandName::decoration);
  // The decoded operand has the grammar's operand kind.
  const auto operand = std::ranges::find(visit.operands, decoration.word, &Operand::word);
  if (operand == visit.operands.end()) return;
  const EnumerantRow* row = context.grammar().find_value(operand->kind, decoration);
  // ConditionalINTEL takes a condition in either form (SPV_INTEL_function_variants).
  if (row == nullptr || static_cast<Decoration>(row->value) == Decoration::ConditionalINTEL) return;
  const Operands found = operands_of(context.grammar(), *row);
  // OpDecorate also takes strings, because it predates OpDecorateString.
  if (found == form.takes || (found == Operands::Texts && form.takes == Operands::Numbers)) return;
  const FormRow& expected = *std::find_if(std::begin(forms), std::end(forms), [&](const FormRow& other) {
    return other.takes == found && other.is_of_member == form.is_of_member;
  });
  report.add(Rule::DecorationForm, visit.at(*operand),
             {context.grammar().text(row->name), op_text(context, form.opcode), op_text(context, expected.opcode)});
}

// The id operands of a decoration must be defined before its target.
void check_operand_order(const Context& context, const DecodedInstruction& visit, Report& report) {
  const auto decorate = visit.as<OpDecorateId>();
  const InstructionIndex target = context.module.definition(decorate.target());
  if (target.is_none()) return;
  const auto decoration = decorate.decoration();
  const IdList<IdKind::Any> operands(decoration.parameters(), decoration.word() + std::size_t{1});
  for (const auto operand : operands) {
    const InstructionIndex definition = context.module.definition(operand);
    if (definition.is_none() || definition < target) continue;
    report.add(
        Rule::DecorationOperandOrder, visit.at(operand),
        {id_text(context, operand), enumerant_text(context, decoration.value()), id_text(context, decorate.target())});
    report.note({definition, 0}, "operand defined here");
    report.note({target, 0}, "target defined here");
  }
}

// The target of OpDecorate may be a decoration group; that of OpDecorateId may not.
void check_decorate_id(const Context& context, const DecodedInstruction& visit, Report& report) {
  const AnyOperand target = visit.as<OpDecorateId>().target();
  if (context.op_of(target) == OpDecorationGroup) {
    report.add(Rule::GroupUse, visit.at(target), {op_text(context, visit.op()), id_text(context, target)});
    note_target(context, report, target);
    return;
  }
  check_operand_order(context, visit, report);
}

void check_group_uses(const Context& context, const DecodedInstruction& visit, Report& report) {
  // some_uses() contains all uses of the groups that are declared in the annotation section.
  const bool is_in_annotations = context.module.section(Section::Annotations).contains(visit.index);
  const Uses& uses = is_in_annotations ? context.facts.some_uses() : context.facts.uses();
  for (const Use& use : uses.of(visit.result)) {
    const InstructionView user = context.module.instruction(use.instruction);
    const Op op = user.opcode;
    // SPV_KHR_non_semantic_info: a non-semantic instruction may name any id, because it has no effect.
    if (is_extended(op) && is_non_semantic(context, user)) continue;
    // Other checks cover OpDecorateId and OpGroupDecorate.
    if (only_annotates(op)) continue;
    report.add(Rule::GroupUse, {use.instruction, use.word}, {op_text(context, op), id_text(context, visit.result)});
    note_target(context, report, visit.result);
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
