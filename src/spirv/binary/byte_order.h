// SPDX-License-Identifier: Apache-2.0
//
// The other byte order, for both doors of the binary (reader.h, writer.h).
//
// The one idea: words in memory are always in host order; bytes change places at the doors and nowhere else.
// Specification 2.3: the byte order of a module is whatever its magic number says.
#pragma once

#include <bit>

#include "vireo/spirv/word.h"

namespace vireo::spirv {

inline constexpr ByteOrder host_order = std::endian::native == std::endian::big ? ByteOrder::Big : ByteOrder::Little;

/// The word that the other byte order makes of these four bytes. Compilers make one instruction of it.
constexpr Word swapped(Word w) { return w >> 24 | (w >> 8 & 0xFF00u) | (w << 8 & 0xFF0000u) | w << 24; }
static_assert(swapped(magic_number) == magic_number_swapped);

}  // namespace vireo::spirv
