// SPDX-License-Identifier: Apache-2.0
//
// Masks of the grammar, by the names of their bits.
#pragma once

#include "vireo/spirv/word.h"

namespace vireo::spirv {

/// The enumerants of a BitEnum as one word: `bits(Semantics::Acquire, Semantics::Release)`.
constexpr Word bits(auto... enumerants) { return (static_cast<Word>(enumerants) | ...); }

}  // namespace vireo::spirv
