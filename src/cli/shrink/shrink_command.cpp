// SPDX-License-Identifier: Apache-2.0
//
// vireo shrink: finds a small module for which a command succeeds, or whose execution has the same result.
//
// The library proposes modules. This command executes each of them, or writes it to a temporary file and runs the user's
// command. The best module is written to OUT while the search goes on, so that nothing is lost.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "cli/common/all_commands.h"
#include "cli/common/inputs.h"
#include "cli/common/report.h"
#include "cli/common/shared_options.h"
#include "cli/module/module_options.h"
#include "cli/module/subject.h"
#include "cli/shrink/command_runner.h"
#include "cli/shrink/same_result.h"
#include "spirv/rules.h"
#include "support/counted.h"
#include "support/io.h"
#include "support/parallel.h"
#include "vireo/spirv/binary/writer.h"
#include "vireo/spirv/text/disassemble.h"
#include "vireo/spirv/transform/shrink.h"

namespace vireo::cli {
namespace {

constexpr Option shrink_target_env_option = target_env_option.with(
    "keep the module valid in an environment (spv1.6)", "With --same-result it is also that of the executions.");
constexpr CountOption timeout_option(
    "--timeout=SECONDS", "longest time of one run of COMMAND (no limit)",
    "A run that takes longer is ended and does not succeed. The result then depends on the speed of the machine.");
constexpr Flag allow_invalid_option("--allow-invalid", "also try invalid modules",
                                    "Without it, no invalid module is tried if IN is valid.");
constexpr Flag no_undef_option("--no-undef", "never insert OpUndef",
                               "Without it, OpUndef replaces operands whose type has no null constant.");
constexpr Flag verbose_option("-v, --verbose", "show the output of COMMAND, on standard error");
constexpr TextOption shrink_output_option(
    "-o, --output=OUT", "write the result to OUT",
    "OUT is replaced while smaller modules are found, at most five times a second. It is always complete.",
    {.variant_of = &output_option});
constexpr Option shrink_jobs_option = jobs_option.with(
    "try up to N modules at the same time (1)",
    "The result is the same for every N, as long as equal modules give equal exit statuses. 0 means all processors.");
constexpr Option shrink_quiet_option = quiet_option.with("print no notes, progress or result");

constexpr auto shrink_options = option_list(
    shrink_target_env_option, text_option, timeout_option, allow_invalid_option, no_undef_option, verbose_option,
    shrink_output_option, shrink_jobs_option, same_result_option, same_result_options, grammar_option, format_option,
    diagnostics_format_option, max_errors_option, shrink_quiet_option, color_option, no_color_option, help_options);

using Clock = std::chrono::steady_clock;

// The shortest time between two versions of OUT.
constexpr std::chrono::milliseconds between_outputs{200};
// More runs at the same time would only wait for each other (batch.cpp).
constexpr std::size_t max_jobs = 256;
constexpr std::size_t max_seconds = 1'000'000;

// A folder for the modules to try. It is removed with them, and with the files that the command wrote beside them.
class TemporaryFolder {
 public:
  explicit TemporaryFolder(std::string_view extension) : extension_(extension) {
    const char* const value = std::getenv("TMPDIR");
    path_ = std::string(value == nullptr || *value == '\0' ? "/tmp" : value) + "/vireo-shrink-XXXXXX";
    error_ = ::mkdtemp(path_.data()) == nullptr ? errno : 0;
  }
  ~TemporaryFolder() {
    if (error_ != 0) return;
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  [[nodiscard]] int error() const { return error_; }
  [[nodiscard]] const std::string& path() const { return path_; }
  /// The name of the file with this number.
  const std::string& file(std::size_t number) {
    while (files_.size() <= number) {
      files_.push_back(path_ + "/module" + std::to_string(files_.size() + 1) + std::string(extension_));
    }
    return files_[number];
  }

 private:
  std::string path_;
  std::string_view extension_;
  int error_ = 0;
  std::vector<std::string> files_;
};

// Without a command, `command` is empty.
class Shrinking {
 public:
  Shrinking(const Invocation& invocation, const spirv::Grammar& grammar, std::vector<std::string> command,
            const CommandOptions& options)
      : invocation_(invocation),
        grammar_(grammar),
        output_(invocation.options.value(output_option)),
        is_text_(invocation.options.has(text_option) || output_.ends_with(".spvasm")),
        has_progress_(!invocation.options.has(quiet_option) && ::isatty(invocation.streams.err) != 0),
        limit_(options.limit ? static_cast<std::size_t>(options.limit->count()) : 0),
        name_(command.empty() ? std::string() : command.front()),
        runner_(std::move(command), options) {
    if (invocation.operands().size() > 1) folder_.emplace(is_text_ ? ".spvasm" : ".spv");
  }

