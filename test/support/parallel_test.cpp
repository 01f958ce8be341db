// SPDX-License-Identifier: Apache-2.0
//
// Order, completeness and the window of deliver_in_order().
#include "support/parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace vireo {
namespace {

TEST(parallel, delivers_every_result_in_order_on_the_calling_thread) {
  for (const unsigned threads : {0u, 1u, 2u, 7u}) {
    for (const std::size_t count : {0u, 1u, 2u, 8u, 1000u}) {
      std::vector<std::size_t> delivered;
      const auto caller = std::this_thread::get_id();
      deliver_in_order<std::size_t>(
          count, threads, [](std::size_t i) { return i * i; },
          [&](std::size_t i, std::size_t& square) {
            EXPECT_EQ(std::this_thread::get_id(), caller);
            EXPECT_EQ(square, i * i);
            delivered.push_back(i);
          });
      ASSERT_EQ(delivered.size(), count) << threads;
      for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(delivered[i], i);
    }
  }
}

TEST(parallel, starts_no_thread_for_one_task) {
  const auto caller = std::this_thread::get_id();
  deliver_in_order<int>(
      5, 1,
      [&](std::size_t) {
        EXPECT_EQ(std::this_thread::get_id(), caller);
        return 0;
      },
      [](std::size_t, int&) {});
}

TEST(parallel, uses_several_threads) {
  std::atomic<int> waiting{0};
  deliver_in_order<int>(
      2, 2,
      [&](std::size_t) {
        ++waiting;
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
        while (waiting < 2 && std::chrono::steady_clock::now() < end) std::this_thread::yield();
        return waiting.load();
      },
      [](std::size_t, int& seen) { EXPECT_EQ(seen, 2) << "both jobs were under way at once"; });
}

TEST(parallel, stays_within_its_window) {
  constexpr unsigned threads = 3;
  std::atomic<std::size_t> begun{0}, delivered{0}, ahead{0};
  deliver_in_order<int>(
      500, threads,
      [&](std::size_t i) {
        if (i == 0) std::this_thread::sleep_for(std::chrono::milliseconds(30));  // the first task delays all others
        const std::size_t distance = ++begun - delivered;
        if (distance > ahead) ahead = distance;
        return 0;
      },
      [&](std::size_t, int&) { ++delivered; });
  EXPECT_LE(ahead, 4 * threads + 1);
}

TEST(parallel, reports_at_least_one_processor) { EXPECT_GE(hardware_threads(), 1u); }

}  // namespace
}  // namespace vireo
