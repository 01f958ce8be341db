// SPDX-License-Identifier: Apache-2.0
//
// Updates the interfaces of entry points in a changed module (edit.h).
#pragma once

#include "spirv/build/edit_state.h"

namespace vireo::spirv {

/// Adds to each entry point the global variables that its functions use because of the edit, and removes variables that
/// no longer exist. `words` is the changed module. Skips malformed instructions. Returns false if an OpEntryPoint would
/// exceed the maximum word count. Costs nothing if the edit inserts neither a use of a global variable nor a call.
/// Otherwise it is linear in the words, and in the functions that use each such variable.
[[nodiscard]] bool update_interfaces(const EditState& edit, WordBuffer& words);

}  // namespace vireo::spirv
