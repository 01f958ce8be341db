// SPDX-License-Identifier: Apache-2.0
//
// The assembler: SPIR-V assembly text → words.
//
//   Diagnostics diagnostics;
//   Result<WordBuffer> module = assemble({"shader.spvasm", text}, {}, diagnostics);
//
// The language is SPIRV-Tools' assembly syntax; docs/text.md describes it. One run reports the faults of the whole
// text: after a fault the assembler continues at the next instruction.
#pragma once

#include "vireo/spirv/grammar/grammar.h"
#include "vireo/spirv/text/source_map.h"
#include "vireo/spirv/word.h"
#include "vireo/support/api.h"
#include "vireo/support/diagnostic.h"
#include "vireo/support/result.h"
#include "vireo/support/source.h"

namespace vireo::spirv {

/// Generator word of assembled modules: the registered number of the assembler of SPIRV-Tools, which writes the same.
inline constexpr Word assembler_generator = 7u << 16;

/// Options of assemble().
struct VIREO_API AssembleOptions {
  const Grammar* grammar = nullptr;   ///< nullptr = the built-in one; borrowed during the call
  Version version = Version::none();  ///< for the header; none: that of a `; Version: 1.N` comment, else 1.6
  bool preserve_numeric_ids = false;  ///< `%42` becomes id 42; other names get the lowest free ids
  bool exact = false;  ///< take version, generator, bound and schema from header comments, as `vireo dis` writes them
};

/// Assembles a text. The words are in host byte order and begin with the header. The source and the grammar are
/// borrowed during the call.
/// If `map` is not null, it receives a token for each part of the text that produces words. This costs time and
/// memory.
/// Errors: reports all faults with byte ranges of the text; the result then has no words.
VIREO_API Result<WordBuffer> assemble(SourceText source, const AssembleOptions& options, Diagnostics& diagnostics,
                                      SourceMap* map = nullptr);

}  // namespace vireo::spirv
