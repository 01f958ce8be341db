// SPDX-License-Identifier: Apache-2.0
//
// Partial evaluation of expressions for one generation.
//
// The postfix code runs over values that are numbers or texts. Known parts are computed, other parts stay
// as text. For example, `ISA_GPU_ID() >= 600 && {A} == 1` is 0 in one generation and `{A} == 1` in another.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "vireo/isa/model.h"

namespace vireo::isa {

struct Folded {
  std::optional<std::int64_t> value;  ///< set if the value does not depend on the word
  std::string text;                   ///< the folded expression; the author's text if no generation was inserted
};
Folded fold(const Model& model, ExpressionId id, std::optional<std::uint32_t> gen);

}  // namespace vireo::isa
