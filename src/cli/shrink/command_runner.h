// SPDX-License-Identifier: Apache-2.0
//
// CommandRunner: runs a command for several files at once, with a time limit.
//
// The signals that matter, SIGCHLD and those that end a program, are blocked and waited for. So no signal
// handler is needed, and no process is missed. Each command has its own process group, which is ended as a whole.
#pragma once

#include <signal.h>  // NOLINT(modernize-deprecated-headers): sigset_t is in POSIX, not in C++
#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace vireo::cli {

/// How a command ended.
struct CommandEnd {
  enum class Kind : unsigned char {
    Exited,       ///< `number` is its exit status
    Signalled,    ///< `number` is the signal that ended it
    TimedOut,     ///< it took longer than the time limit
    NotStarted,   ///< `number` is the errno
    Lost,         ///< it was not possible to wait for it; `number` is the errno
    Interrupted,  ///< this program got a signal that ends programs: `number`
  };
  Kind kind = Kind::Interrupted;
  int number = 0;

  /// Whether it was not possible to start the command or to wait for it.
  [[nodiscard]] bool is_system_error() const { return kind == Kind::NotStarted || kind == Kind::Lost; }
  [[nodiscard]] bool is_success() const { return kind == Kind::Exited && number == 0; }
};

/// "exited with status 1", "killed by signal 11", …
std::string text_of(CommandEnd end, std::size_t limit_in_seconds);

struct CommandOptions {
  std::optional<std::chrono::seconds> limit;  ///< of one run
  int output = -1;                            ///< descriptor for the output of the command; -1: discarded
};

class CommandRunner {
 public:
  /// `command` is the name of a program, searched for in PATH, and its arguments, in which "{}" is replaced by the name
  /// of the file. Until the runner is destroyed, signals of the calling thread are blocked, and SIGCHLD has its default
  /// action. Signals that the process ignores, for example SIGHUP under nohup, stay ignored.
  CommandRunner(std::vector<std::string> command, const CommandOptions& options);
  ~CommandRunner();
  CommandRunner(const CommandRunner&) = delete;
  CommandRunner& operator=(const CommandRunner&) = delete;

  /// Runs the command for each file at the same time, and waits for all. After a signal that ends programs, all runs are
  /// ended, here and in later calls.
  std::vector<CommandEnd> run(std::span<const std::string> files);

  /// The signal that ended the runs, or that has arrived since the last one; 0: none.
  int interruption();

  [[nodiscard]] std::size_t count() const { return count_; }             ///< runs so far
  [[nodiscard]] std::chrono::nanoseconds time() const { return time_; }  ///< the time that run() took

 private:
  struct Run {
    pid_t process = 0;
    std::chrono::steady_clock::time_point end;
    bool is_ended = false;
    CommandEnd result;
  };
  void start(const std::string& file, Run& run) const;
  [[nodiscard]] int spawn(std::vector<char*>& arguments, pid_t& process) const;
  void collect(std::vector<Run>& runs) const;
  void wait_for_signal(const std::vector<Run>& runs);
  static void end_group(Run& run, CommandEnd result);

  std::vector<std::string> command_;
  CommandOptions options_;
  sigset_t awaited_ = {}, before_ = {};
  struct sigaction child_action_before_ = {};
  int null_device_ = -1;  // descriptor of /dev/null
  int null_error_ = 0;    // the errno if it is not open
  int interrupted_ = 0;   // the signal
  std::size_t count_ = 0;
  std::chrono::nanoseconds time_{0};
};

}  // namespace vireo::cli