  /// Requires the result of the module's execution. Returns an exit status; unless it is `fine`, the reason has been
  /// reported.
  int require_same_result(const ChosenRun& chosen, const SourceText& source, Reporter& reporter) {
    same_result_.emplace(invocation_, chosen, source, reporter);
    return same_result_->prepare();
  }

  /// Returns the exit status.
  int run(spirv::Words words, spirv::ShrinkOptions options, Diagnostics& diagnostics) {
    diagnostics_ = &diagnostics;
    threads_ = static_cast<unsigned>(options.candidates);
    if (folder_ && folder_->error() != 0) {
      diagnostics.error(rule::cannot_write, Location::none(),
                        "cannot create the folder " + folder_->path() + ": " + describe_error(folder_->error()));
      return exit_status::no_file;
    }
    options.progress = [&](const spirv::ShrinkProgress& progress) { show(progress); };
    const auto test = [&](std::span<spirv::ShrinkCandidate> candidates) { try_candidates(candidates); };
    Diagnostics found;
    const Result<spirv::WordBuffer> best = spirv::shrink(words, options, test, found);
    if (has_progress_) print_to_terminal("\r\033[K");
    if (failure_ != exit_status::fine) return failure_;
    if (first_ && !first_->is_success() && first_->kind != CommandEnd::Kind::Interrupted) {
      return report_first_run(*first_);
    }
    for (const Diagnostic& each : found.all()) diagnostics.report(each);
    if (!best) return exit_status::wrong_input;
    if (first_ && first_->kind == CommandEnd::Kind::Interrupted) return note_interruption(words.size(), *best);
    if ((is_behind_ || !is_written_) && !write_output(*best)) return exit_status::no_file;
    if (interruption_ == 0) interruption_ = runner_.interruption();
    if (interruption_ != 0) return note_interruption(words.size(), *best);
    if (!invocation_.options.has(quiet_option)) note(summary_of(words.size(), *best));
    return exit_status::fine;
  }

 private:
  void try_candidates(std::span<spirv::ShrinkCandidate> candidates) {
    if (failure_ != exit_status::fine) return;  // without a verdict the search ends
    if (same_result_) same_result_->test(candidates, threads_);
    std::vector<spirv::ShrinkCandidate*> left;  // for the command
    for (spirv::ShrinkCandidate& each : candidates) {
      if (each.verdict == spirv::ShrinkVerdict::Stop) interruption_ = same_result_->signal();
      if (!folder_ || (same_result_ && each.verdict != spirv::ShrinkVerdict::Interesting)) continue;
      each.verdict = spirv::ShrinkVerdict::Unknown;
      left.push_back(&each);
    }
    if (interruption_ == 0 && !left.empty()) run_command(left);
  }

  // Sets the verdicts of some candidates, at least one, by the ends of the command.
  void run_command(std::span<spirv::ShrinkCandidate* const> candidates) {
    std::vector<std::string> files;
    files.reserve(candidates.size());
    for (spirv::ShrinkCandidate* const each : candidates) {
      const std::string& file = folder_->file(files.size());
      if (!write_candidate(each->words, file)) return stop(exit_status::no_file);
      files.push_back(file);
    }
    const std::vector<CommandEnd> ends = runner_.run(files);
    if (!first_) first_ = ends.front();
    if (ends.front().is_system_error()) {
      const bool is_started = ends.front().kind == CommandEnd::Kind::Lost;
      diagnostics_->error(
          spirv::rule::cannot_run, Location::none(),
          fmt::format("cannot {} {}: {}", is_started ? "wait for" : "start", name_, text_of(ends.front(), limit_)));
      return stop(exit_status::no_file);
    }
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      const CommandEnd end = ends[i];
      if (end.kind == CommandEnd::Kind::Interrupted) {
        interruption_ = end.number;
        candidates[i]->verdict = spirv::ShrinkVerdict::Stop;
      } else if (!end.is_system_error()) {  // a candidate after the first one needs no verdict
        candidates[i]->verdict =
            end.is_success() ? spirv::ShrinkVerdict::Interesting : spirv::ShrinkVerdict::Uninteresting;
      }
    }
  }

  // The candidates have no verdict, which also stops the search.
  void stop(int status) { failure_ = status; }

  bool write_module(spirv::Words words, TextSink& sink) const {
    if (!is_text_) return sink.write(spirv::bytes_of(words));
    Diagnostics ignored;  // faults of a module that has to be tried nevertheless
    return spirv::disassemble(words, {.grammar = &grammar_}, sink, ignored) || sink.write("");
  }

