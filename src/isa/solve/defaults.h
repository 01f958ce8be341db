// SPDX-License-Identifier: Apache-2.0
//
// What bits are when nobody says: the values that a description wants for fields which neither a text nor a caller decides.
//
// The one idea: such values are bits of a leaf, listed once for each plan. Whoever puts a word together sets those of
// them that are still open in the end.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/decode/tables.h"

namespace vireo::isa {

/// Bits of a scope with the value that they have when nothing else decides.
struct DefaultBits {
  std::uint32_t low = 0;
  std::uint32_t width = 0;
  BitWord value = 0;
};

/// Adds those of a plan.
void find_defaults(const Model& model, const DecodeTables& tables, const Plan& plan, std::vector<DefaultBits>& result);

}  // namespace vireo::isa
