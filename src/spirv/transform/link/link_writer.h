// SPDX-License-Identifier: Apache-2.0
//
// write_linked: the words of the linked module.
#pragma once

#include <cstddef>
#include <deque>

#include "spirv/transform/link/link_module.h"
#include "vireo/spirv/word.h"

namespace vireo::spirv {

/// Writes what the modules have in common once, and all other instructions that are not marked as removed, in the order
/// of the layout. `class_count`: classes are numbered below it. Changes the marks of duplicates. Linear.
WordBuffer write_linked(std::deque<LinkModule>& modules, std::size_t class_count, Version version);

}  // namespace vireo::spirv
