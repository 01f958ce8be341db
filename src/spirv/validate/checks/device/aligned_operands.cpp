// SPDX-License-Identifier: Apache-2.0
//
// Constant strides and offsets that must be multiples of a number of bytes, and layouts of matrices in memory, for
// cooperative matrices and vectors.
//
// Source: Vulkan, "Runtime SPIR-V Validation".
#include <algorithm>
#include <iterator>

#include "spirv/validate/checks/checks.h"
#include "vireo/spirv/binary/views/reserved.h"

namespace vireo::spirv {
namespace {

using enum Op;

struct MultipleRow {
  Op opcode;
  OperandName operand;
  std::uint64_t multiple;
  std::uint16_t vuid;
};
constexpr MultipleRow multiple_rows[] = {
    {OpCooperativeVectorMatrixMulNV, OperandName::matrix_offset, 64, 10097},
    {OpCooperativeVectorMatrixMulAddNV, OperandName::matrix_offset, 64, 10097},
    {OpCooperativeVectorMatrixMulAddNV, OperandName::bias_offset, 16, 10098},
    {OpCooperativeVectorLoadNV, OperandName::offset, 16, 10099},
    {OpCooperativeVectorStoreNV, OperandName::offset, 16, 10099},
    {OpCooperativeVectorReduceSumAccumulateNV, OperandName::offset, 16, 10100},
    {OpCooperativeVectorOuterProductAccumulateNV, OperandName::offset, 64, 10101},
};

void require_multiple(const InstructionCheck& c, AnyOperand operand, std::uint64_t value, std::uint64_t multiple,
                      std::uint16_t vuid) {
  if (multiple == 0 || value % multiple == 0) return;
  c.report(Rule::OperandMultiple, c.at(operand), {operand, c.op(), value, multiple});
  c.vuid(vuid);
}

void check_offsets(const InstructionCheck& c) {
  if (!c.is_vulkan() || !c.is_reachable()) return;
  for (const MultipleRow& row : multiple_rows) {
    if (row.opcode != c.op()) continue;
    const AnyOperand operand = c.operand(row.operand);
    if (const auto value = c.constants.as_u64(operand)) require_multiple(c, operand, *value, row.multiple, row.vuid);
  }
}

// Matrices of 8-bit floats have a layout that only the implementation knows; the others may have a stride.
void check_vector_matrix(const InstructionCheck& c) {
  check_offsets(c);
  if (!c.is_vulkan() || !c.is_reachable()) return;
  const AnyOperand layout_operand = c.operand(OperandName::memory_layout);
  const auto layout = c.constants.as_u64(layout_operand);
  const auto interpretation = c.constants.as_u64(c.operand(OperandName::matrix_interpretation));
  if (!layout) return;
  const auto kind = static_cast<CooperativeVectorMatrixLayout>(*layout);
  const bool has_stride =
      kind == CooperativeVectorMatrixLayout::RowMajorNV || kind == CooperativeVectorMatrixLayout::ColumnMajorNV;
  if (!has_stride) return;
  const auto type = static_cast<ComponentType>(interpretation.value_or(0));
  if (type == ComponentType::FloatE4M3NV || type == ComponentType::FloatE5M2NV)
    c.report(Rule::VectorMatrixLayout, c.at(layout_operand), {layout_operand, c.op()});
  const AnyOperand stride = c.operand(OperandName::matrix_stride);
  if (const auto value = c.constants.as_u64(stride)) require_multiple(c, stride, *value, 16, 10096);
}

// The stride of a matrix is a number of elements; those of a row, or of a column, are consecutive.
void check_matrix_stride(const InstructionCheck& c) {
  if (!c.is_vulkan() || !c.is_reachable()) return;
  const AnyOperand stride = c.operand(OperandName::stride), pointer = c.operand(OperandName::pointer);
  const AnyOperand object = c.operand(OperandName::object);
  const auto value = c.constants.as_u64(stride);
  const TypeRow* matrix = object.id != 0 ? c.find_type_of(object) : &c.types.of(c.type);
  const TypeRow* pointer_type = c.find_type_of(pointer);
  if (!value || matrix == nullptr || !matrix->is_cooperative_matrix() || pointer_type == nullptr ||
      !pointer_type->is(TypeKind::Pointer))
    return;
  const bool is_khr = matrix->is(TypeKind::CooperativeMatrix);
  const auto layout = c.constants.as_u64(c.operand(is_khr ? OperandName::memory_layout : OperandName::column_major));
  const auto is_column_major = is_khr ? layout : c.constants.as_bool(c.operand(OperandName::column_major));
  if (!is_column_major || (is_khr && *layout > 1)) return;
  const InstructionView declaration = c.module.instruction(matrix->declaration);
  const OperandName consecutive = *is_column_major != 0 ? OperandName::rows : OperandName::columns;
  const auto length = c.constants.as_u64(declaration.word(word_of(declaration.opcode, consecutive)));
  const TypeRow& element =
      pointer_type->pointee().is_array() ? pointer_type->pointee().element_type() : pointer_type->pointee();
  if (!length || !element.has_known_size() || !matrix->component().has_known_size()) return;
  const std::uint64_t bytes = *length * matrix->component().bits / 8;
  require_multiple(c, stride, *value * (element.bits / 8), std::min<std::uint64_t>(16, bytes), is_khr ? 8986 : 6324);
}

// The operand counts elements of the source, of which the result has a part.
void check_sub_array_start(const InstructionCheck& c) {
  const AnyOperand index = c.operand(OperandName::index);
  const auto value = c.constants.as_u64(index);
  const auto length = c.constants.as_u64(c.types.of(c.type).length);
  if (c.is_vulkan() && c.is_reachable() && value && length) require_multiple(c, index, *value, *length, 12354);
}

}  // namespace

std::span<const Check> aligned_operand_checks() {
  static constexpr Check checks[] = {
      {{OpCooperativeVectorMatrixMulNV, OpCooperativeVectorMatrixMulAddNV}, check_vector_matrix},
      {{OpCooperativeVectorLoadNV, OpCooperativeVectorStoreNV, OpCooperativeVectorReduceSumAccumulateNV,
        OpCooperativeVectorOuterProductAccumulateNV},
       check_offsets},
      {{OpCooperativeMatrixLoadKHR, OpCooperativeMatrixStoreKHR, OpCooperativeMatrixLoadNV, OpCooperativeMatrixStoreNV},
       check_matrix_stride},
      {{OpExtractSubArrayQCOM}, check_sub_array_start},
  };
  return checks;
}

}  // namespace vireo::spirv
