// SPDX-License-Identifier: Apache-2.0
//
// The capabilities and extensions that a module needs but does not declare, or declares but does not need.
//
// In the grammar, each instruction and each enumerant has a list of alternative capabilities, one of
// which enables it. If the module's version does not contain it, one of a list of alternative extensions must add it.
// Each such list is a requirement. If a requirement lists only one capability, that capability is added first. Then,
// until all requirements are satisfied, the best remaining candidate is added. A capability that another one implies is
// not added. Candidates are compared by these criteria; a later criterion only breaks ties:
//
//   1. The module can declare the capability: its version contains it, or an extension adds it.
//   2. It is compatible: a module with Shader does not get Kernel or Addresses, and vice versa.
//   3. It needs no additional extension.
//   4. It satisfies the most requirements; it implies the fewest capabilities; it is first in the grammar.
//
// Extensions are chosen in the same way: first those without an alternative, then the one that satisfies the most
// requirements. If several satisfy the same number, SPV_KHR_ precedes SPV_EXT_, which precedes vendors' extensions.
//
// Before version 1.6, an import of a non-semantic set ("NonSemantic.…") needs SPV_KHR_non_semantic_info.
//
// Source: specification 3, Capability ("implicitly declares"), and the grammar's capabilities, extensions and versions.
#pragma once

#include <string_view>
#include <vector>

#include "vireo/spirv/grammar/enums.h"
#include "vireo/spirv/grammar/grammar.h"
#include "vireo/spirv/word.h"
#include "vireo/support/api.h"

namespace vireo::spirv {

/// Declarations of a module. For missing_requirements(), both lists ascend, and no capability implies another one.
struct VIREO_API Requirements {
  std::vector<Capability> capabilities;
  std::vector<std::string_view> extensions;  ///< valid as long as the rows of the grammar and the words
};

/// Computes the missing declarations of a whole module in host byte order. Never fails: instructions that cannot be
/// decoded have no requirements. The version in the header determines which extensions are needed. Linear in the words.
VIREO_API Requirements missing_requirements(Words words, const Grammar& grammar = builtin_grammar());

/// The declarations that no instruction and no other declaration requires: without them, the module satisfies the same
/// requirements. A declaration is listed once if it is repeated, and once more if the first one is unneeded, too.
/// Capabilities that only the text of the specification requires count as needed, such as SampledCubeArray and those for
/// arrays of resources with an index that is not a constant. Extensions that the grammar does not name are not listed.
/// The validator may require more (vireo/spirv/transform/trim.h). Never fails; near-linear in the words.
VIREO_API Requirements unneeded_declarations(Words words, const Grammar& grammar = builtin_grammar());

}  // namespace vireo::spirv
