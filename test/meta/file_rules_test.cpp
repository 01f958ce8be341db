// SPDX-License-Identifier: Apache-2.0
//
// Rules for every file: a licence line, a maximum length, clean white space, one include guard.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <regex>
#include <set>
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

// Operands are read by their names in the grammar (view.h), so that the code follows the specification. The decoder and
// the views define the names; these transforms still have word numbers.
constexpr std::string_view folders_with_word_numbers[] = {
    "src/spirv/binary/",          "include/vireo/spirv/binary/",     "src/spirv/grammar/generated/",
    "src/spirv/transform/clean/", "src/spirv/transform/specialize/", "src/spirv/transform/shrink/",
};

TEST(FileRules, operands_are_read_by_name) {
  const std::regex by_number(R"(\.(word\( *[0-9]|at\( *[0-9]|first\[ *[1-9])|literal_string\([^,]*, *[0-9])");
  std::size_t files = 0;
  for (const SourceFile& file : source_files()) {
    if (!file.is_below("src/spirv/") && !file.is_below("include/vireo/spirv/") && !file.is_below("src/cli/")) continue;
    if (std::ranges::any_of(folders_with_word_numbers, [&](std::string_view f) { return file.is_below(f); })) continue;
    ++files;
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
      EXPECT_FALSE(std::regex_search(file.lines[i], by_number)) << place(file, i + 1) << ": " << file.lines[i];
    }
  }
  EXPECT_GT(files, 500u);
  EXPECT_TRUE(std::regex_search("visit.view.word(3)", by_number));
}

// Files with halves of another word than the first word of an instruction.
constexpr Exemption other_halves[] = {
    {"include/vireo/spirv/word.h", "the version in the header"},
    {"src/spirv/generators.h", "the generator in the header"},
    {"src/spirv/binary/id_type_table.h", "a packed scalar type"},
    {"src/spirv/binary/operand_walk.h", "a packed import"},
    {"src/spirv/build/edit_writer.cpp", "a key for sorting"},
    {"src/spirv/build/requirements.cpp", "a key of two numbers"},
    {"src/spirv/grammar/builtin.cpp", "a slot of a hash table"},
    {"src/spirv/grammar/grammar.cpp", "a slot of a hash table"},
    {"src/spirv/module/fold.cpp", "a float of 16 bits"},
    {"src/spirv/text/read_decimal.h", "several digits in one word"},
    {"src/spirv/validate/checks/module/requirements_check.cpp", "a key of two numbers"},
    {"src/spirv/validate/core/report.cpp", "a key for sorting"},
    {"src/spirv/validate/core/soundness.h", "a key of two numbers"},
};

// Only instruction.h knows how opcode and word count share a word.
TEST(FileRules, first_words_are_divided_in_one_place) {
  const std::regex half(R"(>> 16|<< 16 \||& 0xFFFFu?\b)");
  std::set<std::string> found;
  for (const SourceFile& file : source_files()) {
    if (!file.is_below("src/spirv/") && !file.is_below("include/vireo/spirv/")) continue;
    if (file.path == "include/vireo/spirv/binary/instruction.h") continue;
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
      if (!std::regex_search(file.lines[i], half)) continue;
      found.insert(file.path);
      EXPECT_TRUE(std::ranges::count(other_halves, file.path, &Exemption::path) == 1)
          << place(file, i + 1) << ": use first_word(), word_count_of() or opcode_of()";
    }
  }
  for (const Exemption& each : other_halves) {
    EXPECT_TRUE(found.contains(std::string(each.path))) << each.path << " no longer needs its exemption";
  }
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
