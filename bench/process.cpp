// SPDX-License-Identifier: Apache-2.0
//
// posix_spawn and wait4 (process.h). All figures are the kernel's accounting of the child.
#include "process.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <ctime>
#include <fstream>
#include <sstream>

extern char** environ;

namespace vireo::bench {
namespace {

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

double wall_clock() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

}  // namespace

ProcessCost run_process(const Command& command) {
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);

  posix_spawn_file_actions_t streams;
  posix_spawn_file_actions_init(&streams);
  for (const int descriptor : {0, 1, 2}) {
    posix_spawn_file_actions_addopen(&streams, descriptor, "/dev/null", descriptor == 0 ? O_RDONLY : O_WRONLY, 0);
  }
  ProcessCost cost;
  pid_t child = 0;
  const double begin = wall_clock();
  const int failure = posix_spawn(&child, arguments[0], &streams, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&streams);
  if (failure != 0) return cost;

  int status = 0;
  rusage used{};
  if (wait4(child, &status, 0, &used) != child) return cost;
  cost.wall_seconds = wall_clock() - begin;
  cost.processor_seconds = seconds_of(used.ru_utime) + seconds_of(used.ru_stime);
  cost.peak_bytes = static_cast<double>(used.ru_maxrss) * 1024;
  cost.ok = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  return cost;
}

Command without_wrapper(const std::string& path) {
  std::ifstream script(path);
  std::string line;
  if (!std::getline(script, line) || !line.starts_with("#!")) return {path};
  while (std::getline(script, line)) {
    std::istringstream words(line);
    std::string word;
    if (!(words >> word) || word != "exec") continue;
    Command command;
    while (words >> word && word != "\"$@\"") command.push_back(word);
    return command;
  }
  return {path};
}

}  // namespace vireo::bench
