// SPDX-License-Identifier: Apache-2.0
//
// WorkBudget: a limit on the work of all nonlinear analyses of one module.
//
// These analyses are fast for compiler output, and only a crafted module makes them slow. So each one has
// its simplest form and counts its steps. The limit depends only on the number of words, so results are the same on
// every machine. Once the limit is exceeded, the analysis stops and reports nothing. The module gets one finding
// (Rule::WorkLimit), and all other checks continue.
//
//   if (!c.budget.spend(members.size())) return;  // stops the analysis
#pragma once

#include <cstddef>
#include <cstdint>

namespace vireo::spirv {

class WorkBudget {
 public:
  explicit WorkBudget(std::size_t words) : limit_(constant_steps + steps_a_word * std::uint64_t{words}) {}

  /// Counts steps. A step is about one type, member, call or use. Returns false once the limit is exceeded.
  bool spend(std::uint64_t steps = 1) {
    spent_ += steps;
    return !is_exceeded();
  }
  [[nodiscard]] bool is_exceeded() const { return spent_ > limit_; }
  [[nodiscard]] std::uint64_t limit() const { return limit_; }

 private:
  // Real modules use less than a hundredth of their limit (docs/validator.md, "Large modules").
  static constexpr std::uint64_t constant_steps = std::uint64_t{1} << 22, steps_a_word = 16;

  std::uint64_t limit_, spent_ = 0;
};

}  // namespace vireo::spirv
