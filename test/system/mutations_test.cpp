// SPDX-License-Identifier: Apache-2.0
//
// Mutated modules, real and recorded valid ones, validated by us and by the reference program; compares the verdicts.
//
// Two independent validators seldom have the same bug, so each difference is a bug of one of them. If we
// reject a module that the reference accepts, validator_differences.tsv must list our rule. Modules that only the
// reference rejects are counted by its message, and the share of equal verdicts must not fall.
//
// VIREO_MUTATIONS sets the number of mutations for each module, VIREO_MUTATIONS_SEED the first random seed.
// VIREO_MUTATIONS_KEEP names a folder for the modules with different verdicts. Without VIREO_MUTATIONS only an eighth
// of the recorded modules is tested.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <mutex>

#include "outside.h"
#include "spirv/mutations.h"
#include "support/json.h"
#include "system/corpus.h"
#include "system/real_modules.h"
#include "system/validator_options.h"
#include "vireo/spirv/binary/writer.h"
#include "vireo/spirv/validate/validate.h"

namespace vireo::system_test {
namespace {

using namespace spirv;
namespace fs = std::filesystem;

// Larger modules take the reference program too long and cover nothing more.
constexpr std::size_t largest_module = 12'000;

std::uint64_t number_from(const char* variable, std::uint64_t otherwise) {
  const char* text = std::getenv(variable);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

// A message without the parts that depend on the module: ids, names and numbers.
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

/// A valid module, and the arguments of the reference program for it.
struct Sample {
  std::string name;
  std::vector<std::string> flags;
  WordBuffer words;
};

// The real modules of the manifest, each with one of the environments that accept it, in rotation.
std::vector<Sample> real_samples(const fs::path& modules) {
  const UnpackedArchive& unpacked = real_modules(modules / "real.tar.xz");
  EXPECT_TRUE(unpacked.is_good());
  std::vector<Sample> samples;
  std::size_t turn = 0;
  for (const ManifestRow& row : manifest_rows(modules / "manifest.tsv")) {
    if (row.environments.empty() || row.bytes > largest_module) continue;
    const std::string& environment = row.environments[turn++ % row.environments.size()];
    if (!fs::exists(unpacked.path_of(row.path))) continue;  // in another archive
    samples.push_back(
        {row.path, {"--target-env", environment}, words_of_bytes(bytes_of_file(unpacked.path_of(row.path)))});
  }
  return samples;
}

// Valid recorded cases, one of every `one_of`.
std::vector<Sample> recorded_samples(const fs::path& cases, std::size_t one_of) {
  std::vector<Sample> samples;
  std::size_t turn = 0;
  for (const std::string& line : packed_lines(cases)) {
    JsonFault fault;
    const std::optional<JsonDocument> document = JsonDocument::parse(line, fault);
    if (!document || !document->root().find("valid").boolean() || turn++ % one_of != 0) continue;
    const JsonValue row = document->root();
    Sample sample{std::string(row.find("test").text()), {}, words_of_bytes(from_base64(row.find("binary").text()))};
    for (const JsonValue flag : row.find("flags").elements()) sample.flags.emplace_back(flag.text());
    samples.push_back(std::move(sample));
  }
  return samples;
}

// Whether the list contains the rule, alone or with a text that the message contains.
bool is_known(const std::set<std::string>& known, const Diagnostic& finding) {
  const std::string rule(finding.rule);
  if (known.contains(rule)) return true;
  for (auto it = known.lower_bound(rule + ' '); it != known.end() && it->starts_with(rule + ' '); ++it) {
    if (finding.message.find(it->substr(rule.size() + 1)) != std::string::npos) return true;
  }
  return false;
}

// Counters by key: our rule, or the outline of the reference's message.
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

// Prerequisites of several tests: the reference program and a folder of recorded data. Empty paths if missing.
struct Outside {
  fs::path validator, shared;
};

Outside find_outside() {
  const auto shared = outside::shared_folder();
  const auto peers = outside::peers_folder();
  if (!shared || !peers || !fs::exists(*peers / "bin" / "spirv-val")) return {};
  return {*peers / "bin" / "spirv-val", *shared};
}

void compare_verdicts(const std::vector<Sample>& samples, const fs::path& validator) {
  const std::set<std::string> known = known_differences();
  const std::uint64_t mutations_each = number_from("VIREO_MUTATIONS", 1);
  const std::uint64_t seed = number_from("VIREO_MUTATIONS_SEED", 1);
  const char* keep = std::getenv("VIREO_MUTATIONS_KEEP");
  if (keep != nullptr) fs::create_directories(keep);

  std::string pattern = (fs::temp_directory_path() / "vireo-mutations-XXXXXX").string();
  const fs::path folder = keep != nullptr ? keep : ::mkdtemp(pattern.data());
  Tally only_ours, only_theirs;
  std::atomic<std::size_t> compared = 0, broken = 0;
  const std::vector<std::string> failures =
      failures_of(samples.size() * mutations_each, [&](std::size_t i) -> std::string {
        const Sample& sample = samples[i / mutations_each];
        Mutations mutations(seed + i * 7919);
        const WordBuffer words = mutations.apply(sample.words);
        const fs::path file = folder / (std::to_string(seed) + "-" + std::to_string(i) + ".spv");
        std::ofstream(file, std::ios::binary) << bytes_of(words);
        std::string flags;
        for (const std::string& flag : sample.flags) flags += " '" + flag + "'";
        int status = 0;
        const std::string said =
            output_of("'" + validator.string() + "'" + flags + " '" + file.string() + "' 2>&1", status);
        Diagnostics diagnostics;
        const bool is_valid = validate(words, options_of(sample.flags), diagnostics);
        const bool should_be = status == 0;
        ++compared;
        broken += should_be ? 0 : 1;
        if (is_valid == should_be || keep == nullptr) fs::remove(file);
        if (is_valid == should_be) return {};
        const std::string kept = keep == nullptr ? "" : "  " + file.filename().string() + flags;
        if (is_valid) {
          only_theirs.add(outline_of(said) + kept);
          return {};
        }
        const auto& first = *std::find_if(diagnostics.all().begin(), diagnostics.all().end(),
                                          [](const Diagnostic& d) { return d.severity == Severity::Error; });
        only_ours.add(std::string(first.rule));
        if (is_known(known, first)) return {};
        return sample.name + ", mutation " + std::to_string(i) + " with" + flags + ": " + std::string(first.rule) +
               ": " + first.message;
      });
  if (keep == nullptr) fs::remove_all(folder);
  for (const std::string& failure : failures) ADD_FAILURE() << failure;
  std::cout << "             " << compared << " modules, " << broken
            << " of them broken; rejected only by Vireo: " << only_ours.total()
            << ", only by the reference: " << only_theirs.total() << '\n';
  for (const auto& [outline, count] : only_theirs.counts())
    std::cout << "             " << count << "  " << outline << '\n';
  EXPECT_GE(broken, compared / 2) << "mutations that break nothing test nothing";
  EXPECT_LE(only_theirs.total() * 100, compared * 4) << "of " << compared;
}

TEST(Mutations, of_real_modules_get_the_verdict_of_the_reference) {
  const Outside outside = find_outside();
  if (outside.shared.empty()) GTEST_SKIP() << outside::no_shared << "; " << outside::no_peers;
  const std::vector<Sample> samples = real_samples(outside.shared / "modules");
  ASSERT_GE(samples.size(), 1000u);
  compare_verdicts(samples, outside.validator);
}

TEST(Mutations, of_recorded_modules_get_the_verdict_of_the_reference) {
  const Outside outside = find_outside();
  if (outside.shared.empty()) GTEST_SKIP() << outside::no_shared << "; " << outside::no_peers;
  const std::size_t one_of = std::getenv("VIREO_MUTATIONS") == nullptr ? 8 : 1;
  const std::vector<Sample> samples = recorded_samples(outside.shared / "cases" / "val.jsonl.xz", one_of);
  ASSERT_GE(samples.size(), 1000u);
  compare_verdicts(samples, outside.validator);
}

}  // namespace
}  // namespace vireo::system_test
