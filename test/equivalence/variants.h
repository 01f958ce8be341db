// SPDX-License-Identifier: Apache-2.0
//
// The transforms of a module that must not change its results.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "vireo/spirv/word.h"

namespace vireo::equivalence {

/// A transformed module.
struct Variant {
  std::string name;  ///< the transforms: "clean", "strip, trim"
  spirv::WordBuffer words;
  std::string refusal;  ///< the diagnostic, if a transform refused the module
};

/// Applies each transform, and one pseudo-random sequence of one to four of them, which `seed` determines. Results that
/// equal the module or an earlier result are omitted.
std::vector<Variant> variants_of(spirv::Words words, std::uint32_t seed);

}  // namespace vireo::equivalence
