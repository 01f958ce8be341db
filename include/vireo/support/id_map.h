// SPDX-License-Identifier: Apache-2.0
//
// Hash tables keyed by numbers from a file, mostly by ids that are too large for an array.
//
// The standard library hashes a number to itself. Ids that are multiples of a table's size would then
// share one bucket, and each lookup would scan all of them. NumberHash mixes in a seed that differs in every run. Only
// the iteration order depends on the seed: code that iterates over a table must sort the result.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <unordered_set>

#include "vireo/support/api.h"
#include "vireo/support/cpp20.h"

namespace vireo {

/// Hash of a number, with a seed that the author of a file cannot predict.
class VIREO_API NumberHash {
 public:
  // An address is used as the seed: the system randomises the address of the stack.
  NumberHash() : seed_(reinterpret_cast<std::uintptr_t>(this)) {}
  std::size_t operator()(std::uint64_t number) const {
    const std::uint64_t mixed = (number ^ seed_) * 0x9E3779B97F4A7C15ull;
    return static_cast<std::size_t>(mixed ^ mixed >> 32);
  }

 private:
  std::uint64_t seed_;
};

/// Maps ids to values. For any set of ids, memory is linear and the expected time of an operation is constant.
template <typename Value>
using IdMap = std::unordered_map<std::uint32_t, Value, NumberHash>;
/// A set of ids, with the same bounds.
using IdHashSet = std::unordered_set<std::uint32_t, NumberHash>;

}  // namespace vireo
