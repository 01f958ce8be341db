// SPDX-License-Identifier: Apache-2.0
//
// The disassembler: words → SPIR-V assembly text.
//
//   StringSink text;
//   Diagnostics diagnostics;
//   disassemble(words, {}, text, diagnostics);
//
// The default style is that of spirv-dis to the byte (friendly names, 15 columns, header comments). Works on broken
// modules: prints as far as they go and reports what is wrong. Streams: memory does not grow with the text.
#pragma once

#include "vireo/spirv/grammar.h"
#include "vireo/spirv/source_map.h"
#include "vireo/spirv/word.h"
#include "vireo/support/api.h"
#include "vireo/support/diagnostic.h"
#include "vireo/support/text_writer.h"

namespace vireo::spirv {

/// By what grammar, and in which style. The defaults are spirv-dis'.
struct VIREO_API DisassembleOptions {
  const Grammar* grammar = nullptr;  ///< nullptr = the built-in one; borrowed during the call
  bool header = true;                ///< the five comment lines
  bool indent = true;                ///< opcodes in column 16, results right-aligned before them
  bool friendly_names = true;        ///< false: every id is its number
  bool show_raw_ids = false;         ///< trailing comment with the number of a friendly named result id
  bool offsets = false;              ///< trailing comment with the byte offset of the instruction
  bool comments = false;             ///< section headings, and decorations in trailing comments
  bool nested_indent = false;        ///< structured control flow indents
  bool reorder_blocks = false;       ///< blocks in structured order
  bool annotate = false;             ///< explain types, constants, accesses and control flow in trailing comments
  bool color = false;                ///< ANSI escapes by token style
  bool escape_strings = false;       ///< control bytes in strings as `\xNN`, safe for terminals (does not reassemble)
  bool handle_unknown = false;       ///< unknown opcodes and enumerants become OpUnknown without an error
  bool is_cut_short = false;         ///< the words are not all there was: a JSON document says that it is not complete
  bool stop_at_first_error = false;  ///< as spirv-dis does; otherwise goes on behind what can be stepped over
};

/// Disassembles a module (host byte order, with its header) into `sink`.
/// When `map` is given it receives a token for every piece of text.
/// True when there was no error and the sink took everything; what is wrong is in `diagnostics`, located by words. Without a
/// header that can be read nothing is written.
VIREO_API bool disassemble(Words words, const DisassembleOptions& options, TextSink& sink, Diagnostics& diagnostics,
                           SourceMap* map = nullptr);

/// The same module as one JSON document (docs/json.md): header, and per instruction its opcode, result and operands with
/// kinds. Of the options `grammar`, `friendly_names`, `handle_unknown`, `is_cut_short` and `stop_at_first_error` count.
VIREO_API bool disassemble_to_json(Words words, const DisassembleOptions& options, TextSink& sink,
                                   Diagnostics& diagnostics);

}  // namespace vireo::spirv
