// SPDX-License-Identifier: Apache-2.0
//
// Runs one job, or many in parallel (job_run.h).
#include "cli/run/job_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/common/batch.h"
#include "cli/common/inputs.h"
#include "cli/run/interruption.h"
#include "cli/run/job.h"
#include "spirv/rules.h"
#include "support/counted.h"
#include "support/json_writer.h"
#include "support/parallel.h"
#include "support/printable.h"

namespace vireo::cli {
namespace {

using Kind = JobEnd::Kind;

constexpr std::string_view json_extension = ".json";

int status_of(Kind kind) {
  switch (kind) {
    case Kind::Passed:
    case Kind::Skipped: return exit_status::fine;
    case Kind::Failed:
    case Kind::Interrupted: return exit_status::wrong_input;
    case Kind::Invalid: return exit_status::usage;
    case Kind::Unreadable: break;
  }
  return exit_status::no_file;
}

Diagnostics diagnostics_of(const JobEnd& end) {
  Diagnostics diagnostics;
  const std::string_view rule = end.kind == Kind::Failed       ? spirv::rule::failed_expectation
                                : end.kind == Kind::Skipped    ? spirv::rule::run_unsupported
                                : end.kind == Kind::Unreadable ? rule::cannot_read
                                                               : spirv::rule::job_format;
  if (end.kind == Kind::Interrupted)
    diagnostics.report({.rule = "", .severity = Severity::Note, .message = end.reason});
  else if (end.kind != Kind::Passed) diagnostics.error(rule, Location::none(), end.reason);
  return diagnostics;
}

// --- tests ------------------------------------------------------------------------------------------------------------

struct TestResult {
  std::string file, name;
  JobEnd end;
  bool has_findings = false;  // that the test does not state
};

TestResult run_test(const Input& input, const ChosenRun& chosen, const Streams& streams, std::size_t limit,
                    Interruption& interruption) {
  TestResult result{.file = std::string(input.name()), .name = {}, .end = {}};
  Diagnostics diagnostics;
  if (interruption.poll()) {
    result.end = {Kind::Interrupted, {}};
    return result;
  }
  if (!input.problem.empty()) {
    result.end = {Kind::Unreadable, input.problem};
    return result;
  }
  const Result<FileBytes> bytes = read_bytes(streams, input, diagnostics);
  if (!bytes) {
    result.end = {Kind::Unreadable, diagnostics.all().front().message};
    return result;
  }
  Job job(input.path, chosen, limit);
  result.end = job.read(bytes->text());
  if (result.end.kind == Kind::Passed) result.end = job.run([&] { return interruption.poll(); });
  result.name = job.name();
  result.has_findings = result.end.kind == Kind::Passed && !job.states_findings() && !job.rules().empty();
  return result;
}

// Prints results in the order of the inputs, and counts them.
class TestReport {
 public:
  explicit TestReport(const Invocation& invocation)
      : options_(invocation.options),
        is_json_(options_.value(format_option) == "json"),
        out_(invocation.streams.out),
        json_(out_) {}

  void add(const TestResult& result) {
    ++counts_[result.end.kind];
    status_ = std::max(status_, status_of(result.end.kind));
    if (result.has_findings) ++with_findings_;
    if (result.end.kind == Kind::Skipped) ++reasons_[result.end.reason];
    if (is_json_) return add_record(result);
    if (result.end.kind == Kind::Passed || result.end.kind == Kind::Skipped || result.end.kind == Kind::Interrupted)
      return;
    std::string line;
    append_printable(line, fmt::format("{}: {}", result.file, result.end.reason));
    out_.write(line + '\n');
    out_.flush();
  }

  int finish(const Interruption& interruption) {
    if (is_json_) json_.flush();
    else if (!options_.has(quiet_option)) write_summary();
    if (!out_.flush()) status_ = exit_status::no_file;
    return interruption.signal() != 0 ? interruption.status() : status_;
  }

 private:
  void add_record(const TestResult& result) {
    constexpr std::string_view words[] = {"passed", "failed", "skipped", "failed", "failed", "interrupted"};
    json_.begin_object().key("file").string(result.file);
    if (!result.name.empty()) json_.key("test").string(result.name);
    json_.key("result").string(words[static_cast<std::size_t>(result.end.kind)]);
    if (!result.end.reason.empty()) json_.key("reason").string(result.end.reason);
    json_.end_object().end_document();
  }

