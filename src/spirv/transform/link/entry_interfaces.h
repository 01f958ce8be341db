// SPDX-License-Identifier: Apache-2.0
//
// complete_interfaces: the interfaces of entry points after linking.
#pragma once

#include <optional>

#include "vireo/spirv/grammar/grammar.h"
#include "vireo/spirv/word.h"
#include "vireo/support/diagnostic.h"

namespace vireo::spirv {

/// Adds to the interface of each entry point the variables that linked functions use. Errors: the list is too long for
/// one instruction. The time for an entry point is linear in the functions that it reaches.
std::optional<Reported> complete_interfaces(WordBuffer& words, const Grammar& grammar, Diagnostics& diagnostics);

}  // namespace vireo::spirv
