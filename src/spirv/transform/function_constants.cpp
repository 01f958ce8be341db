// SPDX-License-Identifier: Apache-2.0
//
// Finds and evaluates the FunctionConstants of a module (function_constants.h).
#include "spirv/transform/function_constants.h"

#include <algorithm>
#include <iterator>

#include "spirv/grammar/special_cases.h"
#include "vireo/spirv/grammar/enums.h"

namespace vireo::spirv {
namespace {

using enum Op;
using Class = FoldType::Class;

// Besides the operations of OpSpecConstantOp.
constexpr Op further_operations[] = {OpCopyObject, OpBitFieldUExtract, OpBitFieldSExtract};

constexpr std::size_t most_operands = 3;

constexpr bool is_exact(FoldType type) { return type.class_ == Class::Bool || type.class_ == Class::Int; }

// The bits of a field, which must be within the base (specification, OpBitFieldUExtract).
std::optional<std::uint64_t> extract_field(const FoldValue& base, std::uint64_t offset, std::uint64_t count,
                                           bool is_signed) {
  if (base.type.class_ != Class::Int || offset > base.type.width || count > base.type.width - offset)
    return std::nullopt;
  if (count == 0) return 0;
  const std::uint64_t field = base.bits >> offset & mask_of(static_cast<std::uint32_t>(count));
  if (!is_signed) return field;
  return static_cast<std::uint64_t>(sign_extended(field, static_cast<std::uint32_t>(count))) & mask_of(base.type.width);
}

}  // namespace

FunctionConstants::FunctionConstants(const Module& module, const Types& types, const Constants& constants)
    : module_(module), types_(types) {
  for (const auto [index, view] : module.instructions(Section::Functions)) {
    if (can_have_value(index, view, constants)) rows_.push_back({index, std::nullopt});
  }
}

const FunctionConstants::Row* FunctionConstants::find(Word id) const {
  const InstructionIndex definition = module_.definition(id);
  const auto row = std::ranges::lower_bound(rows_, definition, {}, &Row::instruction);
  return row == rows_.end() || row->instruction != definition ? nullptr : &*row;
}

// True if each operand is a constant or can have a value itself, and the values of the result type are exact.
bool FunctionConstants::can_have_value(InstructionIndex index, InstructionView view, const Constants& constants) const {
  const ValueOperands value(view);
  if (value.others().empty() || value.others().size() > most_operands) return false;
  const bool is_known = is_permitted_in_spec_constant_op(view.opcode) ||
                        std::ranges::find(further_operations, view.opcode) != std::end(further_operations);
  if (!is_known || !is_exact(type_of(view)) || module_.definition(value.result()) != index) return false;
  // Some operations have operands that are no ids, such as OpCompositeExtract; compute() does not evaluate them.
  return std::ranges::all_of(value.others(), [&](Word id) {
    const ConstantRow* row = constants.find(id);
    return row != nullptr ? is_exact(fold_type_of(types_.row(row->type))) : find(id) != nullptr;
  });
}

void FunctionConstants::evaluate(const Constants& constants) {
  for (Row& row : rows_) row.bits = compute(constants, module_.instruction(row.instruction));
}

std::optional<FoldValue> FunctionConstants::value(const Constants& constants, Word id) const {
  if (const ConstantRow* constant = constants.find(id)) {
    const FoldType type = fold_type_of(types_.row(constant->type));
    if (constant->status != ConstantStatus::Known || !is_exact(type)) return std::nullopt;
    if (constant->kind == ConstantKind::Null) return FoldValue{type, 0};
    return constant->is_scalar() ? std::optional(FoldValue{type, constant->bits}) : std::nullopt;
  }
  const Row* row = find(id);
  if (row == nullptr || !row->bits) return std::nullopt;
  return FoldValue{type_of(module_.instruction(row->instruction)), *row->bits};
}

std::optional<std::uint64_t> FunctionConstants::compute(const Constants& constants, InstructionView view) const {
  FoldValue values[most_operands];
  const Words ids = ValueOperands(view).others();
  const std::size_t count = ids.size();
  // The object that OpSelect does not choose may be unknown.
  const bool is_select = view.opcode == OpSelect;
  std::optional<FoldValue> operands[most_operands];
  for (std::size_t i = 0; i < count; ++i) {
    operands[i] = value(constants, ids[i]);
    if (!operands[i] && (!is_select || i == 0)) return std::nullopt;
    if (operands[i]) values[i] = *operands[i];
  }
  const FoldType result = type_of(view);
  switch (view.opcode) {
    case OpSelect: {
      if (count != 3 || values[0].type.class_ != Class::Bool) return std::nullopt;
      const std::optional<FoldValue>& chosen = operands[values[0].bits != 0 ? 1 : 2];
      if (!chosen || chosen->type.class_ != result.class_ || chosen->type.width != result.width) return std::nullopt;
      return chosen->bits;
    }
    case OpCopyObject: return count == 1 ? std::optional(values[0].bits) : std::nullopt;
    case OpBitFieldUExtract:
    case OpBitFieldSExtract:
      if (count != 3 || result.width != values[0].type.width) return std::nullopt;
      return extract_field(values[0], values[1].bits, values[2].bits, view.opcode == OpBitFieldSExtract);
    default: return fold(view.opcode, result, std::span(values, count));
  }
}

}  // namespace vireo::spirv
