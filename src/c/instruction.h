// SPDX-License-Identifier: Apache-2.0
//
// Converts instructions and headers to structs of vireo.h, for vireo_parse and for modules.
#pragma once

#include "c/handles.h"
#include "vireo/spirv/binary/instruction.h"

namespace vireo::c {

/// Converts an instruction without its operands. `row` is the grammar's row; null if the opcode is unknown.
vireo_instruction bare_instruction(spirv::InstructionView view, std::uint32_t index, const spirv::InstructionRow* row,
                                   const spirv::Grammar& grammar);

vireo_header to_c(const spirv::Header& header);

}  // namespace vireo::c
