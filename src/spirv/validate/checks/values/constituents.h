// SPDX-License-Identifier: Apache-2.0
//
// The constituents of a composite, with those of the instructions that continue it (SPV_INTEL_long_composites).
//
// An instruction that continues a composite has neither result nor type, so the check of the composite
// visits its constituents as well. A finding points at the instruction that has the constituent.
#pragma once

#include <cstddef>
#include <cstdint>

#include "spirv/validate/analysis/type_parts.h"
#include "spirv/validate/core/check.h"
#include "vireo/spirv/binary/views/composite.h"

namespace vireo::spirv {

/// Calls `check(visit, constituent, i)` for each constituent, in order. `visit` is the instruction that has it; its
/// result type is that of the composite.
template <typename List, typename Check>
void for_each_constituent(const InstructionCheck& c, const List& constituents, Check check) {
  std::size_t i = 0;
  for (const AnyOperand constituent : constituents) check(c, constituent, i++);
  const Op continued = continuation_of(c.op());
  if (continued == Op::OpNop) return;
  InstructionCheck rest = c;
  for (std::uint32_t next = c.index.raw + 1; next < c.module.instruction_count(); ++next) {
    rest.index = InstructionIndex(next);
    rest.view = c.module.instruction(rest.index);
    rest.opcode = rest.view.opcode;
    if (rest.opcode != continued) break;
    for (const AnyOperand constituent : rest.as<Op::OpCompositeConstructContinuedINTEL>().constituents()) {
      // Soundness was only tested for the ids of the first instruction. An id without a type has its own finding.
      const bool is_value = c.module.type_of(constituent) != 0 && c.soundness.is_sound(constituent);
      if (is_value) check(rest, constituent, i);
      ++i;
    }
  }
}

}  // namespace vireo::spirv
