// SPDX-License-Identifier: Apache-2.0
//
// Finds all pairs of cubes that intersect.
//
// A task is a set of cubes to compare with each other, or two sets to compare with one another. The search splits a
// task by the bit or the generation that separates the most pairs. A bit divides a set into cubes with 0, cubes with 1,
// and cubes that do not fix it. A generation divides it into cubes that end before it, cubes that begin at it or later,
// and the others. No pair of cubes is in two tasks, so the work grows with the number of cubes and of intersecting
// pairs. The decoder's decision tree is unsuitable: it copies cubes that do not fix a bit into both branches, and
// limits the number of copies.
#include <algorithm>
#include <bit>
#include <utility>

#include "isa/check/overlaps.h"

namespace vireo::isa {
namespace {

constexpr std::size_t small_task = 48;                    // tasks with at most this many pairs are not split
constexpr std::size_t sample_size = 128;                  // number of cubes counted to choose a split
constexpr std::size_t work_limit = std::size_t{1} << 28;  // number of mask words compared

using Indexes = std::vector<std::uint32_t>;

// A task contains indexes of cubes, because a cube may be in several waiting tasks.
struct Task {
  Indexes left;
  Indexes right;
  bool is_cross = false;  // compare left with right; else left with itself

  [[nodiscard]] std::size_t pairs() const {
    return is_cross ? left.size() * right.size() : left.size() * (left.size() - 1) / 2;
  }
};

// The bit or generation by which to split a task.
struct Split {
  bool is_by_gen = false;
  std::uint32_t at = 0;    // bit or generation
  std::uint64_t gain = 0;  // pairs of the sample that it separates; 0: no split
};

class PairSearch {
 public:
  PairSearch(std::span<const Cube> cubes, std::size_t max_pairs) : cubes_(cubes), max_pairs_(max_pairs) {
    size_ = cubes.empty() ? 0 : cubes.front().care->width();
    words_ = words_for(size_);
  }

  CubePairs run() {
    Task all;
    for (std::uint32_t i = 0; i < cubes_.size(); ++i) all.left.push_back(i);
    if (all.left.size() > 1) tasks_.push_back(std::move(all));
    while (!tasks_.empty() && result_.is_complete) {
      const Task task = std::move(tasks_.back());
      tasks_.pop_back();
      if (task.pairs() <= small_task) {
        compare(task);
        continue;
      }
      Split split = choose(task, sample_size);
      // If the sample gives no split, count all cubes before comparing all pairs one by one.
      if (split.gain == 0) split = choose(task, task.left.size() + task.right.size());
      if (split.gain == 0) compare(task);
      else divide(task, split);
    }
    std::sort(result_.pairs.begin(), result_.pairs.end());
    return std::move(result_);
  }

 private:
  // Compare generations first: this is cheap and, in descriptions of several machines, separates most pairs. Most other
  // pairs differ in the first word in which both fix bits.
  bool intersects(const Cube& a, const Cube& b) {
    if (intersect(a.gens, b.gens).is_empty()) return false;
    for (std::size_t i = 0; i < words_; ++i) {
      ++work_;
      if (((a.match->data()[i] ^ b.match->data()[i]) & a.care->data()[i] & b.care->data()[i]) != 0) return false;
    }
    return true;
  }

  void compare(const Task& task) {
    for (std::size_t i = 0; i < task.left.size(); ++i) {
      const Indexes& others = task.is_cross ? task.right : task.left;
      for (std::size_t k = task.is_cross ? 0 : i + 1; k < others.size(); ++k) {
        const auto [first, second] = std::minmax(task.left[i], others[k]);
        if (work_ > work_limit) result_.is_complete = false;
        if (!result_.is_complete) return;
        if (!intersects(cubes_[first], cubes_[second])) continue;
        // The result is incomplete only if there is a pair beyond the limit.
        if (result_.pairs.size() == max_pairs_) result_.is_complete = false;
        else result_.pairs.push_back({first, second});
      }
    }
  }

