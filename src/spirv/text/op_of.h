// SPDX-License-Identifier: Apache-2.0
//
// The opcode of an instruction.
#pragma once

#include "vireo/spirv/binary/instruction.h"
#include "vireo/spirv/grammar/enums.h"

namespace vireo::spirv {

/// The opcode; its value may not be an enumerator of Op.
constexpr Op op_of(InstructionView instruction) { return instruction.opcode; }

}  // namespace vireo::spirv
