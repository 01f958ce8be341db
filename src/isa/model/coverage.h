// SPDX-License-Identifier: Apache-2.0
//
// Finds the undefined bits of a leaf (docs/isaspec.md, "In a bitset"). The loader reports them, and the checks of
// `vireo isa check` skip such leaves.
#pragma once

#include "vireo/isa/model.h"

namespace vireo::isa {

/// Returns the bits that are in no pattern, field or assert of a default case in the leaf's chain. Overrides are not
/// considered, because they apply to some words only.
Bits uncovered_bits(const Model& model, const Bitset& leaf);

}  // namespace vireo::isa
