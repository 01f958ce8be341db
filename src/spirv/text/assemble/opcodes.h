// SPDX-License-Identifier: Apache-2.0
//
// The few opcodes whose text means something to those below them.
//
// The one idea: all others are rows of the grammar and nothing else (docs/text.md, "What literals mean").
#pragma once

#include <cstdint>

#include "vireo/spirv/enums.h"

namespace vireo::spirv::text::op {

constexpr std::uint16_t number(Op opcode) { return static_cast<std::uint16_t>(opcode); }

inline constexpr std::uint16_t ext_inst_import = number(Op::OpExtInstImport);
inline constexpr std::uint16_t ext_inst = number(Op::OpExtInst);
inline constexpr std::uint16_t type_int = number(Op::OpTypeInt);
inline constexpr std::uint16_t type_float = number(Op::OpTypeFloat);
inline constexpr std::uint16_t switch_ = number(Op::OpSwitch);  // NOLINT(readability-identifier-naming): a keyword

}  // namespace vireo::spirv::text::op
