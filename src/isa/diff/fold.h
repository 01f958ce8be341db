// SPDX-License-Identifier: Apache-2.0
//
// Expressions, as far as the generation decides them.
//
// The one idea: the postfix code is run over values that are numbers or texts. What is known is computed, what is not is
// written down again, so that `ISA_GPU_ID() >= 600 && {A} == 1` is 0 in one generation and `{A} == 1` in another.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "vireo/isa/model.h"

namespace vireo::isa {

struct Folded {
  std::optional<std::int64_t> value;  ///< when it does not depend on the word
  std::string text;                   ///< what is left; the expression as written where the generation plays no part
};
Folded fold(const Model& model, ExpressionId id, std::optional<std::uint32_t> gen);

}  // namespace vireo::isa
