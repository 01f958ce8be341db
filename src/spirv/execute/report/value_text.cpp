// SPDX-License-Identifier: Apache-2.0
//
// Numbers as people write them (value_text.h).
#include "spirv/execute/report/value_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "spirv/execute/program/type_cells.h"
#include "spirv/module/fold.h"
#include "vireo/spirv/binary/views/extension.h"

namespace vireo::spirv {

std::vector<StepOperand> operands_of(const Module& module, const Step& step) {
  const InstructionView view = module.instruction(step.source);
  std::vector<StepOperand> operands;
  const auto add = [&](std::uint32_t word, CellRef cells) {
    if (word < view.word_count) operands.push_back({view.word(word), cells});
  };
  switch (view.opcode) {
    case Op::OpBranchConditional:
    case Op::OpSwitch: add(1, step.a); break;
    case Op::OpExtInst: add(5, step.a), add(6, step.b), add(7, step.c); break;
    case Op::OpStore: add(2, step.b); break;
    case Op::OpAccessChain:
    case Op::OpInBoundsAccessChain:
    case Op::OpLoad: break;  // pointers have no text
    default:
      // The operands of arithmetic follow the result.
      if (view.opcode == step.opcode && !step.result.is_none()) add(3, step.a), add(4, step.b), add(5, step.c);
      break;
  }
  return operands;
}

std::string function_name(const ModuleCheck& c, InstructionIndex instruction) {
  const View<Op::OpExtInst> call(c.module.instruction(instruction));
  const auto import = std::ranges::find(c.module_declarations.imports(), Word{call.set()}, &ImportRow::id);
  if (import == c.module_declarations.imports().end() || import->set.is_none()) return "OpExtInst";
  const ExtInstRow* const row = c.grammar().find_ext_inst(import->set, call.instruction().value);
  return row == nullptr ? "OpExtInst" : std::string(c.grammar().text(row->name));
}

std::string scalar_text(CellType type, std::uint64_t bits) {
  switch (type.kind) {
    case CellType::Kind::Bool: return bits != 0 ? "true" : "false";
    case CellType::Kind::Float: return fmt::format("{}", double_of(bits, type.format).value_or(0));
    case CellType::Kind::Int:
      return type.is_signed ? fmt::format("{}", sign_extended(bits, type.width)) : fmt::format("{}", bits);
    default: return {};
  }
}

std::string value_text(const TypeRow& type, const std::uint64_t* cells, std::uint32_t width, std::uint32_t lane) {
  if (!type.is_scalar() && !type.is_vector()) return {};
  const CellType scalar = cell_type_of(type.is_scalar() ? type : type.component());
  if (type.is_scalar()) return scalar_text(scalar, cells[lane]);
  std::string text = "(";
  for (std::size_t i = 0; i < type.count; ++i)
    text += fmt::format("{}{}", i == 0 ? "" : ", ", scalar_text(scalar, cells[i * width + lane]));
  return text + ")";
}

}  // namespace vireo::spirv
