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
    case CommandEnd::Kind::Exited: return "exit status " + std::to_string(end.number);
    case CommandEnd::Kind::Signalled: return "ended by signal " + std::to_string(end.number);
    case CommandEnd::Kind::TimedOut: return "took longer than " + std::to_string(limit_in_seconds) + " s";
    case CommandEnd::Kind::NotStarted: return describe_error(end.number);
    case CommandEnd::Kind::Interrupted: break;
  }
  return "interrupted";
}

CommandRunner::CommandRunner(std::vector<std::string> command, const CommandOptions& options)
    : command_(std::move(command)), options_(options), nothing_(::open("/dev/null", O_RDWR | O_CLOEXEC)) {
  ::sigemptyset(&awaited_);
  ::sigaddset(&awaited_, SIGCHLD);
  for (const int signal : ending_signals) ::sigaddset(&awaited_, signal);
  ::pthread_sigmask(SIG_BLOCK, &awaited_, &before_);
}

CommandRunner::~CommandRunner() {
  if (nothing_ >= 0) ::close(nothing_);
  // A SIGCHLD that is still pending has no effect; its default is to be ignored.
  ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

void CommandRunner::start(const std::string& file, Run& run) const {
  std::vector<std::string> arguments;
  arguments.reserve(command_.size());
  for (const std::string& each : command_) arguments.push_back(with_file(each, file));
  std::vector<char*> pointers;
  pointers.reserve(arguments.size() + 1);
  for (std::string& each : arguments) pointers.push_back(each.data());
  pointers.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  int error = ::posix_spawn_file_actions_init(&actions);
  if (error == 0) {
    error = ::posix_spawnattr_init(&attributes);
    if (error != 0) ::posix_spawn_file_actions_destroy(&actions);
  }
  if (error == 0) {
    const int output = options_.output >= 0 ? options_.output : nothing_;
    ::posix_spawn_file_actions_adddup2(&actions, nothing_, STDIN_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
    ::posix_spawnattr_setpgroup(&attributes, 0);
    ::posix_spawnattr_setsigmask(&attributes, &before_);
    error = ::posix_spawnp(&run.process, pointers.front(), &actions, &attributes, pointers.data(), environ);
    ::posix_spawnattr_destroy(&attributes);
    ::posix_spawn_file_actions_destroy(&actions);
  }
  if (error != 0) {
    run.is_ended = true;
    run.result = {CommandEnd::Kind::NotStarted, error};
  } else if (options_.limit) {
    run.end = Clock::now() + *options_.limit;
  }
}

// Ends the command and what it has started. The process is waited for, so that none remains.
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
    int status = 0;
    const pid_t ended = ::waitpid(run.process, &status, WNOHANG);
    if (ended == run.process) {
      run.is_ended = true;
      run.result = WIFSIGNALED(status) ? CommandEnd{CommandEnd::Kind::Signalled, WTERMSIG(status)}
                                       : CommandEnd{CommandEnd::Kind::Exited, WEXITSTATUS(status)};
      ::kill(-run.process, SIGKILL);  // what it has left running
    } else if (ended < 0 && errno != EINTR) {
      run.is_ended = true;
      run.result = {CommandEnd::Kind::NotStarted, errno};
    } else if (interrupted_ != 0) {
      end_group(run, {CommandEnd::Kind::Interrupted, interrupted_});
    } else if (options_.limit && Clock::now() >= run.end) {
      end_group(run, {CommandEnd::Kind::TimedOut, 0});
    }
  }
}

// Waits until a process ends, the program must end, or the next time limit is reached.
void CommandRunner::wait_for_signal(const std::vector<Run>& runs) {
  using namespace std::chrono;
  auto pause = nanoseconds(hours(1));
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
    if (interrupted_ != 0) {
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
