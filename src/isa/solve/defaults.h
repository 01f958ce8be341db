// SPDX-License-Identifier: Apache-2.0
//
// Default values of bits, which a description declares for fields that neither the text nor the caller sets.
//
// Defaults are a list of bits for each plan. The code that builds a word applies them at the end, to bits
// that are still unknown.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/decode/tables.h"

namespace vireo::isa {

/// Bits of a scope and their default value.
struct DefaultBits {
  std::uint32_t low = 0;
  std::uint32_t width = 0;
  BitWord value = 0;
};

/// Appends the default bits of a plan to `result`.
void find_defaults(const Model& model, const DecodeTables& tables, const Plan& plan, std::vector<DefaultBits>& result);

}  // namespace vireo::isa
