// SPDX-License-Identifier: Apache-2.0
//
// Transforms of the real modules: the result is valid in each environment that accepts the module, and a second
// application changes nothing.
//
// The reference program takes the results of every 40th module; VIREO_TRANSFORMS=1 is all modules, 2 every second one.
#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <random>
#include <set>
#include <string>
#include <utility>

#include "outside.h"
#include "spirv/transform/order_modules.h"
#include "spirv/transform/transform_list.h"
#include "support/json.h"
#include "system/real_modules.h"
#include "system/validator_options.h"
#include "vireo/spirv/binary/writer.h"
#include "vireo/spirv/validate/validate.h"

namespace vireo::system_test {
namespace {

using namespace spirv;

using test::Transform;
using test::transforms;

// What is wrong with the result for one module; empty if nothing.
std::string fault_of(const Transform& transform, Words words, const std::vector<std::string>& environments,
                     std::atomic<std::size_t>& removed) {
  if (transform.takes_defaults && !test::has_valid_defaults(words)) return {};
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
  const bool is_same = again && *again == *result && second.removed.empty() && second.interface_entries == 0;
  if (!is_same && transform.is_idempotent) return "a second application changes the module";
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
      const bool only_numbers = transform.name.ends_with("compact-ids") || transform.name.ends_with("canonical-ids");
      EXPECT_TRUE(removed > 0 || only_numbers) << transform.name;
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

// --- the reference ------------------------------------------------------------------------------------------------------

// A module, and the arguments with which the reference should accept it.
struct InputModule {
  std::string name;
  std::filesystem::path path;  // empty: `words`
  std::vector<std::string> flags;
  WordBuffer words = {};
};

// The verdicts of the reference program.
class ReferenceVerdicts {
 public:
  ReferenceVerdicts(std::filesystem::path program) : program_(std::move(program)) {
    std::string pattern = (std::filesystem::temp_directory_path() / "vireo-transforms-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
  }
  ~ReferenceVerdicts() { std::filesystem::remove_all(folder_); }
  ReferenceVerdicts(const ReferenceVerdicts&) = delete;
  ReferenceVerdicts& operator=(const ReferenceVerdicts&) = delete;

  /// Its message; empty if it accepts the words.
  std::string of(Words words, const std::vector<std::string>& flags) {
    const std::filesystem::path file = folder_ / (std::to_string(next_++) + ".spv");
    std::ofstream(file, std::ios::binary) << bytes_of(words);
    std::string command = "'" + program_.string() + "'";
    for (const std::string& flag : flags) command += " '" + flag + "'";
    int status = 0;
    const std::string said = output_of(command + " '" + file.string() + "' 2>&1", status);
    std::filesystem::remove(file);
    return status == 0 ? std::string() : said.empty() ? "no message" : said;
  }

 private:
  std::filesystem::path program_, folder_;
  std::atomic<std::size_t> next_ = 0;
};

struct TransformCounts {
  std::atomic<std::size_t> modules = 0, results = 0, invalid_defaults = 0;
};

// What the reference rejects of the results of all transforms of one module. Equal results are validated once.
std::string rejected_results(const InputModule& sample, const std::vector<Transform>& all, ReferenceVerdicts& reference,
                             TransformCounts& counts) {
  const WordBuffer words = sample.path.empty() ? sample.words : words_of_bytes(bytes_of_file(sample.path));
  if (!reference.of(words, sample.flags).empty()) return {};
  ++counts.modules;
  std::set<WordBuffer> seen = {words};
  std::string faults;
  const bool has_valid_defaults = test::has_valid_defaults(words);
  if (!has_valid_defaults) ++counts.invalid_defaults;
  for (const Transform& transform : all) {
    if (transform.takes_defaults && !has_valid_defaults) continue;
    Diagnostics diagnostics;
    TransformReport report;
    Result<WordBuffer> result = transform.apply(words, diagnostics, report);
    if (!result) {
      // The bodies of graphs contain instructions outside of blocks (SPV_ARM_graph).
      if (!Module::read(words).section(Section::Graphs).is_empty()) continue;
      faults +=
          sample.name + ": " + std::string(transform.name) + ": refused: " + diagnostics.all().front().message + '\n';
      continue;
    }
    if (!seen.insert(*result).second) continue;
    // The defaults of offsets and strides can be invalid in an environment only.
    if (transform.takes_defaults && !validate(*result, options_of(sample.flags), diagnostics)) continue;
    ++counts.results;
    const std::string said = reference.of(*result, sample.flags);
    if (!said.empty())
      faults += sample.name + " with " + (sample.flags.empty() ? "" : sample.flags.back()) + ": " +
                std::string(transform.name) + ": " + said;
  }
  return faults;
}

void compare_with_reference(std::vector<InputModule> samples) {
  const auto peers = outside::peers_folder();
  if (!peers || !std::filesystem::exists(*peers / "bin" / "spirv-val")) GTEST_SKIP() << outside::no_peers;
  const char* text = std::getenv("VIREO_TRANSFORMS");
  const std::size_t stride = text == nullptr ? 40 : std::max<std::size_t>(std::strtoull(text, nullptr, 10), 1);
  ReferenceVerdicts reference(*peers / "bin" / "spirv-val");
  const std::vector<Transform> all = transforms();
  TransformCounts counts;
  const std::size_t count = (samples.size() + stride - 1) / stride;
  const std::vector<std::string> failures =
      failures_of(count, [&](std::size_t i) { return rejected_results(samples[i * stride], all, reference, counts); });
  for (const std::string& failure : failures) ADD_FAILURE() << failure;
  std::cout << "             " << counts.modules << " modules, " << counts.results << " different results; "
            << counts.invalid_defaults << " modules are invalid with their default values\n";
  EXPECT_GE(counts.modules, count / 2);
  EXPECT_GE(counts.results, counts.modules);
  EXPECT_LE(counts.invalid_defaults * 50, counts.modules + 50);
}

TEST(Transforms, keep_real_modules_valid_for_the_reference) {
  with_real_modules([](const UnpackedArchive& unpacked) {
    std::vector<InputModule> samples;
    std::size_t turn = 0;
    for (const ManifestRow& row : manifest_rows(*outside::shared_folder() / "modules" / "manifest.tsv")) {
      if (row.environments.empty() || !std::filesystem::exists(unpacked.path_of(row.path))) continue;
      samples.push_back(
          {row.path, unpacked.path_of(row.path), {"--target-env", row.environments[turn++ % row.environments.size()]}});
    }
    compare_with_reference(std::move(samples));
  });
}

// Modules whose orders and decoration groups are easily broken.
TEST(Transforms, keep_orders_valid_for_the_reference) {
  std::vector<InputModule> samples;
  for (std::uint64_t seed = 0; seed < 400; ++seed)
    samples.push_back({"order " + std::to_string(seed), {}, {"--target-env", "spv1.6"}, test::OrderModule(seed).run()});
  compare_with_reference(std::move(samples));
}

// Small modules that use rare instructions.
TEST(Transforms, keep_recorded_modules_valid_for_the_reference) {
  const auto shared = outside::shared_folder();
  if (!shared || !std::filesystem::exists(*shared / "cases" / "val.jsonl.xz")) GTEST_SKIP() << outside::no_shared;
  std::vector<InputModule> samples;
  for (const std::string& line : packed_lines(*shared / "cases" / "val.jsonl.xz")) {
    JsonFault fault;
    const std::optional<JsonDocument> document = JsonDocument::parse(line, fault);
    if (!document || !document->root().find("valid").boolean()) continue;
    const JsonValue row = document->root();
    std::vector<std::string> flags;
    for (const JsonValue flag : row.find("flags").elements()) flags.emplace_back(flag.text());
    // With sizes of descriptors other than ours, the defaults of offsets can be invalid only there.
    if (std::ranges::find(flags, "--image-descriptor-layout") != flags.end()) continue;
    samples.push_back(
        {std::string(row.find("test").text()), {}, flags, words_of_bytes(from_base64(row.find("binary").text()))});
  }
  compare_with_reference(std::move(samples));
}

// Larger modules that real compilers made of games and libraries.
TEST(Transforms, keep_the_workload_valid_for_the_reference) {
  const auto shared = outside::shared_folder();
  if (!shared || !std::filesystem::exists(*shared / "opt" / "workload.tar.xz")) GTEST_SKIP() << outside::no_shared;
  const UnpackedArchive unpacked(*shared / "opt" / "workload.tar.xz");
  ASSERT_TRUE(unpacked.is_good());
  std::vector<InputModule> samples;
  for (const std::string& name : unpacked.modules())
    samples.push_back({name, unpacked.path_of(name), {"--target-env", "vulkan1.4"}});
  compare_with_reference(std::move(samples));
}

}  // namespace
}  // namespace vireo::system_test
