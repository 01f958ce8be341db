// SPDX-License-Identifier: Apache-2.0
//
// link() on random sets of modules: the result is valid; the order of the modules affects only the order of functions
// and ids; modules can be linked step by step; a second application changes nothing.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "spirv/transform/link/module_sets.h"
#include "vireo/spirv/binary/views/mode_setting.h"
#include "vireo/spirv/text/disassemble.h"
#include "vireo/spirv/transform/canonical_ids.h"
#include "vireo/spirv/transform/clean.h"
#include "vireo/spirv/transform/link.h"
#include "vireo/spirv/validate/validate.h"

namespace vireo::spirv {
namespace {

WordBuffer linked(const std::vector<WordBuffer>& modules, const LinkOptions& options) {
  std::vector<LinkInput> inputs;
  inputs.reserve(modules.size());
  for (const WordBuffer& words : modules) inputs.push_back({words});
  Diagnostics diagnostics;
  Result<WordBuffer> result = link(inputs, options, diagnostics);
  for (const Diagnostic& each : diagnostics.all()) {
    if (each.severity != Severity::Note) ADD_FAILURE() << each.message;
  }
  return result ? std::move(result).value() : WordBuffer{};
}

// The order of an interface has no meaning, but canonical_ids() keeps it. The validator checks that it is complete.
WordBuffer without_interfaces(const WordBuffer& words) {
  WordBuffer result(words.begin(), words.begin() + header_word_count);
  for (const InstructionView view : Instructions(words)) {
    const auto entry = as<Op::OpEntryPoint>(view);
    const std::size_t count = entry ? entry->interfaces().word() : view.word_count;
    result.insert(result.end(), view.words().begin(), view.words().begin() + static_cast<std::ptrdiff_t>(count));
    result[result.size() - count] = static_cast<Word>(count) << 16 | static_cast<Word>(view.opcode);
  }
  return result;
}

WordBuffer canonical(const WordBuffer& words) {
  Diagnostics diagnostics;
  Result<WordBuffer> result = canonical_ids(without_interfaces(words), diagnostics);
  return result ? std::move(result).value() : WordBuffer{};
}

std::string text_of(const WordBuffer& words) {
  StringSink sink;
  Diagnostics diagnostics;
  disassemble(words, {}, sink, diagnostics);
  return std::move(sink).text();
}

void expect_valid(const WordBuffer& words) {
  Diagnostics findings;
  EXPECT_TRUE(validate(words, {}, findings)) << findings.all().front().message << '\n' << text_of(words);
}

void expect_same(const WordBuffer& a, const WordBuffer& b) {
  const WordBuffer one = canonical(a), two = canonical(b);
  ASSERT_FALSE(one.empty());
  if (one == two) return;
  EXPECT_EQ(text_of(one), text_of(two));
}

constexpr LinkOptions partial_library = {.library = true, .partial = true};
constexpr std::uint32_t sets = 150;

TEST(LinkOrder, the_generated_modules_are_valid) {
  for (std::uint32_t seed = 0; seed < sets; ++seed) {
    for (const WordBuffer& words : test::module_set(seed, 2 + seed % 4)) expect_valid(words);
  }
}

TEST(LinkOrder, the_order_of_modules_does_not_matter) {
  for (std::uint32_t seed = 0; seed < sets; ++seed) {
    std::vector<WordBuffer> modules = test::module_set(seed, 2 + seed % 4);
    const WordBuffer program = linked(modules, {}), library = linked(modules, partial_library);
    expect_valid(program);
    expect_valid(library);
    std::mt19937 random(seed);
    std::ranges::shuffle(modules, random);
    expect_same(linked(modules, {}), program);
    expect_same(linked(modules, partial_library), library);
  }
}

TEST(LinkOrder, modules_can_be_linked_step_by_step) {
  for (std::uint32_t seed = 0; seed < sets; ++seed) {
    const std::vector<WordBuffer> modules = test::module_set(seed, 3 + seed % 3);
    for (std::size_t at = 1; at < modules.size(); ++at) {
      const std::vector<WordBuffer> first(modules.begin(), modules.begin() + static_cast<std::ptrdiff_t>(at));
      const std::vector<WordBuffer> rest(modules.begin() + static_cast<std::ptrdiff_t>(at), modules.end());
      const std::vector<WordBuffer> steps = {linked(first, partial_library), linked(rest, partial_library)};
      for (const WordBuffer& step : steps) expect_valid(step);
      expect_same(linked(steps, {}), linked(modules, {}));
      expect_same(linked(steps, partial_library), linked(modules, partial_library));
    }
  }
}

TEST(LinkOrder, a_second_application_changes_nothing) {
  for (std::uint32_t seed = 0; seed < sets; ++seed) {
    const std::vector<WordBuffer> modules = test::module_set(seed, 2 + seed % 4);
    for (const LinkOptions& options : {LinkOptions{}, partial_library}) {
      const WordBuffer once = linked(modules, options);
      EXPECT_EQ(linked({once}, options), once) << seed;
    }
  }
}

TEST(LinkOrder, one_module_loses_only_its_duplicates) {
  CleanOptions duplicates = no_clean_options;
  duplicates.duplicate_types = duplicates.duplicate_constants = true;
  for (std::uint32_t seed = 0; seed < sets; ++seed) {
    for (const WordBuffer& words : test::module_set(seed, 2 + seed % 4)) {
      Diagnostics diagnostics;
      const Result<WordBuffer> cleaned = clean(words, duplicates, diagnostics);
      ASSERT_TRUE(cleaned);
      expect_same(linked({words}, partial_library), *cleaned);
    }
  }
}

// What nothing uses is left out, and what is used stays complete.
TEST(LinkOrder, only_the_needed_parts_of_libraries_are_taken) {
  for (std::uint32_t seed = 0; seed < sets; ++seed) {
    const std::vector<WordBuffer> modules = test::module_set(seed, 2 + seed % 4);
    const WordBuffer needed = linked(modules, {.only_needed = true}), all = linked(modules, {});
    expect_valid(needed);
    EXPECT_LE(needed.size(), all.size());
    Diagnostics diagnostics;
    const Result<WordBuffer> one = clean(without_interfaces(needed), {.canonical_ids = true}, diagnostics);
    const Result<WordBuffer> other = clean(without_interfaces(all), {.canonical_ids = true}, diagnostics);
    ASSERT_TRUE(one && other);
    EXPECT_EQ(text_of(*one), text_of(*other)) << seed;
  }
}

}  // namespace
}  // namespace vireo::spirv
