// SPDX-License-Identifier: Apache-2.0
//
// In process, one thread: every operation on every subject, compared with the peer's library.
//
// One Google Benchmark is a pair. Each iteration runs ours and then the peer's, so other load on the
// machine affects both; the result is the medians and their ratio. `--benchmark_filter`, `--benchmark_format=json` and
// the other flags of Google Benchmark work as usual.
#include <algorithm>
#include <memory>
#include <utility>

#include <benchmark/benchmark.h>

#include "check_first.h"
#include "measure.h"
#include "scenarios.h"
#include "tables.h"

namespace vireo::bench {
namespace {

/// Repetitions: enough for a stable median, but few enough that the peer does not take hours.
struct Repetitions {
  int ours;
  int peers;
};

Repetitions repetitions_for(std::size_t bytes) {
  if (bytes > 12'000'000) return {7, 2};
  if (bytes > 4'000'000) return {7, 3};
  if (bytes > 300'000) return {15, 7};
  return {41, 21};
}

/// The current subject. Subjects are large: the previous one is freed first.
class CurrentBench {
 public:
  const Workbench& of(const Subject& subject) {
    if (name_ != subject.name) {
      bench_.reset();
      bench_ = std::make_unique<Workbench>(subject);
      name_ = subject.name;
    }
    return *bench_;
  }

 private:
  std::string name_;
  std::unique_ptr<Workbench> bench_;
};

void run_pair(benchmark::State& state, const Workbench& bench, const OperationRow& row) {
  if (const std::string fault = wrong_answer(bench, row.operation); !fault.empty()) {
    state.SkipWithError(fault.c_str());
    return;
  }
  const bool has_peer = Workbench::peer_has(row.operation);
  const int peer_repetitions = repetitions_for(bench.bytes(row.operation)).peers;
  Samples ours, peers;
  int repetition = 0;
  for ([[maybe_unused]] auto _ : state) {
    const double seconds = seconds_of([&] { benchmark::DoNotOptimize(bench.ours(row.operation)); });
    ours.add(seconds);
    state.SetIterationTime(seconds);
    if (has_peer && repetition++ < peer_repetitions) {
      peers.add(seconds_of([&] { benchmark::DoNotOptimize(bench.peers(row.operation)); }));
    }
  }
  state.counters["ours_s"] = ours.median();
  state.counters["peer_s"] = peers.median();
  state.counters["target"] = row.target;
  state.counters["bytes"] = static_cast<double>(bench.bytes(row.operation));
  state.counters["text_bytes"] = static_cast<double>(bench.text_bytes(row.operation));
  if (bench.refused() != 0) state.SetLabel(fmt::format("without {} that the peer cannot read", bench.refused()));
}

/// Prints one line per benchmark; Google Benchmark's own columns do not support pairs.
class PairReporter final : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override {
    print("In process, one thread, processor time; {}\n\n",
          peer::is_linked() ? "peer: Debian's libSPIRV-Tools" : "no peer was linked");
    print("{:<20} {:<16} {:>10} {:>10} {:>8} {:>8}   {}\n", "module", "operation", "ours", "peer", "MB/s", "text",
          "ratio");
    return true;
  }

  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      if (run.run_type != Run::RT_Iteration) continue;
      const std::string& name = run.run_name.function_name;
      const std::size_t slash = name.find('/');
      const std::string subject = name.substr(0, slash), operation = name.substr(slash + 1);
      if (run.error_occurred) {
        print("{:<20} {:<16} WRONG ANSWER: {}\n", subject, operation, run.error_message);
        wrong_ = true;
        continue;
      }
      const auto counter = [&run](const char* key) { return run.counters.at(key).value; };
      const double ours = counter("ours_s"), peer = counter("peer_s"), text = counter("text_bytes");
      print("{:<20} {:<16} {:>10} {:>10} {:>8.0f} {:>8}   {}{}\n", subject, operation, time_text(ours), time_text(peer),
            counter("bytes") / ours / 1e6, text > 0 ? fmt::format("{:.0f}", text / ours / 1e6) : "-",
            ratio_text(ours, peer, counter("target")), run.report_label.empty() ? "" : "   " + run.report_label);
    }
  }

  [[nodiscard]] bool was_wrong() const { return wrong_; }

 private:
  bool wrong_ = false;
};

}  // namespace

int run_in_process(int argc, char** argv, SubjectChoice choice) {
  const auto current = std::make_shared<CurrentBench>();
  bool has_format = false;  // with a format option, Google Benchmark reports
  for (int i = 1; i < argc; ++i) has_format |= std::string_view(argv[i]).starts_with("--benchmark_format");
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;

  for (const Subject& subject : subjects(choice)) {
    for (const OperationRow& row : operations) {
      // Synthetic modules are valid by the grammar, but not by every rule (made_modules.cpp): a validator would stop
      // early.
      if (row.operation == Operation::Validate && subject.name.starts_with("made")) continue;
      benchmark::RegisterBenchmark(
          fmt::format("{}/{}", subject.name, row.name).c_str(),
          [current, subject, row](benchmark::State& state) { run_pair(state, current->of(subject), row); })
          ->Iterations(repetitions_for(subject.bytes).ours)
          ->UseManualTime();
    }
  }
  PairReporter pairs;
  if (has_format) benchmark::RunSpecifiedBenchmarks();
  else benchmark::RunSpecifiedBenchmarks(&pairs);
  return pairs.was_wrong() ? 1 : 0;
}

}  // namespace vireo::bench
