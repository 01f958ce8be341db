// SPDX-License-Identifier: Apache-2.0
//
// Cooperative matrices (SPV_KHR_cooperative_matrix, SPV_NV_cooperative_matrix2, and the older NV extension): loads,
// stores, conversions, and callback functions over components.
//
// Each operand has a requirement, and the shapes of operand and result must have a few relations. Values
// that specialization determines are accepted (cooperative.h).
#include <fmt/format.h>

#include <optional>

#include "spirv/validate/checks/memory/memory_access.h"
#include "spirv/validate/checks/tensors/cooperative.h"
#include "spirv/validate/engine/checks.h"
#include "spirv/validate/engine/fixes.h"
#include "spirv/validate/engine/type_error_reporter.h"
#include "vireo/spirv/views/conversion.h"
#include "vireo/spirv/views/function.h"
#include "vireo/spirv/views/memory.h"
#include "vireo/spirv/views/miscellaneous.h"
#include "vireo/spirv/views/reserved.h"

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
bool check_stride(const Context& context, const DecodedInstruction& visit, Report& report, AnyOperand stride) {
  const TypeRow& type = context.type_of(stride);
  if (type.is(TypeKind::Int)) return true;
  TypeErrorReporter{context, visit, report}.operand(stride, "the stride", "an integer scalar");
  return false;
}

// Blocked layouts (SPV_ARM_cooperative_matrix_layouts) need whole blocks and constant strides.
constexpr std::uint64_t row_major = 0, column_major = 1;
constexpr std::uint64_t row_blocked = 4202, column_blocked = 4203;

// A block has 4 by 4 components. The stride is the number of interleaved blocks in the direction of the layout.
void check_blocks(const Context& context, const DecodedInstruction& visit, Report& report, AnyOperand stride,
                  const TypeRow& matrix, bool are_in_rows) {
  // If specialization determines the stride, it is unknown.
  const auto blocks = context.constants.as_u64(stride);
  if (!blocks) return;
  if (*blocks != 1 && *blocks != 2 && *blocks != 4) {
    report.add(Rule::BlockedStride, visit.at(stride), {std::to_string(*blocks)});
    return;
  }
  constexpr std::uint64_t block_side = 4;
  const CooperativeShape shape = cooperative_shape(context, matrix);
  // Rows and columns are also ids of constants. Only the first wrong size is reported.
  const auto check = [&](Word size, std::uint64_t multiple, std::string_view what) {
    const auto value = context.constants.as_u64(size);
    if (!value || *value % multiple == 0) return true;
    report.add(Rule::BlockedShape, visit.at(stride), {std::to_string(*value), what, std::to_string(multiple)});
    return false;
  };
  // At most 16: a stride is 1, 2 or 4.
  const std::uint64_t along = block_side * *blocks;
  if (check(shape.rows, are_in_rows ? block_side : along, "rows")) {
    check(shape.columns, are_in_rows ? along : block_side, "columns");
  }
}

// The distance between rows or columns. A load may read the same row again and again, but a store needs separate rows.
void check_distance(const Context& context, const DecodedInstruction& visit, Report& report, AnyOperand stride) {
  const auto value = context.constants.as_i64(stride);
  const bool is_store = visit.op() == OpCooperativeMatrixStoreKHR;
  if (!value || *value > 0 || (*value == 0 && !is_store)) return;
  report.add(Rule::MatrixStride, visit.at(stride),
             {op_text(context, visit.op()), std::to_string(*value), is_store ? "greater than 0" : "0 or greater"});
}

void check_khr_layout(const Context& context, const DecodedInstruction& visit, Report& report,
                      const MatrixTransfer& transfer, const TypeRow& matrix) {
  const TypeErrorReporter type_errors{context, visit, report};
  const auto& stride = transfer.stride;
  // Layout and stride are first checked separately. Their combination is checked only if the layout is known.
  const bool is_listed = check_memory_layout(context, visit, report, transfer.layout, "CooperativeMatrixLayout");
  const bool is_integer = stride && check_stride(context, visit, report, *stride);
  const auto layout = context.constants.as_u64(transfer.layout);
  if (!is_listed || !layout) return;
  if (*layout == row_major || *layout == column_major) {
    if (!stride) report.add(Rule::StrideMissing, visit.at(transfer.layout), {op_text(context, visit.op())});
    if (is_integer) check_distance(context, visit, report, *stride);
    return;
  }
  // Layouts of later extensions have requirements of their own.
  if (*layout != row_blocked && *layout != column_blocked) return;
  if (!context.has(Capability::CooperativeMatrixLayoutsARM)) {
    report.add(Rule::ScalarCapability, visit.at(transfer.layout),
               {"a blocked memory layout", "CooperativeMatrixLayoutsARM"});
    hint_capability(context, report, Capability::CooperativeMatrixLayoutsARM);
  } else if (!stride) {
    report.add(Rule::StrideMissing, visit.at(transfer.layout), {op_text(context, visit.op())});
  } else if (is_integer && !context.is_constant(*stride)) {
    type_errors.not_constant(*stride, "the stride");
  } else if (is_integer) {
    check_blocks(context, visit, report, *stride, matrix, *layout == row_blocked);
  }
}

