// SPDX-License-Identifier: Apache-2.0
//
// Operands → inputs, and where each one's output goes.
//
// The one idea: names are settled before any work is done, so that a clash of outputs is found while nothing has been
// written.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/common/commands.h"
#include "cli/common/report.h"
#include "support/io.h"

namespace vireo::cli {

inline constexpr std::string_view standard_input = "-";

/// What diagnostics call an operand.
constexpr std::string_view name_of_input(std::string_view path) { return path == standard_input ? "<stdin>" : path; }

struct Input {
  std::string path;      ///< "-" = standard input
  std::size_t root = 0;  ///< length of the operand directory at the front of the path, with its slash; 0 = named itself
  std::string output;    ///< where its output goes; empty = standard output
  std::string problem;   ///< why nothing can be read under this name, where that shows before anything is read

  [[nodiscard]] bool is_standard_input() const { return path == standard_input; }
  [[nodiscard]] std::string_view name() const { return name_of_input(path); }
};

/// Reads a file, or standard input for "-", and reports what hinders it. For commands that take few inputs, one by one.
std::optional<FileBytes> read_input(const Invocation& invocation, std::string_view path, Reporter& reporter);

/// "ir3" of "some/where/ir3.xml": the name without its last extension. A leading dot begins a name, not an extension.
std::string_view stem_of(std::string_view path);

/// What is wrong when two things would read standard input, files of options among them; else empty.
std::string twice_from_standard_input(const Invocation& invocation);

/// Whether there is a directory of this name, or a link to one.
bool is_directory(const std::string& path);

/// Expands operands in their order: files, `-`, directories (every file below that ends in one of `extensions`, sorted;
/// links to directories are not followed), `@LIST` (a file with one operand a line; `@-` is standard input; no lists in
/// lists).
/// Nothing = standard input. An input that is named twice is taken once.
/// A list or directory that cannot be read, a name with a NUL, a directory with no such file: an input with a problem, so
/// that whoever counts outcomes finds one for each operand. The rest is expanded.
std::vector<Input> expand_inputs(std::span<const std::string> operands, std::span<const std::string_view> extensions,
                                 int standard_in);

/// Gives each input without a problem its output: `folder/<stem><extension>` (stem_of). Where files below one
/// directory share a stem, they keep their path below that directory: `folder/<path>/<stem><extension>`.
/// Returns an empty text, or what is wrong: two inputs would write one file.
std::string plan_outputs(std::span<Input> inputs, std::string_view folder, std::string_view extension);

/// Whether bytes begin like assembly text: a byte order mark; or a comment, a result id or an opcode, and no control bytes
/// near them. No module does, whose first bytes are the magic number, and no hexadecimal text.
bool looks_like_assembly(std::string_view bytes);

}  // namespace vireo::cli
