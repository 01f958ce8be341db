// SPDX-License-Identifier: Apache-2.0
//
// The capabilities and extensions that a module needs and does not declare.
//
// The one idea: in the grammar, each instruction and each enumerant lists alternative capabilities, one of which
// enables it. If the module's version lacks the instruction or enumerant, one of a list of alternative extensions must
// add it. A requirement with one alternative is added first. A capability that another one implies is not added. Then,
// until all requirements are satisfied, the best remaining capability is added. The candidates are compared by these
// criteria; a later criterion only breaks ties:
//
//   1. Can the module declare it? Its version contains it, or an extension adds it.
//   2. Is it compatible? A module with Shader does not get Kernel or Addresses, and vice versa.
//   3. Does it need no additional extension?
//   4. Which one satisfies the most requirements? Then: which implies the fewest? Then: which is first in the grammar?
//
// Extensions are chosen in the same way: first those without an alternative, then the one that satisfies the most
// requirements. Between equals, SPV_KHR_ precedes SPV_EXT_, which precedes the vendors' extensions.
//
// Non-semantic sets ("NonSemantic.…") need an extension of their own before version 1.6.
//
// Source: specification 3, Capability ("implicitly declares"), and the grammar's capabilities, extensions and versions.
#pragma once

#include <string_view>
#include <vector>

#include "vireo/spirv/enums.h"
#include "vireo/spirv/grammar.h"
#include "vireo/spirv/word.h"
#include "vireo/support/api.h"

namespace vireo::spirv {

/// The missing declarations of a module.
struct VIREO_API Requirements {
  std::vector<Capability> capabilities;      ///< ascending; none is implied by another one or by a declared one
  std::vector<std::string_view> extensions;  ///< ascending; strings of the grammar
};

/// Computes the missing declarations. `words` are a whole module in host byte order; instructions that cannot be
/// decoded have no requirements. The version in the header determines which extensions are needed. Linear in the
/// words.
VIREO_API Requirements missing_requirements(Words words, const Grammar& grammar = builtin_grammar());

}  // namespace vireo::spirv
