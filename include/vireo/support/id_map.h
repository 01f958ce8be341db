// SPDX-License-Identifier: Apache-2.0
//
// Hash tables of numbers that come from a file: ids that lie too far out for an array, mostly.
//
// The one idea: the standard library takes a number as its own hash, so ids that are multiples of a table's size would
// all meet in one bucket, and each lookup would go through all of them. Here a seed is mixed in that is different in
// every run. Nothing but the order within the table depends on it: whoever iterates over one sorts what it finds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <unordered_set>

#include "vireo/support/api.h"

namespace vireo {

/// Hash of a number, with a seed that nobody who writes files can know.
class VIREO_API NumberHash {
 public:
  // An address: the system places the stack elsewhere in every run.
  NumberHash() : seed_(reinterpret_cast<std::uintptr_t>(this)) {}
  std::size_t operator()(std::uint64_t number) const {
    const std::uint64_t mixed = (number ^ seed_) * 0x9E3779B97F4A7C15ull;
    return static_cast<std::size_t>(mixed ^ mixed >> 32);
  }

 private:
  std::uint64_t seed_;
};

/// Values by id. Linear in what it holds, whatever the ids are.
template <typename Value>
using IdMap = std::unordered_map<std::uint32_t, Value, NumberHash>;
/// A set of ids, likewise.
using IdHashSet = std::unordered_set<std::uint32_t, NumberHash>;

}  // namespace vireo
