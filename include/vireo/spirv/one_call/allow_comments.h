// SPDX-License-Identifier: Apache-2.0
//
// Allow comments: comments of an assembly text that suppress findings of the validator.
//
//   ; vireo: allow component-count, layout-offset -- the driver accepts it
//   %v5 = OpTypeVector %float 5
//   OpReturn            ; vireo: allow block-end
//
// A comment after an instruction applies to that instruction. A comment alone on its line applies to the next
// instruction. The names of rules are separated by commas; a reason may follow two hyphens.
//
//   SourceMap map;
//   const Result<WordBuffer> words = assemble(source, {}, diagnostics, &map);
//   const std::vector<AllowedRule> allowed = read_allow_comments(source.text, map);
//   validate(*words, {.allowed = allowed}, diagnostics);
#pragma once

#include <string_view>
#include <vector>

#include "vireo/spirv/text/source_map.h"
#include "vireo/spirv/validate/validate.h"
#include "vireo/support/api.h"

namespace vireo::spirv {

/// Whether a text may contain allow comments. Faster than assembling the text with a source map.
VIREO_API bool may_have_allow_comments(std::string_view text);

/// The rules that the comments of a text allow, ascending by instruction. `map` is the map of the assembled text. The
/// names of rules are views into the text and may be unknown; validate() reports those. Linear in the text.
VIREO_API std::vector<AllowedRule> read_allow_comments(std::string_view text, const SourceMap& map);

}  // namespace vireo::spirv
