// SPDX-License-Identifier: Apache-2.0
//
// The repository as data: each C++ file with its lines, so that tests can check the rules of the code base.
//
// The tree is read once into rows. Each test searches the rows and names the file and line that violates
// its rule.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace vireo::meta {

struct SourceFile {
  std::string path;                ///< from the root of the repository, with '/': "src/spirv/text/lexer.cpp"
  std::vector<std::string> lines;  ///< without line ends
  bool ends_with_newline = false;
  bool is_generated = false;  ///< in a folder `generated`, or marked as generated in its first lines

  [[nodiscard]] bool is_header() const { return path.ends_with(".h"); }
  [[nodiscard]] bool is_below(std::string_view folder) const { return path.starts_with(folder); }
};

/// One `#include` of a file: the text between the quotes or angle brackets.
struct Include {
  std::string name;
  std::size_t line = 0;  ///< counted from 1
  bool is_quoted = false;
};

/// The numbers of code, comment and empty lines of a file. A line with code and a trailing comment counts as code.
struct LineCounts {
  std::size_t code = 0;
  std::size_t comment = 0;
  std::size_t empty = 0;
};

/// All .h, .cpp, .def and .inc files below include, src, test, tools, bench and fuzz, sorted by path. Read once.
const std::vector<SourceFile>& source_files();

std::vector<Include> includes_of(const SourceFile& file);
LineCounts count_lines(const SourceFile& file);

/// "path:line", in the format that editors recognize.
std::string place(const SourceFile& file, std::size_t line);

}  // namespace vireo::meta
