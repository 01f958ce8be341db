// SPDX-License-Identifier: Apache-2.0
//
// Findings about words, turned to a text that people can look at.
//
// The one idea: whoever writes text wants to see the text, whoever has a binary sees its disassembly; either way a
// SourceMap says which bytes stand for which words (vireo/spirv/source_map.h).
#pragma once

#include <string_view>
#include <vector>

#include "vireo/spirv/source_map.h"
#include "vireo/spirv/word.h"
#include "vireo/support/diagnostic.h"

namespace vireo::cli {

/// The same diagnostics with places in the text of `map`. What stands in no text (the header) has no place afterwards.
/// Linear in the words when there is anything to turn.
Diagnostics point_into_text(const Diagnostics& diagnostics, spirv::Words words, const spirv::SourceMap& map);

/// What a text calls the ids of its module, by number: views into the text, with the percent sign. Linear in the text.
std::vector<std::string_view> names_in_text(std::string_view text, spirv::Words words, const spirv::SourceMap& map);

}  // namespace vireo::cli
