// SPDX-License-Identifier: Apache-2.0
//
// The primary place of findings (--locate): a source file, words, or a text.
//
// Findings keep their locations in words until they are printed. This file chooses the place that readers
// see first; the others become notes, or further fields of a record.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "cli/common/option.h"
#include "cli/val/finding_context.h"
#include "vireo/support/diagnostic.h"

namespace vireo::cli {

inline constexpr ChoiceOption locate_option(
    "--locate=PLACE", "source|words|text", "primary place of each finding",
    "source: the file and line that the shader was compiled from, from OpLine or DebugLine, with the text that the "
    "module contains; findings without a line keep the default place. words: the word offset and the instruction. "
    "text: the line of the assembly text or, for a binary, of its disassembly. Default: text; but github and json "
    "locate findings about a binary by words.");

/// The places that an output shows.
struct Places {
  bool source_first = false;  ///< the source line, if there is one
  bool only_words = false;    ///< words rather than lines of a text
};
/// The places for a format ("human", "json", …) and a kind of input: those of --locate, else the default.
Places places_of(const ParsedOptions& options, std::string_view format, bool is_text);

/// Adds to each finding with a source line its position in the source file, and a note with the instruction. The
/// records of json have fields for the instruction instead. github opens the files: those that do not exist below the
/// working directory are omitted, the others get a path relative to it.
void locate_in_sources(Diagnostics& found, const FindingContext& context, std::string_view format);

/// Adds a note with the source line to each finding that has one.
void add_source_notes(Diagnostics& found, const FindingContext& context);

/// A path relative to the working directory, if it names an existing file below that.
std::optional<std::string> path_below_working_directory(std::string_view path);

}  // namespace vireo::cli
