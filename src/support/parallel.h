// SPDX-License-Identifier: Apache-2.0
//
// Runs independent jobs on several threads and delivers the results in order.
//
// Workers are at most a fixed number of jobs (the window) ahead of delivery. So the memory in use does
// not depend on the number of jobs. Results are stored in a ring of slots and delivered on the calling thread, first
// job first.
//
//   deliver_in_order<Output>(files.size(), threads,
//       [&](std::size_t i) { return convert(files[i]); },        // on any thread
//       [&](std::size_t i, Output& o) { print(o); });            // on this thread, i ascending
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

namespace vireo {

/// The number of hardware threads; at least 1.
unsigned hardware_threads();

namespace detail {
/// Calls work(i) for all i < count on `threads` threads, and deliver(i) in ascending order on the calling thread.
/// work(i) waits for deliver(i - window).
void run_in_order(std::size_t count, unsigned threads, std::size_t window, const std::function<void(std::size_t)>& work,
                  const std::function<void(std::size_t)>& deliver);
}  // namespace detail

/// Calls work(i) -> T for every i < count, and deliver(i, T&) in ascending order on the calling thread. With one thread
/// or one job no thread is created. `work` must not throw.
template <typename T, typename Work, typename Deliver>
void deliver_in_order(std::size_t count, unsigned threads, Work&& work, Deliver&& deliver) {
  if (threads <= 1 || count <= 1) {
    for (std::size_t i = 0; i < count; ++i) {
      T result = work(i);
      deliver(i, result);
    }
    return;
  }
  const std::size_t window = std::min<std::size_t>(count, std::size_t{4} * threads);
  std::vector<std::optional<T>> slots(window);
  detail::run_in_order(
      count, threads, window, [&](std::size_t i) { slots[i % window].emplace(work(i)); },
      [&](std::size_t i) {
        deliver(i, *slots[i % window]);
        slots[i % window].reset();
      });
}

}  // namespace vireo
