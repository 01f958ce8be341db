// SPDX-License-Identifier: Apache-2.0
//
// Some lines of a module's disassembly, where they stand in the whole.
//
// The one idea: messages that point at ten lines of a million need ten, with the numbers and columns that they have in
// the whole. So all other lines are there, and empty.
#pragma once

#include <cstdint>
#include <span>

#include "spirv/text/disassemble/friendly_names.h"
#include "vireo/spirv/reader.h"
#include "vireo/spirv/source_map.h"
#include "vireo/support/text_writer.h"

namespace vireo::spirv {

/// Prints the lines of `instructions` (ordinals from 1, ascending), the header's comments, and instructions with a
/// string, which may hold line feeds; of all others only the end of the line. `map` receives the tokens of what is
/// printed.
void print_excerpt(Words words, const Header& header, const Grammar& grammar, const IdNames& names,
                   std::span<const std::uint64_t> instructions, TextSink& sink, SourceMap& map);

}  // namespace vireo::spirv
