// SPDX-License-Identifier: Apache-2.0
//
// Polls for signals (interruption.h).
#include "cli/run/interruption.h"

#include <unistd.h>

#include <string>

#include "support/io.h"

namespace vireo::cli {
namespace {

constexpr int ending_signals[] = {SIGINT, SIGTERM, SIGHUP};
// A system call for each small workgroup would take longer than the workgroup.
constexpr std::chrono::milliseconds between_polls{20};

}  // namespace

Interruption::Interruption(const Streams& streams, bool shows_progress)
    : error_descriptor_(streams.err), has_terminal_(shows_progress && ::isatty(streams.err) != 0) {
  ::sigemptyset(&awaited_);
  for (const int signal : ending_signals) {
    struct sigaction action = {};
    const bool is_ignored = ::sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
    if (!is_ignored) ::sigaddset(&awaited_, signal);
  }
  ::pthread_sigmask(SIG_BLOCK, &awaited_, &before_);
}

Interruption::~Interruption() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

bool Interruption::poll() {
  if (signal_ != 0) return true;
  const Clock::duration elapsed = Clock::now() - begin_;
  Clock::rep next = next_poll_;
  if (elapsed.count() < next) return false;
  if (!next_poll_.compare_exchange_strong(next, (elapsed + between_polls).count())) return false;
  const timespec no_time = {};
  if (const int signal = ::sigtimedwait(&awaited_, nullptr, &no_time); signal > 0) signal_ = signal;
  else if (has_terminal_) show_progress(elapsed);
  return signal_ != 0;
}

void Interruption::show_progress(Clock::duration elapsed) {
  const std::int64_t seconds = std::chrono::duration_cast<std::chrono::seconds>(elapsed).count();
  if (seconds == shown_seconds_) return;
  shown_seconds_ = seconds;
  DescriptorSink(error_descriptor_).write("\r\033[Krunning for " + std::to_string(seconds) + " s");
}

void Interruption::end_progress() {
  if (shown_seconds_ != 0) DescriptorSink(error_descriptor_).write("\r\033[K");
  shown_seconds_ = 0;
}

}  // namespace vireo::cli