// The layout requirements depend on the matrix and the pointer, so an error in either ends the check.
void transfer_khr(const Context& context, const DecodedInstruction& visit, Report& report,
                  const MatrixTransfer& transfer) {
  const TypeRow* matrix =
      check_cooperative_object(context, visit, report, transfer.object, TypeKind::CooperativeMatrix);
  const TypeRow* pointer = matrix == nullptr ? nullptr
                                             : check_cooperative_memory(context, visit, report, transfer.pointer,
                                                                        CooperativeMemory::Numbers);
  if (pointer == nullptr) return;
  check_khr_layout(context, visit, report, transfer, *matrix);
  check_memory_access(context, visit, report, {pointer, nullptr, transfer.memory_access, transfer.kind});
}
void check_load_khr(const Context& context, const DecodedInstruction& visit, Report& report) {
  const auto load = visit.as<OpCooperativeMatrixLoadKHR>();
  transfer_khr(
      context, visit, report,
      {load.pointer(), std::nullopt, load.memory_layout(), load.stride(), load.memory_operand(), AccessKind::Reads});
}
void check_store_khr(const Context& context, const DecodedInstruction& visit, Report& report) {
  const auto store = visit.as<OpCooperativeMatrixStoreKHR>();
  transfer_khr(context, visit, report,
               {store.pointer(), store.object(), store.memory_layout(), store.stride(), store.memory_operand(),
                AccessKind::Writes});
}

void transfer_nv(const Context& context, const DecodedInstruction& visit, Report& report,
                 const MatrixTransfer& transfer) {
  const TypeErrorReporter type_errors{context, visit, report};
  const TypeRow* matrix =
      check_cooperative_object(context, visit, report, transfer.object, TypeKind::CooperativeMatrixNV);
  const TypeRow* pointer = matrix == nullptr ? nullptr
                                             : check_cooperative_memory(context, visit, report, transfer.pointer,
                                                                        CooperativeMemory::Numbers);
  if (pointer == nullptr) return;
  check_stride(context, visit, report, *transfer.stride);
  const TypeRow& major = context.type_of(transfer.layout);
  if (!major.is(TypeKind::Bool)) {
    type_errors.operand(transfer.layout, "operand 'Column Major'", "a boolean scalar");
  } else if (!context.is_constant(transfer.layout)) {
    type_errors.not_constant(transfer.layout, "operand 'Column Major'");
  }
  check_memory_access(context, visit, report, {pointer, nullptr, transfer.memory_access, transfer.kind});
}
void check_load_nv(const Context& context, const DecodedInstruction& visit, Report& report) {
  const auto load = visit.as<OpCooperativeMatrixLoadNV>();
  transfer_nv(
      context, visit, report,
      {load.pointer(), std::nullopt, load.column_major(), load.stride(), load.memory_access(), AccessKind::Reads});
}
void check_store_nv(const Context& context, const DecodedInstruction& visit, Report& report) {
  const auto store = visit.as<OpCooperativeMatrixStoreNV>();
  transfer_nv(context, visit, report,
              {store.pointer(), store.object(), store.column_major(), store.stride(), store.memory_access(),
               AccessKind::Writes});
}

// --- conversions -----------------------------------------------------------------------------------------------------

// Reads the types of result and operand, which must be KHR matrices.
bool read_matrices(const Context& context, const DecodedInstruction& visit, Report& report, AnyOperand matrix,
                   const TypeRow*& result, const TypeRow*& operand) {
  const TypeErrorReporter type_errors{context, visit, report};
  result = &context.types.of(visit.type);
  operand = &context.type_of(matrix);
  if (!is_khr_matrix(*result)) {
    type_errors.result("a cooperative matrix");
    return false;
  }
  if (!is_khr_matrix(*operand)) {
    type_errors.operand(matrix, "the matrix", "a cooperative matrix");
    return false;
  }
  return true;
}

