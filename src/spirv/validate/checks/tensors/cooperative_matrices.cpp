// SPDX-License-Identifier: Apache-2.0
//
// Cooperative matrices (SPV_KHR_cooperative_matrix, SPV_NV_cooperative_matrix2, and the older NV extension): loads,
// stores, conversions, and callback functions over components.
//
// Each operand has a requirement, and the shapes of operand and result must have a few relations. Values
// that specialization determines are accepted (cooperative.h).
#include <fmt/format.h>

#include <optional>

#include "spirv/validate/analysis/fixes.h"
#include "spirv/validate/checks/checks.h"
#include "spirv/validate/checks/memory/memory_access.h"
#include "spirv/validate/checks/tensors/cooperative.h"
#include "vireo/spirv/binary/views/conversion.h"
#include "vireo/spirv/binary/views/function.h"
#include "vireo/spirv/binary/views/memory.h"
#include "vireo/spirv/binary/views/miscellaneous.h"
#include "vireo/spirv/binary/views/reserved.h"

namespace vireo::spirv {
namespace {

using enum Op;

bool is_khr_matrix(const TypeRow& type) { return type.is(TypeKind::CooperativeMatrix); }

// --- loads and stores ------------------------------------------------------------------------------------------------

/// The operands of a load or store.
struct MatrixTransfer {
  AnyOperand pointer;
  std::optional<AnyOperand> object;  ///< the stored value; none for loads
  AnyOperand layout;                 ///< for NV matrices: whether columns are contiguous
  std::optional<AnyOperand> stride;
  MemoryAccessView memory_access;
  AccessKind kind;
};

// Checks that the stride is an integer. Returns false without a finding if its type is unknown.
bool check_stride(const InstructionCheck& c, AnyOperand stride) {
  const TypeRow& type = c.type_of(stride);
  if (type.is(TypeKind::Int)) return true;
  c.wrong_operand(stride, "the stride", "an integer scalar");
  return false;
}

// Blocked layouts (SPV_ARM_cooperative_matrix_layouts) need whole blocks and constant strides.
constexpr std::uint64_t row_major = 0, column_major = 1;
constexpr std::uint64_t row_blocked = 4202, column_blocked = 4203;

// A block has 4 by 4 components. The stride is the number of interleaved blocks in the direction of the layout.
void check_blocks(const InstructionCheck& c, AnyOperand stride, const TypeRow& matrix, bool are_in_rows) {
  // If specialization determines the stride, it is unknown.
  const auto blocks = c.constants.as_u64(stride);
  if (!blocks) return;
  if (*blocks != 1 && *blocks != 2 && *blocks != 4) {
    c.report(Rule::BlockedStride, c.at(stride), {*blocks});
    return;
  }
  constexpr std::uint64_t block_side = 4;
  const CooperativeShape shape = cooperative_shape(c, matrix);
  // Rows and columns are also ids of constants. Only the first wrong size is reported.
  const auto check = [&](Word size, std::uint64_t multiple, std::string_view what) {
    const auto value = c.constants.as_u64(size);
    if (!value || *value % multiple == 0) return true;
    c.report(Rule::BlockedShape, c.at(stride), {*value, what, multiple});
    return false;
  };
  // At most 16: a stride is 1, 2 or 4.
  const std::uint64_t along = block_side * *blocks;
  if (check(shape.rows, are_in_rows ? block_side : along, "rows")) {
    check(shape.columns, are_in_rows ? along : block_side, "columns");
  }
}

// The distance between rows or columns. A load may read the same row again and again, but a store needs separate rows.
void check_distance(const InstructionCheck& c, AnyOperand stride) {
  const auto value = c.constants.as_i64(stride);
  const bool is_store = c.op() == OpCooperativeMatrixStoreKHR;
  if (!value || *value > 0 || (*value == 0 && !is_store)) return;
  c.report(Rule::MatrixStride, c.at(stride), {c.op(), *value, is_store ? "greater than 0" : "0 or greater"});
}

void check_khr_layout(const InstructionCheck& c, const MatrixTransfer& transfer, const TypeRow& matrix) {
  const auto& stride = transfer.stride;
  // Layout and stride are first checked separately. Their combination is checked only if the layout is known.
  const bool is_listed = check_memory_layout(c, transfer.layout, "CooperativeMatrixLayout");
  const bool is_integer = stride && check_stride(c, *stride);
  const auto layout = c.constants.as_u64(transfer.layout);
  if (!is_listed || !layout) return;
  if (*layout == row_major || *layout == column_major) {
    if (!stride) c.report(Rule::StrideMissing, c.at(transfer.layout), {c.op()});
    if (is_integer) check_distance(c, *stride);
    return;
  }
  // Layouts of later extensions have requirements of their own.
  if (*layout != row_blocked && *layout != column_blocked) return;
  if (!c.has(Capability::CooperativeMatrixLayoutsARM)) {
    c.report(Rule::ScalarCapability, c.at(transfer.layout), {"a blocked memory layout", "CooperativeMatrixLayoutsARM"});
    hint_capability(c, Capability::CooperativeMatrixLayoutsARM);
  } else if (!stride) {
    c.report(Rule::StrideMissing, c.at(transfer.layout), {c.op()});
  } else if (is_integer && !c.is_constant(*stride)) {
    c.not_constant(*stride, "the stride");
  } else if (is_integer) {
    check_blocks(c, *stride, matrix, *layout == row_blocked);
  }
}

// The layout requirements depend on the matrix and the pointer, so an error in either ends the check.
void transfer_khr(const InstructionCheck& c, const MatrixTransfer& transfer) {
  const TypeRow* matrix = check_cooperative_object(c, transfer.object, TypeKind::CooperativeMatrix);
  const TypeRow* pointer =
      matrix == nullptr ? nullptr : check_cooperative_memory(c, transfer.pointer, CooperativeMemory::Numbers);
  if (pointer == nullptr) return;
  check_khr_layout(c, transfer, *matrix);
  check_memory_access(c, {pointer, nullptr, transfer.memory_access, transfer.kind});
}
void check_load_khr(const InstructionCheck& c) {
  const auto load = c.as<OpCooperativeMatrixLoadKHR>();
  transfer_khr(
      c, {load.pointer(), std::nullopt, load.memory_layout(), load.stride(), load.memory_operand(), AccessKind::Reads});
}
void check_store_khr(const InstructionCheck& c) {
  const auto store = c.as<OpCooperativeMatrixStoreKHR>();
  transfer_khr(c, {store.pointer(), store.object(), store.memory_layout(), store.stride(), store.memory_operand(),
                   AccessKind::Writes});
}

void transfer_nv(const InstructionCheck& c, const MatrixTransfer& transfer) {
  const TypeRow* matrix = check_cooperative_object(c, transfer.object, TypeKind::CooperativeMatrixNV);
  const TypeRow* pointer =
      matrix == nullptr ? nullptr : check_cooperative_memory(c, transfer.pointer, CooperativeMemory::Numbers);
  if (pointer == nullptr) return;
  check_stride(c, *transfer.stride);
  const TypeRow& major = c.type_of(transfer.layout);
  if (!major.is(TypeKind::Bool)) {
    c.wrong_operand(transfer.layout, "operand 'Column Major'", "a boolean scalar");
  } else if (!c.is_constant(transfer.layout)) {
    c.not_constant(transfer.layout, "operand 'Column Major'");
  }
  check_memory_access(c, {pointer, nullptr, transfer.memory_access, transfer.kind});
}
void check_load_nv(const InstructionCheck& c) {
  const auto load = c.as<OpCooperativeMatrixLoadNV>();
  transfer_nv(
      c, {load.pointer(), std::nullopt, load.column_major(), load.stride(), load.memory_access(), AccessKind::Reads});
}
void check_store_nv(const InstructionCheck& c) {
  const auto store = c.as<OpCooperativeMatrixStoreNV>();
  transfer_nv(c, {store.pointer(), store.object(), store.column_major(), store.stride(), store.memory_access(),
                  AccessKind::Writes});
}

// --- conversions -----------------------------------------------------------------------------------------------------

// Reads the types of result and operand, which must be KHR matrices.
bool read_matrices(const InstructionCheck& c, AnyOperand matrix, const TypeRow*& result, const TypeRow*& operand) {
  result = &c.types.of(c.type);
  operand = &c.type_of(matrix);
  if (!is_khr_matrix(*result)) {
    c.wrong_result("a cooperative matrix");
    return false;
  }
  if (!is_khr_matrix(*operand)) {
    c.wrong_operand(matrix, "the matrix", "a cooperative matrix");
    return false;
  }
  return true;
}

void check_convert_use(const InstructionCheck& c) {
  const auto matrix = c.as<OpCooperativeMatrixConvertUseEXT>().matrix();
  const TypeRow *result = nullptr, *operand = nullptr;
  if (!read_matrices(c, matrix, result, operand)) return;
  const CooperativeShape a = cooperative_shape(c, *operand), b = cooperative_shape(c, *result);
  const bool is_both_ways = c.has(Capability::CooperativeMatrixConversionsEXT);
  const bool is_declared = is_both_ways || c.has(Capability::CooperativeMatrixConversionsNV);
  // The component type must not change, except for the signedness of integers.
  const TypeRow &from = operand->component(), &to = result->component();
  if (from.id != to.id && (!from.is(TypeKind::Int) || !to.is_int(from.width))) {
    c.mismatch(matrix, "the matrix", "the same component type as the result", c.type);
  } else if (check_matrix_transposition(c, matrix)) {
    return;  // the decoration has its own requirements on rows, columns and use
  } else if (!may_have_same_size(c, a, b)) {
    c.mismatch(matrix, "the matrix", "the scope, rows and columns of the result", c.type);
    // Two uses that are the same constant never differ, whatever its value. Without any capability for the instruction,
    // the missing one is reported instead.
  } else if (a.use == b.use || (is_declared && !may_change_use(c, a, b))) {
    c.mismatch(matrix, "the matrix",
               is_both_ways ? "a use that changes between accumulator and matrix A or B"
                            : "an accumulator to convert to a matrix A or B",
               c.type);
  }
}

void check_matrix_transpose(const InstructionCheck& c) {
  const auto matrix = c.as<OpCooperativeMatrixTransposeNV>().matrix();
  const TypeRow *result = nullptr, *operand = nullptr;
  if (!read_matrices(c, matrix, result, operand)) return;
  const CooperativeShape a = cooperative_shape(c, *operand), b = cooperative_shape(c, *result);
  if (!may_be_transposed(c, a, b)) {
    c.mismatch(matrix, "the matrix", "the result type with rows and columns exchanged", c.type);
    return;
  }
  // The use must change from accumulator to B: the result of a product becomes the right operand of the next product.
  const auto from = known_use(c, a.use), to = known_use(c, b.use);
  if ((from && *from != CooperativeMatrixUse::MatrixAccumulatorKHR) ||
      (to && *to != CooperativeMatrixUse::MatrixBKHR)) {
    c.mismatch(matrix, "the matrix", "an accumulator to convert to a matrix B", c.type);
  }
}

// --- callback functions ----------------------------------------------------------------------------------------------

// A reduction combines components: within rows, within columns, in both directions, or in 2x2 squares.
void check_reduce(const InstructionCheck& c) {
  const auto reduction = c.as<OpCooperativeMatrixReduceEXT>();
  const auto matrix = reduction.matrix();
  const TypeRow *result = nullptr, *operand = nullptr;
  if (!read_matrices(c, matrix, result, operand)) return;
  const CooperativeShape a = cooperative_shape(c, *operand), b = cooperative_shape(c, *result);
  // An unknown use may be an accumulator, so it counts as one.
  const auto is_sum = [&](Word use) {
    return known_use(c, use).value_or(CooperativeMatrixUse::MatrixAccumulatorKHR) ==
           CooperativeMatrixUse::MatrixAccumulatorKHR;
  };
  if (!is_sum(b.use)) {
    c.wrong_result("a cooperative matrix with use MatrixAccumulatorKHR");
    return;
  }
  if (!is_sum(a.use)) {
    c.wrong_operand(matrix, "the matrix", "a cooperative matrix with use MatrixAccumulatorKHR");
    return;
  }
  // The requirements on rows and columns depend on the direction of the reduction and are checked below.
  if (result->component_row != operand->component_row || !may_be_equal(c, a.scope, b.scope)) {
    c.mismatch(matrix, "the matrix", "the component type and scope of the result", c.type);
    return;
  }
  // A reduction by rows keeps the number of rows and fills each row of the result with one sum. So the number of
  // columns may change. A reduction by columns is analogous. A 2x2 reduction halves both dimensions and cannot be
  // combined with another direction.
  using enum CooperativeMatrixReduce;
  const auto reduce = reduction.reduce();
  const CooperativeMatrixReduce mask = reduce;
  constexpr CooperativeMatrixReduce none{};
  if (mask == none || (mask & CooperativeMatrixReduce2x2) != none ? mask != CooperativeMatrixReduce2x2
                                                                  : mask > (Row | Column)) {
    c.report(Rule::ReduceMask, c.at(reduce), {static_cast<Word>(mask)});
    return;
  }
  // Unknown sizes are accepted.
  const auto half = [&](Word whole, Word part) {
    const auto w = c.constants.as_u64(whole), p = c.constants.as_u64(part);
    return !w || !p || *p * 2 == *w;
  };
  if (mask == CooperativeMatrixReduce2x2 ? !half(a.rows, b.rows) || !half(a.columns, b.columns)
                                         : (mask == Row && !may_be_equal(c, a.rows, b.rows)) ||
                                               (mask == Column && !may_be_equal(c, a.columns, b.columns))) {
    c.mismatch(matrix, "the matrix", "rows and columns that reduce to those of the result", c.type);
  }
  const TypeRow* callee = check_callee(c, reduction.combine_func());
  if (callee == nullptr) return;
  const Words parameters = c.types.members(*callee);
  if (parameters.size() != 2 || callee->element != result->element || parameters[0] != result->element ||
      parameters[1] != result->element) {
    wrong_callee(c, reduction.combine_func(), "two component parameters and a component as return type");
  }
}

// The callback has the parameters row, column and component, and then one parameter for each additional operand. For an
// additional matrix, that parameter is a component.
void check_per_element(const InstructionCheck& c) {
  const auto call = c.as<OpCooperativeMatrixPerElementOpEXT>();
  const TypeRow *result = nullptr, *operand = nullptr;
  if (!read_matrices(c, call.matrix(), result, operand)) return;
  if (result->id != operand->id) {
    c.mismatch(call.matrix(), "the matrix", "the result type", c.type);
    return;
  }
  const TypeRow* callee = check_callee(c, call.func());
  if (callee == nullptr) return;
  const Words parameters = c.types.members(*callee);
  const auto added = call.operands();
  if (parameters.size() != added.size() + 3) {
    wrong_callee(c, call.func(), fmt::format("{} parameters", added.size() + 3));
    return;
  }
  if (!c.types.of(parameters[0]).is_int(32) || !c.types.of(parameters[1]).is_int(32) ||
      parameters[2] != result->element || callee->element != result->element) {
    wrong_callee(c, call.func(),
                 "32-bit integers (row, column) and a component as first parameters, and a component as return type");
    return;
  }
  for (std::size_t i = 0; i < added.size(); ++i) {
    const TypeRow& type = c.type_of(added[i]);
    // The function is called once for each element. An added matrix passes its component at the same position, so its
    // shape must be that of the first matrix. All other operands are passed as they are.
    const bool has_shape = type.is_cooperative_matrix() && may_have_same_shape(c, type, *result);
    if (parameters[i + 3] == (type.is_cooperative_matrix() ? type.element : type.id) &&
        (has_shape || !type.is_cooperative_matrix())) {
      continue;
    }
    // A component of an added matrix has the type of the parameter only if that is the component type.
    const bool takes_matrix = parameters[i + 3] == result->element;
    c.mismatch(added[i], fmt::format("additional operand {}", i + 1),
               fmt::format("{}the type of parameter {} of the function",
                           takes_matrix ? "a matrix of the type of 'Matrix' or " : "", i + 4),
               parameters[i + 3]);
    c.note({c.module.definition(call.func()), 0}, "function declared here");
  }
}

// --- coordinates -----------------------------------------------------------------------------------------------------

void check_coordinate(const InstructionCheck& c) {
  const auto query = c.as<OpCooperativeMatrixGetCoordinateEXT>();
  const TypeRow &result = c.types.of(c.type), &matrix = c.type_of(query.matrix());
  // The result is the row and the column of the element that the index selects for this invocation.
  const bool is_pair = result.is(TypeKind::Vector) && result.count == 2 && result.component().is_int(32);
  if (!is_pair) c.wrong_result("a 2-component 32-bit integer vector");
  if (!is_khr_matrix(matrix)) c.wrong_operand(query.matrix(), "the matrix", "a cooperative matrix");
  check_int32_operand(c, query.index(), "the index");
}

}  // namespace

std::span<const Check> cooperative_matrix_checks() {
  static constexpr Check checks[] = {
      {{OpCooperativeMatrixGetCoordinateEXT}, check_coordinate},
      {{OpCooperativeMatrixLoadKHR}, check_load_khr},
      {{OpCooperativeMatrixStoreKHR}, check_store_khr},
      {{OpCooperativeMatrixLoadNV}, check_load_nv},
      {{OpCooperativeMatrixStoreNV}, check_store_nv},
      {{OpCooperativeMatrixConvertUseEXT}, check_convert_use},
      {{OpCooperativeMatrixTransposeNV}, check_matrix_transpose},
      {{OpCooperativeMatrixReduceEXT}, check_reduce},
      {{OpCooperativeMatrixPerElementOpEXT}, check_per_element},
  };
  return checks;
}

}  // namespace vireo::spirv
