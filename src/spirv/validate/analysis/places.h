// SPDX-License-Identifier: Apache-2.0
//
// Places and notes of entry points and execution modes, for findings. The rows in
// vireo/spirv/module/module_declarations.h store only the values of the operands and the instruction.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>

#include "spirv/validate/core/check.h"
#include "vireo/spirv/binary/views/mode_setting.h"

namespace vireo::spirv {

inline Place model_place(const ModuleCheck& c, const EntryPointRow& entry) {
  return place_of(c, entry.instruction, OperandName::execution_model);
}
inline Place function_place(const ModuleCheck& c, const EntryPointRow& entry) {
  return place_of(c, entry.instruction, OperandName::entry_point);
}

// OpExecutionMode and OpExecutionModeId have the same operands.
inline Place function_place(const ExecutionModeRow& row) {
  return {row.instruction, word_of(Op::OpExecutionMode, OperandName::entry_point)};
}
inline Place mode_place(const ExecutionModeRow& row) {
  return {row.instruction, word_of(Op::OpExecutionMode, OperandName::mode)};
}
/// The place of an element of `row.operands`; these operands follow the mode.
inline Place parameter_place(const ExecutionModeRow& row, std::size_t number) {
  return {row.instruction, static_cast<std::uint16_t>(mode_place(row).word + 1 + number)};
}
/// The mode operand, as a view that reads its parameters by name.
inline ExecutionModeView mode_of(const ModuleCheck& c, const ExecutionModeRow& row) {
  return View<Op::OpExecutionMode>(c.module.instruction(row.instruction)).mode();
}

/// The cause of a finding about a mode that an entry point lacks (Report::add_once).
inline std::string missing_mode(const EntryPointRow& entry, ExecutionMode mode) {
  return std::to_string(entry.instruction.raw) + " " + std::to_string(static_cast<Word>(mode));
}

/// The cause of a finding about a mode that is set for a wrong function (Report::add_once): one that is no entry point,
/// that has the mode already, or of another execution model.
inline std::string mode_cause(const ExecutionModeRow& row) {
  return std::to_string(static_cast<Word>(row.mode)) + " " + std::to_string(row.function);
}
/// An entry point lacks one of these modes, which breaks the rule `consequence`. If a mode of them is set for a wrong
/// function, makes that finding the last one, so that a note can name the consequence, and returns true. The search is
/// linear in the modes, so only findings that are kept need it.
inline bool join_misplaced_mode(const ModuleCheck& c, std::span<const ExecutionMode> modes, const EntryPointRow& entry,
                                Rule consequence) {
  if (!c.has_room_for(consequence)) return false;
  return std::ranges::any_of(c.module_declarations.execution_modes(), [&](const ExecutionModeRow& row) {
    if (!is_one_of(modes, row.mode) || row.function == entry.function) return false;
    const std::string cause = mode_cause(row), own = cause + " for " + std::to_string(entry.instruction.raw);
    return std::ranges::any_of(std::initializer_list<Rule>{Rule::ModeOfEntryPoint, Rule::ModeTwice, Rule::ModeModel},
                               [&](Rule rule) { return c.findings.join(rule, own, cause, consequence); });
  });
}

/// Adds a note to the last finding: the instruction that sets a mode of a function. No note if the function lacks the
/// mode.
inline void note_mode(const ModuleCheck& c, Word function, ExecutionMode mode) {
  const ExecutionModeRow* row = c.module_declarations.mode(function, mode);
  if (row != nullptr) c.note(mode_place(*row), "{enumerant} set here", {mode});
}

}  // namespace vireo::spirv
