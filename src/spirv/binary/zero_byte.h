// SPDX-License-Identifier: Apache-2.0
//
// Where literal strings end: the first word that holds a zero byte (specification 2.2.1, Literal).
#pragma once

#include "vireo/spirv/word.h"

namespace vireo::spirv {

/// Whether any of the four bytes is zero. All at once; exact for this question, not for which of them.
constexpr bool has_zero_byte(Word word) { return ((word - 0x01010101u) & ~word & 0x80808080u) != 0; }

}  // namespace vireo::spirv
