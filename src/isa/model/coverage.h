// SPDX-License-Identifier: Apache-2.0
//
// Finds the undefined bits of a leaf (isaspec 1.5). The loader reports them, and the checks skip such a leaf.
#pragma once

#include "vireo/isa/model.h"

namespace vireo::isa {

/// Returns the bits that are in no pattern, field or assert of a default case in the leaf's chain. Overrides do not
/// count: they apply to some words only, and a bit needs a meaning in every word (isaspec 1.4.4).
Bits uncovered_bits(const Model& model, const Bitset& leaf);

}  // namespace vireo::isa
