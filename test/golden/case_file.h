// SPDX-License-Identifier: Apache-2.0
//
// A golden case as a file: commands on top, their input below, what they must say at the bottom.
//
// The one idea: the input is the file itself up to the first marker, so the line numbers in diagnostics are those of the
// case, and blessing, which rewrites only what stands below, never moves them. README.case is the manual.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace vireo::golden {

/// One `; RUN:` or `; FAIL:` line.
struct Command {
  std::string line;  ///< as written, behind the colon
  int status = 0;    ///< the exit status that it must have
};

/// A file that the commands find beside the input.
struct NamedText {
  std::string name;
  std::string text;
};

struct CaseFile {
  std::filesystem::path path;  ///< of the case
  std::string kept;            ///< all above the first EXPECT marker; blessing does not touch it
  std::string input;           ///< all above the first marker of any kind: the file %s
  std::vector<Command> commands;
  std::vector<NamedText> files;  ///< of `; FILE: NAME` sections
  std::string expected_out;
  std::string expected_err;
  std::string fault;  ///< not empty: the file is no case, and why

  /// `unknown_opcode` of cases/as/unknown_opcode.case; the input is called that, too.
  [[nodiscard]] std::string stem() const { return path.stem().string(); }
  /// Where an expected output that is too long for the case stands.
  [[nodiscard]] std::filesystem::path out_path() const { return std::filesystem::path(path).replace_extension(".out"); }
};

/// Outputs of more lines go to NAME.out.
inline constexpr std::size_t longest_output_in_case = 60;

CaseFile read_case(const std::filesystem::path& path);

/// Rewrites the expectations of a case (and NAME.out) so that they are these.
void bless(const CaseFile& golden_case, const std::string& out, const std::string& err);

/// A text as an expectation: what is not printable is escaped, and a last line without its line feed says so.
std::string as_expectation(std::string_view text);

/// Reads a whole file; nothing when it is not there.
std::string read_text(const std::filesystem::path& path);

}  // namespace vireo::golden
