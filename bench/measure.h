// SPDX-License-Identifier: Apache-2.0
//
// Timing on a shared machine.
//
// Processor time of this thread, not wall time. Ours and the peer's alternate, so both see the same
// machine. The result is medians and their ratio.
#pragma once

#include <algorithm>
#include <cstddef>
#include <ctime>
#include <vector>

namespace vireo::bench {

/// Seconds of processor time that this thread has used, page faults included.
inline double thread_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

template <typename Work>
double seconds_of(const Work& work) {
  const double begin = thread_seconds();
  work();
  return thread_seconds() - begin;
}

/// Times of one operation, in seconds.
class Samples {
 public:
  void add(double seconds) { seconds_.push_back(seconds); }
  [[nodiscard]] bool empty() const { return seconds_.empty(); }
  [[nodiscard]] double median() const {
    if (seconds_.empty()) return 0;
    std::vector<double> sorted = seconds_;
    std::sort(sorted.begin(), sorted.end());
    const std::size_t middle = sorted.size() / 2;
    return sorted.size() % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

 private:
  std::vector<double> seconds_;
};

}  // namespace vireo::bench
