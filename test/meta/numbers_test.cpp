// SPDX-License-Identifier: Apache-2.0
//
// Statistics of the code base: lengths of files, share of comments, includers of third-party headers. `./dev layers`
// prints them.
//
// The limits are loose: only a library without comments, or without code, fails.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <string_view>
#include <vector>

#include "meta/source_tree.h"

namespace vireo::meta {
namespace {

struct Summary {
  std::size_t files = 0;
  LineCounts lines;
  std::vector<std::size_t> lengths;
  std::string_view longest;

  void add(const SourceFile& file) {
    const LineCounts counts = count_lines(file);
    if (lengths.empty() || file.lines.size() > *std::max_element(lengths.begin(), lengths.end())) longest = file.path;
    ++files;
    lines.code += counts.code;
    lines.comment += counts.comment;
    lines.empty += counts.empty;
    lengths.push_back(file.lines.size());
  }
  [[nodiscard]] std::size_t median() {
    if (lengths.empty()) return 0;
    const auto middle = lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 2);
    std::nth_element(lengths.begin(), middle, lengths.end());
    return *middle;
  }
  [[nodiscard]] double comment_share() const {
    const std::size_t all = lines.code + lines.comment;
    return all == 0 ? 0 : 100.0 * static_cast<double>(lines.comment) / static_cast<double>(all);
  }
};

Summary summary_of(std::string_view folder) {
  Summary summary;
  for (const SourceFile& file : source_files()) {
    if (file.is_below(folder) && !file.is_generated) summary.add(file);
  }
  return summary;
}

TEST(Numbers, of_each_folder) {
  constexpr std::string_view folders[] = {"include/",
                                          "src/support/",
                                          "src/spirv/grammar/",
                                          "src/spirv/binary/",
                                          "src/spirv/text/",
                                          "src/spirv/module/",
                                          "src/spirv/build/",
                                          "src/spirv/validate/",
                                          "src/isa/",
                                          "src/c/",
                                          "src/cli/",
                                          "src/",
                                          "test/",
                                          "bench/",
                                          "fuzz/"};
  std::printf("%-20s %6s %7s %8s %7s  %s\n", "folder", "files", "code", "comment", "median", "longest");
  for (const std::string_view folder : folders) {
    Summary summary = summary_of(folder);
    if (summary.files == 0) continue;
    const std::size_t longest = *std::max_element(summary.lengths.begin(), summary.lengths.end());
    std::printf("%-20.*s %6zu %7zu %6.1f %% %7zu  %zu %.*s\n", static_cast<int>(folder.size()), folder.data(),
                summary.files, summary.lines.code, summary.comment_share(), summary.median(), longest,
                static_cast<int>(summary.longest.size()), summary.longest.data());
  }
  EXPECT_GT(summary_of("src/").comment_share() + summary_of("include/").comment_share(), 20.0) << "too few comments";
}

TEST(Numbers, of_includers_of_third_parties) {
  constexpr std::string_view parties[] = {"nlohmann/", "CLI/", "pugixml", "fmt/"};
  std::printf("\n%-20s %6s\n", "third party", "files");
  for (const std::string_view party : parties) {
    std::size_t includers = 0;
    for (const SourceFile& file : source_files()) {
      if (!file.is_below("src/") && !file.is_below("include/")) continue;
      const std::vector<Include> includes = includes_of(file);
      includers += std::any_of(includes.begin(), includes.end(),
                               [&](const Include& include) { return include.name.starts_with(party); });
    }
    std::printf("%-20.*s %6zu\n", static_cast<int>(party.size()), party.data(), includers);
    EXPECT_LT(includers, source_files().size());
  }
}

}  // namespace
}  // namespace vireo::meta
