// SPDX-License-Identifier: Apache-2.0
//
// Interfaces of entry points in a changed module (edit.h).
#pragma once

#include "spirv/build/edit_state.h"

namespace vireo::spirv {

/// Adds to each entry point the global variables that its functions use because of the edit, and takes out variables
/// that are gone. `words` is the changed module. Instructions that are laid out wrongly are skipped. False when an
/// OpEntryPoint would have more words than an instruction can.
/// Costs nothing where the edit has put in no use of a global variable, and no call; else linear in the words, and in
/// the functions that each such variable is used in.
[[nodiscard]] bool update_interfaces(const EditState& edit, WordBuffer& words);

}  // namespace vireo::spirv