void check_convert_use(const Context& context, const DecodedInstruction& visit, Report& report) {
  const TypeErrorReporter type_errors{context, visit, report};
  const auto matrix = visit.as<OpCooperativeMatrixConvertUseEXT>().matrix();
  const TypeRow *result = nullptr, *operand = nullptr;
  if (!read_matrices(context, visit, report, matrix, result, operand)) return;
  const CooperativeShape a = cooperative_shape(context, *operand), b = cooperative_shape(context, *result);
  const bool is_both_ways = context.has(Capability::CooperativeMatrixConversionsEXT);
  const bool is_declared = is_both_ways || context.has(Capability::CooperativeMatrixConversionsNV);
  // The component type must not change, except for the signedness of integers.
  const TypeRow &from = context.types.row(operand->component), &to = context.types.row(result->component);
  if (from.id != to.id && (!from.is(TypeKind::Int) || !to.is_int(from.width))) {
    type_errors.relation(matrix, "the matrix", "the same component type as the result", visit.type);
  } else if (check_matrix_transposition(context, visit, report, matrix)) {
    return;  // the decoration has its own requirements on rows, columns and use
  } else if (!may_have_same_size(context, a, b)) {
    type_errors.relation(matrix, "the matrix", "the scope, rows and columns of the result", visit.type);
    // Two uses that are the same constant never differ, whatever its value. Without any capability for the instruction,
    // the missing one is reported instead.
  } else if (a.use == b.use || (is_declared && !may_change_use(context, a, b))) {
    type_errors.relation(matrix, "the matrix",
                         is_both_ways ? "a use that changes between accumulator and matrix A or B"
                                      : "an accumulator to convert to a matrix A or B",
                         visit.type);
  }
}

void check_matrix_transpose(const Context& context, const DecodedInstruction& visit, Report& report) {
  const TypeErrorReporter type_errors{context, visit, report};
  const auto matrix = visit.as<OpCooperativeMatrixTransposeNV>().matrix();
  const TypeRow *result = nullptr, *operand = nullptr;
  if (!read_matrices(context, visit, report, matrix, result, operand)) return;
  const CooperativeShape a = cooperative_shape(context, *operand), b = cooperative_shape(context, *result);
  if (!may_be_transposed(context, a, b)) {
    type_errors.relation(matrix, "the matrix", "the result type with rows and columns exchanged", visit.type);
    return;
  }
  // The use must change from accumulator to B: the result of a product becomes the right operand of the next product.
  const auto from = known_use(context, a.use), to = known_use(context, b.use);
  if ((from && *from != CooperativeMatrixUse::MatrixAccumulatorKHR) ||
      (to && *to != CooperativeMatrixUse::MatrixBKHR)) {
    type_errors.relation(matrix, "the matrix", "an accumulator to convert to a matrix B", visit.type);
  }
}

// --- callback functions ----------------------------------------------------------------------------------------------

// A reduction combines components: within rows, within columns, in both directions, or in 2x2 squares.
void check_reduce(const Context& context, const DecodedInstruction& visit, Report& report) {
  const TypeErrorReporter type_errors{context, visit, report};
  const auto reduction = visit.as<OpCooperativeMatrixReduceEXT>();
  const auto matrix = reduction.matrix();
  const TypeRow *result = nullptr, *operand = nullptr;
  if (!read_matrices(context, visit, report, matrix, result, operand)) return;
  const CooperativeShape a = cooperative_shape(context, *operand), b = cooperative_shape(context, *result);
  // An unknown use may be an accumulator, so it counts as one.
  const auto is_sum = [&](Word use) {
    return known_use(context, use).value_or(CooperativeMatrixUse::MatrixAccumulatorKHR) ==
           CooperativeMatrixUse::MatrixAccumulatorKHR;
  };
  if (!is_sum(b.use)) {
    type_errors.result("a cooperative matrix with use MatrixAccumulatorKHR");
    return;
  }
  if (!is_sum(a.use)) {
    type_errors.operand(matrix, "the matrix", "a cooperative matrix with use MatrixAccumulatorKHR");
    return;
  }
  // The requirements on rows and columns depend on the direction of the reduction and are checked below.
  if (result->component != operand->component || !may_be_equal(context, a.scope, b.scope)) {
    type_errors.relation(matrix, "the matrix", "the component type and scope of the result", visit.type);
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
    report.add(Rule::ReduceMask, visit.at(reduce), {std::to_string(static_cast<Word>(mask))});
    return;
  }
  // Unknown sizes are accepted.
  const auto half = [&](Word whole, Word part) {
    const auto w = context.constants.as_u64(whole), p = context.constants.as_u64(part);
    return !w || !p || *p * 2 == *w;
  };
  if (mask == CooperativeMatrixReduce2x2 ? !half(a.rows, b.rows) || !half(a.columns, b.columns)
                                         : (mask == Row && !may_be_equal(context, a.rows, b.rows)) ||
                                               (mask == Column && !may_be_equal(context, a.columns, b.columns))) {
    type_errors.relation(matrix, "the matrix", "rows and columns that reduce to those of the result", visit.type);
  }
  const TypeRow* callee = check_callee(context, visit, report, reduction.combine_func());
  if (callee == nullptr) return;
  const Words parameters = context.types.members(*callee);
  if (parameters.size() != 2 || callee->element != result->element || parameters[0] != result->element ||
      parameters[1] != result->element) {
    wrong_callee(context, visit, report, reduction.combine_func(),
                 "two component parameters and a component as return type");
  }
}

