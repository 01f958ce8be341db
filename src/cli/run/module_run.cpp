// SPDX-License-Identifier: Apache-2.0
//
// Binds the inputs of the command line, and runs a module (module_run.h).
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
#include "support/counted.h"
#include "support/printable.h"
#include "vireo/spirv/transform/specialize.h"

namespace vireo::cli {
namespace {

constexpr std::uint64_t default_elements = 64;

class ModuleRun {
 public:
  ModuleRun(const Invocation& invocation, const ChosenRun& chosen, Reporter& reporter, RunOutput& output)
      : invocation_(invocation), chosen_(chosen), reporter_(reporter), output_(output) {}

  int run(const SourceText& source) {
    RunnableModule module(source, chosen_, reporter_.limit());
    if (!module.read() || !module.specialize(chosen_.specialization())) return fail(module);
    EntryInputs inputs(module.words(), module.grammar(), module.values(), chosen_.options().entry_point);
    std::deque<RunBuffer> buffers = inputs.buffers();
    RunBuffer push;
    if (const int status = bind(inputs, buffers, push); status != exit_status::fine) return status;
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
    executor->push(push.bytes);
    note_defaults(source.name, *executor, buffers);
    const Result<spirv::DispatchReport> report = executor->dispatch(chosen_.groups(), module.found());
    interruption.end_progress();
    if (!report) return fail(module);
    module.sort();
    output_.add_findings(module.input(), chosen_);
    const bool is_interrupted = report->end == spirv::DispatchEnd::Interrupted;
    if (is_interrupted) output_.add_note(source.name, place_of_interruption(*executor, *report));
    else output_.compare(source.name);
    const int status = output_.add_buffers(buffers, source.name, is_interrupted);
    output_.add_result(source.name, &*report);
    if (is_interrupted) return interruption.status();
    return std::max(status, output_.has_errors() ? exit_status::wrong_input : exit_status::fine);
  }

 private:
  int fail(RunnableModule& module) {
    output_.add_findings(module.input(), chosen_);
    output_.add_result(module.input().source.name, nullptr);
    return exit_status::wrong_input;
  }

  // Gives every buffer its contents. Returns an exit status.
  int bind(const EntryInputs& inputs, std::deque<RunBuffer>& buffers, RunBuffer& push) {
    ValueLimits limits = chosen_.value_limits();
    for (const auto& [option, text] : invocation_.options.in_order()) {
      if (option != &buffer_option && option != &uniform_option) continue;
      const std::string_view given = text;
      const std::size_t equals = given.find('=');
      if (equals == std::string_view::npos || equals == 0)
        return usage_error(invocation_, fmt::format("--{} expects B=V", option->name));
      std::string problem;
      RunBuffer* const buffer = find_buffer_or_element(buffers, given.substr(0, equals), problem);
      if (buffer == nullptr) return usage_error(invocation_, fmt::format("--{}: {}", option->name, problem));
      const int status =
          set(*buffer, given.substr(equals + 1), limits, fmt::format("--{} {}", option->name, given.substr(0, equals)));
      if (status != exit_status::fine) return status;
    }
    if (const spirv::ReflectedPushConstants* const block = inputs.push_constants()) {
      has_push_constants_ = true;
      push.layout = std::make_shared<const ValueLayout>(ValueLayout::of_type(inputs.facts(), block->type));
      push.bytes.resize(static_cast<std::size_t>(std::min(block->end, limits.max_bytes)));
      if (invocation_.options.has(push_option)) {
        const int status = set(push, invocation_.options.value(push_option), limits, "--push");
        if (status != exit_status::fine) return status;
      }
    } else if (invocation_.options.has(push_option) && inputs.has_entry()) {
      return usage_error(invocation_, "--push: the entry point has no push constants");
    }
    std::uint64_t total = 0;
    for (RunBuffer& buffer : buffers) {
      if (!buffer.is_given) {
        const std::uint64_t size = buffer.layout->size_with(default_elements);
        if (size > limits.max_bytes - std::min(total, limits.max_bytes))
          return usage_error(invocation_, fmt::format("buffer {} has {} bytes; an execution has at most {} (--memory)",
                                                      buffer.label(), size, limits.max_bytes));
        buffer.bytes.resize(static_cast<std::size_t>(size));
      }
      total += buffer.bytes.size();
    }
    return exit_status::fine;
  }

  // An array of descriptors without a length grows.
  static RunBuffer* find_buffer_or_element(std::deque<RunBuffer>& buffers, std::string_view name,
                                           std::string& problem) {
    const BufferName wanted = BufferName::parse(name);
    for (const RunBuffer& first : buffers) {
      BufferName of_first = wanted;
      of_first.element = 0;
      if (wanted.element == 0 || wanted.element >= EntryInputs::max_descriptors || !first.is_open_array ||
          !of_first.matches(first))
        continue;
      const bool exists = std::ranges::any_of(buffers, [&](const RunBuffer& each) { return wanted.matches(each); });
      if (exists) break;
      RunBuffer added = first;
      added.element = wanted.element;
      added.is_given = false;
      added.bytes.clear();
      return &buffers.emplace_back(std::move(added));
    }
    return find_buffer(buffers, name, problem);
  }

  int set(RunBuffer& buffer, std::string_view text, const ValueLimits& limits, std::string_view option) {
    InputValue value;
    const ValueText read = read_value_text(text, *buffer.layout, limits, value);
    if (read.is_file_problem) {
      Diagnostics diagnostics;
      diagnostics.error(rule::cannot_read, Location::none(), read.problem);
      output_.add("vireo", diagnostics);
      return exit_status::no_file;
    }
    if (!read.problem.empty()) return usage_error(invocation_, fmt::format("{}: {}", option, read.problem));
    buffer.bytes = std::move(value.bytes);
    buffer.is_given = true;
    return exit_status::fine;
  }

  // Says what the user has not chosen.
  void note_defaults(std::string_view name, const spirv::Executor& executor, const std::deque<RunBuffer>& buffers) {
    if (invocation_.options.has(quiet_option)) return;
    if (!invocation_.options.has(groups_option)) {
      const auto size = executor.workgroup_size();
      output_.add_note(name, fmt::format("runs one workgroup of {} x {} x {} invocations; --groups runs more", size[0],
                                         size[1], size[2]));
    }
    if (has_push_constants_ && !invocation_.options.has(push_option))
      output_.add_note(name, "the push constants have no input: all are zero");
    for (const RunBuffer& buffer : buffers) {
      if (buffer.is_given) continue;
      const std::string elements =
          buffer.layout->open_list() == nullptr ? std::string() : fmt::format(", {} elements", default_elements);
      output_.add_note(name, fmt::format("buffer {} has no input: {} of zeros{}", buffer.label(),
                                         counted(buffer.bytes.size(), "byte"), elements));
    }
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
  bool has_push_constants_ = false;
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
