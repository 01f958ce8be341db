// SPDX-License-Identifier: Apache-2.0
//
// Removes the members of structures that no instruction observes (members_usage.h).
//
// Source: specification 2.2.2 (structures), 2.16.2 (explicit layouts), 3.42.6 (OpTypeStruct).
#pragma once

#include <span>
#include <vector>

#include "vireo/spirv/grammar/grammar.h"
#include "vireo/spirv/word.h"
#include "vireo/support/diagnostic.h"
#include "vireo/support/result.h"

namespace vireo::spirv {

/// A member of a structure: the id of the type and a number from 0.
struct StructMember {
  Word type = 0;
  Word member = 0;
};

/// The members that remove_unused_members() removes, in the order of the declarations. Errors: as there.
Result<std::vector<StructMember>> unused_members(Words words, Diagnostics& diagnostics,
                                                 const Grammar& grammar = builtin_grammar());

/// Returns the module without unused members, in host byte order. The remaining members keep their decorations, so
/// their offsets in memory do not change. A structure keeps at least one member. An index that changes refers to an
/// existing constant, or to a new one after the declaration of its type. A module for a physical addressing model or
/// with the capability Kernel does not change, because its layouts depend on the members. A second application changes
/// nothing. The members in `kept` remain as well. Errors: the header is invalid, an instruction cannot be decoded, or no
/// fresh id is left. Linear in the words.
Result<WordBuffer> remove_unused_members(Words words, Diagnostics& diagnostics,
                                         const Grammar& grammar = builtin_grammar(),
                                         std::span<const StructMember> kept = {});

}  // namespace vireo::spirv
