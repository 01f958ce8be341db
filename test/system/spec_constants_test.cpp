// SPDX-License-Identifier: Apache-2.0
//
// Transforms of the specialization constants of real modules: the result is valid in each environment that accepts the
// module, and a second application changes nothing.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "outside.h"
#include "system/real_modules.h"
#include "vireo/spirv/transform/spec_constants.h"
#include "vireo/spirv/validate/validate.h"

namespace vireo::system_test {
namespace {

using namespace spirv;

struct SpecConstantTransform {
  std::string_view name;
  std::function<Result<WordBuffer>(Words, Diagnostics&)> apply;
};

Result<WordBuffer> freeze_and_fold(Words words, Diagnostics& diagnostics) {
  const Result<WordBuffer> frozen = freeze_spec_constants(words, diagnostics);
  return frozen ? fold_spec_constants(*frozen, {}, diagnostics) : frozen.failure();
}

// Values that fit Booleans and numbers; other constants stay as they are.
Result<WordBuffer> set_defaults(Words words, Diagnostics& diagnostics) {
  std::vector<SpecDefault> defaults;
  for (Word spec_id = 0; spec_id < 64; ++spec_id) defaults.push_back({spec_id, WordBuffer{1}});
  return set_spec_defaults(words, defaults, {.skip_unfit_values = true}, diagnostics);
}

const std::vector<SpecConstantTransform>& spec_constant_transforms() {
  static const std::vector<SpecConstantTransform> all = {
      {"freeze", [](Words words, Diagnostics& diagnostics) { return freeze_spec_constants(words, diagnostics); }},
      {"set", set_defaults},
      {"fold", [](Words words, Diagnostics& diagnostics) { return fold_spec_constants(words, {}, diagnostics); }},
      {"freeze and fold", freeze_and_fold}};
  return all;
}

// A module that is valid only because specialization can change its workgroup size, which is 1 x 1 x 1 by default.
constexpr std::string_view needs_specialization = "glslang/Test__spv.computeShaderDerivativesSpec2.comp.new.spv";

// What is wrong with the result for one module; empty if nothing.
std::string spec_constant_fault(const SpecConstantTransform& transform, Words words,
                                const std::vector<std::string>& environments, std::atomic<std::size_t>& changed) {
  Diagnostics diagnostics;
  const Result<WordBuffer> result = transform.apply(words, diagnostics);
  // Modules with instructions that cannot be decoded are refused; they are valid in no environment.
  if (!result) return environments.empty() ? std::string() : "refused: " + diagnostics.all().front().message;
  const Result<WordBuffer> again = transform.apply(*result, diagnostics);
  if (!again || *again != *result) return "a second application changes the module";
  if (std::ranges::equal(*result, words)) return {};
  ++changed;
  for (const std::string& name : environments) {
    ValidateOptions options;
    options.environment = find_environment(name).value();
    Diagnostics findings;
    if (!validate(*result, options, findings)) return "invalid in " + name + ": " + findings.all().front().message;
  }
  return {};
}

TEST(SpecConstantTransforms, keep_real_modules_valid_and_apply_once) {
  with_real_modules([](const UnpackedArchive& unpacked) {
    const std::vector<ManifestRow> rows = manifest_rows(*outside::shared_folder() / "modules" / "manifest.tsv");
    for (const SpecConstantTransform& transform : spec_constant_transforms()) {
      std::atomic<std::size_t> changed = 0;
      const std::vector<std::string> failures = failures_of(rows.size(), [&](std::size_t i) -> std::string {
        const ManifestRow& row = rows[i];
        if (!std::filesystem::exists(unpacked.path_of(row.path))) return {};  // in another archive
        if (row.path == needs_specialization && transform.name.starts_with("freeze")) return {};
        const WordBuffer words = words_of_bytes(bytes_of_file(unpacked.path_of(row.path)));
        const std::string fault = spec_constant_fault(transform, words, row.environments, changed);
        return fault.empty() ? std::string() : row.path + ": " + std::string(transform.name) + ": " + fault;
      });
      for (const std::string& failure : failures) ADD_FAILURE() << failure;
      EXPECT_GT(changed, 0u) << transform.name;
      RecordProperty(std::string(transform.name), static_cast<int>(changed));
    }
  });
}

}  // namespace
}  // namespace vireo::system_test
