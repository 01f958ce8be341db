// SPDX-License-Identifier: Apache-2.0
//
// Counts the errors after one line of a real module is removed or repeated.
//
// An injected fault is one error, whatever depends on it. Errors that follow from it are not reported. So
// over many such modules there are hardly more errors than faulty modules. VIREO_FAULTS sets the number of faults
// injected into each module, VIREO_FAULTS_SEED the random seed. With VIREO_FAULTS_SHOW=1 the test prints the faults
// that cause more than one error.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <iostream>
#include <mutex>
#include <random>
#include <string>
#include <vector>

#include "system/real_modules.h"
#include "system/validator_options.h"
#include "vireo/spirv/validate/validate.h"

namespace vireo::system_test {
namespace {

using namespace spirv;

enum class Injected : std::uint8_t { Removed, Doubled };

std::uint64_t number_of(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

WordBuffer with_fault(Words words, InstructionView at, Injected injected) {
  const auto first = words.begin() + at.offset, end = first + at.word_count;
  WordBuffer changed(words.begin(), injected == Injected::Removed ? first : end);
  changed.insert(changed.end(), injected == Injected::Removed ? end : first, words.end());
  return changed;
}

struct Count {
  std::atomic<std::size_t> modules = 0, faulty = 0, errors = 0, worst = 0;
};

void inject(Injected injected, Count& count) {
  const std::uint64_t each = number_of("VIREO_FAULTS", 6), seed = number_of("VIREO_FAULTS_SEED", 1);
  const bool shows = std::getenv("VIREO_FAULTS_SHOW") != nullptr;
  std::mutex mutex;
  with_real_modules([&](const UnpackedArchive& unpacked) {
    const std::vector<ManifestRow> rows = manifest_rows(*outside::shared_folder() / "modules" / "manifest.tsv");
    failures_of(rows.size(), [&](std::size_t i) -> std::string {
      const ManifestRow& row = rows[i];
      constexpr std::size_t largest = 20'000;  // bytes
      if (row.environments.empty() || row.bytes > largest || !std::filesystem::exists(unpacked.path_of(row.path)))
        return {};
      const WordBuffer words = words_of_bytes(bytes_of_file(unpacked.path_of(row.path)));
      const Module module = Module::read(words);
      ValidateOptions options;
      options.environment = find_environment(row.environments.back()).value();
      std::mt19937_64 dice(seed * 7919 + i);
      for (std::uint64_t k = 0; k < each; ++k) {
        const InstructionIndex at(static_cast<std::uint32_t>(dice() % module.instruction_count()));
        Diagnostics found;
        validate(with_fault(module.words(), module.instruction(at), injected), options, found);
        const std::size_t errors = found.error_count();
        ++count.modules;
        count.faulty += errors != 0 ? 1 : 0;
        count.errors += errors;
        const std::lock_guard lock(mutex);
        count.worst = std::max<std::size_t>(count.worst, errors);
        if (errors < 2 || !shows) continue;
        std::cout << row.path << " in " << row.environments.back() << ", instruction " << at.raw + 1 << '\n';
        for (const Diagnostic& diagnostic : found.all())
          std::cout << "  " << diagnostic.rule << ": " << diagnostic.message << '\n';
      }
      return {};
    });
  });
  if (testing::Test::IsSkipped()) return;
  std::cout << "             " << count.modules << " modules, " << count.faulty << " of them broken, " << count.errors
            << " errors, " << count.worst << " at most\n";
}

// A removed definition can be missing in several places, none of which is the single cause.
TEST(OneFault, a_removed_line_gives_one_error) {
  Count count;
  inject(Injected::Removed, count);
  if (IsSkipped()) return;
  EXPECT_GE(count.faulty, 5'000u);
  EXPECT_LE(count.errors * 100, count.faulty * 102);
  EXPECT_LE(count.worst, 20u);
}

TEST(OneFault, a_repeated_line_gives_one_error) {
  Count count;
  inject(Injected::Doubled, count);
  if (IsSkipped()) return;
  EXPECT_GE(count.faulty, 5'000u);
  EXPECT_LE(count.errors * 1000, count.faulty * 1003);
  EXPECT_LE(count.worst, 5u);
}

}  // namespace
}  // namespace vireo::system_test
