// SPDX-License-Identifier: Apache-2.0
//
// A hash of a sequence of numbers. It has no seed, so it is the same in every run.
#pragma once

#include <cstdint>

namespace vireo {

class KeyHash {
 public:
  void add(std::uint64_t number) {
    hash_ = (hash_ ^ number) * 0x9E3779B97F4A7C15ull;
    hash_ ^= hash_ >> 29;
  }
  [[nodiscard]] std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_ = 0x243F6A8885A308D3ull;
};

template <typename... Number>
std::uint64_t key_hash(Number... numbers) {
  KeyHash hash;
  (hash.add(numbers), ...);
  return hash.value();
}

}  // namespace vireo
