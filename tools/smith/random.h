// SPDX-License-Identifier: Apache-2.0
//
// SmithRandom: random numbers that are equal on all hosts (splitmix64; distributions of the standard library are not).
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>

namespace vireo::spirv {

class SmithRandom {
 public:
  explicit SmithRandom(std::uint64_t seed) : state_(scrambled(seed)) {}

  std::uint64_t next() { return scrambled(state_ += 0x9E37'79B9'7F4A'7C15); }
  /// A number from 0 to `count - 1`.
  std::uint32_t below(std::size_t count) { return static_cast<std::uint32_t>(((next() >> 32) * count) >> 32); }
  bool one_in(std::uint32_t count) { return below(count) == 0; }
  template <typename Range>
  decltype(auto) pick(const Range& range) {
    return std::data(range)[below(std::size(range))];
  }

 private:
  static std::uint64_t scrambled(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58'476D'1CE4'E5B9;
    z = (z ^ (z >> 27)) * 0x94D0'49BB'1331'11EB;
    return z ^ (z >> 31);
  }

  std::uint64_t state_;
};

}  // namespace vireo::spirv