  // Writes a file for the command. Nothing else reads it, so it is overwritten, which is faster than a new file.
  bool write_candidate(spirv::Words words, const std::string& path) {
    const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    int error = descriptor < 0 ? errno : 0;
    if (descriptor >= 0) {
      DescriptorSink sink(descriptor);
      write_module(words, sink);
      sink.flush();
      error = sink.error();
      ::close(descriptor);
    }
    if (error == 0) return true;
    diagnostics_->error(rule::cannot_write, Location::none(), "cannot write " + path + ": " + describe_error(error));
    return false;
  }

  bool write_output(spirv::Words words) {
    is_written_ = true;
    is_behind_ = false;
    written_ = Clock::now();
    OutputFile file(output_);
    write_module(words, file);
    if (file.commit(*diagnostics_)) return true;
    stop(exit_status::no_file);
    return false;
  }

  void show(const spirv::ShrinkProgress& progress) {
    is_behind_ |= progress.is_new_best;
    // The first results follow each other fast.
    if (is_behind_ && failure_ == exit_status::fine && Clock::now() - written_ >= between_outputs) {
      write_output(progress.best);
    }
    if (!has_progress_) return;
    const std::size_t runs = same_result_ ? same_result_->count() : runner_.count();
    print_to_terminal(
        fmt::format("\r\033[K{} runs, {} -> {} bytes", runs, progress.words_before * 4, progress.best.size_bytes()));
  }

  void print_to_terminal(std::string_view text) const { DescriptorSink(invocation_.streams.err).write(text); }

  int report_first_run(CommandEnd end) {
    diagnostics_->error(
        spirv::rule::not_interesting, Location::none(),
        fmt::format("{} failed for the input module ({}); expected exit status 0", name_, text_of(end, limit_)));
    return exit_status::wrong_input;
  }

  void note(std::string message) {
    diagnostics_->report({.rule = "", .severity = Severity::Note, .message = std::move(message)});
  }

  [[nodiscard]] std::string summary_of(std::size_t words_before, spirv::Words best) const {
    using Seconds = std::chrono::duration<double>;
    std::string text = fmt::format("{} bytes before, {} after; ", words_before * 4, best.size_bytes());
    Seconds search = Clock::now() - begin_;
    if (same_result_) {
      const Seconds executing = same_result_->time();
      text += fmt::format("{} took {:.1f} s, ", counted(same_result_->count(), "execution"), executing.count());
      search -= executing;
    }
    if (folder_) {
      const Seconds in_command = runner_.time();
      text += fmt::format("{} runs of {} took {:.1f} s, ", runner_.count(), name_, in_command.count());
      search -= in_command;
    }
    return text + fmt::format("the search {:.2f} s", search.count());
  }

  int note_interruption(std::size_t words_before, spirv::Words best) {
    if (is_written_) {
      note(fmt::format("interrupted: {} bytes before, {} after; to continue, shrink {}", words_before * 4,
                       best.size_bytes(), output_));
    } else {
      note(fmt::format("interrupted during the first run of {}; {} was not written", name_, output_));
    }
    return 128 + (interruption_ != 0 ? interruption_ : first_->number);  // as shells report a signal
  }

