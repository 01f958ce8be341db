// SPDX-License-Identifier: Apache-2.0
//
// Completion: the words that the program prints for the scripts, and the scripts in their shells.
//
// The scripts call the program, so a script in its place with few words shows that they pass the right
// kind and use the answer.
#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "cli/program.h"
#include "cli/program/help.h"
#include "command.h"

namespace vireo::cli {
namespace {

std::vector<std::string> words_of(std::string_view kind) {
  const Ran ran = call({"vireo", "completion", "--words=" + std::string(kind)});
  EXPECT_EQ(ran.status, 0);
  std::vector<std::string> words;
  std::istringstream lines(ran.out);
  for (std::string line; std::getline(lines, line);) words.push_back(line);
  return words;
}

bool has(const std::vector<std::string>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

class completion_words_and_scripts : public InFolder {};

TEST_F(completion_words_and_scripts, words_are_sorted_names) {
  struct Row {
    std::string_view kind;
    std::size_t least;  // number of words
    std::vector<std::string_view> some;
  };
  const Row rows[] = {
      {"names",
       3000,
       {"OpLoad", "RelaxedPrecision", "StorageClass", "SPV_KHR_ray_query", "GLSL.std.450", "Sqrt", "undefined-id",
        "zero-word-count", "overlapping-leaves", "VUID-StandaloneSpirv-None-04667"}},
      {"fields", 20, {"bytes", "functions", "model"}},
      {"rules", 400, {"undefined-id", "unknown-opcode"}},
      {"sections", 40, {"2.16.1", "3.42.8", "Vulkan"}},
      {"vuids", 300, {"VUID-StandaloneSpirv-None-04667"}},
  };
  for (const Row& row : rows) {
    const std::vector<std::string> words = words_of(row.kind);
    EXPECT_GE(words.size(), row.least) << row.kind;
    EXPECT_TRUE(std::is_sorted(words.begin(), words.end())) << row.kind;
    for (const std::string_view word : row.some) EXPECT_TRUE(has(words, word)) << word;
    for (const std::string& word : words) {
      // A shell would split or expand other words.
      EXPECT_EQ(word.find_first_of(" \t'\"$`\\*?=:"), std::string::npos) << word;
      EXPECT_FALSE(word.empty());
    }
  }
  EXPECT_EQ(call({"vireo", "completion", "--words=colours"}).status, 2);
}

// The program accepts each word where the scripts offer it.
TEST_F(completion_words_and_scripts, words_are_accepted) {
  std::vector<std::string> explain{"vireo", "explain"};
  for (std::string& word : words_of("names")) explain.push_back(std::move(word));
  const Ran explained = call(explain);
  EXPECT_EQ(explained.status, 0);
  EXPECT_EQ(explained.err, "");
  std::vector<std::string> val{"vireo", "val"};
  for (const std::string& word : words_of("rules")) val.push_back("--rule=" + word + "=warn");
  EXPECT_EQ(call(val, "OpCapability Linkage\nOpCapability Kernel\nOpMemoryModel Logical OpenCL\n").status, 0);
  for (const std::string& word : words_of("sections")) {
    EXPECT_EQ(call({"vireo", "rules", "--section=" + word}).status, 0) << word;
  }
  for (const std::string& word : words_of("vuids")) {
    EXPECT_EQ(call({"vireo", "rules", "--vuid", word}).status, 0) << word;
  }
}

struct LineRow {
  std::vector<std::string_view> line;  // the last word is completed
  std::string_view offered;            // sorted, separated by blanks
};
const LineRow line_rows[] = {
    {{"explain", "a"}, "a-names ab-names"},
    {{"explain", "OpLoad", "ab"}, "ab-names"},
    {{"rules", "--section", "a"}, "a-sections ab-sections"},
    {{"rules", "--vuid", "ab"}, "ab-vuids"},
    {{"val", "--target-env", "vulkan1.0"}, "vulkan1.0"},
    {{"val", "--locate", "w"}, "words"},
    {{"val", "--format", "sa"}, "sarif"},
    {{"info", "--sort", "ab"}, "ab-fields"},
    {{"cfg", "--function", "m"}, ""},
    {{"val", "--max-errors", "m"}, ""},
    {{"completion", "z"}, "zsh"},
};
// Only bash selects files by their extensions. zsh does too, but has no completion without a terminal.
const LineRow file_rows[] = {
    {{"val", "mesh"}, "mesh.folder mesh.spv mesh.spvasm"},
    {{"val", "--quiet", "mesh"}, "mesh.folder mesh.spv mesh.spvasm"},
    {{"val", "mesh.t"}, "mesh.txt"},
    {{"val", "--out-dir", "mesh"}, "mesh.folder"},
    {{"val", "--profile", "mesh.t"}, "mesh.txt"},
    {{"as", "mesh"}, "mesh.folder mesh.spvasm"},
    {{"dis", "mesh"}, "mesh.folder mesh.spv"},
    {{"dis", "--color", "mesh"}, "mesh.folder mesh.spv"},
    {{"isa", "dis", "mesh"}, "mesh.folder mesh.xml"},
    {{"isa", "dis", "mesh.xml", "mesh.s"}, "mesh.spv mesh.spvasm"},
    {{"isa", "dis", "--gen", "7", "mesh.xml", "mesh.t"}, "mesh.txt"},
    {{"isa", "diff", "mesh.xml", "mesh"}, "mesh.folder mesh.xml"},
    {{"isa", "encode", "mesh.xml", "mesh"}, ""},
    {{"shrink", "a.spv", "--", "mesh.t"}, "mesh.txt"},
};

// A program with two words of each kind, and files.
void put_stand_in() {
  for (const std::string_view extension : {"spv", "spvasm", "xml", "txt"})
    std::ofstream("mesh." + std::string(extension));
  std::filesystem::create_directory("mesh.folder");
  std::ofstream("vireo") << "#!/bin/sh\nkind=${2#--words=}\necho a-$kind\necho ab-$kind\n";
  std::filesystem::permissions("vireo", std::filesystem::perms::owner_all);
}

std::string sorted(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  std::sort(words.begin(), words.end());
  std::string line;
  for (const std::string& word : words) line += (line.empty() ? "" : " ") + word;
  return line;
}

TEST_F(completion_words_and_scripts, works_in_bash) {
  if (!is_installed("bash")) GTEST_SKIP() << "no bash";
  put_stand_in();
  put("script", completion_script("bash"));
  const auto offered = [](const std::vector<std::string_view>& line) {
    std::string words = "./vireo";
    for (const std::string_view word : line) words.append(" '").append(word).append("'");
    put("call", "source ./script\nCOMP_WORDS=(" + words + ")\nCOMP_CWORD=" + std::to_string(line.size()) +
                    "\n_vireo\necho \"${COMPREPLY[@]}\"\n");
    return sorted(vireo::run("bash call").text);
  };
  for (const LineRow& row : line_rows) EXPECT_EQ(offered(row.line), row.offered) << row.line.front();
  for (const LineRow& row : file_rows) EXPECT_EQ(offered(row.line), row.offered) << row.line.front() << row.line.back();
  // bash passes a = as a word of its own.
  const LineRow split[] = {
      {{"val", "--rule", "a"}, "a-rules ab-rules"},
      {{"val", "--rule", "="}, "a-rules ab-rules"},
      {{"val", "--rule", "=", "ab"}, "ab-rules"},
      {{"val", "--rule", "a-rules", "="}, "error off warn"},
      {{"val", "--rule", "a-rules", "=", "o"}, "off"},
      {{"val", "--rule", "=", "a-rules", "="}, "error off warn"},
      {{"val", "--rule", "=", "a-rules", "=", "w"}, "warn"},
      {{"val", "--format", "="}, "github human json sarif short"},
  };
  for (const LineRow& row : split) EXPECT_EQ(offered(row.line), row.offered) << row.line.back();
}

TEST_F(completion_words_and_scripts, works_in_fish) {
  if (!is_installed("fish")) GTEST_SKIP() << "no fish";
  put_stand_in();
  put("script", completion_script("fish"));
  const auto offered = [](const std::vector<std::string_view>& line) {
    std::string words = "vireo";
    for (const std::string_view word : line) words.append(" ").append(word);
    put("call", "set PATH . $PATH\nsource ./script\ncomplete -C '" + words + "' | string replace -r '\\t.*' ''\n");
    return sorted(vireo::run("fish --no-config call").text);
  };
  for (const LineRow& row : line_rows) EXPECT_EQ(offered(row.line), row.offered) << row.line.front();
  EXPECT_EQ(offered({"val", "--rule", "ab"}), "ab-rules=error ab-rules=off ab-rules=warn");
  EXPECT_EQ(offered({"val", "--out-dir", "mesh"}), "mesh.folder/");
  EXPECT_EQ(offered({"isa", "dis", "mesh.xml", "mesh.t"}), "mesh.txt");
}

TEST_F(completion_words_and_scripts, is_a_script_of_zsh) {
  if (!is_installed("zsh")) GTEST_SKIP() << "no zsh";
  put("script", completion_script("zsh"));
  EXPECT_EQ(vireo::run("zsh -n script").text, "");
}

}  // namespace
}  // namespace vireo::cli
