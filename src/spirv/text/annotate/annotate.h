// SPDX-License-Identifier: Apache-2.0
//
// Annotations: what an instruction means, in a few words, in the manner of the specification's example 1.9:
//
//          %8 = OpTypePointer Function %7              ; function-local vec4*
//         %12 = OpConstantComposite %7 %10 %10 %11 %10 ; vec4(1.0, 1.0, 2.0, 1.0)
//         %23 = OpAccessChain %22 %20 %21              ; location of cond
//               OpSelectionMerge %29 None              ; structured if
//
// The one idea: a remark is made from what other instructions say. One walk over the module notes where they stand, a
// few words an id (annotate_facts.h); the remarks are then made beside the printing. docs/annotate.md lists them.
#pragma once

#include <memory>
#include <string>

#include "spirv/text/disassemble/friendly_names.h"
#include "vireo/spirv/grammar.h"
#include "vireo/spirv/operand.h"

namespace vireo::spirv {

class Annotator {
 public:
  /// Everything is borrowed.
  Annotator(Words module, const Grammar& grammar, const IdNames& names);
  ~Annotator();

  /// Replaces `text` by what there is to say of an instruction: one line, possibly empty. To be called for all
  /// instructions of the module in the order of printing, with the decoder that has just decoded `instruction`.
  void annotate(InstructionView instruction, const OperandDecoder& decoder, std::string& text);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace vireo::spirv
