// SPDX-License-Identifier: Apache-2.0
//
// Fuzz target: execution of any words. The first byte selects the options. Each descriptor has a small buffer. Equal
// executions must give equal bytes, and a failure has an error.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "vireo/spirv/module/decorations.h"
#include "vireo/spirv/module/facts.h"
#include "vireo/spirv/run.h"

namespace {

using namespace vireo;
using namespace vireo::spirv;

struct Outcome {
  std::vector<std::byte> bytes;
  std::uint64_t steps = 0;
  std::size_t findings = 0;
  friend bool operator==(const Outcome&, const Outcome&) = default;
};

Outcome run(Words words, const RunOptions& options) {
  constexpr std::size_t buffer_size = 96, buffer_count = 16;
  Outcome outcome;
  Diagnostics diagnostics;
  Result<Executor> executor = Executor::create(words, options, diagnostics);
  if (executor.ok() == diagnostics.has_errors()) std::abort();
  if (!executor) return outcome;
  const Module module = Module::read(words);
  const Facts facts(module);
  outcome.bytes.resize(buffer_size * buffer_count);
  std::size_t used = 0;
  for (const DecorationRow& row : facts.decorations().rows()) {
    if (row.decoration != Decoration::Binding) continue;
    const DecorationRow* const set = facts.decorations().find(row.target, Decoration::DescriptorSet);
    if (set == nullptr) continue;
    const auto bytes = std::span(outcome.bytes).subspan(used++ % buffer_count * buffer_size, buffer_size);
    executor->bind({facts.decorations().operand_or(*set, 0), facts.decorations().operand_or(row, 0), 0, bytes});
  }
  Diagnostics found;
  const Result<DispatchReport> report = executor->dispatch({2, 1, 1}, found);
  if (!report) {
    if (!found.has_errors()) std::abort();
    return outcome;
  }
  outcome.steps = report->invocation_instructions;
  outcome.findings = report->findings;
  return outcome;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  WordBuffer words((size - 1) / sizeof(Word));
  if (!words.empty()) std::memcpy(words.data(), data + 1, words.size() * sizeof(Word));
  RunOptions options;
  options.subgroup_size = 1u << (data[0] % 6);
  options.checks = (data[0] & 0x40) == 0;
  options.max_steps_of_subgroup = 20'000;
  options.max_steps = 500'000;
  options.max_memory = 64u << 20;
  if (run(words, options) != run(words, options)) std::abort();
  return 0;
}
