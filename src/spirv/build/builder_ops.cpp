// SPDX-License-Identifier: Apache-2.0
//
// The function that all instruction methods of the builder call (instruction_calls.h).
//
// Only this code creates instructions. The header has about 900 methods; each lists its operands and
// calls this function. The opcode's grammar row defines which operands are optional and where the result is.
#include <utility>

#include <fmt/format.h>

#include "spirv/build/pending_instruction.h"
#include "spirv/rules.h"
#include "vireo/spirv/binary/writer.h"
#include "vireo/spirv/build/builder.h"

namespace vireo::spirv {

Diagnostic CallTarget::fault(std::string_view rule, std::string message) const {
  Diagnostic fault{.rule = rule, .message = std::move(message)};
  if (calls != 0) fault.notes.push_back({Location::none(), fmt::format("this is call {} (call_count())", calls)});
  return fault;
}

std::size_t InstructionCalls::call_count() const { return target_->calls; }

Word InstructionCalls::call(Op opcode, IdKind result, std::initializer_list<OperandArgument> operands) {
  // The methods are those of the built-in grammar; a module can be read with a grammar that lacks the opcode.
  if (target_->grammar.find_opcode(opcode) == nullptr) {
    ++target_->calls;
    target_->report(rule::unknown_opcode, fmt::format("opcode {} is not in the grammar", static_cast<Word>(opcode)));
    return 0;
  }
  PendingInstruction draft(*target_, opcode, result, site_);
  for (const OperandArgument& operand : operands) draft.put(operand);
  return draft.end();
}

InstructionCalls InstructionCalls::giving(AnyId reserved) {
  CallSite site = site_;
  if (target_->is_known(reserved.word)) site.given = reserved.word;
  else {
    target_->report(rule::foreign_id, fmt::format("id {} cannot be the result: it is not an id of this {}",
                                                  reserved.word, target_->owner));
  }
  return {*target_, site};
}

std::vector<OpenOperand> kept_parameters(std::initializer_list<OperandArgument> parameters) {
  std::vector<OpenOperand> kept;
  for (const OperandArgument& parameter : parameters) {
    if (parameter.form == OperandArgument::Form::Text) {
      const std::string_view text(static_cast<const char*>(parameter.data), parameter.size);
      WordBuffer words;
      const std::size_t end = text.find('\0');
      // A reader would end the string at the first NUL. This function cannot report that, so it marks the text for
      // PendingInstruction.
      if (end != std::string_view::npos) kept.emplace_back(OpenOperand::literal(0)).kind = IdKind::String;
      InstructionWriter(words).string(text.substr(0, end));
      for (const Word word : words) kept.push_back(OpenOperand::literal(word));
    } else {
      OpenOperand& operand = kept.emplace_back(AnyId(parameter.word));
      operand.kind = parameter.kind;
      operand.is_literal = parameter.form == OperandArgument::Form::Literal;
    }
  }
  return kept;
}

}  // namespace vireo::spirv