  // --- choosing a split --------------------------------------------------------------------------------------------------

  struct Counts {
    std::vector<std::uint32_t> zeros;  // for each bit: how many cubes fix it to 0
    std::vector<std::uint32_t> ones;
    std::vector<GenRange> gens;
  };

  // Counts, for each bit, the cubes of a sample that fix it to 0 or to 1. A poor sample costs only time.
  void count(const Indexes& set, std::size_t sample, Counts& counts) {
    counts.zeros.assign(size_, 0);
    counts.ones.assign(size_, 0);
    counts.gens.clear();
    // The sample is evenly spaced, not random, so that each run does the same work.
    const std::size_t step = std::max<std::size_t>(1, set.size() / sample);
    for (std::size_t i = 0; i < set.size(); i += step) {
      const Cube& cube = cubes_[set[i]];
      counts.gens.push_back(cube.gens);
      work_ += words_;
      for (std::uint32_t word = 0; word < words_; ++word) {
        const BitWord match = cube.match->data()[word];
        for (BitWord rest = cube.care->data()[word]; rest != 0; rest &= rest - 1) {
          const auto bit = static_cast<std::uint32_t>(std::countr_zero(rest));
          ++(match >> bit & 1 ? counts.ones : counts.zeros)[word * bits_per_word + bit];
        }
      }
    }
  }

  // Chooses the split that separates the most pairs of the sample.
  Split choose(const Task& task, std::size_t sample) {
    count(task.left, sample, left_);
    if (task.is_cross) count(task.right, sample, right_);
    const Counts& right = task.is_cross ? right_ : left_;
    Split best;
    for (std::uint32_t bit = 0; bit < size_; ++bit) {
      // Within one set, each pair of a cube with 0 and a cube with 1 is counted once.
      const std::uint64_t gain = std::uint64_t{left_.zeros[bit]} * right.ones[bit] +
                                 (task.is_cross ? std::uint64_t{left_.ones[bit]} * right.zeros[bit] : 0);
      if (gain > best.gain) best = {false, bit, gain};
    }
    // The candidate generations are the median begin and the median end of the ranges. A begin of 0 and a missing end
    // do not count.
    std::vector<std::uint32_t> begins;
    std::vector<std::uint32_t> ends;
    for (const Counts* counts : std::initializer_list<const Counts*>{&left_, &right}) {
      for (const GenRange gens : counts->gens) {
        if (gens.min != 0) begins.push_back(gens.min);
        if (gens.max != GenRange{}.max) ends.push_back(gens.max + 1);
      }
    }
    for (std::vector<std::uint32_t>* candidates : {&begins, &ends}) {
      if (candidates->empty()) continue;
      const auto middle = candidates->begin() + static_cast<std::ptrdiff_t>(candidates->size() / 2);
      std::nth_element(candidates->begin(), middle, candidates->end());
      const std::uint32_t gen = *middle;
      const auto before = [&](const Counts& counts) {
        return static_cast<std::uint64_t>(
            std::count_if(counts.gens.begin(), counts.gens.end(), [&](GenRange g) { return g.max < gen; }));
      };
      const auto from = [&](const Counts& counts) {
        return static_cast<std::uint64_t>(
            std::count_if(counts.gens.begin(), counts.gens.end(), [&](GenRange g) { return g.min >= gen; }));
      };
      const std::uint64_t gain = before(left_) * from(right) + (task.is_cross ? from(left_) * before(right) : 0);
      if (gain > best.gain) best = {true, gen, gain};
    }
    return best;
  }

  // --- dividing ----------------------------------------------------------------------------------------------------------

  enum Side : std::uint8_t { Low, High, Both };

  Side side_of(const Cube& cube, Split split) const {
    if (split.is_by_gen) return cube.gens.max < split.at ? Low : cube.gens.min >= split.at ? High : Both;
    if (!cube.care->test(split.at)) return Both;
    return cube.match->test(split.at) ? High : Low;
  }

