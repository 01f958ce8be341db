// SPDX-License-Identifier: Apache-2.0
//
// Compares types of different modules: their structure and memory layout.
//
// A list of pairs that must be equal. A pair is checked once, also in later comparisons, so shared types
// and cycles of pointers cost nothing.
#pragma once

#include <array>
#include <cstdint>
#include <set>
#include <span>

#include "vireo/spirv/inspect/reflection.h"
#include "vireo/spirv/module/types.h"

namespace vireo::spirv {

class TypeMatcher {
 public:
  explicit TypeMatcher(std::span<const Reflection* const> modules) : modules_(modules) {}

  /// Whether two types, each of a module, are equal: also offsets and strides, but not names.
  [[nodiscard]] bool are_equal(std::uint32_t module_a, Word a, std::uint32_t module_b, Word b);
  /// The length of an array; 0 if it is known at run time only; the default if specialization can change it.
  [[nodiscard]] std::uint64_t length_of(std::uint32_t module, const TypeRow& array) const;

 private:
  using Pair = std::array<std::uint32_t, 4>;  // two modules, two types

  // Compares all but the parts, which are appended to the list.
  bool compare(const Pair& pair);
  bool compare_members(const Pair& pair, const TypeRow& a, const TypeRow& b);
  bool compare_images(const Pair& pair, const TypeRow& a, const TypeRow& b) const;

  std::span<const Reflection* const> modules_;
  std::set<Pair> equal_;
  std::vector<Pair> waiting_;
  std::uint32_t budget_ = 1'000'000;
};

}  // namespace vireo::spirv
