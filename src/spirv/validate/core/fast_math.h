// SPDX-License-Identifier: Apache-2.0
//
// Fast-math flags, both as the mask of a decoration and as a constant of FPFastMathDefault.
//
// Source: specification 3.15 (FP fast math mode); SPV_KHR_float_controls2.
#pragma once

#include <string_view>

#include "vireo/spirv/grammar/enums.h"
#include "vireo/spirv/word.h"

namespace vireo::spirv {

constexpr bool has_flag(Word flags, FPFastMathMode flag) { return (flags & static_cast<Word>(flag)) != 0; }

/// AllowTransform requires AllowContract and AllowReassoc. Returns the names of the missing flags; empty if none is
/// missing.
constexpr std::string_view lacking_of_transform(Word flags) {
  if (!has_flag(flags, FPFastMathMode::AllowTransform)) return {};
  const bool contracts = has_flag(flags, FPFastMathMode::AllowContract);
  const bool reassociates = has_flag(flags, FPFastMathMode::AllowReassoc);
  if (contracts && reassociates) return {};
  return contracts ? "AllowReassoc" : reassociates ? "AllowContract" : "AllowContract and AllowReassoc";
}

}  // namespace vireo::spirv
