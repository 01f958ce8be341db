// SPDX-License-Identifier: Apache-2.0
//
// Differences of real modules: none from a copy with other ids, another legal order or no debug information; and
// exactly one from a copy with one mutation.
#include "vireo/spirv/inspect/diff.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <iostream>
#include <map>
#include <mutex>
#include <numeric>
#include <optional>
#include <random>
#include <string>

#include "outside.h"
#include "spirv/transform/legal_shuffle.h"
#include "system/module_changer.h"
#include "system/real_modules.h"
#include "vireo/spirv/transform/canonical_ids.h"
#include "vireo/spirv/transform/strip.h"

namespace vireo::system_test {
namespace {

using namespace spirv;

std::string text_of(const ModuleDiff& diff) {
  StringSink sink;
  write_diff_text(diff, {.context = 0}, sink);
  return sink.text().substr(0, 600);
}

std::string difference_of(Words before, Words after, const DiffOptions& options) {
  Diagnostics diagnostics;
  const Result<ModuleDiff> diff = ModuleDiff::compare(before, after, options, diagnostics);
  if (!diff) return compact_ids(before, diagnostics) ? "refused" : "";  // a module that cannot be decoded
  return diff->is_equal() ? std::string() : text_of(*diff);
}

TEST(Diffs, are_empty_for_shuffled_real_modules) {
  with_real_modules([](const UnpackedArchive& unpacked) {
    check_words_of(unpacked, [](const std::string& name, Words words) -> std::string {
      const std::uint64_t seed = std::hash<std::string>()(name);
      Diagnostics diagnostics;
      if (!compact_ids(words, diagnostics)) return {};
      std::string fault = difference_of(words, words, {});
      if (!fault.empty()) return "from itself: " + fault;
      const WordBuffer shuffled = spirv::test::LegalShuffle(words, seed).run();
      fault = difference_of(words, shuffled, {});
      if (!fault.empty()) return "from a shuffled copy: " + fault;
      const Result<WordBuffer> stripped = strip(shuffled, {.nonsemantic = false, .reflection = false}, diagnostics);
      if (!stripped) return "strip refused it";
      fault = difference_of(words, *stripped, {.ignore_debug = true});
      if (!fault.empty()) return "from a stripped, shuffled copy: " + fault;
      const WordBuffer reshuffled = spirv::test::LegalShuffle(*stripped, seed + 1).run();
      fault = difference_of(*stripped, reshuffled, {});
      return fault.empty() ? std::string() : "without names, from a shuffled copy: " + fault;
    });
  });
}

// How many mutations of each kind led to each number of changes.
class ChangeTally {
 public:
  void add(std::string_view kind, std::size_t changes) {
    const std::lock_guard lock(mutex_);
    ++counts_[std::string(kind)][std::min<std::size_t>(changes, 9)];
  }
  [[nodiscard]] const std::map<std::string, std::array<std::size_t, 10>>& counts() const { return counts_; }

 private:
  std::mutex mutex_;
  std::map<std::string, std::array<std::size_t, 10>> counts_;
};

TEST(Diffs, show_the_one_change_of_real_modules) {
  constexpr std::size_t modules_tested = 300, mutations_per_kind = 20;
  // A change among instructions that are equal in every respect can be shown as several.
  constexpr std::size_t most_changes = 8;
  constexpr double least_share = 0.995;
  with_real_modules([&](const UnpackedArchive& unpacked) {
    const std::vector<std::string> modules = unpacked.modules();
    ChangeTally tally;
    const std::vector<std::string> failures = failures_of(modules_tested, [&](std::size_t m) -> std::string {
      const std::string& name = modules[m * modules.size() / modules_tested];
      const WordBuffer words = words_of_bytes(bytes_of_file(unpacked.path_of(name)));
      Diagnostics diagnostics;
      if (!compact_ids(words, diagnostics)) return {};
      std::string faults;
      ModuleChanger changer(words, m);
      for (const ModuleChanger::Kind& kind : ModuleChanger::kinds) {
        for (std::size_t n = 0; n < mutations_per_kind; ++n) {
          const std::optional<WordBuffer> changed = changer.change(kind);
          if (!changed) break;  // the module has nothing of this kind
          const WordBuffer shuffled =
              n % 2 == 0 ? *changed : spirv::test::LegalShuffle(*changed, m * mutations_per_kind + n).run();
          const Result<ModuleDiff> diff = ModuleDiff::compare(words, shuffled, {}, diagnostics);
          if (!diff) continue;  // the mutation is not SPIR-V any more
          if (diff->is_equal()) {
            const Result<WordBuffer> left = canonical_ids(words, diagnostics);
            const Result<WordBuffer> right = canonical_ids(shuffled, diagnostics);
            if (!left || !right || *left != *right) faults += std::string(kind.name) + ": not found\n";
            continue;
          }
          const std::size_t changes = diff->changes().size();
          tally.add(kind.name, changes);
          if (changes > most_changes) faults += std::string(kind.name) + ":\n" + text_of(*diff) + "\n";
        }
      }
      return faults.empty() ? std::string() : name + "\n" + faults;
    });
    for (const std::string& failure : failures) ADD_FAILURE() << failure;
    EXPECT_EQ(tally.counts().size(), ModuleChanger::kinds.size());
    for (const auto& [kind, counts] : tally.counts()) {
      const std::size_t total = std::accumulate(counts.begin(), counts.end(), std::size_t{0});
      std::cout << kind << ": " << counts[1] << " of " << total << " with one change\n";
      EXPECT_GE(static_cast<double>(counts[1]), least_share * static_cast<double>(total)) << kind;
      EXPECT_GE(total, 4000u) << kind;
    }
  });
}

}  // namespace
}  // namespace vireo::system_test
