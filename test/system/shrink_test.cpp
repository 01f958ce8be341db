// SPDX-License-Identifier: Apache-2.0
//
// Shrinks real modules: the result has the property that the test looks for, and is valid if the module is.
//
// The property of a module is an opcode that it contains, chosen by its size. So the modules have many
// different properties, and the test is the same in each run.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <string>

#include "system/real_modules.h"
#include "vireo/spirv/binary/instruction.h"
#include "vireo/spirv/transform/shrink.h"
#include "vireo/spirv/validate/validate.h"

namespace vireo::system_test {
namespace {

using namespace spirv;

// Each module of this many is shrunk, which takes seconds for all of them.
constexpr std::size_t one_of = 2;
constexpr std::size_t max_words = 40'000;
// The most tests for one property; on average there are about fifteen.
constexpr std::size_t max_tests = 250;

bool is_valid(Words words) {
  Diagnostics findings;
  return validate(words, {.max_findings = 1}, findings);
}

// An instruction of a function, if there is one.
Op chosen_opcode(Words words) {
  const Module module = Module::read(words);
  const InstructionRange range = module.section(Section::Functions);
  if (range.is_empty()) return Op::OpMemoryModel;
  const std::uint32_t chosen = range.first + static_cast<std::uint32_t>(words.size() * 7 % range.size());
  return module.instruction(InstructionIndex(chosen)).opcode;
}

TEST(ShrinkRealModules, valid_and_interesting) {
  with_real_modules([](const UnpackedArchive& unpacked) {
    std::atomic<std::size_t> tests = 0, shrunk = 0, words_before = 0, words_after = 0;
    check_words_of(unpacked, [&](const std::string& name, const WordBuffer& words) -> std::string {
      if (std::hash<std::string>()(name) % one_of != 0 || words.size() > max_words) return {};
      const Op opcode = chosen_opcode(words);
      const auto is_interesting = [&](Words module) {
        return std::ranges::any_of(Instructions(module), [&](InstructionView view) { return view.opcode == opcode; });
      };
      const bool was_valid = is_valid(words);
      std::string fault;
      std::size_t count = 0;
      const ShrinkTest test = [&](std::span<ShrinkCandidate> candidates) {
        ++count;
        ShrinkCandidate& candidate = candidates.front();
        if (was_valid && !is_valid(candidate.words)) fault = "an invalid module was tested";
        candidate.verdict = is_interesting(candidate.words) ? ShrinkVerdict::Interesting : ShrinkVerdict::Uninteresting;
      };
      Diagnostics diagnostics;
      const Result<WordBuffer> result = shrink(words, {}, test, diagnostics);
      if (!result) return was_valid ? diagnostics.all().front().message : "";  // it cannot be decoded
      if (!is_interesting(*result)) return "the result is not interesting";
      if (was_valid && !is_valid(*result)) return "the result is invalid";
      if (count > max_tests) return fmt::format("{} tests for opcode {}", count, static_cast<unsigned>(opcode));
      tests += count;
      ++shrunk;
      words_before += words.size();
      words_after += result->size();
      return fault;
    });
    fmt::print("{} modules: {} words before, {} after, {:.1f} tests each\n", shrunk.load(), words_before.load(),
               words_after.load(), static_cast<double>(tests) / static_cast<double>(shrunk));
    EXPECT_GE(shrunk, 500u);
  });
}

}  // namespace
}  // namespace vireo::system_test
