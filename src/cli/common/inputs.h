// SPDX-License-Identifier: Apache-2.0
//
// Expands operands into inputs, and assigns their outputs.
//
// All names are computed before any work is done, so a conflict of outputs is found before anything is
// written.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/common/command.h"
#include "cli/common/report.h"
#include "support/io.h"

namespace vireo::cli {

inline constexpr std::string_view standard_input = "-";

/// The name of an operand in diagnostics.
constexpr std::string_view name_of_input(std::string_view path) { return path == standard_input ? "<stdin>" : path; }

struct Input {
  std::string path;          ///< "-" = standard input
  std::size_t root = 0;      ///< length of the operand directory in the path, with its slash; 0 = a named file
  std::string output = {};   ///< its output file; empty = standard output
  std::string problem = {};  ///< why it cannot be read, if that is known before reading

  [[nodiscard]] bool is_standard_input() const { return path == standard_input; }
  [[nodiscard]] std::string_view name() const { return name_of_input(path); }
};

/// Reads an input, or reports why it cannot be read.
Result<FileBytes> read_bytes(const Streams& streams, const Input& input, Diagnostics& diagnostics);

/// Tells users at a terminal that the command reads standard input.
void say_that_it_reads(const Streams& streams);

/// Reads a file, or standard input for "-", and reports errors. For commands that read their few inputs one by one.
std::optional<FileBytes> read_input(const Invocation& invocation, std::string_view path, Reporter& reporter);

/// "ir3" for "some/where/ir3.xml": the name without its last extension. A leading dot begins a name, not an extension.
std::string_view stem_of(std::string_view path);

/// The problem if two arguments would read standard input, including files of options; else empty.
std::string twice_from_standard_input(const Invocation& invocation);

/// A name of a file that is already an input.
struct RepeatedInput {
  std::string first, again;

  /// "'./a.spv' is the same file as 'a.spv'"
  [[nodiscard]] std::string text() const;
};

/// The same text for all names of a file: `a.spv`, `./a.spv`, a symbolic link. The name itself if there is no such file.
std::string file_identity(const std::string& path);

/// Whether the path is a directory or a link to one.
bool is_directory(const std::string& path);

/// Expands operands in order: files, `-`, directories (every file below with one of `extensions`, sorted; links to
/// directories are not followed), `@LIST` (a file with one operand per line; `@-` is standard input; lists do not
/// nest). Without operands the input is standard input. A repeated name is taken once. An unreadable list or directory,
/// a name with a NUL, and a directory without such a file become an input with a problem, so that every operand has a
/// result. The rest is expanded.
///
/// With `repeated`, names of one file are taken once, and the second one is added to the list. This is for commands that
/// combine their inputs: there a second name is a mistake, because it has no effect.
std::vector<Input> expand_inputs(std::span<const std::string> operands, std::span<const std::string_view> extensions,
                                 int standard_in, std::vector<RepeatedInput>* repeated = nullptr);

/// Sets the output of each input without a problem: `folder/<stem><extension>` (stem_of). A file below a directory keeps
/// its path below that directory: `folder/<path>/<stem><extension>`. With an empty extension, each output has that of its
/// input. Returns an empty text, or the problem: two inputs would write one file.
std::string plan_outputs(std::span<Input> inputs, std::string_view folder, std::string_view extension);

/// Whether bytes begin like assembly text: a byte order mark; or a comment, a result id or an opcode, without zero
/// bytes near the start. A module does not, as it begins with the magic number; hexadecimal text does not either.
bool looks_like_assembly(std::string_view bytes);

}  // namespace vireo::cli
