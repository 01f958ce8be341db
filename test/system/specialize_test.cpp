// SPDX-License-Identifier: Apache-2.0
//
// Specialization of the real modules with SpecIds: the result is valid in each environment that accepts the module, or
// the values are refused, and rightly so.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <random>
#include <string>
#include <vector>

#include "outside.h"
#include "system/real_modules.h"
#include "vireo/spirv/transform/spec_constants.h"
#include "vireo/spirv/transform/specialize.h"
#include "vireo/spirv/validate/validate.h"

namespace vireo::system_test {
namespace {

using namespace spirv;

std::uint64_t mask(const SpecConstant& constant) {
  return constant.width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << constant.width) - 1;
}

// Values for the constants of a module, by one of several choices.
enum class Choice { None, Defaults, Zero, One, Highest, SignBit, Random, Small };
constexpr Choice choices[] = {Choice::None,    Choice::Defaults, Choice::Zero,  Choice::One,    Choice::Highest,
                              Choice::SignBit, Choice::Random,   Choice::Small, Choice::Random, Choice::Small};

std::vector<Specialization> values_of(std::span<const SpecConstant> constants, Choice choice, std::mt19937_64& random) {
  std::vector<Specialization> values;
  for (const SpecConstant& each : constants) {
    const bool is_subset = choice == Choice::Random || choice == Choice::Small;
    if (is_subset && random() % 3 == 0) continue;
    switch (choice) {
      case Choice::None: break;
      case Choice::Defaults: values.push_back({each.spec_id, each.default_bits}); break;
      case Choice::Zero: values.push_back({each.spec_id, 0}); break;
      case Choice::One: values.push_back({each.spec_id, 1}); break;
      case Choice::Highest: values.push_back({each.spec_id, mask(each)}); break;
      case Choice::SignBit: values.push_back({each.spec_id, mask(each) / 2 + 1}); break;
      case Choice::Random: values.push_back({each.spec_id, random() & mask(each)}); break;
      case Choice::Small: values.push_back({each.spec_id, random() % 65 & mask(each)}); break;
    }
  }
  return values;
}

bool is_valid(Words words, const Environment& environment) {
  Diagnostics findings;
  return validate(words, {.environment = environment}, findings);
}

// The module with the values as new defaults, and without specialization constants: the same by another way.
bool is_valid_as_default(Words words, std::span<const Specialization> values, const Environment& environment) {
  std::vector<SpecDefault> defaults;
  Diagnostics diagnostics;
  const Result<Specializer> specializer = Specializer::read(words, {}, diagnostics);
  for (const Specialization& value : values) {
    WordBuffer literal = {static_cast<Word>(value.bits)};
    if (specializer->find_spec_id(value.spec_id)->width > 32) literal.push_back(static_cast<Word>(value.bits >> 32));
    defaults.push_back({value.spec_id, literal});
  }
  const Result<WordBuffer> set = set_spec_defaults(words, defaults, {}, diagnostics);
  if (!set) return false;
  const Result<WordBuffer> frozen = freeze_spec_constants(*set, diagnostics);
  const Result<WordBuffer> folded = fold_spec_constants(*frozen, {}, diagnostics);
  return is_valid(*folded, environment);
}

struct Counts {
  std::atomic<std::size_t> modules = 0, specialized = 0, refused = 0;
};

// What is wrong with the specializations of one module in one environment; empty if nothing.
std::string fault_of(const WordBuffer& words, const Environment& environment, std::mt19937_64& random, Counts& counts) {
  Diagnostics diagnostics;
  const Result<Specializer> specializer = Specializer::read(words, {.environment = environment}, diagnostics);
  if (!specializer) return "refused: " + diagnostics.all().front().message;
  SpecializerMemory memory;
  WordBuffer result, again;
  int number = 0;
  for (const Choice choice : choices) {
    const std::vector<Specialization> values = values_of(specializer->constants(), choice, random);
    for (int flags = 0; flags < 4; ++flags) {
      const SpecializeOptions options = {.freeze_rest = (flags & 1) != 0, .prune = (flags & 2) != 0};
      const std::string name = " with values " + std::to_string(number++) + ", options " + std::to_string(flags);
      Diagnostics found;
      if (const auto refused = specializer->specialize(values, options, memory, result, found)) {
        ++counts.refused;
        if (!found.has_errors() || found.all().front().rule.empty()) return "refused without a rule" + name;
        if (options.freeze_rest && is_valid_as_default(words, values, environment)) {
          return "wrongly refused: " + found.all().front().message + name;
        }
        continue;
      }
      ++counts.specialized;
      Diagnostics findings;
      if (!validate(result, {.environment = environment}, findings)) {
        return "invalid: " + findings.all().front().message + name;
      }
      if (options.freeze_rest && !is_valid_as_default(words, values, environment)) return "wrongly accepted" + name;
      if (specializer->specialize(values, options, memory, again, found) || again != result) {
        return "another result the second time" + name;
      }
      const Result<Specializer> of_result = Specializer::read(result, {}, diagnostics);
      if (!of_result) return "the result cannot be read" + name;
      for (const SpecConstant& left : of_result->constants()) {
        if (options.freeze_rest || std::ranges::count(values, left.spec_id, &Specialization::spec_id) != 0) {
          return "SpecId " + std::to_string(left.spec_id) + " stays" + name;
        }
      }
    }
  }
  return {};
}

TEST(Specialize, keeps_real_modules_valid_or_refuses_the_values) {
  with_real_modules([](const UnpackedArchive& unpacked) {
    const std::vector<ManifestRow> rows = manifest_rows(*outside::shared_folder() / "modules" / "manifest.tsv");
    Counts counts;
    const std::vector<std::string> failures = failures_of(rows.size(), [&](std::size_t i) -> std::string {
      const ManifestRow& row = rows[i];
      if (row.environments.empty() || !std::filesystem::exists(unpacked.path_of(row.path))) return {};
      const WordBuffer words = words_of_bytes(bytes_of_file(unpacked.path_of(row.path)));
      Diagnostics diagnostics;
      const Result<Specializer> specializer = Specializer::read(words, {}, diagnostics);
      if (!specializer || specializer->constants().empty()) return {};
      ++counts.modules;
      std::mt19937_64 random(i);
      for (const std::string& name : row.environments) {
        const std::string fault = fault_of(words, find_environment(name).value(), random, counts);
        if (!fault.empty()) return row.path + " in " + name + ": " + fault;
      }
      return {};
    });
    for (const std::string& failure : failures) ADD_FAILURE() << failure;
    EXPECT_GE(counts.modules, 100u);
    EXPECT_GT(counts.specialized, 0u);
    EXPECT_GT(counts.refused, 0u);
    std::printf("%zu modules: %zu specialized, %zu refused\n", counts.modules.load(), counts.specialized.load(),
                counts.refused.load());
  });
}

}  // namespace
}  // namespace vireo::system_test
