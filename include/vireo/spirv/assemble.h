// SPDX-License-Identifier: Apache-2.0
//
// The assembler: SPIR-V assembly text → words.
//
//   Diagnostics diagnostics;
//   Result<WordBuffer> module = assemble({"shader.spvasm", text}, {}, diagnostics);
//
// The language is SPIRV-Tools' assembly syntax; docs/text.md describes it. One run reports every fault of a text:
// after a fault the assembler continues at the next instruction.
#pragma once

#include "vireo/spirv/grammar.h"
#include "vireo/spirv/source_map.h"
#include "vireo/spirv/word.h"
#include "vireo/support/api.h"
#include "vireo/support/diagnostic.h"
#include "vireo/support/result.h"
#include "vireo/support/source.h"

namespace vireo::spirv {

/// Generator word of assembled modules: the registered number of the SPIR-V tools assembler, as the reference writes
/// it.
inline constexpr Word assembler_generator = 7u << 16;

/// Options of assemble().
struct VIREO_API AssembleOptions {
  const Grammar* grammar = nullptr;   ///< nullptr = the built-in one; borrowed during the call
  Version version = Version::none();  ///< in the header; none = from the text's `; Version: 1.N` comment, else 1.6
  bool preserve_numeric_ids = false;  ///< `%42` is id 42; names take the lowest free numbers
  bool exact = false;  ///< use all header comments (version, generator, bound, schema) that `vireo dis` writes
};

/// Assembles a text. The words are in host byte order and begin with the header.
/// If `map` is not null, it receives a token for each part of the text that produces words. This costs time and
/// memory.
/// Errors: all faults are reported with byte ranges of the text; the result is then Reported.
VIREO_API Result<WordBuffer> assemble(SourceText source, const AssembleOptions& options, Diagnostics& diagnostics,
                                      SourceMap* map = nullptr);

}  // namespace vireo::spirv
