// SPDX-License-Identifier: Apache-2.0
//
// Default values of bits: the values that a description declares for fields which neither the text nor the caller sets.
//
// The one idea: default values are bits of a leaf, listed once for each plan. The code that builds a word applies them
// at the end, to the bits that are still open.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/decode/tables.h"

namespace vireo::isa {

/// Bits of a scope and the value they have if nothing else sets them.
struct DefaultBits {
  std::uint32_t low = 0;
  std::uint32_t width = 0;
  BitWord value = 0;
};

/// Appends the default bits of a plan to `result`.
void find_defaults(const Model& model, const DecodeTables& tables, const Plan& plan, std::vector<DefaultBits>& result);

}  // namespace vireo::isa
