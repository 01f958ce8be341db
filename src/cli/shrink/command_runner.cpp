// SPDX-License-Identifier: Apache-2.0
//
// Starts processes and waits for them (command_runner.h).
#include "cli/shrink/command_runner.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <utility>

#include "support/io.h"

extern char** environ;  // NOLINT(readability-redundant-declaration): POSIX leaves the declaration to the program

namespace vireo::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int ending_signals[] = {SIGINT, SIGTERM, SIGHUP};

std::string with_file(const std::string& argument, const std::string& file) {
  std::string result;
  std::size_t at = 0;
  for (std::size_t place = argument.find("{}"); place != std::string::npos; place = argument.find("{}", at)) {
    result.append(argument, at, place - at).append(file);
    at = place + 2;
  }
  return result.append(argument, at);
}

}  // namespace

std::string text_of(CommandEnd end, std::size_t limit_in_seconds) {
  switch (end.kind) {
    case CommandEnd::Kind::Exited: return "exited with status " + std::to_string(end.number);
    case CommandEnd::Kind::Signalled: return "killed by signal " + std::to_string(end.number);
    case CommandEnd::Kind::TimedOut: return "timed out after " + std::to_string(limit_in_seconds) + " s";
    case CommandEnd::Kind::NotStarted:
    case CommandEnd::Kind::Lost: return describe_error(end.number);
    case CommandEnd::Kind::Interrupted: break;
  }
  return "interrupted";
}

CommandRunner::CommandRunner(std::vector<std::string> command, const CommandOptions& options)
    : command_(std::move(command)), options_(options), null_device_(::open("/dev/null", O_RDWR | O_CLOEXEC)) {
  if (null_device_ < 0) null_error_ = errno;
  ::sigemptyset(&awaited_);
  ::sigaddset(&awaited_, SIGCHLD);
  for (const int signal : ending_signals) {
    struct sigaction action = {};
    const bool is_ignored = ::sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
    if (!is_ignored) ::sigaddset(&awaited_, signal);
  }
  ::pthread_sigmask(SIG_BLOCK, &awaited_, &before_);
  // If the parent process ignores SIGCHLD, so does this one; then the system keeps no exit status.
  struct sigaction usual = {};
  usual.sa_handler = SIG_DFL;
  ::sigaction(SIGCHLD, &usual, &child_action_before_);
}

