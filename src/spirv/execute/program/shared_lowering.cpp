// SPDX-License-Identifier: Apache-2.0
//
// Steps of the instructions by which invocations depend on each other: atomics, barriers, group operations; and
// comparisons of pointers (function_lowering.h).
#include "spirv/execute/program/function_lowering.h"
#include "spirv/execute/program/step_rows.h"
#include "spirv/grammar/opcode_families.h"
#include "vireo/spirv/grammar/enum_names.h"
#include "vireo/spirv/grammar/operand_names.h"
#include "vireo/spirv/module/constants.h"

namespace vireo::spirv {

using enum Op;

bool FunctionLowering::lower_shared(InstructionView view) {
  const std::string_view name = name_of(view.opcode);
  const auto operand = [&](OperandName operand_name) -> Word {
    const std::uint16_t word = word_of(view.opcode, operand_name);
    return word == 0 || word >= view.word_count ? 0 : view.word(word);
  };
  const auto cells = [&](Word id) { return id == 0 ? CellRef{} : value(id); };
  // A scope or semantics is a constant.
  const auto number_of = [&](Word id, Scope otherwise) {
    return static_cast<std::uint32_t>(
        owner_.constants_.as_u64(id, ValueUse::OrDefault).value_or(static_cast<Word>(otherwise)));
  };
  if (name.starts_with("OpAtomic")) {
    const Word stored = operand(OperandName::value), type = module_.type_of(view);
    Step step;
    step.opcode = view.opcode;
    step.source = source_;
    step.result = type == 0 ? CellRef{} : result(view);
    step.a = cells(operand(OperandName::pointer));
    step.flags = resource_flag(operand(OperandName::pointer));
    step.b = cells(stored);
    step.c = cells(operand(OperandName::comparator));
    step.type = owner_.cells_.scalar(type != 0 ? type : type_of(stored));
    step.count = type != 0 ? count_of(type) : 1;
    step.operation = static_cast<std::uint16_t>(number_of(operand(OperandName::memory), Scope::Device));
    // A failed comparison has the weaker semantics, which matters to no rule.
    const Word semantics =
        operand(OperandName::semantics) != 0 ? operand(OperandName::semantics) : operand(OperandName::equal);
    step.extra = number_of(semantics, Scope{});
    program_.steps.push_back(step);
    return true;
  }
  if (name.starts_with("OpGroupNonUniform")) {
    const Word given = operand(OperandName::value) != 0 ? operand(OperandName::value) : operand(OperandName::predicate);
    Word other = 0;
    for (const OperandName each : {OperandName::invocation_id, OperandName::index, OperandName::mask,
                                   OperandName::delta, OperandName::direction})
      if (operand(each) != 0) other = operand(each);
    Step step;
    step.opcode = view.opcode;
    step.source = source_;
    step.result = result(view);
    step.a = cells(given);
    step.b = cells(other);
    step.c = cells(operand(OperandName::cluster_size));
    step.operation = static_cast<std::uint16_t>(operand(OperandName::operation));
    step.type = owner_.cells_.scalar(given != 0 ? type_of(given) : module_.type_of(view));
    step.count = given != 0 ? count_of(type_of(given)) : 1;
    program_.steps.push_back(step);
    return true;
  }
  switch (view.opcode) {
    case OpControlBarrier: {
      Step& step = add(view.opcode, {});
      step.extra = number_of(operand(OperandName::execution), Scope::Workgroup);
      step.count = number_of(operand(OperandName::semantics), Scope{});
      return true;
    }
    case OpMemoryBarrier: add(view.opcode, {}).count = number_of(operand(OperandName::semantics), Scope{}); return true;
    case OpPtrEqual:
    case OpPtrNotEqual:
    case OpPtrDiff: {
      Step& step = add(view.opcode, result(view), value(nth_operand(view, 0)), value(nth_operand(view, 1)));
      const DecorationRow* stride = owner_.decorations_.find(type_of(nth_operand(view, 0)), Decoration::ArrayStride);
      step.extra = stride != nullptr ? owner_.decorations_.operand_or(*stride, 0)
                                     : static_cast<std::uint32_t>(owner_.cells_.size(placed(nth_operand(view, 0))));
      step.result_type = owner_.cells_.scalar(module_.type_of(view));
      return true;
    }
    default: return false;
  }
}

}  // namespace vireo::spirv