// The callback has the parameters row, column and component, and then one parameter for each additional operand. For an
// additional matrix, that parameter is a component.
void check_per_element(const Context& context, const DecodedInstruction& visit, Report& report) {
  const TypeErrorReporter type_errors{context, visit, report};
  const auto call = visit.as<OpCooperativeMatrixPerElementOpEXT>();
  const TypeRow *result = nullptr, *operand = nullptr;
  if (!read_matrices(context, visit, report, call.matrix(), result, operand)) return;
  if (result->id != operand->id) {
    type_errors.relation(call.matrix(), "the matrix", "the result type", visit.type);
    return;
  }
  const TypeRow* callee = check_callee(context, visit, report, call.func());
  if (callee == nullptr) return;
  const Words parameters = context.types.members(*callee);
  const auto added = call.operands();
  if (parameters.size() != added.size() + 3) {
    wrong_callee(context, visit, report, call.func(), fmt::format("{} parameters", added.size() + 3));
    return;
  }
  if (!context.types.of(parameters[0]).is_int(32) || !context.types.of(parameters[1]).is_int(32) ||
      parameters[2] != result->element || callee->element != result->element) {
    wrong_callee(context, visit, report, call.func(),
                 "32-bit integers (row, column) and a component as first parameters, and a component as return type");
    return;
  }
  for (std::size_t i = 0; i < added.size(); ++i) {
    const TypeRow& type = context.type_of(added[i]);
    // The function is called once for each element. An added matrix passes its component at the same position, so its
    // shape must be that of the first matrix. All other operands are passed as they are.
    const bool has_shape = type.is_cooperative_matrix() && may_have_same_shape(context, type, *result);
    if (parameters[i + 3] == (type.is_cooperative_matrix() ? type.element : type.id) &&
        (has_shape || !type.is_cooperative_matrix())) {
      continue;
    }
    // A component of an added matrix has the type of the parameter only if that is the component type.
    const bool takes_matrix = parameters[i + 3] == result->element;
    type_errors.relation(added[i], fmt::format("additional operand {}", i + 1),
                         fmt::format("{}the type of parameter {} of the function",
                                     takes_matrix ? "a matrix of the type of 'Matrix' or " : "", i + 4),
                         parameters[i + 3]);
    report.note({context.module.definition(call.func()), 0}, "function declared here");
  }
}

// --- coordinates -----------------------------------------------------------------------------------------------------

void check_coordinate(const Context& context, const DecodedInstruction& visit, Report& report) {
  const TypeErrorReporter type_errors{context, visit, report};
  const auto query = visit.as<OpCooperativeMatrixGetCoordinateEXT>();
  const TypeRow &result = context.types.of(visit.type), &matrix = context.type_of(query.matrix());
  // The result is the row and the column of the element that the index selects for this invocation.
  const bool is_pair =
      result.is(TypeKind::Vector) && result.count == 2 && context.types.row(result.component).is_int(32);
  if (!is_pair) type_errors.result("a 2-component 32-bit integer vector");
  if (!is_khr_matrix(matrix)) type_errors.operand(query.matrix(), "the matrix", "a cooperative matrix");
  check_int32_operand(context, visit, report, query.index(), "the index");
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