  void write_summary() {
    const std::size_t failed = counts_[Kind::Failed] + counts_[Kind::Invalid] + counts_[Kind::Unreadable];
    std::string text =
        fmt::format("{} passed, {} failed, {} skipped", counts_[Kind::Passed], failed, counts_[Kind::Skipped]);
    if (counts_[Kind::Interrupted] != 0) text += fmt::format(", {} not run", counts_[Kind::Interrupted]);
    text += '\n';
    if (with_findings_ != 0)
      text += fmt::format("{} that passed {} findings, but no key \"findings\"\n", counted(with_findings_, "test"),
                          with_findings_ == 1 ? "has" : "have");
    for (const auto& [reason, count] : reasons_) {
      text += fmt::format("skipped {}: ", counted(count, "test"));
      append_printable(text, reason);
      text += '\n';
    }
    out_.write(text);
  }

  const ParsedOptions& options_;
  const bool is_json_;
  DescriptorSink out_;
  JsonWriter json_;
  std::map<Kind, std::size_t> counts_;
  std::map<std::string, std::size_t> reasons_;
  std::size_t with_findings_ = 0;
  int status_ = exit_status::fine;
};

}  // namespace

int run_tests(const Invocation& invocation, const ChosenRun& chosen, Reporter& reporter) {
  if (invocation.operands().empty()) return usage_error(invocation, "--test expects FILE|DIR...");
  const std::vector<Input> inputs = expand_inputs(invocation.operands(), {&json_extension, 1}, invocation.streams.in);
  Interruption interruption(invocation.streams);
  TestReport report(invocation);
  deliver_in_order<TestResult>(
      inputs.size(), thread_count(invocation.options, inputs.size()),
      [&](std::size_t i) { return run_test(inputs[i], chosen, invocation.streams, reporter.limit(), interruption); },
      [&](std::size_t, const TestResult& result) {
        interruption.end_progress();
        report.add(result);
      });
  interruption.end_progress();
  return report.finish(interruption);
}

int run_job(const Invocation& invocation, const ChosenRun& chosen, Reporter& reporter, RunOutput& output) {
  if (!invocation.operands().empty()) return usage_error(invocation, "--job names its modules; expected no IN");
  const std::string path(invocation.options.value(job_option));
  const std::optional<FileBytes> bytes = read_input(invocation, path, reporter);
  if (!bytes) return exit_status::no_file;
  const std::string_view name = name_of_input(path);
  Job job(path, chosen, reporter.limit());
  JobEnd end = job.read(bytes->text());
  if (end.kind != Kind::Passed) {
    output.add(name, diagnostics_of(end));
    return end.kind == Kind::Skipped ? exit_status::wrong_input : status_of(end.kind);
  }
  if (const int status = output.read(job.buffers(), chosen.value_limits()); status != exit_status::fine) return status;
  Interruption interruption(invocation.streams);
  end = job.run([&] { return interruption.poll(); });
  interruption.end_progress();
  for (const std::string& line : job.printed()) output.add_printed({.text = line});
  for (RunnableModule* module : job.modules()) {
    module->sort();
    output.add_findings(module->input(), chosen);
  }
  if (end.kind != Kind::Passed && !end.is_reported) output.add(name, diagnostics_of(end));
  const bool is_interrupted = end.kind == Kind::Interrupted;
  if (!is_interrupted && job.report() != nullptr && job.report()->end != spirv::DispatchEnd::Finished)
    output.note_incomplete(name);
  const bool is_expected = is_interrupted || output.compare(name);
  const bool has_results = job.report() != nullptr;
  const int written = has_results ? output.add_buffers(job.buffers(), name, is_interrupted) : exit_status::fine;
  output.add_result(name, job.report());
  if (is_interrupted) return interruption.status();
  const int status = end.kind == Kind::Skipped ? exit_status::wrong_input : status_of(end.kind);
  // Findings that the job states are no errors of it.
  const bool has_errors = output.has_errors() && !(end.kind == Kind::Passed && job.states_findings());
  return std::max({written, status, has_errors || !is_expected ? exit_status::wrong_input : exit_status::fine});
}

}  // namespace vireo::cli
