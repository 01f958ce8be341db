// SPDX-License-Identifier: Apache-2.0
//
// find_needed_units: a small set of units with which a candidate is interesting.
//
// Units are ordered. A binary search finds the shortest prefix that is interesting together with the units
// found so far; the last unit of this prefix is needed. This takes log2(n) tests for each needed unit, while removing
// parts one by one takes a test for each unneeded unit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "spirv/transform/shrink/candidate_tester.h"
#include "vireo/spirv/word.h"

namespace vireo::spirv {

/// Makes the module that has only these units; nothing if there is none. The units are not sorted.
using MakeWithUnits = std::function<std::optional<WordBuffer>(std::span<const std::uint32_t> units)>;

/// Whether a search first tries the module without any unit.
enum class FirstTry : std::uint8_t { WithoutUnits, Half };

/// Searches a small set of units; the best candidate of `tester` is the result. The module with all of them need not be
/// interesting: then nothing changes.
void find_needed_units(std::uint32_t count, const MakeWithUnits& make, CandidateTester& tester,
                       FirstTry first = FirstTry::WithoutUnits);

/// Removes units one by one, or in groups if there are many; for units most of which are needed.
void remove_unneeded_units(std::uint32_t count, const MakeWithUnits& make, CandidateTester& tester);

/// Like find_needed_units(), for units whose removal can make the module invalid. First finds units that can be left out
/// together, which needs no test; the others are always kept.
void find_permitted_and_needed_units(std::uint32_t count, const MakeWithUnits& make, CandidateTester& tester);

}  // namespace vireo::spirv
