// SPDX-License-Identifier: Apache-2.0
//
// Which bits of a leaf nobody speaks of (isaspec 1.5): the loader reports them, and the checks leave such a leaf out.
#pragma once

#include "vireo/isa/model.h"

namespace vireo::isa {

/// The bits that no pattern has, and no field or assert that stands directly in a bitset of the leaf's chain. Overrides
/// cover nothing: they hold for some words only, and a bit has to mean something in each (isaspec 1.4.4).
Bits uncovered_bits(const Model& model, const Bitset& leaf);

}  // namespace vireo::isa
