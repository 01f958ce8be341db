// SPDX-License-Identifier: Apache-2.0
//
// The search for pairs of cubes that meet.
//
// A task is a set of cubes to be compared among themselves, or two sets to be compared with each other. It is split by the
// bit that keeps the most pairs apart (into cubes with 0, with 1, and those that do not care), or by a generation (into
// cubes that end before it, that begin at it, and the others). No cube is ever copied into two tasks of one kind, so the
// work follows the number of cubes and of the pairs that meet. The road not taken: the decision tree for matching copies
// cubes that do not care into both branches, and gives up when that makes too many.
#include <algorithm>
#include <bit>
#include <utility>

#include "isa/check/overlaps.h"

namespace vireo::isa {
namespace {

constexpr std::size_t small_task = 48;                    // pairs that are compared rather than split
constexpr std::size_t sample_size = 128;                  // cubes looked at to choose a split
constexpr std::size_t work_limit = std::size_t{1} << 28;  // words of masks compared

using Indexes = std::vector<std::uint32_t>;

// Sets of indexes, not of cubes: a cube may be in as many waiting tasks as there are kinds, and is never moved.
struct Task {
  Indexes left;
  Indexes right;
  bool is_cross = false;  // left with right; else left with itself

  [[nodiscard]] std::size_t pairs() const {
    return is_cross ? left.size() * right.size() : left.size() * (left.size() - 1) / 2;
  }
};

// Where a set falls apart.
struct Split {
  bool is_by_gen = false;
  std::uint32_t at = 0;    // bit, or generation
  std::uint64_t gain = 0;  // pairs of the sample that it keeps apart; 0: there is no split
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
      // The sample saw nothing to split by; before so many pairs are compared one by one all cubes are asked.
      if (split.gain == 0) split = choose(task, task.left.size() + task.right.size());
      if (split.gain == 0) compare(task);
      else divide(task, split);
    }
    std::sort(result_.pairs.begin(), result_.pairs.end());
    return std::move(result_);
  }

 private:
  // Generations first: they cost nothing, and in descriptions of several machines they keep most pairs apart.
  // Most pairs differ in the first word that both have bits in.
  bool meet(const Cube& a, const Cube& b) {
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
        if (!meet(cubes_[first], cubes_[second])) continue;
        // Told apart from "exactly as many": only one pair too many ends the search.
        if (result_.pairs.size() == max_pairs_) result_.is_complete = false;
        else result_.pairs.push_back({first, second});
      }
    }
  }

  // --- choosing ----------------------------------------------------------------------------------------------------------

  struct Counts {
    std::vector<std::uint32_t> zeros;  // by bit
    std::vector<std::uint32_t> ones;
    std::vector<GenRange> gens;
  };

  // How many cubes of a sample have 0 and 1, by bit. A sample will do: a bad choice costs time, never an answer.
  void count(const Indexes& set, std::size_t sample, Counts& counts) {
    counts.zeros.assign(size_, 0);
    counts.ones.assign(size_, 0);
    counts.gens.clear();
    // Evenly spread and never random: the same description takes the same way each time.
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

  // The best split is that which keeps the most pairs of the sample apart.
  Split choose(const Task& task, std::size_t sample) {
    count(task.left, sample, left_);
    if (task.is_cross) count(task.right, sample, right_);
    const Counts& right = task.is_cross ? right_ : left_;
    Split best;
    for (std::uint32_t bit = 0; bit < size_; ++bit) {
      // Within one set both factors are its own, and each pair is counted once.
      const std::uint64_t gain = std::uint64_t{left_.zeros[bit]} * right.ones[bit] +
                                 (task.is_cross ? std::uint64_t{left_.ones[bit]} * right.zeros[bit] : 0);
      if (gain > best.gain) best = {false, bit, gain};
    }
    // Of generations the middle beginning, and the end in the middle.
    // A range that begins at 0 or never ends cannot be told apart there.
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
      const auto behind = [&](const Counts& counts) {
        return static_cast<std::uint64_t>(
            std::count_if(counts.gens.begin(), counts.gens.end(), [&](GenRange g) { return g.min >= gen; }));
      };
      const std::uint64_t gain = before(left_) * behind(right) + (task.is_cross ? behind(left_) * before(right) : 0);
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

  // Pairs of one that has 0 and one that has 1 are in no part: that is what is gained.
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
    // The smallest is done first, so that what waits never holds more than a few times the cubes.
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

// --- covering -----------------------------------------------------------------------------------------------------------

// A part of the cube that is still to be found elsewhere.
struct Part {
  Bits care;
  Bits match;
  Indexes covers;  // others that meet it
};

bool meets(const Part& part, const Cube& other) {
  return ((part.match ^ *other.match) & part.care & *other.care).is_zero();
}

}  // namespace

CubePairs find_meeting_cubes(std::span<const Cube> cubes, std::size_t max_pairs) {
  return PairSearch(cubes, max_pairs).run();
}

// Takes a part, and an other that meets it: if the other fixes no further bit, the part lies in it; else it is halved by
// such a bit. A part that no other meets is what is left of the cube.
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
    std::uint32_t fewest = ~std::uint32_t{0};  // bits that the best of them fixes beyond the part
    std::uint32_t bit = 0;
    for (const std::uint32_t i : part.covers) {
      if (!meets(part, others[i])) continue;
      covers.push_back(i);
      const Bits further = *others[i].care & open;
      if (further.count() >= fewest) continue;
      fewest = further.count();
      bit = further.lowest();
    }
    if (covers.empty()) return Covered::No;
    if (fewest == 0) continue;
    // One half with the bit clear, one with it set; the one that is set is looked at first. Only covers that met the
    // whole can meet a half, so the lists shrink on the way down.
    part.care.set(bit);
    part.covers = covers;
    parts.push_back(part);
    part.match.set(bit);
    parts.push_back(std::move(part));
  }
  return Covered::Yes;
}

}  // namespace vireo::isa
