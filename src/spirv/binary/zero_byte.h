// SPDX-License-Identifier: Apache-2.0
//
// Detects the end of a literal string: the first word with a zero byte (specification 2.2.1, Literal).
#pragma once

#include "vireo/spirv/word.h"

namespace vireo::spirv {

/// Whether any of the four bytes is zero. The test covers all bytes at once. It is exact, but does not find which byte
/// is zero.
constexpr bool has_zero_byte(Word word) { return ((word - 0x01010101u) & ~word & 0x80808080u) != 0; }

}  // namespace vireo::spirv
