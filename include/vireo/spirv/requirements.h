// SPDX-License-Identifier: Apache-2.0
//
// What a module needs and does not declare: capabilities and extensions.
//
// The one idea: each instruction and each enumerant that a module uses lists, in the grammar, the capabilities of which
// one enables it, and the extensions of which one brings it where the version does not. Together they are a small
// puzzle: what only one capability enables is settled first, what a capability implies is free, and for the rest the
// choice that settles most, implies least and stands first in the grammar is taken, one after the other.
//
// Source: specification 3, Capability ("implicitly declares"), and the grammar's capabilities, extensions and versions.
#pragma once

#include <string_view>
#include <vector>

#include "vireo/spirv/enums.h"
#include "vireo/spirv/grammar.h"
#include "vireo/spirv/word.h"

namespace vireo::spirv {

/// What a module lacks.
struct Requirements {
  std::vector<Capability> capabilities;      ///< ascending; none is implied by another or by what is declared
  std::vector<std::string_view> extensions;  ///< ascending; strings of the grammar
};

/// What is missing. `words` are a whole module in host byte order; instructions that cannot be decoded need nothing.
/// Extensions are judged by the version in the header. Linear in the words.
Requirements missing_requirements(Words words, const Grammar& grammar = builtin_grammar());

}  // namespace vireo::spirv