CommandRunner::~CommandRunner() {
  if (null_device_ >= 0) ::close(null_device_);
  ::sigaction(SIGCHLD, &child_action_before_, nullptr);
  // A SIGCHLD that is still pending has no effect; its default is to be ignored.
  ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

// Returns an errno.
int CommandRunner::spawn(std::vector<char*>& arguments, pid_t& process) const {
  if (null_device_ < 0) return null_error_;
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  int error = ::posix_spawn_file_actions_init(&actions);
  if (error != 0) return error;
  error = ::posix_spawnattr_init(&attributes);
  if (error != 0) {
    ::posix_spawn_file_actions_destroy(&actions);
    return error;
  }
  const int output = options_.output >= 0 ? options_.output : null_device_;
  const std::pair<int, int> descriptors[] = {
      {null_device_, STDIN_FILENO}, {output, STDOUT_FILENO}, {output, STDERR_FILENO}};
  for (const auto& [from, to] : descriptors) {
    if (error == 0) error = ::posix_spawn_file_actions_adddup2(&actions, from, to);
  }
  if (error == 0) error = ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
  if (error == 0) error = ::posix_spawnattr_setpgroup(&attributes, 0);
  if (error == 0) error = ::posix_spawnattr_setsigmask(&attributes, &before_);
  if (error == 0) {
    error = ::posix_spawnp(&process, arguments.front(), &actions, &attributes, arguments.data(), environ);
  }
  ::posix_spawnattr_destroy(&attributes);
  ::posix_spawn_file_actions_destroy(&actions);
  return error;
}

void CommandRunner::start(const std::string& file, Run& run) const {
  std::vector<std::string> arguments;
  arguments.reserve(command_.size());
  for (const std::string& each : command_) arguments.push_back(with_file(each, file));
  std::vector<char*> pointers;
  pointers.reserve(arguments.size() + 1);
  for (std::string& each : arguments) pointers.push_back(each.data());
  pointers.push_back(nullptr);
  if (const int error = spawn(pointers, run.process); error != 0) {
    run.is_ended = true;
    run.result = {CommandEnd::Kind::NotStarted, error};
  } else if (options_.limit) {
    run.end = Clock::now() + *options_.limit;
  }
}

// Ends the process group of the command, and waits for the command, so that it does not remain. The command has not been
// waited for yet, so its number cannot belong to another process group.
void CommandRunner::end_group(Run& run, CommandEnd result) {
  ::kill(-run.process, SIGKILL);
  int status = 0;
  while (::waitpid(run.process, &status, 0) < 0 && errno == EINTR) {}
  run.is_ended = true;
  run.result = result;
}

void CommandRunner::collect(std::vector<Run>& runs) const {
  for (Run& run : runs) {
    if (run.is_ended) continue;
    siginfo_t ended = {};
    const int error =
        ::waitid(P_PID, static_cast<id_t>(run.process), &ended, WEXITED | WNOHANG | WNOWAIT) == 0 ? 0 : errno;
    if (error == 0 && ended.si_pid == run.process) {
      const auto kind = ended.si_code == CLD_EXITED ? CommandEnd::Kind::Exited : CommandEnd::Kind::Signalled;
      end_group(run, {kind, ended.si_status});
    } else if (error != 0 && error != EINTR) {
      run.is_ended = true;
      run.result = {CommandEnd::Kind::Lost, error};
    } else if (interrupted_ != 0) {
      end_group(run, {CommandEnd::Kind::Interrupted, interrupted_});
    } else if (options_.limit && Clock::now() >= run.end) {
      end_group(run, {CommandEnd::Kind::TimedOut, 0});
    }
  }
}

int CommandRunner::interruption() {
  const timespec no_time = {};
  int signal = 0;
  while ((signal = ::sigtimedwait(&awaited_, nullptr, &no_time)) > 0) {
    if (signal != SIGCHLD) interrupted_ = signal;
  }
  return interrupted_;
}

// Waits until a process ends, the program must end, or the next time limit is reached.
void CommandRunner::wait_for_signal(const std::vector<Run>& runs) {
  using namespace std::chrono;
  auto pause = nanoseconds(seconds(1));  // not longer, should a SIGCHLD be lost
  for (const Run& run : runs) {
    if (!run.is_ended && options_.limit) pause = std::clamp(nanoseconds(run.end - Clock::now()), nanoseconds(0), pause);
  }
  const auto whole = duration_cast<seconds>(pause);
  timespec time = {};
  time.tv_sec = whole.count();
  time.tv_nsec = (pause - whole).count();
  const int signal = ::sigtimedwait(&awaited_, nullptr, &time);
  if (std::ranges::count(ending_signals, signal) != 0) interrupted_ = signal;
}

std::vector<CommandEnd> CommandRunner::run(std::span<const std::string> files) {
  const auto begin = Clock::now();
  std::vector<Run> runs(files.size());
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (interruption() != 0) {
      runs[i].is_ended = true;
      runs[i].result = {CommandEnd::Kind::Interrupted, interrupted_};
      continue;
    }
    start(files[i], runs[i]);
    ++count_;
  }
  while (true) {
    collect(runs);
    if (std::ranges::all_of(runs, &Run::is_ended)) break;
    wait_for_signal(runs);
  }
  std::vector<CommandEnd> ends;
  ends.reserve(runs.size());
  for (const Run& run : runs) ends.push_back(run.result);
  time_ += Clock::now() - begin;
  return ends;
}

}  // namespace vireo::cli
