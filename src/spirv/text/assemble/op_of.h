// SPDX-License-Identifier: Apache-2.0
//
// An instruction's opcode by its name.
#pragma once

#include "vireo/spirv/enums.h"
#include "vireo/spirv/instruction.h"

namespace vireo::spirv {

/// The opcode as an enumerator; it need not be one of them.
constexpr Op op_of(InstructionView instruction) { return instruction.opcode; }

}  // namespace vireo::spirv
