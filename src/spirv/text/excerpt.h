// SPDX-License-Identifier: Apache-2.0
//
// Some lines of a module's disassembly, where they stand in the whole.
//
// The one idea: who points at ten lines of a million wants ten, but with the numbers and columns that the whole gives
// them. So the others are there, and empty.
#pragma once

#include <cstdint>
#include <span>

#include "spirv/text/friendly_names.h"
#include "vireo/spirv/reader.h"
#include "vireo/spirv/source_map.h"
#include "vireo/support/text_writer.h"

namespace vireo::spirv {

/// Prints the lines of `instructions` (ordinals from 1, ascending), the header's comments, and what has a string, which may
/// break its line; of all others their end. `map` receives the tokens of what is printed.
void print_excerpt(Words words, const Header& header, const Grammar& grammar, const IdNames& names,
                   std::span<const std::uint64_t> instructions, TextSink& sink, SourceMap& map);

}  // namespace vireo::spirv
