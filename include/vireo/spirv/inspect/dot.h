// SPDX-License-Identifier: Apache-2.0
//
// Pictures of a module as graphs in the DOT language of Graphviz: control flow and calls.
//
//   StringSink dot;
//   write_control_flow_graph(words, {.functions = {"main"}, .instructions = true}, dot, diagnostics);
//
// The layout is left to Graphviz, and the DOT text has everything that a layout needs: nodes in
// structured order, constructs as nested clusters, edges with kinds and colours. The text depends only on the module
// and the options, and all names are escaped.
//
// Accepts invalid modules: the picture shows a target that is not a block, and a warning reports it.
//
// Source: specification 2.2.5 (blocks), 2.11 (structured control flow), 2.16.1 (static call graph).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "vireo/spirv/grammar/grammar.h"
#include "vireo/spirv/word.h"
#include "vireo/support/api.h"
#include "vireo/support/diagnostic.h"
#include "vireo/support/function.h"
#include "vireo/support/text_writer.h"

namespace vireo::spirv {

/// Limits of a picture; 0 is no limit. Beyond a limit, inner parts are drawn as one node; a label and a note of the
/// rule `folded-graph` state how many.
struct VIREO_API PictureLimits {
  std::uint32_t depth = 0;         ///< nesting levels of constructs
  std::uint32_t nodes = 0;         ///< blocks of all functions, or functions of a call graph
  std::uint32_t instructions = 0;  ///< instructions in the label of one block
};

/// Limits for pictures that Graphviz lays out: its time grows faster than linearly.
inline constexpr PictureLimits layout_limits{50, 2000, 100};

/// Options of the functions below.
struct VIREO_API DotOptions {
  const Grammar* grammar = nullptr;  ///< nullptr = the built-in one; borrowed during the call
  /// The functions to draw: names, ids (`%12` or a name of the disassembly such as `%main`), or names of entry points.
  /// For a name of glslang such as `f(vf4;`, `f` suffices.
  /// Empty: all functions. A call graph also contains the functions that they call, directly or through others.
  std::vector<std::string> functions = {};
  bool instructions = false;  ///< control flow: labels show the instructions
  PictureLimits limits = {};
  /// The name of an id, with its `%`; empty: the names of the disassembler. For modules from a text.
  Function<std::string(Word id)> name_of_id = {};
  /// The text of an instruction, by its index in the module; empty: that of the disassembler.
  Function<std::string(std::uint32_t instruction)> text_of_instruction = {};
};

/// Writes the control-flow graphs of functions that have blocks, one graph after the other. Constructs are clusters.
/// Returns true if there was no error and the sink accepted all text. Errors: an unreadable header (no text is written),
/// a name without a function (likewise), a truncated module. Targets that are not blocks and missing terminators are
/// warnings. Near-linear in the words.
VIREO_API bool write_control_flow_graph(Words words, const DotOptions& options, TextSink& sink,
                                        Diagnostics& diagnostics);

/// Writes the static call graph: functions are nodes; calls are edges with their number. Result and errors as above.
VIREO_API bool write_call_graph(Words words, const DotOptions& options, TextSink& sink, Diagnostics& diagnostics);

}  // namespace vireo::spirv
