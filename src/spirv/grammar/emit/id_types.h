// SPDX-License-Identifier: Apache-2.0
//
// The class of ids that an operand accepts: a type, a value, a label, … The grammar calls most of them IdRef; the
// name of the operand determines the class. Builder calls and typed views use the same classes.
#pragma once

#include <cstdint>
#include <string_view>

#include "vireo/spirv/grammar/grammar.h"

namespace vireo::spirv {

/// The C++ type (operand_values.h) of an operand of kind IdRef: "TypeId", "ValueId", "LabelId", … `owner` is the
/// opcode; OpNop for a parameter of an enumerant.
std::string_view id_type_of(const Grammar& grammar, Op owner, std::string_view operand_name);

/// The C++ type of an instruction's result.
std::string_view result_type_of(std::string_view opcode, std::uint8_t flags);

}  // namespace vireo::spirv
