// SPDX-License-Identifier: Apache-2.0
//
// WorkBudget: how much work the analyses of one module may take that are not linear in its size.
//
// The one idea: such an analysis is cheap on every module that a compiler writes, and only a made-up module could make
// it expensive. So it is written in its plain form and counts its steps. The limit depends on the number of words alone,
// so the result is the same on every machine. Once the limit is met, the analysis gives up and reports nothing; the
// module gets one finding (Rule::WorkLimit), and all other checks go on.
//
//   if (!context.budget.spend(members.size())) return;  // gives up
#pragma once

#include <cstddef>
#include <cstdint>

namespace vireo::spirv {

class WorkBudget {
 public:
  explicit WorkBudget(std::size_t words) : limit_(constant_steps + steps_a_word * std::uint64_t{words}) {}

  /// Counts steps, each about one type, member, call or use. False when the limit is met, from then on always.
  bool spend(std::uint64_t steps = 1) {
    spent_ += steps;
    return !is_exceeded();
  }
  [[nodiscard]] bool is_exceeded() const { return spent_ > limit_; }
  [[nodiscard]] std::uint64_t limit() const { return limit_; }

 private:
  // Real modules take less than a hundredth of their limit (docs/validator.md, "Large modules").
  static constexpr std::uint64_t constant_steps = std::uint64_t{1} << 22, steps_a_word = 16;

  std::uint64_t limit_, spent_ = 0;
};

}  // namespace vireo::spirv
