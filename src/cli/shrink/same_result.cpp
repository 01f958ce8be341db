// SPDX-License-Identifier: Apache-2.0
//
// Executes candidates and compares their results (same_result.h).
#include "cli/shrink/same_result.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "cli/common/shared_options.h"
#include "cli/module/subject.h"
#include "support/counted.h"
#include "support/parallel.h"

namespace vireo::cli {
namespace {

using Clock = std::chrono::steady_clock;

// A candidate may execute more instructions than the module, for example if a condition has become constant. The limit
// soon ends those that have no end.
constexpr std::uint64_t further_instructions = 10'000;

std::uint64_t limit_of_candidates(std::uint64_t of_module) {
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  return of_module > (most - further_instructions) / 2 ? most : 2 * of_module + further_instructions;
}

}  // namespace

SameResult::SameResult(const Invocation& invocation, const ChosenRun& chosen, const SourceText& source,
                       Reporter& reporter)
    : invocation_(invocation),
      chosen_(chosen),
      source_(source),
      reporter_(reporter),
      interruption_(invocation.streams, false),
      module_(source, chosen, reporter.limit()) {}

int SameResult::prepare() {
  if (!module_.read() || !module_.specialize(chosen_.specialization())) return fail();
  const EntryInputs entry(module_.words(), module_.grammar(), module_.values(), chosen_.options().entry_point);
  const ValueText read = inputs_.read(invocation_.options, entry, chosen_.value_limits());
  if (!read.problem.empty()) return report_problem(read);
  options_ = module_.options();
  options_.allowed = {};  // comments of the text: candidates have none
  options_.max_findings = std::numeric_limits<std::size_t>::max();
  options_.is_interrupted = [this] { return interruption_.poll(); };
  Diagnostics found(options_.max_findings);
  expected_ = execute(module_.words(), inputs_, found);
  if (!expected_.report) {
    for (const Diagnostic& each : found.all()) module_.found().report(each);
    return fail();
  }
  Diagnostics notes;
  const auto note = [&](std::string text) {
    notes.report({.rule = "", .severity = Severity::Note, .message = std::move(text)});
  };
  const bool is_interrupted = expected_.report->end == spirv::DispatchEnd::Interrupted;
  if (is_interrupted) {
    note(fmt::format("interrupted during the first execution; {} was not written",
                     invocation_.options.value(output_option)));
  } else if (!invocation_.options.has(quiet_option)) {
    for (std::string& text : inputs_.notes_of_defaults(invocation_.options, expected_.workgroup_size))
      note(std::move(text));
    note(requirement());
  }
  reporter_.add(source_, notes);
  if (is_interrupted) return interruption_.status();
  options_.name_of_id = {};  // messages about candidates are not shown
  if (expected_.report->end != spirv::DispatchEnd::StepLimit) {
    options_.max_steps = std::min(options_.max_steps, limit_of_candidates(expected_.report->invocation_instructions));
  }
  return exit_status::fine;
}

int SameResult::fail() {
  const std::optional<Subject>& subject = module_.input().subject;
  reporter_.add(source_, subject ? located_in_input(module_.found(), *subject) : module_.found());
  return exit_status::wrong_input;
}

int SameResult::report_problem(const ValueText& problem) {
  if (!problem.is_file_problem) return usage_error(invocation_, problem.problem);
  Diagnostics diagnostics;
  diagnostics.error(rule::cannot_read, Location::none(), problem.problem);
  reporter_.add({"vireo", {}}, diagnostics);
  return exit_status::no_file;
}

std::string SameResult::requirement() const {
  if (!expected_.rules.empty())
    return fmt::format("candidates must have findings of the same rules: {} (--rule RULE=off ignores one)",
                       fmt::join(expected_.rules, ", "));
  std::size_t changed = 0;
  for (const RunBuffer& buffer : inputs_.buffers) changed += buffer.bytes != buffer.before;
  return fmt::format("candidates must have no findings and leave the same bytes in {} ({} changed)",
                     counted(inputs_.buffers.size(), "buffer"), changed);
}

SameResult::Outcome SameResult::execute(spirv::Words words, ModuleInputs& inputs, Diagnostics& found) const {
  Outcome outcome;
  Result<spirv::Executor> executor = spirv::Executor::create(words, options_, found);
  if (!executor) return outcome;
  outcome.workgroup_size = executor->workgroup_size();
  for (RunBuffer& buffer : inputs.buffers) {
    buffer.before = buffer.bytes;
    executor->bind({buffer.set, buffer.binding, buffer.element, buffer.bytes});
  }
  executor->push(inputs.push.bytes);
  const Result<spirv::DispatchReport> report = executor->dispatch(chosen_.groups(), found);
  if (!report) return outcome;
  outcome.report = *report;
  for (const Diagnostic& each : found.all()) {
    if (each.severity != Severity::Note) outcome.rules.push_back(each.rule);
  }
  std::ranges::sort(outcome.rules);
  outcome.rules.erase(std::unique(outcome.rules.begin(), outcome.rules.end()), outcome.rules.end());
  return outcome;
}

// A candidate may lack a buffer, or the end of one, if the module does not change it.
bool SameResult::has_same_bytes(const ModuleInputs& inputs) const {
  return std::ranges::all_of(inputs_.buffers, [&](const RunBuffer& expected) {
    const auto found = std::ranges::find_if(inputs.buffers, [&](const RunBuffer& each) {
      return each.set == expected.set && each.binding == expected.binding && each.element == expected.element;
    });
    std::vector<std::byte> bytes = expected.before;
    if (found != inputs.buffers.end()) {
      if (found->bytes.size() > bytes.size()) return false;
      std::ranges::copy(found->bytes, bytes.begin());
    }
    return bytes == expected.bytes;
  });
}

spirv::ShrinkVerdict SameResult::verdict_on(spirv::Words words) {
  if (interruption_.poll()) return spirv::ShrinkVerdict::Stop;
  const EntryInputs entry(words, module_.grammar(), module_.values(), options_.entry_point);
  ModuleInputs inputs;
  const ValueText read = inputs.read(invocation_.options, entry, chosen_.value_limits(), true);
  if (!read.problem.empty()) return spirv::ShrinkVerdict::Uninteresting;
  Diagnostics found(options_.max_findings);
  const Outcome outcome = execute(words, inputs, found);
  if (!outcome.report) return spirv::ShrinkVerdict::Uninteresting;
  if (outcome.report->end == spirv::DispatchEnd::Interrupted) return spirv::ShrinkVerdict::Stop;
  const bool is_same =
      outcome.rules == expected_.rules &&
      (!outcome.rules.empty() || (outcome.report->end == expected_.report->end && has_same_bytes(inputs)));
  return is_same ? spirv::ShrinkVerdict::Interesting : spirv::ShrinkVerdict::Uninteresting;
}

void SameResult::test(std::span<spirv::ShrinkCandidate> candidates, unsigned threads) {
  const auto begin = Clock::now();
  deliver_in_order<spirv::ShrinkVerdict>(
      candidates.size(), threads, [&](std::size_t i) { return verdict_on(candidates[i].words); },
      [&](std::size_t i, spirv::ShrinkVerdict verdict) { candidates[i].verdict = verdict; });
  count_ += candidates.size();
  time_ += Clock::now() - begin;
}

}  // namespace vireo::cli
