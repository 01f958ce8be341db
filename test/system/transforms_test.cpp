// SPDX-License-Identifier: Apache-2.0
//
// Transforms of the real modules: the result is valid in each environment that accepts the module, and a second
// application changes nothing.
#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <random>
#include <string>
#include <utility>

#include "outside.h"
#include "system/real_modules.h"
#include "vireo/spirv/transform/clean.h"
#include "vireo/spirv/transform/specialize.h"
#include "vireo/spirv/transform/strip.h"
#include "vireo/spirv/transform/trim.h"
#include "vireo/spirv/validate.h"

namespace vireo::system_test {
namespace {

using namespace spirv;

// Some parts of clean().
template <bool CleanOptions::*... parts>
CleanOptions parts_of_clean() {
  CleanOptions options = no_clean_options;
  ((options.*parts = true), ...);
  return options;
}

struct Transform {
  std::string_view name;
  std::function<Result<WordBuffer>(Words, Diagnostics&, TransformReport&)> apply;
};

// Pruning also removes what is unused in a module without specialization constants.
Result<WordBuffer> specialize_and_prune(Words words, Diagnostics& diagnostics, TransformReport& report) {
  const Result<Specializer> specializer = Specializer::read(words, {}, diagnostics);
  if (!specializer) return specializer.failure();
  SpecializerMemory memory;
  WordBuffer result;
  if (const auto refused = specializer->specialize({}, {.prune = true}, memory, result, diagnostics)) return *refused;
  report = describe_transform(words, result);
  return result;
}

// Each part of clean and strip alone, and all of them.
std::vector<Transform> transforms() {
  const auto strip_of = [](StripOptions options) {
    return [options](Words words, Diagnostics& diagnostics, TransformReport& report) {
      return strip(words, options, diagnostics, &report);
    };
  };
  const auto clean_of = [](CleanOptions options) {
    return [options](Words words, Diagnostics& diagnostics, TransformReport& report) {
      return clean(words, options, diagnostics, &report);
    };
  };
  using Clean = CleanOptions;
  return {{"clean", clean_of({})},
          {"clean --functions", clean_of(parts_of_clean<&Clean::functions>())},
          {"clean --blocks", clean_of(parts_of_clean<&Clean::branches, &Clean::blocks>())},
          {"clean --code", clean_of(parts_of_clean<&Clean::code>())},
          {"clean --variables", clean_of(parts_of_clean<&Clean::variables>())},
          {"clean --types", clean_of(parts_of_clean<&Clean::types, &Clean::duplicate_types>())},
          {"clean --constants", clean_of(parts_of_clean<&Clean::constants, &Clean::duplicate_constants>())},
          {"clean everything unused",
           clean_of(parts_of_clean<&Clean::functions, &Clean::code, &Clean::variables, &Clean::types, &Clean::constants,
                                   &Clean::drop_bindings, &Clean::drop_specs>())},
          {"clean --members", clean_of(parts_of_clean<&Clean::members>())},
          {"specialize --prune", specialize_and_prune},
          {"strip", strip_of({})},
          {"strip --debug", strip_of({.names = false, .nonsemantic = false, .reflection = false})},
          {"strip --names", strip_of({.debug = false, .nonsemantic = false, .reflection = false})},
          {"strip --nonsemantic", strip_of({.debug = false, .names = false, .reflection = false})},
          {"strip --reflection", strip_of({.debug = false, .names = false, .nonsemantic = false})},
          {"trim", [](Words words, Diagnostics& diagnostics,
                      TransformReport& report) { return trim(words, {}, diagnostics, &report); }},
          {"trim --interfaces", [](Words words, Diagnostics& diagnostics, TransformReport& report) {
             return trim(words, {.capabilities = false, .extensions = false, .interfaces = true}, diagnostics, &report);
           }}};
}

// What is wrong with the result for one module; empty if nothing.
std::string fault_of(const Transform& transform, Words words, const std::vector<std::string>& environments,
                     std::atomic<std::size_t>& removed) {
  Diagnostics diagnostics;
  TransformReport report;
  const Result<WordBuffer> result = transform.apply(words, diagnostics, report);
  // An instruction that the grammar does not define: no environment accepts the module.
  if (!result && environments.empty()) return {};
  if (!result) return "refused: " + diagnostics.all().front().message;
  std::size_t removed_words = 0;
  for (const RemovedInstructions& row : report.removed) removed_words += row.words;
  removed += removed_words + report.interface_entries;
  if (report.words_before != words.size() || report.words_after != result->size()) return "wrong sizes in the report";
  // The others also shorten instructions and add some.
  const bool only_removes = transform.name.starts_with("strip") || transform.name.starts_with("trim");
  if (only_removes && report.words_before < report.words_after + removed_words + report.interface_entries)
    return "the report has more words than were removed";
  TransformReport second;
  const Result<WordBuffer> again = transform.apply(*result, diagnostics, second);
  // After pruning, an OpPhi can be a constant, and the branch on it is folded the next time.
  const bool is_same = again && *again == *result && second.removed.empty() && second.interface_entries == 0;
  if (!is_same && transform.name != "specialize --prune") return "a second application changes the module";
  for (const std::string& name : environments) {
    ValidateOptions options;
    options.environment = find_environment(name).value();
    Diagnostics findings;
    if (!validate(*result, options, findings)) return "invalid in " + name + ": " + findings.all().front().message;
  }
  return {};
}

TEST(Transforms, keep_real_modules_valid_and_apply_once) {
  with_real_modules([](const UnpackedArchive& unpacked) {
    const std::vector<ManifestRow> rows = manifest_rows(*outside::shared_folder() / "modules" / "manifest.tsv");
    ASSERT_GE(rows.size(), 2370u);
    for (const Transform& transform : transforms()) {
      std::atomic<std::size_t> removed = 0;
      const std::vector<std::string> failures = failures_of(rows.size(), [&](std::size_t i) -> std::string {
        const ManifestRow& row = rows[i];
        if (!std::filesystem::exists(unpacked.path_of(row.path))) return {};  // in another archive
        const WordBuffer words = words_of_bytes(bytes_of_file(unpacked.path_of(row.path)));
        const std::string fault = fault_of(transform, words, row.environments, removed);
        return fault.empty() ? std::string() : row.path + ": " + std::string(transform.name) + ": " + fault;
      });
      for (const std::string& failure : failures) ADD_FAILURE() << failure;
      EXPECT_GT(removed, 0u) << transform.name;
    }
  });
}

// Sequences, because one transform meets what another one leaves.
TEST(Transforms, keep_real_modules_valid_in_random_sequences) {
  with_real_modules([](const UnpackedArchive& unpacked) {
    const std::vector<ManifestRow> rows = manifest_rows(*outside::shared_folder() / "modules" / "manifest.tsv");
    const std::vector<Transform> all = transforms();
    const std::vector<std::string> failures = failures_of(rows.size(), [&](std::size_t i) -> std::string {
      const ManifestRow& row = rows[i];
      if (row.environments.empty() || !std::filesystem::exists(unpacked.path_of(row.path))) return {};
      std::mt19937 random(static_cast<std::uint32_t>(i));
      WordBuffer words = words_of_bytes(bytes_of_file(unpacked.path_of(row.path)));
      std::string sequence;
      for (int step = 0; step < 4; ++step) {
        const Transform& transform = all[random() % all.size()];
        sequence += std::string(transform.name) + "; ";
        Diagnostics diagnostics;
        TransformReport report;
        Result<WordBuffer> result = transform.apply(words, diagnostics, report);
        if (!result) return row.path + ": " + sequence + "refused: " + diagnostics.all().front().message;
        words = std::move(*result);
      }
      for (const std::string& name : row.environments) {
        ValidateOptions options;
        options.environment = find_environment(name).value();
        Diagnostics findings;
        if (!validate(words, options, findings)) {
          return row.path + ": " + sequence + "invalid in " + name + ": " + findings.all().front().message;
        }
      }
      return {};
    });
    for (const std::string& failure : failures) ADD_FAILURE() << failure;
  });
}

}  // namespace
}  // namespace vireo::system_test
