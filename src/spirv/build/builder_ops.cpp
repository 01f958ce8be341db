// SPDX-License-Identifier: Apache-2.0
//
// What the builder's methods come down to (given_operand.h).
//
// The one idea: this is the only code that makes instructions. Nine hundred methods stand in the header, each a list of
// its operands and a call of this; which of them may be left out, and where the result goes, the grammar's row knows.
#include "spirv/build/draft.h"
#include "vireo/spirv/builder.h"
#include "vireo/spirv/writer.h"

namespace vireo::spirv {

Word BuilderCalls::call(Op opcode, IdKind result, std::initializer_list<GivenOperand> operands) {
  Draft draft(*state_, opcode, result, given_);
  for (const GivenOperand& operand : operands) draft.put(operand);
  return draft.end();
}

std::vector<OpenOperand> kept_parameters(std::initializer_list<GivenOperand> parameters) {
  std::vector<OpenOperand> kept;
  for (const GivenOperand& parameter : parameters) {
    if (parameter.form == GivenOperand::Form::Text) {
      const std::string_view text(static_cast<const char*>(parameter.data), parameter.size);
      WordBuffer words;
      const std::size_t end = text.find('\0');
      // Its end would be read where the first NUL is. There is nobody here to report it to: the draft will.
      if (end != std::string_view::npos) kept.emplace_back(OpenOperand::literal(0)).kind = IdKind::String;
      InstructionWriter(words).string(text.substr(0, end));
      for (const Word word : words) kept.push_back(OpenOperand::literal(word));
    } else {
      OpenOperand& operand = kept.emplace_back(AnyId(parameter.word));
      operand.kind = parameter.kind;
      operand.is_literal = parameter.form == GivenOperand::Form::Literal;
    }
  }
  return kept;
}

}  // namespace vireo::spirv
