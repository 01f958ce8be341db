// SPDX-License-Identifier: Apache-2.0
//
// TypeAnswers: what a walk has worked out about types, kept for the next check that asks.
//
// The one idea: many instructions ask the same of one large type, so each answer is worked out once. An answer does not
// depend on who asks first, so a check is still a function of what it is given.
#pragma once

#include <optional>

#include "spirv/validate/analysis/type_matching.h"
#include "spirv/validate/analysis/type_parts.h"

namespace vireo::spirv {

struct TypeAnswers {
  explicit TypeAnswers(const Context& context) : parts(context), matching(context) {}

  TypeParts parts;
  TypeMatching matching;
  std::optional<bool> says_local_size;  ///< some entry point does; nothing: nobody has asked (type_declarations.cpp)
};

/// Whether two types match part by part: one look, once somebody has asked.
inline bool types_match(const Context& context, Word first, Word second, MatchLevel level) {
  return context.answers->matching.match(first, second, level);
}

}  // namespace vireo::spirv
