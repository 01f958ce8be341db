// SPDX-License-Identifier: Apache-2.0
//
// Reads the OperandIndex of a module (specification 2.3).
#include "spirv/transform/operand_index.h"

#include <optional>
#include <utility>

#include "spirv/binary/decode_all.h"
#include "spirv/build/layout_violation_text.h"

namespace vireo::spirv {

Result<OperandIndex> OperandIndex::read(const Module& module, Diagnostics& diagnostics, OperandIndex memory) {
  std::optional<Reported> reported;
  for (const LayoutViolation& violation : module.layout_violations()) {
    // These two do not affect the index: it refers to definitions, and an instruction stays where it is.
    using enum LayoutViolation::Kind;
    if (violation.kind == BeyondBound || violation.kind == OutOfSection) continue;
    reported =
        diagnostics.error(rule_of(violation), module.location_of(violation.instruction), message_of(violation, module));
  }
  OperandIndex index = std::move(memory);
  index.begins_.clear();
  index.rows_.clear();
  index.begins_.reserve(module.instruction_count() + std::size_t{1});
  index.begins_.push_back(0);
  // Each operand is a word, and each instruction has a first word, so the list does not grow.
  index.rows_.reserve(module.words().size() - module.instruction_count());
  const auto take = [&](std::uint32_t, InstructionView view, const OperandDecoder& decoder) {
    for (const Operand& operand : decoder.operands()) {
      if (operand.uses_id()) index.rows_.push_back({module.definition(view.word(operand.word)), operand.word});
    }
    index.begins_.push_back(static_cast<std::uint32_t>(index.rows_.size()));
  };
  if (const auto fault = decode_all(module.words(), module.grammar(), diagnostics, take)) reported = fault;
  if (reported) return *reported;
  return index;
}

}  // namespace vireo::spirv
