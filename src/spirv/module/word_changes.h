// SPDX-License-Identifier: Apache-2.0
//
// Applies changes of words, the fixes of findings, to a module (specification 2.3 and 2.4).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "vireo/spirv/grammar/grammar.h"
#include "vireo/spirv/word.h"
#include "vireo/support/diagnostic.h"

namespace vireo::spirv {

/// The changes of all fixes in the order in which they apply: each once, ascending. Instructions that are inserted at
/// one position are in the order of their sections. A change that overlaps an earlier one is left out. Changes of a
/// text are ignored.
std::vector<Change> ordered_changes(std::span<const Diagnostic> findings, const Grammar& grammar);

/// Returns the words with the changes, which must be in that order and lie within the words.
WordBuffer apply_changes(Words words, std::span<const Change> changes);

/// The number that an instruction has after the changes, counted from 1; 0 if it is removed. Linear in the changes.
std::uint64_t ordinal_after(std::uint64_t ordinal, std::span<const Change> changes);

}  // namespace vireo::spirv
