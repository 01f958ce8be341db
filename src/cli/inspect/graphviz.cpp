// SPDX-License-Identifier: Apache-2.0
//
// Runs `dot` (graphviz.h).
//
// Input, output and messages of the program are temporary files, so neither process waits for the other,
// and no signal handler is needed.
#include "cli/inspect/graphviz.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <thread>

#include "support/io.h"

extern char** environ;  // NOLINT(readability-redundant-declaration): POSIX leaves the declaration to the program

namespace vireo::cli {
namespace {

constexpr std::string_view rule_graphviz = "graphviz";
constexpr std::chrono::seconds time_limit{60};
constexpr std::uint64_t output_limit = std::uint64_t{1} << 30;  // bytes
constexpr std::size_t longest_message = 300;

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using TemporaryFile = std::unique_ptr<std::FILE, CloseFile>;

// The whole content of a file; none if it is too large or cannot be read.
std::optional<FileBytes> content_of(std::FILE* file) {
  Diagnostics ignored;
  if (std::fseek(file, 0, SEEK_SET) != 0) return std::nullopt;
  ReadLimits limits;
  limits.max_bytes = output_limit;
  Result<FileBytes> bytes = read_descriptor(::fileno(file), "dot", ignored, limits);
  if (!bytes) return std::nullopt;
  return std::move(bytes).value();
}

// Waits until the process ends. Ends it after the time limit; the result is then empty.
std::optional<int> wait_for(pid_t process) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + time_limit;
  auto pause = std::chrono::milliseconds(1);
  int status = 0;
  while (true) {
    const pid_t ended = ::waitpid(process, &status, WNOHANG);
    if (ended == process) return status;
    if (ended < 0 && errno != EINTR) return std::nullopt;
    if (Clock::now() >= end) break;
    std::this_thread::sleep_for(pause);
    pause = std::min(pause * 2, std::chrono::milliseconds(50));
  }
  ::kill(process, SIGKILL);
  ::waitpid(process, &status, 0);
  return std::nullopt;
}

// Multiplies the numbers after `begin` by `factor`, and rounds them: some versions of Graphviz read whole sizes only.
std::string with_sizes(std::string_view text, std::string_view begin, double factor) {
  std::string out;
  for (std::size_t at = text.find(begin); at != std::string_view::npos; at = text.find(begin)) {
    out += text.substr(0, at + begin.size());
    text.remove_prefix(at + begin.size());
    double size = 0;
    const char* const end = std::from_chars(text.data(), text.data() + text.size(), size).ptr;
    out += fmt::format("{:.0f}", size * factor);
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  }
  return out.append(text);
}

// A browser may use a wider font than the one that Graphviz measures, so the layout is for text that is larger by a
// third. Neither pattern can be in a name of the module, in which quotes are escaped.
constexpr double spare = 4.0 / 3;
std::string with_spare_room(std::string_view dot) {
  return with_sizes(with_sizes(dot, "sans-serif\", fontsize=", spare), "POINT-SIZE=\"", spare);
}

// Starts `program -Tsvg` with the three files as its standard streams. Returns an errno.
int start(const std::string& program, std::FILE* in, std::FILE* out, std::FILE* err, pid_t& process) {
  posix_spawn_file_actions_t actions;
  if (const int error = ::posix_spawn_file_actions_init(&actions); error != 0) return error;
  ::posix_spawn_file_actions_adddup2(&actions, ::fileno(in), STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, ::fileno(out), STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, ::fileno(err), STDERR_FILENO);
  std::string name = program, format = "-Tsvg";
  char* arguments[] = {name.data(), format.data(), nullptr};
  const int error = ::posix_spawn(&process, program.c_str(), &actions, nullptr, arguments, environ);
  ::posix_spawn_file_actions_destroy(&actions);
  return error;
}

}  // namespace

std::optional<std::string> find_graphviz() {
  const char* const value = std::getenv("PATH");
  std::string_view folders = value == nullptr ? "" : value;
  while (!folders.empty()) {
    const std::string_view folder = folders.substr(0, folders.find(':'));
    std::string path(folder.empty() ? "." : folder);
    path += "/dot";
    if (::access(path.c_str(), X_OK) == 0) return path;
    folders.remove_prefix(std::min(folder.size() + 1, folders.size()));
  }
  return std::nullopt;
}

bool lay_out_as_svg(const std::string& program, std::string_view graph, TextSink& sink, Diagnostics& diagnostics) {
  const std::string dot = with_spare_room(graph);
  const auto fail = [&](std::string message, std::string hint = {}) {
    diagnostics.error(rule_graphviz, Location::none(), std::move(message), std::move(hint));
    return false;
  };
  const TemporaryFile in(std::tmpfile()), out(std::tmpfile()), err(std::tmpfile());
  if (!in || !out || !err) return fail("cannot create a temporary file: " + describe_error(errno));
  const bool is_written = std::fwrite(dot.data(), 1, dot.size(), in.get()) == dot.size() &&
                          std::fflush(in.get()) == 0 && std::fseek(in.get(), 0, SEEK_SET) == 0;
  if (!is_written) return fail("cannot write a temporary file: " + describe_error(errno));
  pid_t process = 0;
  if (const int error = start(program, in.get(), out.get(), err.get(), process); error != 0) {
    return fail("cannot start " + program + ": " + describe_error(error));
  }
  const std::optional<int> status = wait_for(process);
  if (!status) {
    return fail("dot took longer than " + std::to_string(time_limit.count()) + " s",
                "select a function with --function, or write the graph with --format=dot");
  }
  const std::optional<FileBytes> svg = content_of(out.get());
  if (*status != 0 || !svg) {
    const std::optional<FileBytes> said = content_of(err.get());
    const std::string_view text = said ? said->text() : std::string_view();
    return fail("dot failed: " + std::string(text.substr(0, std::min(text.find('\n'), longest_message))));
  }
  const std::string joined = with_sizes(join_svg(svg->text()), " font-size=\"", 1 / spare);
  if (joined.empty()) return fail("dot wrote no SVG document");
  return sink.write(joined);
}

}  // namespace vireo::cli
