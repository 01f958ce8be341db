// SPDX-License-Identifier: Apache-2.0
//
// The search for needed units (subset_search.h).
#include "spirv/transform/shrink/subset_search.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "support/largest_subset.h"

namespace vireo::spirv {
namespace {

using Unit = std::uint32_t;

// After so many needed units, most of the others are needed as well. A binary search would take log2(n) tests for each
// of them.
constexpr std::size_t max_prefix_searches = 12;
// The most candidates in a row that are made and validated without a test.
constexpr std::size_t max_validations = 256;

class UnitSearch {
 public:
  UnitSearch(Unit count, const MakeWithUnits& make, CandidateTester& tester) : make_(make), tester_(tester) {
    rest_.resize(count);
    std::iota(rest_.begin(), rest_.end(), 0u);
  }

  void run(FirstTry first) {
    bool may_need_none = first == FirstTry::WithoutUnits;
    while (!rest_.empty() && !tester_.is_stopped() && !is_all_uninteresting_) {
      if (may_need_none && is_interesting_with(0)) return;
      may_need_none = true;
      if (needed_.size() >= max_prefix_searches) return remove_chunks(rest_.size() / 2);
      find_one();
    }
  }

  // Removes parts of the rest: of this size, then of half of it and so on. Ends early if many candidates in a row are
  // not permitted, because each of them takes time proportional to the module.
  void remove_chunks(std::size_t size) {
    std::size_t untested = 0;
    for (size = std::max<std::size_t>(size, 1);; size /= 2) {
      for (std::size_t end = rest_.size(); end != 0 && !tester_.is_stopped();) {
        const std::size_t first = end - std::min(size, end);
        std::vector<Unit> without = rest_;
        without.erase(without.begin() + static_cast<std::ptrdiff_t>(first),
                      without.begin() + static_cast<std::ptrdiff_t>(end));
        std::swap(rest_, without);
        const std::size_t tested = tester_.tested();
        if (!is_interesting_with(rest_.size())) std::swap(rest_, without);
        untested = tester_.tested() == tested ? untested + 1 : 0;
        if (untested == max_validations) return;
        end = first;
      }
      if (size <= 1) return;
    }
  }

 private:
  // The units found so far and the first `prefix` of the rest.
  [[nodiscard]] std::vector<Unit> units_with(std::size_t prefix) const {
    std::vector<Unit> units = needed_;
    units.insert(units.end(), rest_.begin(), rest_.begin() + static_cast<std::ptrdiff_t>(prefix));
    return units;
  }

  [[nodiscard]] CandidateTester::Make make_with(std::size_t prefix) const {
    return [this, prefix] { return make_(units_with(prefix)); };
  }

  bool is_interesting_with(std::size_t prefix, const std::vector<CandidateTester::Make>& next = {}) {
    return tester_.is_interesting(make_(units_with(prefix)), next);
  }

  // The candidates that follow in a binary search between `low` and `high`, whatever the verdicts are: breadth first.
  [[nodiscard]] std::vector<CandidateTester::Make> next_in(std::size_t low, std::size_t high) const {
    std::vector<CandidateTester::Make> next;
    if (tester_.width() < 2) return next;
    std::vector<std::pair<std::size_t, std::size_t>> ranges = {{low, high}};
    for (std::size_t r = 0; r < ranges.size() && next.size() + 1 < tester_.width(); ++r) {
      const auto [first, end] = ranges[r];
      if (end - first <= 1) continue;
      const std::size_t middle = first + (end - first) / 2;
      if (r != 0) next.push_back(make_with(middle));
      ranges.emplace_back(first, middle);
      ranges.emplace_back(middle, end);
    }
    return next;
  }

  // Finds a needed unit. The empty prefix is uninteresting, and the whole rest is interesting. If even the module with
  // all units is uninteresting, the search ends.
  void find_one() {
    std::size_t low = 0, high = rest_.size();
    // Units that are needed together are often near each other: the next one is near the end of the rest.
    for (std::size_t step = 1; !needed_.empty() && step < high - low; step *= 4) {
      const std::size_t prefix = high - step;
      const std::size_t next_prefix = prefix - std::min(prefix, step * 4);
      if (!is_interesting_with(prefix, {make_with(next_prefix)})) {
        low = prefix;
        break;
      }
      high = prefix;
    }
    while (high - low > 1 && !tester_.is_stopped()) {
      const std::size_t middle = low + (high - low) / 2;
      (is_interesting_with(middle, next_in(low, high)) ? high : low) = middle;
    }
    if (tester_.is_stopped()) return;
    if (needed_.empty() && high == rest_.size() && !is_interesting_with(high)) {
      is_all_uninteresting_ = true;
      return;
    }
    needed_.push_back(rest_[high - 1]);
    rest_.resize(high - 1);
  }

  const MakeWithUnits& make_;
  CandidateTester& tester_;
  std::vector<Unit> needed_, rest_;
  bool is_all_uninteresting_ = false;  // the module with all units
};

}  // namespace

void find_needed_units(Unit count, const MakeWithUnits& make, CandidateTester& tester, FirstTry first) {
  UnitSearch(count, make, tester).run(first);
}

void remove_unneeded_units(Unit count, const MakeWithUnits& make, CandidateTester& tester) {
  UnitSearch(count, make, tester).remove_chunks(count / 8);
}

void find_permitted_and_needed_units(Unit count, const MakeWithUnits& make, CandidateTester& tester) {
  if (count == 0 || tester.is_stopped()) return;
  // All units except the ascending `left_out`.
  const auto units_without = [&](const std::vector<std::size_t>& left_out) {
    std::vector<Unit> units;
    units.reserve(count - left_out.size());
    auto next = left_out.begin();
    for (Unit unit = 0; unit < count; ++unit) {
      if (next != left_out.end() && *next == unit) ++next;
      else units.push_back(unit);
    }
    return units;
  };
  const std::vector<std::size_t> removable =
      largest_subset(count, max_validations, [&](const std::vector<std::size_t>& left_out) {
        const std::optional<WordBuffer> words = make(units_without(left_out));
        return words && tester.is_permitted(*words);
      });
  if (removable.empty()) return;
  const std::vector<Unit> always = units_without(removable);
  std::vector<Unit> units;
  const MakeWithUnits make_with_removable = [&](std::span<const Unit> kept) {
    units = always;
    for (const Unit unit : kept) units.push_back(static_cast<Unit>(removable[unit]));
    return make(units);
  };
  find_needed_units(static_cast<Unit>(removable.size()), make_with_removable, tester);
}

}  // namespace vireo::spirv
