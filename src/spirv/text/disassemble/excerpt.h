// SPDX-License-Identifier: Apache-2.0
//
// Selected lines of a module's disassembly, at their line numbers in the whole text.
//
// Messages need only the lines that they refer to, at their original positions. So all other lines are printed empty.
#pragma once

#include <cstdint>
#include <span>

#include "spirv/text/friendly_names.h"
#include "vireo/spirv/binary/reader.h"
#include "vireo/spirv/text/source_map.h"
#include "vireo/support/text_writer.h"

namespace vireo::spirv {

/// Prints the header comments, the lines of `instructions` (ordinals from 1, ascending) and all instructions with a
/// string, which may contain line feeds. For each other line, only the line end is printed. `map` receives the tokens
/// of the printed text.
void print_excerpt(Words words, const Header& header, const Grammar& grammar, const IdNames& names,
                   std::span<const std::uint64_t> instructions, TextSink& sink, SourceMap& map);

}  // namespace vireo::spirv
