// SPDX-License-Identifier: Apache-2.0
//
// vireo_bench: all measurements inside one process.
//
//   vireo_bench [--quick] [flags of Google Benchmark]     in process with the peer, memory, growth, building, …
//   vireo_bench --building                                the builder and edits alone
//   vireo_bench --specialize                              specialization alone
//   vireo_bench --reflect                                 reflection alone
//   vireo_bench --link                                  linking alone
//   vireo_bench --isa                                     instruction sets alone
//   vireo_bench --callgrind                               instructions per byte
//   vireo_bench --memory                                  memory of modules and their facts
//
// vireo_bench_processes measures whole processes; its own memory must be small (processes.cpp gives the reason).
#include <algorithm>
#include <string_view>
#include <vector>

#include "scenarios.h"

int main(int argc, char** argv) {
  using namespace vireo::bench;
  const std::vector<std::string_view> arguments(argv + 1, argv + argc);
  if (arguments.size() == 3 && arguments[0] == "once") return run_once(arguments[1], arguments[2]);
  if (std::ranges::find(arguments, "--callgrind") != arguments.end()) return run_callgrind(argv[0]);
  if (std::ranges::find(arguments, "--memory") != arguments.end()) return run_memory({});
  if (std::ranges::find(arguments, "--isa") != arguments.end())
    return std::max(run_instruction_sets(), run_assembling());
  if (std::ranges::find(arguments, "--specialize") != arguments.end()) return run_specializing();
  if (std::ranges::find(arguments, "--run") != arguments.end()) return run_running();
  if (std::ranges::find(arguments, "--reflect") != arguments.end()) return run_reflecting();
  if (std::ranges::find(arguments, "--link") != arguments.end()) return run_linking();
  if (std::ranges::find(arguments, "--building") != arguments.end()) return run_building();

  SubjectChoice choice;
  bool has_filter = false;  // a filter selects benchmarks, so no other tables are printed
  std::vector<char*> rest;
  for (int i = 0; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--quick") choice.quick = true;
    else rest.push_back(argv[i]);
    has_filter |= argument.starts_with("--benchmark_");
  }
  const int rest_count = static_cast<int>(rest.size());
  rest.push_back(nullptr);
  const int status = run_in_process(rest_count, rest.data(), choice);
  if (has_filter || status == 2) return status;
  return std::max({status, run_memory(choice), run_growth(choice), run_building(), run_instruction_sets(),
                   run_assembling(), run_specializing(), run_running(), run_reflecting(), run_linking()});
}
