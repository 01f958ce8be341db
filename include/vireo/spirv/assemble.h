// SPDX-License-Identifier: Apache-2.0
//
// The assembler: SPIR-V assembly text → words.
//
//   Diagnostics diagnostics;
//   Result<WordBuffer> module = assemble({"shader.spvasm", text}, {}, diagnostics);
//
// The language is the one of SPIRV-Tools' assembly syntax; docs/text.md states it. Every fault of a text is reported
// in one run: after a fault the assembler goes on at the next instruction.
#pragma once

#include "vireo/spirv/grammar.h"
#include "vireo/spirv/source_map.h"
#include "vireo/spirv/word.h"
#include "vireo/support/api.h"
#include "vireo/support/diagnostic.h"
#include "vireo/support/result.h"
#include "vireo/support/source.h"

namespace vireo::spirv {

/// Generator word of what we assemble: the registered number of the SPIR-V tools assembler, as the reference writes it.
inline constexpr Word assembler_generator = 7u << 16;

/// By what grammar a text is read, and what the header says.
struct VIREO_API AssembleOptions {
  const Grammar* grammar = nullptr;   ///< nullptr = the built-in one; borrowed during the call
  Version version = Version::none();  ///< for the header; none = from the text's `; Version: 1.N` comment, else 1.6
  bool preserve_numeric_ids = false;  ///< `%42` is id 42; names take the lowest free numbers
  bool exact = false;                 ///< honour all header comments (version, generator, bound, schema) of `vireo dis`
};

/// Assembles a text. The words are in host byte order and begin with the header.
/// When `map` is given it receives a token for every piece of text that stands for words (costs time and memory).
/// Errors: reported with byte ranges of the text, all of them; then the result is Reported.
VIREO_API Result<WordBuffer> assemble(SourceText source, const AssembleOptions& options, Diagnostics& diagnostics,
                                      SourceMap* map = nullptr);

}  // namespace vireo::spirv
