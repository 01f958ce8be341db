// SPDX-License-Identifier: Apache-2.0
//
// The differences of two texts, line by line, in the unified format of diff.
#pragma once

#include <string>
#include <string_view>

namespace vireo {

/// Returns the hunks that turn `before` into `after`, with three lines of context, and the two name lines before them;
/// an empty text if the texts are equal. Time and memory are bounded: parts that differ in more than a thousand lines
/// are shown as replaced.
std::string unified_diff(std::string_view before, std::string_view after, std::string_view name_before,
                         std::string_view name_after);

}  // namespace vireo
