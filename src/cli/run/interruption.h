// SPDX-License-Identifier: Apache-2.0
//
// Ends a long execution at Ctrl-C, and shows that it is going on.
//
// The signals that end programs are blocked and asked for, so no handler is needed, and threads that are started later
// block them too.
#pragma once

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdint>

#include "cli/common/command.h"

namespace vireo::cli {

class Interruption {
 public:
  explicit Interruption(const Streams& streams, bool shows_progress = true);
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  /// Whether the execution must end. For RunOptions::is_interrupted; any thread may call it. On a terminal, shows the
  /// time of an execution that takes more than a second.
  bool poll();
  /// The signal that arrived; 0: none.
  [[nodiscard]] int signal() const { return signal_; }
  /// The exit status after an interruption, as shells report a signal.
  [[nodiscard]] int status() const { return 128 + signal_; }
  /// Removes the line of the time from the terminal.
  void end_progress();

 private:
  using Clock = std::chrono::steady_clock;
  void show_progress(Clock::duration elapsed);

  int error_descriptor_;
  bool has_terminal_;
  sigset_t awaited_ = {}, before_ = {};
  const Clock::time_point begin_ = Clock::now();
  std::atomic<Clock::rep> next_poll_ = 0;  // since begin_
  std::atomic<int> signal_ = 0;
  std::atomic<std::int64_t> shown_seconds_ = 0;
};

}  // namespace vireo::cli
