// SPDX-License-Identifier: Apache-2.0
//
// Values of cells for readers of findings.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "spirv/execute/program/program.h"
#include "spirv/validate/core/check.h"
#include "vireo/spirv/module/module.h"
#include "vireo/spirv/module/types.h"

namespace vireo::spirv {

/// A value that a step reads, and its id in the module.
struct StepOperand {
  Word id = 0;
  CellRef cells;
};
/// The operands of a step whose ids are operands of its instruction, in order.
std::vector<StepOperand> operands_of(const Module& module, const Step& step);

/// "7", "-0.5", "true", "(1, 2, 3)": a scalar or vector in a lane; empty for other types. The cells are those of the value,
/// each for `width` lanes.
std::string value_text(const TypeRow& type, const std::uint64_t* cells, std::uint32_t width, std::uint32_t lane);
/// "Sqrt": the name of the extended instruction.
std::string function_name(const ModuleCheck& c, InstructionIndex instruction);
/// One scalar.
std::string scalar_text(CellType type, std::uint64_t bits);

}  // namespace vireo::spirv
