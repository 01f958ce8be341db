// SPDX-License-Identifier: Apache-2.0
//
// The disassembler: words → SPIR-V assembly text.
//
//   StringSink text;
//   Diagnostics diagnostics;
//   disassemble(words, {}, text, diagnostics);
//
// The default output equals that of spirv-dis byte for byte (friendly names, opcodes in column 16, header comments).
// The disassembler accepts invalid modules: it prints all instructions that it can decode and reports errors for the
// others. It streams its output, so memory does not grow with the text.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "vireo/spirv/grammar/grammar.h"
#include "vireo/spirv/text/source_map.h"
#include "vireo/spirv/word.h"
#include "vireo/support/api.h"
#include "vireo/support/diagnostic.h"
#include "vireo/support/function.h"
#include "vireo/support/text_writer.h"

namespace vireo::spirv {

/// The place of one instruction of a part in the whole module.
struct VIREO_API PartInstruction {
  std::uint32_t offset = 0;           ///< in the part, in words from the start of the header
  std::uint32_t offset_in_whole = 0;  ///< in the module
  std::uint64_t ordinal = 0;          ///< in the module, from 1
};

/// The module that disassembled words are a part of (vireo/spirv/inspect/module_part.h).
struct VIREO_API WholeModule {
  Words words;                                    ///< the ids are those of the part; names come from here
  std::span<const PartInstruction> instructions;  ///< all instructions of the part, in order

  /// The place of the instruction at an offset in the part. Precondition: there is one. Logarithmic.
  [[nodiscard]] const PartInstruction& at(std::uint32_t offset) const;
};

/// Options of disassemble(): grammar and style. The defaults are those of spirv-dis.
struct VIREO_API DisassembleOptions {
  const Grammar* grammar = nullptr;  ///< nullptr = the built-in one; borrowed during the call
  bool header = true;                ///< the five comment lines
  bool indent = true;                ///< opcodes in column 16, results right-aligned before them
  bool friendly_names = true;        ///< false: ids are printed as numbers
  bool show_raw_ids = false;         ///< trailing comment with the number of a friendly named result id
  bool offsets = false;              ///< trailing comment with the byte offset of the instruction
  bool comments = false;             ///< section headings, and decorations in trailing comments
  bool nested_indent = false;        ///< indent by structured control flow
  bool reorder_blocks = false;       ///< print blocks in structured order
  bool annotate = false;             ///< explain types, constants, accesses and control flow in trailing comments
  bool color = false;                ///< ANSI escapes by token style
  bool escape_strings = false;       ///< control bytes in strings as `\xNN`, safe for terminals (does not reassemble)
  bool handle_unknown = false;       ///< unknown opcodes and enumerants become OpUnknown without an error
  bool is_cut_short = false;         ///< JSON: write `complete` as false, because words are missing at the end
  bool stop_at_first_error = false;  ///< as spirv-dis does; otherwise skip instructions that cannot be decoded
  /// With `annotate`: returns more text for the annotation of the instruction at an offset in words, such as its
  /// uniformity (vireo/spirv/inspect/uniformity_marks.h); empty if there is none. Its text outlives the call.
  Function<std::string_view(std::uint32_t offset)> mark_of = {};
  /// Names, offsets and, in JSON, ordinals are those of this module; nullptr: of the words themselves. Borrowed.
  const WholeModule* whole = nullptr;
};

/// Disassembles a module (host byte order, with its header) and writes the text to `sink`.
/// If `map` is not null, it receives a token for each part of the text.
/// Returns true if there was no error and the sink accepted all text. Errors are reported with ranges of words as
/// locations. If the header is invalid, no text is written.
VIREO_API bool disassemble(Words words, const DisassembleOptions& options, TextSink& sink, Diagnostics& diagnostics,
                           SourceMap* map = nullptr);

/// Writes the module as one JSON document (docs/json.md): the header, and for each instruction its opcode, result and
/// operands with kinds. Only the options `grammar`, `friendly_names`, `handle_unknown`, `is_cut_short` and
/// `stop_at_first_error` have an effect. Result and errors are those of disassemble().
VIREO_API bool disassemble_to_json(Words words, const DisassembleOptions& options, TextSink& sink,
                                   Diagnostics& diagnostics);

}  // namespace vireo::spirv
