// SPDX-License-Identifier: Apache-2.0
//
// Findings of a machine: their messages, with the invocation and the values of a lane (machine.h).
#include <fmt/format.h>

#include <string>

#include "spirv/execute/machine/machine.h"
#include "spirv/execute/report/value_text.h"

namespace vireo::spirv {
namespace {

std::string invocation_text(const LanePlaces& places, std::uint32_t lane) {
  const auto id = places.global(lane);
  return fmt::format("in invocation {},{},{}", id[0], id[1], id[2]);
}

}  // namespace

// The ids of the operands are read from the instruction: those of values that the step has in its first cells.
void Machine::report(Rule rule, const Step& step, std::uint16_t word, std::uint32_t lane, Arguments arguments) {
  std::string context = invocation_text(places_, lane);
  const ModuleCheck& c = state_.report->check();
  std::string values;
  for (const StepOperand& operand : operands_of(c.module, step)) {
    if (operand.cells.is_none() || c.is_constant(operand.id)) continue;
    std::string text = value_text(c.types.of(c.module.type_of(operand.id)), cells(operand.cells), width_, lane);
    if (!text.empty()) values += fmt::format("{}{} = {}", values.empty() ? "" : ", ", id_text(c, operand.id), text);
  }
  if (!values.empty()) context += ": " + values;
  state_.report->add(rule, {step.source, word}, arguments, context);
}

void Machine::report_undefined(Rule rule, const Step& step, std::uint16_t word, CellRef cell, std::uint32_t lane) {
  if (begins(rule, step)) {
    const ModuleCheck& c = state_.report->check();
    const InstructionView view = c.module.instruction(step.source);
    const std::uint32_t origin = *origins(cell);
    report(rule, step, word, lane, {word < view.word_count ? id_text(c, view.word(word)) : op_text(c, view.opcode)});
    if (origin != 0) {
      const InstructionIndex cause(origin - 1);
      const InstructionView made = c.module.instruction(cause);
      state_.report->note_origin(cause);
      const bool is_source = made.opcode == Op::OpLoad || made.opcode == Op::OpUndef;
      state_.report->note({cause, 0}, is_source ? "{id} is undefined here" : "{id} becomes undefined here",
                          {c.module.result_of(made)});
    }
  }
  *undefined(cell) = *undefined(cell) - LaneMask::of(lane);
}

void Machine::require_defined(Rule rule, const Step& step, std::uint16_t word, CellRef first, std::uint32_t count) {
  if (!has_checks()) return;
  for (std::uint32_t cell = 0; cell < count; ++cell) {
    const LaneMask lanes = *undefined(first.plus(cell)) & active_;
    if (!lanes.any()) continue;
    for_each_lane(lanes, [&](std::uint32_t lane) { report_undefined(rule, step, word, first.plus(cell), lane); });
  }
}

}  // namespace vireo::spirv
