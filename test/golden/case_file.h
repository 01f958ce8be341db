// SPDX-License-Identifier: Apache-2.0
//
// A golden case as a file: commands at the top, their input below, the expected output at the bottom.
//
// The input is the file itself up to the first marker. So line numbers in diagnostics are those of the
// case, and blessing, which rewrites only the text below, does not move them. README.case is the manual.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace vireo::golden {

/// One `; RUN:` or `; FAIL:` line.
struct Command {
  std::string line;  ///< as written after the colon
  int status = 0;    ///< the expected exit status
};

/// Another file for the commands, in the same folder as the input.
struct NamedText {
  std::string name;
  std::string text;
};

struct CaseFile {
  std::filesystem::path path;  ///< the case's path
  std::string kept;            ///< the text above the first EXPECT marker; blessing does not change it
  std::string input;           ///< the text above the first marker of any kind: the file %s
  std::vector<Command> commands;
  std::vector<NamedText> files;  ///< of `; FILE: NAME` sections
  std::string expected_out;
  std::string expected_err;
  std::string fault;  ///< if not empty: the file is not a valid case, with the reason

  /// `unknown_opcode` for cases/as/unknown_opcode.case; also the name of the input.
  [[nodiscard]] std::string stem() const { return path.stem().string(); }
  /// The file for an expected output that is too long for the case.
  [[nodiscard]] std::filesystem::path out_path() const { return std::filesystem::path(path).replace_extension(".out"); }
};

/// Longer outputs are in NAME.out.
inline constexpr std::size_t longest_output_in_case = 60;

CaseFile read_case(const std::filesystem::path& path);

/// Replaces the expectations of a case (and NAME.out) by these.
void bless(const CaseFile& golden_case, const std::string& out, const std::string& err);

/// Formats a text as an expectation: unprintable characters are escaped, and a missing line feed at the end is marked.
std::string as_expectation(std::string_view text);

/// Reads a whole file; empty if it does not exist.
std::string read_text(const std::filesystem::path& path);

}  // namespace vireo::golden
