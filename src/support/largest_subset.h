// SPDX-License-Identifier: Apache-2.0
//
// largest_subset: the members of a set that pass a test together, for tests that are too expensive to try all subsets.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace vireo {

/// Returns members of 0 … count - 1, ascending, that `accepts` accepts together. First all members are tried, then each
/// half of a set that is not accepted; members that were accepted are part of each later attempt. `accepts` takes the
/// ascending members of an attempt. It is called at most `most_attempts` times; members that were not tried by then are
/// not in the result.
template <typename Accepts>
std::vector<std::size_t> largest_subset(std::size_t count, std::size_t most_attempts, Accepts accepts) {
  std::vector<std::size_t> accepted;
  std::vector<std::pair<std::size_t, std::size_t>> ranges = {{0, count}};  // the next one is the last
  for (std::size_t attempts = 0; !ranges.empty() && attempts < most_attempts; ++attempts) {
    const auto [first, end] = ranges.back();
    ranges.pop_back();
    if (first == end) continue;
    std::vector<std::size_t> members = accepted;
    for (std::size_t member = first; member < end; ++member) members.push_back(member);
    if (accepts(std::as_const(members))) {
      accepted = std::move(members);
    } else if (end - first > 1) {
      const std::size_t middle = first + (end - first) / 2;
      ranges.emplace_back(middle, end);
      ranges.emplace_back(first, middle);
    }
  }
  return accepted;
}

}  // namespace vireo
