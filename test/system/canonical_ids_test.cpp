// SPDX-License-Identifier: Apache-2.0
//
// canonical_ids() on the real modules: shuffled copies get equal words, a second application changes nothing, and the
// result is valid in each environment that accepts the module.
#include "vireo/spirv/transform/canonical_ids.h"

#include <gtest/gtest.h>

#include <string>

#include "outside.h"
#include "spirv/transform/legal_shuffle.h"
#include "system/real_modules.h"
#include "vireo/spirv/transform/strip.h"
#include "vireo/spirv/validate/validate.h"

namespace vireo::system_test {
namespace {

using namespace spirv;

bool is_valid(Words words, const std::string& environment) {
  ValidateOptions options;
  options.environment = find_environment(environment).value();
  Diagnostics findings;
  return validate(words, options, findings);
}

// What is wrong with the result for one module; empty if nothing.
std::string fault_of(Words words, const std::vector<std::string>& environments, std::uint64_t seed) {
  Diagnostics diagnostics;
  const Result<WordBuffer> result = canonical_ids(words, diagnostics);
  if (!result) return compact_ids(words, diagnostics) ? "refused: " + diagnostics.all().front().message : "";
  if (result->size() > words.size()) return "the result is larger";
  const Result<WordBuffer> again = canonical_ids(*result, diagnostics);
  if (!again || *again != *result) return "a second application changes the module";
  for (const std::string& name : environments) {
    if (is_valid(words, name) && !is_valid(*result, name)) return "invalid in " + name;
  }
  const WordBuffer shuffled = spirv::test::LegalShuffle(words, seed).run();
  if (!environments.empty() && is_valid(words, environments.back()) && !is_valid(shuffled, environments.back()))
    return "the shuffled module is invalid in " + environments.back();
  const Result<WordBuffer> of_shuffled = canonical_ids(shuffled, diagnostics);
  if (!of_shuffled || *of_shuffled != *result) return "a shuffled module has another result";
  return {};
}

TEST(CanonicalIds, are_equal_for_shuffled_real_modules) {
  with_real_modules([](const UnpackedArchive& unpacked) {
    const std::vector<ManifestRow> rows = manifest_rows(*outside::shared_folder() / "modules" / "manifest.tsv");
    ASSERT_GE(rows.size(), 2370u);
    const std::vector<std::string> failures = failures_of(rows.size(), [&](std::size_t i) -> std::string {
      const ManifestRow& row = rows[i];
      if (!std::filesystem::exists(unpacked.path_of(row.path))) return {};  // in another archive
      const WordBuffer words = words_of_bytes(bytes_of_file(unpacked.path_of(row.path)));
      std::string fault = fault_of(words, row.environments, i);
      if (!fault.empty()) return row.path + ": " + fault;
      // Without names, fewer declarations differ in their contents.
      Diagnostics diagnostics;
      const Result<WordBuffer> stripped = strip(words, {}, diagnostics);
      fault = stripped ? fault_of(*stripped, {}, i) : "strip refused it";
      return fault.empty() ? std::string() : row.path + " without names: " + fault;
    });
    for (const std::string& failure : failures) ADD_FAILURE() << failure;
  });
}

}  // namespace
}  // namespace vireo::system_test