  // No part contains a pair of a Low cube and a High cube, because they cannot intersect.
  void divide(const Task& task, Split split) {
    std::array<Indexes, 3> left;
    std::array<Indexes, 3> right;
    for (const std::uint32_t i : task.left) left[side_of(cubes_[i], split)].push_back(i);
    for (const std::uint32_t i : task.right) right[side_of(cubes_[i], split)].push_back(i);
    work_ += task.left.size() + task.right.size();
    std::vector<Task> parts;
    const auto add = [&](const Indexes& a, const Indexes& b) {
      if (!a.empty() && !b.empty()) parts.push_back({a, b, true});
    };
    if (task.is_cross) {
      for (const Side a : {Low, High, Both}) {
        for (const Side b : {Low, High, Both}) {
          if (a == Both || b == Both || a == b) add(left[a], right[b]);
        }
      }
    } else {
      add(left[Low], left[Both]);
      add(left[High], left[Both]);
      for (Indexes& set : left) {
        if (set.size() > 1) parts.push_back({std::move(set), {}, false});
      }
    }
    // The smallest part is on top of the stack, so all waiting tasks together contain only a few times the number of
    // cubes.
    std::sort(parts.begin(), parts.end(), [](const Task& a, const Task& b) {
      return a.left.size() + a.right.size() > b.left.size() + b.right.size();
    });
    for (Task& part : parts) tasks_.push_back(std::move(part));
  }

  std::span<const Cube> cubes_;
  std::size_t max_pairs_;
  std::uint32_t size_ = 0;
  std::size_t words_ = 0;
  std::size_t work_ = 0;
  std::vector<Task> tasks_;
  CubePairs result_;
  Counts left_;
  Counts right_;
};

// --- coverage -----------------------------------------------------------------------------------------------------------

// A part of the cube whose coverage is still undecided.
struct Part {
  Bits care;
  Bits match;
  Indexes covers;  // indexes of other cubes that intersect it
};

bool intersects(const Part& part, const Cube& other) {
  return ((part.match ^ *other.match) & part.care & *other.care).is_zero();
}

}  // namespace

CubePairs find_intersecting_cubes(std::span<const Cube> cubes, std::size_t max_pairs) {
  return PairSearch(cubes, max_pairs).run();
}

// For each part, finds the intersecting cube that fixes the fewest further bits. If that cube fixes no further bit, it
// covers the part. Otherwise, one of these bits divides the part into halves. A part that intersects no other cube is
// not covered.
Covered is_covered(const Cube& cube, std::span<const Cube> others, std::size_t& budget) {
  std::vector<Part> parts{{*cube.care, *cube.match, {}}};
  for (std::uint32_t i = 0; i < others.size(); ++i) parts.front().covers.push_back(i);
  while (!parts.empty()) {
    if (budget == 0) return Covered::Unknown;
    --budget;
    Part part = std::move(parts.back());
    parts.pop_back();
    Indexes covers;
    const Bits open = ~part.care;
    std::uint32_t fewest = ~std::uint32_t{0};  // bits that the best candidate fixes beyond the part
    std::uint32_t bit = 0;
    for (const std::uint32_t i : part.covers) {
      if (!intersects(part, others[i])) continue;
      covers.push_back(i);
      const Bits further = *others[i].care & open;
      if (further.count() >= fewest) continue;
      fewest = further.count();
      bit = further.lowest();
    }
    if (covers.empty()) return Covered::No;
    if (fewest == 0) continue;
    // In one half the bit is 0, in the other it is 1. The half with 1 is next. Only cubes that intersect the whole part
    // can intersect a half, so the lists shrink.
    part.care.set(bit);
    part.covers = covers;
    parts.push_back(part);
    part.match.set(bit);
    parts.push_back(std::move(part));
  }
  return Covered::Yes;
}

}  // namespace vireo::isa
