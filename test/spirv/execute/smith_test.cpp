// SPDX-License-Identifier: Apache-2.0
//
// Random shaders (tools/smith): they are valid and their results are defined; the size of subgroups does not matter, and
// transforms of the library keep the results.
//
//   VIREO_SMITH_COUNT=10000 VIREO_SMITH_SEED=1 build/release/test/spirv_test --gtest_filter='*RandomShaders*'
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "smith/random.h"
#include "smith/smith.h"
#include "vireo/spirv/run.h"
#include "vireo/spirv/text/assemble.h"
#include "vireo/spirv/text/disassemble.h"
#include "vireo/spirv/transform/clean.h"
#include "vireo/spirv/transform/link.h"
#include "vireo/spirv/transform/spec_constants.h"
#include "vireo/spirv/transform/specialize.h"
#include "vireo/spirv/transform/strip.h"
#include "vireo/spirv/transform/trim.h"
#include "vireo/spirv/validate/validate.h"

namespace vireo::spirv {
namespace {

constexpr std::array<Word, 3> groups = {2, 1, 1};
constexpr std::size_t rows = 2 * smith_local_size;

std::uint64_t number_of(const char* variable, std::uint64_t usual) {
  const char* const text = std::getenv(variable);
  return text != nullptr ? std::strtoull(text, nullptr, 10) : usual;
}

// Half of the shaders have special floats; sizes differ.
SmithOptions options_of(std::uint64_t seed) {
  SmithOptions options;
  options.seed = seed;
  options.size = 20 + static_cast<std::uint32_t>(seed % 5) * 15;
  options.any_floats = seed % 2 != 0;
  return options;
}

Environment vulkan() { return *find_environment("vulkan1.3"); }

std::string texts_of(const Diagnostics& diagnostics) {
  std::string text;
  for (const Diagnostic& each : diagnostics.all()) {
    text += std::string(each.rule) + ": " + each.message + "\n";
    for (const Note& note : each.notes) text += "  " + note.message + "\n";
  }
  return text;
}

struct Outcome {
  std::vector<Word> output;  // empty: not executed
  std::string findings;
};

Outcome execute(Words words, const RunOptions& options) {
  Outcome outcome;
  Diagnostics diagnostics;
  Result<Executor> executor = Executor::create(words, options, diagnostics);
  if (executor) {
    std::vector<Word> input(rows * smith_input_words), output(rows * smith_output_words);
    SmithRandom random(1);
    for (Word& each : input) each = random.one_in(2) ? random.below(16) : static_cast<Word>(random.next());
    executor->bind({.set = 0, .binding = 0, .element = 0, .bytes = std::as_writable_bytes(std::span(input))});
    executor->bind({.set = 0, .binding = 1, .element = 0, .bytes = std::as_writable_bytes(std::span(output))});
    const Result<DispatchReport> report = executor->dispatch(groups, diagnostics);
    if (report && report->end == DispatchEnd::Finished) outcome.output = output;
  }
  outcome.findings = texts_of(diagnostics);
  return outcome;
}

RunOptions usual_options() {
  RunOptions options;
  options.environment = vulkan();
  return options;
}

// --- transforms -------------------------------------------------------------------------------------------------------

struct Transform {
  std::string_view name;
  Result<WordBuffer> (*apply)(Words words, Diagnostics& diagnostics);
};

Result<WordBuffer> through_text(Words words, Diagnostics& diagnostics) {
  StringSink sink;
  disassemble(words, {}, sink, diagnostics);
  AssembleOptions options;
  options.exact = true;
  return assemble({"smith", sink.text()}, options, diagnostics);
}

// Specializes constants to their default values.
Result<WordBuffer> specialized(Words words, bool prune, Diagnostics& diagnostics) {
  const Result<Specializer> shader = Specializer::read(words, {.environment = vulkan()}, diagnostics);
  if (!shader) return shader.failure();
  std::vector<Specialization> values;
  for (const SpecConstant& each : shader->constants()) {
    if (each.spec_id % 2 == 0) values.push_back({.spec_id = each.spec_id, .bits = each.default_bits});
  }
  SpecializerMemory memory;
  WordBuffer result;
  const auto refused = shader->specialize(values, {.freeze_rest = true, .prune = prune}, memory, result, diagnostics);
  if (refused) return *refused;
  return result;
}

constexpr Transform transforms[] = {
    {"clean", [](Words words, Diagnostics& diagnostics) { return clean(words, {}, diagnostics); }},
    {"clean everything",
     [](Words words, Diagnostics& diagnostics) {
       CleanOptions options;
       options.members = options.canonical_ids = options.drop_specs = options.drop_struct_names = true;
       return clean(words, options, diagnostics);
     }},
    {"strip", [](Words words, Diagnostics& diagnostics) { return strip(words, {}, diagnostics); }},
    {"text", through_text},
    {"link",
     [](Words words, Diagnostics& diagnostics) {
       const LinkInput inputs[] = {{words, "smith"}};
       return link(inputs, {}, diagnostics);
     }},
    {"specialize", [](Words words, Diagnostics& diagnostics) { return specialized(words, false, diagnostics); }},
    {"specialize and prune",
     [](Words words, Diagnostics& diagnostics) { return specialized(words, true, diagnostics); }},
    {"freeze and fold",
     [](Words words, Diagnostics& diagnostics) -> Result<WordBuffer> {
       const Result<WordBuffer> frozen = freeze_spec_constants(words, diagnostics);
       if (!frozen) return frozen.failure();
       const Result<WordBuffer> folded = fold_spec_constants(*frozen, {}, diagnostics);
       if (!folded) return folded.failure();
       return clean(*folded, {}, diagnostics);
     }},
};

// Calls a function for each shader; the tests report the seed and its options.
void for_each_shader(const std::function<void(Words)>& check) {
  const std::uint64_t first = number_of("VIREO_SMITH_SEED", 1), count = number_of("VIREO_SMITH_COUNT", 300);
  for (std::uint64_t seed = first; seed < first + count && !testing::Test::HasFatalFailure(); ++seed) {
    const SmithOptions options = options_of(seed);
    SCOPED_TRACE("smith --seed " + std::to_string(seed) + " --size " + std::to_string(options.size) +
                 (options.any_floats ? " --any-floats" : ""));
    check(smith(options));
  }
}

TEST(RandomShaders, are_valid) {
  for_each_shader([](Words words) {
    Diagnostics diagnostics;
    validate(words, {.environment = vulkan()}, diagnostics);
    ASSERT_EQ(texts_of(diagnostics), "");
  });
}

TEST(RandomShaders, have_the_same_defined_results_in_subgroups_of_any_size) {
  for_each_shader([](Words words) {
    std::vector<Word> expected;
    for (const Word size : {32u, 4u, 1u, 0u}) {
      RunOptions options = usual_options();
      options.checks = size != 0;
      if (size != 0) options.subgroup_size = size;
      const Outcome outcome = execute(words, options);
      ASSERT_EQ(outcome.findings, "") << "subgroup size " << size;
      ASSERT_FALSE(outcome.output.empty());
      if (expected.empty()) expected = outcome.output;
      ASSERT_EQ(outcome.output, expected) << "subgroup size " << size << " (0: without checks)";
    }
  });
}

TEST(RandomShaders, have_the_same_results_after_transforms) {
  RunOptions options = usual_options();
  options.checks = false;
  for_each_shader([&](Words words) {
    const Outcome before = execute(words, options);
    for (const Transform& transform : transforms) {
      Diagnostics diagnostics;
      const Result<WordBuffer> transformed = transform.apply(words, diagnostics);
      ASSERT_TRUE(transformed.ok()) << transform.name << ": " << texts_of(diagnostics);
      Diagnostics findings;
      validate(*transformed, {.environment = vulkan()}, findings);
      ASSERT_EQ(texts_of(findings), "") << transform.name;
      const Outcome after = execute(*transformed, options);
      ASSERT_EQ(after.output, before.output) << transform.name << after.findings;
    }
  });
}

// The values of RunOptions, and those of the Specializer. The first constant is the length of arrays whose elements have
// numbers below 4.
TEST(RandomShaders, have_the_same_results_with_other_values_of_specialization_constants) {
  SmithRandom random(1);
  for_each_shader([&](Words words) {
    Diagnostics diagnostics;
    const Result<Specializer> shader = Specializer::read(words, {.environment = vulkan()}, diagnostics);
    ASSERT_TRUE(shader.ok()) << texts_of(diagnostics);
    std::vector<Specialization> values;
    for (const SpecConstant& each : shader->constants()) {
      if (each.kind == SpecConstant::Kind::Float) continue;
      const std::uint64_t mask = ~std::uint64_t{0} >> (64 - each.width);
      values.push_back({each.spec_id, each.spec_id == 0 ? 4 + random.below(4) : random.next() & mask});
    }
    RunOptions options = usual_options();
    options.specializations = values;
    const Outcome expected = execute(words, options);
    ASSERT_EQ(expected.findings, "");
    for (const bool prune : {false, true}) {
      SpecializerMemory memory;
      WordBuffer result;
      const auto refused = shader->specialize(values, {.prune = prune}, memory, result, diagnostics);
      ASSERT_FALSE(refused.has_value()) << texts_of(diagnostics);
      const Outcome outcome = execute(result, usual_options());
      ASSERT_EQ(outcome.findings, "");
      ASSERT_EQ(outcome.output, expected.output) << prune;
    }
  });
}

// The order in which a compiler evaluates arguments must not matter. If the generator changes, so does the number.
TEST(RandomShaders, depend_on_the_seed_alone) {
  std::uint32_t hash = 2166136261;  // FNV-1a
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    for (const Word word : smith({.seed = seed, .undefined = seed % 4 == 0, .any_floats = seed % 2 == 0}))
      hash = (hash ^ word) * 16777619;
  }
  EXPECT_EQ(hash, 1585726645u);
}

// With undefined behavior, most shaders have a finding, and the executor still ends.
TEST(RandomShaders, with_undefined_behavior_have_findings) {
  std::size_t with_findings = 0;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const WordBuffer words = smith({.seed = seed, .undefined = true});
    const Outcome outcome = execute(words, usual_options());
    ASSERT_FALSE(outcome.output.empty()) << "seed " << seed << outcome.findings;
    if (!outcome.findings.empty()) ++with_findings;
  }
  EXPECT_GT(with_findings, 25u);
}

}  // namespace
}  // namespace vireo::spirv