  const Invocation& invocation_;
  const spirv::Grammar& grammar_;
  std::string_view output_;
  bool is_text_, has_progress_;
  std::size_t limit_;
  std::string name_;  // of the program
  const Clock::time_point begin_ = Clock::now();
  // It blocks the signals that end a program, so it is made before the folder; the folder is removed before they are
  // unblocked. Its command must not inherit the signals that executions block.
  CommandRunner runner_;
  std::optional<TemporaryFolder> folder_;  // if there is a command
  std::optional<SameResult> same_result_;  // of --same-result
  unsigned threads_ = 1;                   // for executions
  Diagnostics* diagnostics_ = nullptr;
  std::optional<CommandEnd> first_;
  int failure_ = exit_status::fine;
  int interruption_ = 0;
  bool is_written_ = false, is_behind_ = false;  // whether OUT exists; whether it is not yet the best module
  Clock::time_point written_;
};

// An option that only --same-result reads, given without it; nullptr: none.
const Option* option_without_effect(const ParsedOptions& given) {
  if (given.has(same_result_option)) return nullptr;
  const auto row = std::ranges::find_if(same_result_options, [&](const Option* option) { return given.has(*option); });
  return row == same_result_options.end() ? nullptr : *row;
}

int run_shrink(const Invocation& invocation) {
  const ParsedOptions& given = invocation.options;
  const std::vector<std::string>& operands = given.operands();
  const bool keeps_result = given.has(same_result_option);
  if (operands.empty())
    return usage_error(invocation, keeps_result ? "expected a module" : "expected a module and, after '--', a command");
  if (operands.size() == 1 && !keeps_result)
    return usage_error(invocation, "expected a command after '--', or --same-result");
  std::vector<std::string> command(operands.begin() + 1, operands.end());
  const auto has_place = [](const std::string& argument) { return argument.find("{}") != std::string::npos; };
  if (!command.empty() && std::none_of(command.begin(), command.end(), has_place)) {
    return usage_error(invocation, "no argument of the command contains '{}', the place for the file");
  }
  if (const Option* const option = option_without_effect(given))
    return usage_error(invocation, fmt::format("option '--{}' needs --same-result", option->name));
  const std::string_view output = given.value(output_option);
  if (output.empty() || output == "-") return usage_error(invocation, "expected -o OUT, the name of a file");
  const ChosenEnvironment target = environment_of_target(given);
  if (!target.problem.empty()) return usage_error(invocation, target.problem);

  Reporter reporter(invocation);
  ChosenGrammar chosen;
  if (const int status = chosen.load(invocation, reporter); status != exit_status::fine) return status;
  ChosenRun execution;
  if (keeps_result) {
    const int status = execution.load(invocation, chosen.grammar(), reporter);
    if (status != exit_status::fine) return status;
  }
  const std::string_view path = operands.front();
  const std::optional<FileBytes> bytes = read_input(invocation, path, reporter);
  if (!bytes) return exit_status::no_file;
  const SourceText source{name_of_input(path), bytes->text()};
  Diagnostics diagnostics(reporter.limit());
  spirv::ValidateOptions reading{.grammar = &chosen.grammar()};
  if (target.environment) reading.environment = *target.environment;
  const std::optional<Subject> subject = read_subject(source, reading, diagnostics);
  if (!subject) {
    reporter.add(source, diagnostics);
    return exit_status::wrong_input;
  }
  spirv::ShrinkOptions options;
  options.grammar = &chosen.grammar();
  options.environment = reading.environment;
  options.allow_invalid = given.has(allow_invalid_option);
  options.no_undef = given.has(no_undef_option);
  const std::size_t jobs = given.count(jobs_option, 1);
  options.candidates = std::min<std::size_t>(jobs == 0 ? hardware_threads() : jobs, max_jobs);
  CommandOptions running;
  if (const std::size_t limit = given.count(timeout_option, 0); limit != 0) {
    running.limit = std::chrono::seconds(std::min(limit, max_seconds));
  }
  if (given.has(verbose_option)) running.output = invocation.streams.err;
  Shrinking shrinking(invocation, chosen.grammar(), std::move(command), running);
  if (keeps_result) {
    const int status = shrinking.require_same_result(execution, source, reporter);
    if (status != exit_status::fine) return status;
  }
  const int status = shrinking.run(subject->words(), options, diagnostics);
  reporter.add(source, located_in_input(diagnostics, *subject));
  return status;
}

}  // namespace

constinit const Command shrink_command(
    "shrink", "IN -o OUT [--same-result] [-- COMMAND [ARGUMENT]...]",
    "find a small module for which a command succeeds",
    "Removes functions, blocks, instructions, operands and declarations of the module IN as long as COMMAND exits with "
    "0. In each ARGUMENT, '{}' becomes the name of a file with the module to try. COMMAND must succeed for IN itself: "
    "to shrink a module that makes a compiler crash, use a script that exits with 0 if the compiler crashes. No shell "
    "is involved; the output of COMMAND is discarded, unless --verbose shows it on standard error.\n\n"
    "With --same-result no command is needed: every module is executed as by 'vireo run', and must have the same "
    "findings as IN or, if IN has none, the same contents of buffers.\n\n"
    "If IN is valid, so is every module that is tried, unless --allow-invalid is given. OUT always holds a complete "
    "module. After an interruption, run the command with OUT in place of IN to continue.\n\n"
    "IN is a binary or assembly text. OUT and the files for COMMAND are text with --text, or if the name of OUT ends "
    "in .spvasm.",
    "vireo shrink crash.spv -o small.spv -- ./crashes.sh {}\n"
    "vireo shrink -j 4 --timeout 10 crash.spv -o small.spvasm -- ./crashes.sh {}\n"
    "vireo shrink --same-result --groups 4 racy.spv -o small.spvasm",
    "spv|spvasm", shrink_options, run_shrink);

}  // namespace vireo::cli
