// SPDX-License-Identifier: Apache-2.0
//
// What the builder's methods come down to (site_operand.h).
//
// The one idea: this is the only code that makes instructions. Nine hundred methods stand in the header, each a list of
// its operands and a call of this; which of them may be left out, and where the result goes, the grammar's row knows.
#include <fmt/format.h>

#include "spirv/build/draft.h"
#include "spirv/rules.h"
#include "vireo/spirv/builder.h"
#include "vireo/spirv/writer.h"

namespace vireo::spirv {

Word InstructionCalls::call(Op opcode, IdKind result, std::initializer_list<GivenOperand> operands) {
  // The methods are those of the built-in grammar, and a module may be read by another one.
  if (target_->grammar.find_opcode(opcode) == nullptr) {
    target_->report(rule::unknown_opcode, fmt::format("opcode {} is not in the grammar", static_cast<Word>(opcode)));
    return 0;
  }
  Draft draft(*target_, opcode, result, site_);
  for (const GivenOperand& operand : operands) draft.put(operand);
  return draft.end();
}

InstructionCalls InstructionCalls::giving(AnyId reserved) {
  CallSite site = site_;
  if (target_->is_known(reserved.word)) site.given = reserved.word;
  else {
    target_->report(rule::foreign_id,
                    fmt::format("id {} is to be given, and is not of this {}", reserved.word, target_->owner));
  }
  return {*target_, site};
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
