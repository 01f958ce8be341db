// SPDX-License-Identifier: Apache-2.0
//
// Executions of recorded tests and of real shaders (shared data).
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "cli/program.h"
#include "system/real_modules.h"
#include "vireo/spirv/module/decorations.h"
#include "vireo/spirv/module/facts.h"
#include "vireo/spirv/module/module_declarations.h"
#include "vireo/spirv/run.h"

namespace vireo::system_test {
namespace {

// The last lines of `vireo run --test` on a folder of an archive.
std::string tested(const UnpackedArchive& unpacked, std::string_view folder) {
  return cli::call({"vireo", "run", "--test", unpacked.path_of(folder).string(), "-j", "2"}).out;
}

TEST(RunCorpus, compute_tests_have_their_results) {
  const auto shared = outside::shared_folder();
  if (!shared || !std::filesystem::exists(*shared / "cases" / "amber.tar.xz")) GTEST_SKIP() << outside::no_shared;
  const UnpackedArchive unpacked(*shared / "cases" / "amber.tar.xz");
  ASSERT_TRUE(unpacked.is_good());
  EXPECT_THAT(tested(unpacked, "amber/compute"), testing::HasSubstr("354 passed, 0 failed, 0 skipped"));
}

// One test breaks a second rule, which it does not name: `b[i] = b[i + 1]` of neighbours is a data race (Vulkan, "Data
// Race"), besides the access beyond the end.
TEST(RunCorpus, findings_are_those_that_the_tests_name) {
  const auto shared = outside::shared_folder();
  if (!shared || !std::filesystem::exists(*shared / "cases" / "run-findings.tar.xz"))
    GTEST_SKIP() << outside::no_shared;
  const UnpackedArchive unpacked(*shared / "cases" / "run-findings.tar.xz");
  ASSERT_TRUE(unpacked.is_good());
  const std::string out = tested(unpacked, "findings/compute");
  EXPECT_THAT(out, testing::HasSubstr("75 passed, 1 failed, 0 skipped"));
  EXPECT_THAT(out, testing::HasSubstr("findings.bounds_buffer_read.json: found data-race, out-of-bounds"));
}

struct Outcome {
  std::vector<std::byte> bytes;
  std::uint64_t instructions = 0;
  std::size_t findings = 0;
  friend bool operator==(const Outcome&, const Outcome&) = default;
};

// Executes an entry point with zeros in all buffers and images.
std::string run_once(spirv::Words words, const spirv::Facts& facts, std::string_view entry, Outcome& outcome) {
  constexpr std::size_t size = 4096;
  spirv::RunOptions options;
  options.entry_point = entry;
  options.max_steps = 2'000'000;
  options.max_steps_of_subgroup = 100'000;
  Diagnostics diagnostics;
  Result<spirv::Executor> executor = spirv::Executor::create(words, options, diagnostics);
  if (!executor) return {};
  std::vector<std::array<std::byte, size>> buffers(facts.decorations().rows().size());
  std::size_t used = 0;
  for (const spirv::DecorationRow& row : facts.decorations().rows()) {
    if (row.decoration != spirv::Decoration::Binding) continue;
    const spirv::DecorationRow* const set = facts.decorations().find(row.target, spirv::Decoration::DescriptorSet);
    if (set == nullptr) continue;
    const spirv::Word set_number = facts.decorations().operand_or(*set, 0),
                      binding = facts.decorations().operand_or(row, 0);
    auto& bytes = buffers[used++];
    executor->bind({set_number, binding, 0, bytes});
    executor->bind_image({.set = set_number,
                          .binding = binding,
                          .format = "R8G8B8A8_UNORM",
                          .width = 4,
                          .height = 4,
                          .depth = 2,
                          .layers = 6,
                          .bytes = bytes});
    executor->bind_sampler({.set = set_number, .binding = binding});
  }
  const Result<spirv::DispatchReport> report = executor->dispatch({2, 1, 1}, diagnostics);
  if (!report) return diagnostics.has_errors() ? "" : "a failure without an error";
  outcome.instructions = report->invocation_instructions;
  outcome.findings = report->findings;
  for (const auto& each : buffers) outcome.bytes.insert(outcome.bytes.end(), each.begin(), each.end());
  return report->invocations == 0 ? "nothing was executed" : "";
}

TEST(RunCorpus, real_compute_shaders_give_equal_results_twice) {
  with_real_modules([](const UnpackedArchive& unpacked) {
    std::atomic<std::size_t> executed = 0;
    check_words_of(unpacked, [&](const std::string&, spirv::Words words) -> std::string {
      const spirv::Module module = spirv::Module::read(words);
      const spirv::Facts facts(module);
      for (const spirv::EntryPointRow& entry : facts.module_declarations().entry_points()) {
        if (entry.model != spirv::ExecutionModel::GLCompute) continue;
        Outcome first, second;
        if (std::string fault = run_once(words, facts, entry.name, first); !fault.empty()) return fault;
        run_once(words, facts, entry.name, second);
        if (first != second) return fmt::format("two executions of {} differ", entry.name);
        executed += first.instructions != 0;
      }
      return {};
    });
    EXPECT_GE(executed.load(), 480u);
  });
}

}  // namespace
}  // namespace vireo::system_test
