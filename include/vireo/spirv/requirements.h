// SPDX-License-Identifier: Apache-2.0
//
// What a module needs and does not declare: capabilities and extensions.
//
// The one idea: each instruction and each enumerant that a module uses lists, in the grammar, the capabilities of which
// one enables it, and the extensions of which one brings it where the version does not. Together they are a small
// puzzle: what only one capability enables is settled first, what a capability implies is free, and for the rest one is
// taken after the other. Of several that would do, these questions decide, each where those before it do not:
//
//   1. Can the module have it? Its version does, or an extension brings it.
//   2. Does the module stay what it is? One with Shader is not given Kernel or Addresses, one with either is not given Shader.
//   3. Does it do without an extension that is not there yet?
//   4. Which one settles most? Then: which implies least? Then: which stands first in the grammar?
//
// Extensions go the same way: those without an alternative first, then the one that settles most; of equals SPV_KHR_ is
// taken before SPV_EXT_, and that before those of one vendor.
//
// Sets that do nothing ("NonSemantic.…") need an extension of their own before version 1.6.
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

/// What a module lacks.
struct VIREO_API Requirements {
  std::vector<Capability> capabilities;      ///< ascending; none is implied by another or by what is declared
  std::vector<std::string_view> extensions;  ///< ascending; strings of the grammar
};

/// What is missing. `words` are a whole module in host byte order; instructions that cannot be decoded need nothing.
/// Extensions are judged by the version in the header. Linear in the words.
VIREO_API Requirements missing_requirements(Words words, const Grammar& grammar = builtin_grammar());

}  // namespace vireo::spirv
