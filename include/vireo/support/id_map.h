// SPDX-License-Identifier: Apache-2.0
//
// Hash tables keyed by numbers from a file, mostly by ids that are too large for an array.
//
// The one idea: the standard library hashes a number to itself, so ids that are multiples of a table's size would share
// one bucket, and each lookup would scan all of them. NumberHash mixes in a seed that differs in every run. Only the
// iteration order depends on the seed: code that iterates over a table must sort the result.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <unordered_set>

#include "vireo/support/api.h"

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

/// Values by id. Linear memory and expected constant time per operation, whatever the ids are.
template <typename Value>
using IdMap = std::unordered_map<std::uint32_t, Value, NumberHash>;
/// A set of ids, likewise.
using IdHashSet = std::unordered_set<std::uint32_t, NumberHash>;

}  // namespace vireo
