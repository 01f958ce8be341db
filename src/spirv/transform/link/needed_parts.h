// SPDX-License-Identifier: Apache-2.0
//
// remove_unneeded: what is left of libraries when only the needed parts are linked.
#pragma once

#include <deque>
#include <vector>

#include "spirv/transform/link/link_module.h"

namespace vireo::spirv {

/// Marks the declarations and functions of libraries that no other module reaches as removed. The symbols have been
/// resolved. Linear in the words of the libraries.
void remove_unneeded(std::deque<LinkModule>& modules, const std::vector<bool>& is_library);

}  // namespace vireo::spirv
