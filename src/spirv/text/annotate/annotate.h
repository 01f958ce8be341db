// SPDX-License-Identifier: Apache-2.0
//
// Annotations: the meaning of an instruction in a few words, as in example 1.9 of the specification:
//
//          %8 = OpTypePointer Function %7              ; function-local vec4*
//         %12 = OpConstantComposite %7 %10 %10 %11 %10 ; vec4(1.0, 1.0, 2.0, 1.0)
//         %23 = OpAccessChain %22 %20 %21              ; location of cond
//               OpSelectionMerge %29 None              ; structured if
//
// An annotation shows facts from other instructions about the ids of this one. One pass over the module records the
// word offsets of those instructions, in a few words for each id (annotate_facts.h). Annotations are then built while
// the instructions are printed. docs/annotate.md lists them.
#pragma once

#include <memory>
#include <string>

#include "spirv/text/friendly_names.h"
#include "vireo/spirv/binary/operand.h"
#include "vireo/spirv/grammar/grammar.h"

namespace vireo::spirv {

class Annotator {
 public:
  /// All arguments are borrowed and must outlive the annotator.
  Annotator(Words module, const Grammar& grammar, const IdNames& names);
  ~Annotator();

  /// Replaces `text` by the annotation of `instruction`: one line, or empty if it has none. Call it for every
  /// instruction of the module in print order, with the decoder that has just decoded `instruction`.
  void annotate(InstructionView instruction, const OperandDecoder& decoder, std::string& text);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace vireo::spirv
