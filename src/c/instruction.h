// SPDX-License-Identifier: Apache-2.0
//
// Instructions and headers of the library as structs of vireo.h: what walks and modules say alike.
#pragma once

#include "c/handles.h"
#include "vireo/spirv/instruction.h"

namespace vireo::c {

/// What an instruction is without its operands. `row` is the grammar's; null: it does not know the opcode.
vireo_instruction bare_instruction(spirv::InstructionView view, std::uint32_t index, const spirv::InstructionRow* row,
                                   const spirv::Grammar& grammar);

vireo_header to_c(const spirv::Header& header);

}  // namespace vireo::c
