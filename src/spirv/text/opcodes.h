// SPDX-License-Identifier: Apache-2.0
//
// The few opcodes whose text means something to those below them.
//
// The one idea: all others are rows of the grammar and nothing else (docs/text.md, "What literals mean").
#pragma once

#include <cstdint>

namespace vireo::spirv::text::op {

inline constexpr std::uint16_t ext_inst_import = 11;
inline constexpr std::uint16_t ext_inst = 12;
inline constexpr std::uint16_t type_int = 21;
inline constexpr std::uint16_t type_float = 22;
inline constexpr std::uint16_t switch_ = 251;

}  // namespace vireo::spirv::text::op
