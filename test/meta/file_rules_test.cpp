// SPDX-License-Identifier: Apache-2.0
//
// Rules for every file: a licence line, a maximum length, clean white space, one include guard.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <regex>
#include <string>
#include <string_view>

#include "meta/source_tree.h"

namespace vireo::meta {
namespace {

constexpr std::size_t longest_file = 600;
// clang-format breaks code at 120 columns; tables and drawings may be a little wider.
constexpr std::size_t longest_line = 128;

struct Exemption {
  std::string_view path;
  std::string_view reason;
};

// Hand-written files with more than `longest_file` lines. An unnecessary entry fails the test.
constexpr std::array<Exemption, 0> long_files = {};

bool is_exempt(std::string_view path) {
  return std::any_of(long_files.begin(), long_files.end(), [&](const Exemption& e) { return e.path == path; });
}

TEST(FileRules, every_file_begins_with_its_licence) {
  for (const SourceFile& file : source_files()) {
    ASSERT_FALSE(file.lines.empty()) << file.path << " is empty";
    EXPECT_EQ(file.lines[0], "// SPDX-License-Identifier: Apache-2.0") << file.path;
  }
}

TEST(FileRules, a_file_has_at_most_600_lines) {
  for (const SourceFile& file : source_files()) {
    if (file.is_generated) continue;
    if (is_exempt(file.path))
      EXPECT_GT(file.lines.size(), longest_file) << file.path << " no longer needs its exemption";
    else EXPECT_LE(file.lines.size(), longest_file) << file.path;
  }
}

TEST(FileRules, a_folder_has_at_most_30_files) {
  constexpr std::size_t most_files = 30;
  std::map<std::string, std::size_t> files_in;
  for (const SourceFile& file : source_files()) {
    if (file.is_below("src/") || file.is_below("include/")) ++files_in[file.path.substr(0, file.path.rfind('/'))];
  }
  ASSERT_FALSE(files_in.empty());
  for (const auto& [folder, count] : files_in) EXPECT_LE(count, most_files) << folder;
}

// Checks read operands by their names in the grammar (view.h), so that the code follows the specification.
TEST(FileRules, the_validator_reads_operands_by_name) {
  const std::regex by_number(R"(\.(word\(|at\(|first\[) *[0-9]|literal_string\([^,]*, *[0-9])");
  std::size_t files = 0;
  for (const SourceFile& file : source_files()) {
    if (!file.is_below("src/spirv/validate/")) continue;
    ++files;
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
      EXPECT_FALSE(std::regex_search(file.lines[i], by_number)) << file.path << ':' << i + 1 << ": " << file.lines[i];
    }
  }
  EXPECT_GT(files, 100u);
  EXPECT_TRUE(std::regex_search("visit.view.word(3)", by_number));
}

TEST(FileRules, white_space_is_clean) {
  for (const SourceFile& file : source_files()) {
    EXPECT_TRUE(file.ends_with_newline) << file.path << " does not end with a new line";
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
      const std::string& line = file.lines[i];
      EXPECT_EQ(line.find('\t'), std::string::npos) << place(file, i + 1) << ": tab";
      EXPECT_EQ(line.find('\r'), std::string::npos) << place(file, i + 1) << ": carriage return";
      EXPECT_FALSE(line.ends_with(' ')) << place(file, i + 1) << ": trailing blank";
    }
  }
}

/// Characters, not bytes: comments may use the arrows and dashes of the specification.
std::size_t width_of(std::string_view line) {
  return static_cast<std::size_t>(
      std::count_if(line.begin(), line.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

TEST(FileRules, lines_are_not_too_long) {
  for (const SourceFile& file : source_files()) {
    if (file.is_generated || file.path.ends_with(".def")) continue;  // rows of tables may be longer
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
      EXPECT_LE(width_of(file.lines[i]), longest_line) << place(file, i + 1);
    }
  }
}

TEST(FileRules, headers_are_guarded_by_pragma_once) {
  for (const SourceFile& file : source_files()) {
    if (!file.is_header()) continue;
    EXPECT_EQ(std::count(file.lines.begin(), file.lines.end(), "#pragma once"), 1) << file.path;
  }
}

TEST(FileRules, open_notes_name_an_issue) {
  // In two parts, so that this file does not violate its own rule.
  constexpr std::array<std::string_view, 2> marks = {
      "TO"
      "DO",
      "FIX"
      "ME"};
  for (const SourceFile& file : source_files()) {
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
      for (const std::string_view mark : marks) {
        const std::size_t at = file.lines[i].find(mark);
        if (at == std::string::npos) continue;
        EXPECT_EQ(file.lines[i].substr(at + mark.size(), 2), "(#")
            << place(file, i + 1) << ": expected an issue number";
      }
    }
  }
}

}  // namespace
}  // namespace vireo::meta
