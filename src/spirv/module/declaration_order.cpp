// SPDX-License-Identifier: Apache-2.0
//
// The orders that need more than an opcode (declaration_order.h).
#include "spirv/module/declaration_order.h"

#include <algorithm>
#include <iterator>

#include "spirv/module/opcode_traits.h"
#include "vireo/spirv/binary/views/constant_creation.h"
#include "vireo/spirv/binary/views/extension.h"
#include "vireo/spirv/binary/views/type_declaration.h"

namespace vireo::spirv {
namespace {

// Only OpTypeCooperativeMatrixKHR has the requirement; OpTypeCooperativeMatrixNV and the types of cooperative vectors and
// tensors have none.
constexpr Op sized_type = Op::OpTypeCooperativeMatrixKHR;
// A workgroup size is stated by ids in these modes, and by a constant with this built-in, which overrides the modes. The
// operands of LocalSize are literals.
constexpr ExecutionMode size_modes[] = {ExecutionMode::LocalSizeId};
constexpr BuiltIn size_built_in = BuiltIn::WorkgroupSize;

bool states_size(const ExecutionModeRow& row) {
  return row.has_ids && std::ranges::find(size_modes, row.mode) != std::end(size_modes);
}

// False only for a constant with another value: specialization can change all others.
bool may_be_workgroup(const Module& module, Word scope) {
  const auto constant = as<Op::OpConstant>(module.find(scope));
  return !constant || constant->value().words().front() == static_cast<Word>(Scope::Workgroup);
}

}  // namespace

InstructionIndex end_of_alias_declarations(const Module& module) {
  const InstructionRange annotations = module.section(Section::Annotations);
  std::uint32_t end = annotations.first;
  while (end < annotations.end && is_alias_declaration(module.instruction(InstructionIndex(end)).opcode)) ++end;
  return InstructionIndex(end);
}

std::vector<WorkgroupSizeConstant> workgroup_size_constants(const Module& module,
                                                            const ModuleDeclarations& declarations,
                                                            const Decorations& decorations) {
  std::vector<WorkgroupSizeConstant> constants;
  for (const ExecutionModeRow& row : declarations.execution_modes()) {
    if (!states_size(row)) continue;
    for (const Word id : row.operands) constants.push_back({id, row.instruction});
  }
  for (const DecorationRow& row : decorations.rows()) {
    if (row.decoration != Decoration::BuiltIn || row.member != no_member) continue;
    if (decorations.operand_or(row, 0) != static_cast<Word>(size_built_in)) continue;
    // A variable is no constant, and the rows of a group repeat those of its targets.
    if (module.type_of(row.target) == 0 || is_variable(module.find(row.target).opcode)) continue;
    constants.push_back({row.target, row.instruction});
  }
  return constants;
}

std::vector<InstructionIndex> types_after_workgroup_size(const Module& module) {
  std::vector<InstructionIndex> types;
  if (!module.has(sized_type)) return types;
  for (const auto [index, view] : module.instructions(Section::Globals)) {
    const auto type = as<sized_type>(view);
    if (type && may_be_workgroup(module, type->scope())) types.push_back(index);
  }
  return types;
}

}  // namespace vireo::spirv
