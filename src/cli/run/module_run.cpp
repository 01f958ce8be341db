// SPDX-License-Identifier: Apache-2.0
//
// Runs a module with the inputs of the command line (module_run.h).
#include "cli/run/module_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/common/inputs.h"
#include "cli/run/interruption.h"
#include "cli/run/runnable_module.h"
#include "spirv/rules.h"
#include "support/counted.h"

namespace vireo::cli {
namespace {

class ModuleRun {
 public:
  ModuleRun(const Invocation& invocation, const ChosenRun& chosen, Reporter& reporter, RunOutput& output)
      : invocation_(invocation), chosen_(chosen), reporter_(reporter), output_(output) {}

  int run(const SourceText& source) {
    RunnableModule module(source, chosen_, reporter_.limit());
    if (!module.read() || !module.specialize(chosen_.specialization())) return fail(module);
    EntryInputs inputs(module.words(), module.grammar(), module.values(), chosen_.options().entry_point);
    ModuleInputs given;
    if (const ValueText problem = given.read(invocation_.options, inputs, chosen_.value_limits());
        !problem.problem.empty())
      return output_.report(problem);
    std::deque<RunBuffer>& buffers = given.buffers;
    if (const int status = output_.read(buffers, chosen_.value_limits()); status != exit_status::fine) return status;

    Interruption interruption(invocation_.streams);
    spirv::RunOptions options = module.options();
    options.print = [&](const spirv::PrintedLine& line) { output_.add_printed(line); };
    options.is_interrupted = [&] { return interruption.poll(); };
    Result<spirv::Executor> executor = spirv::Executor::create(module.words(), options, module.found());
    if (!executor) return fail(module);
    for (RunBuffer& buffer : buffers) {
      buffer.before = buffer.bytes;
      executor->bind({buffer.set, buffer.binding, buffer.element, buffer.bytes});
    }
    executor->push(given.push.bytes);
    if (!invocation_.options.has(quiet_option)) {
      for (std::string& note : given.notes_of_defaults(invocation_.options, executor->workgroup_size()))
        output_.add_note(source.name, std::move(note));
    }
    const Result<spirv::DispatchReport> report = executor->dispatch(chosen_.groups(), module.found());
    interruption.end_progress();
    if (!report) return fail(module);
    const bool is_complete = report->end == spirv::DispatchEnd::Finished;
    if (const std::uint64_t schedules = invocation_.options.count(schedules_option, 1); schedules > 1 && is_complete)
      compare_schedules(source.name, module, options, given, schedules);
    module.sort();
    output_.add_findings(module.input(), chosen_);
    const bool is_interrupted = report->end == spirv::DispatchEnd::Interrupted;
    if (!is_complete && !is_interrupted) report_incomplete(module, *report);
    if (is_interrupted) output_.add_note(source.name, place_of_interruption(*executor, *report));
    else output_.compare(source.name);
    const int status = output_.add_buffers(buffers, source.name, is_interrupted);
    output_.add_result(source.name, &*report);
    if (is_interrupted) return interruption.status();
    return std::max(status, output_.has_errors() || !is_complete ? exit_status::wrong_input : exit_status::fine);
  }

 private:
  // Without checks, or if its rule is off, no finding says that the execution has no end.
  void report_incomplete(RunnableModule& module, const spirv::DispatchReport& report) {
    const spirv::RunOptions& options = chosen_.options();
    if (options.checks && !module.found().all().empty()) return output_.note_incomplete(module.input().source.name);
    const bool is_total = report.invocation_instructions >= options.max_steps;
    const std::string text =
        report.end == spirv::DispatchEnd::Stuck
            ? "the execution stopped because no invocation can go on"
            : fmt::format("the execution stopped at the limit of {}{}",
                          counted(is_total ? options.max_steps : options.max_steps_of_subgroup, "instruction"),
                          is_total ? "" : " of a subgroup");
    Diagnostics diagnostics;
    diagnostics.error(report.end == spirv::DispatchEnd::Stuck ? "no-progress" : "step-limit", Location::none(),
                      text + "; the buffers are incomplete");
    output_.add(module.input().source.name, diagnostics);
  }

  // Repeats the run with random schedules until a buffer differs. Findings of races need no other schedule.
  void compare_schedules(std::string_view name, RunnableModule& module, spirv::RunOptions options, ModuleInputs& given,
                         std::uint64_t count) {
    const std::deque<RunBuffer>& buffers = given.buffers;
    options.schedule = spirv::Schedule::Random;
    options.checks = false;
    options.print = {};
    const std::uint64_t seed = options.seed;
    for (std::uint64_t i = 1; i < count; ++i) {
      options.seed = seed + i;
      Diagnostics ignored;  // reported by the first run
      Result<spirv::Executor> executor = spirv::Executor::create(module.words(), options, ignored);
      if (!executor) return;
      std::vector<std::vector<std::byte>> contents;
      contents.reserve(buffers.size());
      for (const RunBuffer& buffer : buffers) {
        executor->bind({buffer.set, buffer.binding, buffer.element, contents.emplace_back(buffer.before)});
      }
      executor->push(given.push.bytes);
      const Result<spirv::DispatchReport> report = executor->dispatch(chosen_.groups(), ignored);
      if (!report || report->end == spirv::DispatchEnd::Interrupted) return;
      for (std::size_t b = 0; b < buffers.size(); ++b) {
        const auto [first, other] = std::ranges::mismatch(buffers[b].bytes, contents[b]);
        if (first == buffers[b].bytes.end()) continue;
        Diagnostics found;
        found.warning(spirv::rule::schedule_dependent, Location::none(),
                      fmt::format("byte {} of buffer {} is 0x{:02x}, but 0x{:02x} with --schedule=random --seed {}",
                                  first - buffers[b].bytes.begin(), buffers[b].label(),
                                  std::to_integer<unsigned>(*first), std::to_integer<unsigned>(*other), options.seed));
        return output_.add(name, found);
      }
    }
  }

  int fail(RunnableModule& module) {
    output_.add_findings(module.input(), chosen_);
    output_.add_result(module.input().source.name, nullptr);
    return exit_status::wrong_input;
  }

  std::string place_of_interruption(const spirv::Executor& executor, const spirv::DispatchReport& report) const {
    const auto size = executor.workgroup_size();
    const std::uint64_t of_group = std::uint64_t{size[0]} * size[1] * size[2];
    const std::uint64_t begun = report.invocations / std::max<std::uint64_t>(of_group, 1);
    const auto groups = chosen_.groups();
    const std::uint64_t last = begun == 0 ? 0 : begun - 1;
    return fmt::format("interrupted in workgroup {},{},{} after {} of all invocations", last % groups[0],
                       last / groups[0] % groups[1], last / groups[0] / groups[1],
                       counted(report.invocation_instructions, "instruction"));
  }

  const Invocation& invocation_;
  const ChosenRun& chosen_;
  Reporter& reporter_;
  RunOutput& output_;
};

}  // namespace

int run_module(const Invocation& invocation, const ChosenRun& chosen, Reporter& reporter, RunOutput& output) {
  const std::vector<std::string>& operands = invocation.operands();
  if (operands.size() > 1) return usage_error(invocation, "expected one module; --test runs several files");
  const std::string path = operands.empty() ? std::string(standard_input) : operands.front();
  const std::optional<FileBytes> bytes = read_input(invocation, path, reporter);
  if (!bytes) return exit_status::no_file;
  return ModuleRun(invocation, chosen, reporter, output).run({name_of_input(path), bytes->text()});
}

}  // namespace vireo::cli
