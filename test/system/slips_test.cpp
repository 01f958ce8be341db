// SPDX-License-Identifier: Apache-2.0
//
// Real modules with a slip each, judged by us and by the reference program: the verdicts are compared.
//
// The one idea: two validators that were written apart seldom make the same mistake, so each difference is somebody's. What
// we refuse and the reference accepts has to stand in validator_differences.tsv by its rule; what only the reference refuses
// is counted by its message, and the share of equal verdicts may not fall. VIREO_SLIPS sets how many slips a module gets,
// VIREO_SLIPS_SEED where the dice begin; VIREO_SLIPS_KEEP names a folder for the modules that are judged differently.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <mutex>

#include "outside.h"
#include "spirv/slips.h"
#include "system/corpus.h"
#include "system/validator_options.h"
#include "vireo/spirv/validate.h"
#include "vireo/spirv/writer.h"

namespace vireo::system_test {
namespace {

using namespace spirv;
namespace fs = std::filesystem;

// Larger ones take the reference too long, and hold nothing that smaller ones do not.
constexpr std::size_t largest_module = 12'000;

std::uint64_t number_from(const char* variable, std::uint64_t otherwise) {
  const char* text = std::getenv(variable);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

// A message without what differs from module to module: ids, names and numbers.
std::string outline_of(std::string_view message) {
  std::string result;
  const std::size_t colon = message.find("error: ");
  if (colon != std::string_view::npos) message.remove_prefix(colon + 7);
  for (std::size_t i = 0; i < message.size() && message[i] != '\n' && result.size() < 90; ++i) {
    if (message[i] == '\'') {
      const std::size_t end = message.find('\'', i + 1);
      if (end == std::string_view::npos) break;
      result += "'_'";
      i = end;
    } else if (message[i] < '0' || message[i] > '9') {
      result.push_back(message[i]);
    }
  }
  return result;
}

struct Sample {
  std::string path, environment;
};

// Modules of the manifest, with an environment each that accepts them, another one from module to module.
std::vector<Sample> samples_of(const fs::path& manifest) {
  std::vector<Sample> samples;
  for (const ManifestRow& row : manifest_rows(manifest)) {
    if (row.environments.empty() || row.bytes > largest_module) continue;
    samples.push_back({row.path, row.environments[samples.size() % row.environments.size()]});
  }
  return samples;
}

// By its rule, or by that and what the message begins with.
bool is_known(const std::set<std::string>& known, const Diagnostic& finding) {
  const std::string rule(finding.rule);
  if (known.contains(rule)) return true;
  for (auto it = known.lower_bound(rule + ' '); it != known.end() && it->starts_with(rule + ' '); ++it) {
    if (finding.message.starts_with(it->substr(rule.size() + 1))) return true;
  }
  return false;
}

// What was counted, by our rule or by an outline of the reference's message.
class Tally {
 public:
  void add(std::string key) {
    const std::lock_guard lock(mutex_);
    ++counts_[std::move(key)];
  }
  [[nodiscard]] const std::map<std::string, std::size_t>& counts() const { return counts_; }
  [[nodiscard]] std::size_t total() const {
    std::size_t sum = 0;
    for (const auto& [key, count] : counts_) sum += count;
    return sum;
  }

 private:
  std::mutex mutex_;
  std::map<std::string, std::size_t> counts_;
};

TEST(Slips, get_the_verdict_of_the_reference) {
  const auto shared = outside::shared_folder();
  if (!shared) GTEST_SKIP() << outside::no_shared;
  const auto peers = outside::peers_folder();
  if (!peers || !fs::exists(*peers / "bin" / "spirv-val")) GTEST_SKIP() << outside::no_peers;
  const UnpackedArchive unpacked(*shared / "modules" / "real.tar.xz");
  ASSERT_TRUE(unpacked.is_good());
  const std::vector<Sample> samples = samples_of(*shared / "modules" / "manifest.tsv");
  ASSERT_GE(samples.size(), 1000u);
  const std::set<std::string> known = known_differences();
  const std::uint64_t slips_each = number_from("VIREO_SLIPS", 1);
  const std::uint64_t seed = number_from("VIREO_SLIPS_SEED", 1);
  const char* keep = std::getenv("VIREO_SLIPS_KEEP");

  std::string pattern = (fs::temp_directory_path() / "vireo-slips-XXXXXX").string();
  const fs::path folder = keep != nullptr ? keep : ::mkdtemp(pattern.data());
  Tally only_ours, only_theirs;
  std::atomic<std::size_t> compared = 0, broken = 0;
  const std::vector<std::string> failures = failures_of(samples.size() * slips_each, [&](std::size_t i) -> std::string {
    const Sample& sample = samples[i / slips_each];
    if (!fs::exists(unpacked.path_of(sample.path))) return {};  // of another archive
    Slips slips(seed + i * 7919);
    const WordBuffer words = slips.apply(words_of_bytes(bytes_of_file(unpacked.path_of(sample.path))));
    const fs::path file = folder / (std::to_string(seed) + "-" + std::to_string(i) + ".spv");
    std::ofstream(file, std::ios::binary) << bytes_of(words);
    int status = 0;
    const std::string said = output_of("'" + (*peers / "bin" / "spirv-val").string() + "' --target-env " +
                                           sample.environment + " '" + file.string() + "' 2>&1",
                                       status);
    ValidateOptions options;
    options.environment = find_environment(sample.environment);
    Diagnostics diagnostics;
    const bool is_valid = validate(words, options, diagnostics);
    const bool should_be = status == 0;
    ++compared;
    broken += should_be ? 0 : 1;
    if (is_valid == should_be || keep == nullptr) fs::remove(file);
    if (is_valid == should_be) return {};
    if (is_valid) {
      only_theirs.add(outline_of(said) +
                      (keep != nullptr ? "  " + file.filename().string() + ' ' + sample.environment : ""));
      return {};
    }
    const auto& first = *std::find_if(diagnostics.all().begin(), diagnostics.all().end(),
                                      [](const Diagnostic& d) { return d.severity == Severity::Error; });
    only_ours.add(std::string(first.rule));
    if (is_known(known, first)) return {};
    return sample.path + ", slip " + std::to_string(i) + " in " + sample.environment + ": " + std::string(first.rule) +
           ": " + first.message;
  });
  if (keep == nullptr) fs::remove_all(folder);
  for (const std::string& failure : failures) ADD_FAILURE() << failure;
  std::cout << "             " << compared << " modules, " << broken << " of them broken; refused by us alone "
            << only_ours.total() << ", by the reference alone " << only_theirs.total() << '\n';
  for (const auto& [outline, count] : only_theirs.counts())
    std::cout << "             " << count << "  " << outline << '\n';
  EXPECT_GE(broken, compared / 2) << "slips that break nothing test nothing";
  EXPECT_LE(only_theirs.total() * 100, compared * 4) << "of " << compared;
}

}  // namespace
}  // namespace vireo::system_test
