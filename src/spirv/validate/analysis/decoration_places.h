// SPDX-License-Identifier: Apache-2.0
//
// Places, texts and notes of decorations, for findings.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>

#include "spirv/validate/core/check.h"

namespace vireo::spirv {

/// The instruction that applies the decoration to its target.
inline Place instruction_place(const DecorationRow& row) {
  return {row.group_use.is_none() ? row.instruction : row.group_use, 0};
}
/// The decoration operand. If a group applies the decoration, the instruction that applies the group.
inline Place decoration_place(const DecorationRow& row) {
  if (!row.group_use.is_none()) return instruction_place(row);
  return {row.instruction, static_cast<std::uint16_t>(row.first_operand - 1)};
}
/// The target operand; the instruction that applies the group, if there is one.
inline Place target_place(const DecorationRow& row) {
  return row.group_use.is_none() ? Place{row.instruction, 1} : instruction_place(row);
}
/// The first operand of the decoration, also if a group applies it. The whole instruction if there is no operand.
inline Place parameter_place(const DecorationRow& row) { return {row.instruction, row.first_operand}; }

/// "%color", or "member 1 ('eye') of %Camera".
inline std::string target_text(const ModuleCheck& c, const DecorationRow& row) {
  return row.member == no_member ? id_text(c, row.target) : member_text(c, row.target, row.member);
}
/// "Uniform variable %camera"; "%sum, the result of OpIAdd" if the target is not a pointer.
inline std::string object_text(const ModuleCheck& c, Word target) {
  const TypeRow& type = c.type_of(target);
  const Op op = c.op_of(target);
  if (!type.is_pointer()) return id_text(c, target) + ", the result of " + op_text(c, op);
  return enumerant_text(c, type.storage) + (is_variable(op) ? " variable " : " pointer ") + id_text(c, target);
}

/// The place of a member in its OpTypeStruct. Precondition: the member exists.
inline Place member_place(const ModuleCheck& c, Word structure, Word member) {
  constexpr Word first_member = 2;  // after the result id
  return {c.module.definition(structure), static_cast<std::uint16_t>(first_member + member)};
}
/// Adds a note to the last finding: the declaration of the target. If the structure lacks the member, which another
/// check reports, the declaration of the structure.
inline void note_target(const ModuleCheck& c, Word target, Word member = no_member) {
  const InstructionIndex definition = c.module.definition(target);
  if (definition.is_none()) return;
  const TypeRow& type = c.types.of(target);
  if (type.is(TypeKind::Struct) && member < type.count) {
    c.note(member_place(c, target, member), "member declared here");
  } else {
    c.note({definition, 0}, is_variable(c.op_of(target)) ? "variable declared here" : "declared here");
  }
}
/// Adds a note to the last finding: the instruction that applies a decoration.
inline void note_decoration(const ModuleCheck& c, const DecorationRow& row) {
  c.note(decoration_place(row), "{enumerant} applied here", {row.decoration});
}
/// A decoration that a target or its member lacks.
inline Report::DecorationFault missing_decoration(Decoration decoration, Word target, Word member = no_member) {
  return {Report::DecorationFault::Missing, decoration, target, member};
}
/// Reports that one of these decorations is missing. If an earlier finding states that it is misplaced, the message
/// becomes a note of that finding. Returns whether there is a finding of its own, which may have notes and a hint.
inline bool report_missing(const ModuleCheck& c, std::initializer_list<Report::DecorationFault> faults, Rule rule,
                           Place place, Arguments arguments) {
  for (const Report::DecorationFault& each : faults) {
    if (!c.findings.join_counterpart(each, rule)) continue;
    c.note(place, rule, arguments);
    return false;
  }
  c.report(rule, place, arguments);
  for (const Report::DecorationFault& each : faults) c.findings.await_counterpart(each);
  return true;
}
/// The cause of a finding about the layout of a type in a storage class without layouts (Report::add_once).
inline std::string layout_cause(Word type, StorageClass storage) {
  return std::to_string(type) + " in " + std::to_string(static_cast<Word>(storage));
}
/// The first row of a decoration on any member of a structure; nullptr if there is none. Linear, for findings only.
inline const DecorationRow* find_on_member(const ModuleCheck& c, Word structure, Decoration decoration) {
  for (const DecorationRow& row : c.decorations.all_of(structure)) {
    if (row.member != no_member && row.decoration == decoration) return &row;
  }
  return nullptr;
}

}  // namespace vireo::spirv
