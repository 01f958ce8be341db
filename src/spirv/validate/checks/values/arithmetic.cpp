// SPDX-License-Identifier: Apache-2.0
//
// Arithmetic, bit and logical instructions (specification 3.42.13 to 3.42.15): what rows cannot say of them.
//
// The one idea: products of vectors and matrices are all "rows times columns", and so are those of cooperative matrices,
// whose sizes are constants. So a product is a few sizes and types that have to be equal, told by name.
#include <fmt/format.h>

#include "spirv/validate/checks/tensors/cooperative.h"
#include "spirv/validate/engine/checks.h"
#include "spirv/validate/engine/complaint.h"

namespace vireo::spirv {
namespace {

using enum Op;

// --- products of vectors and matrices -----------------------------------------------------------------------------------

/// What a product looks at: result and both operands, all of floats.
struct Product {
  const TypeRow* result;
  const TypeRow* left;
  const TypeRow* right;
  Shape result_shape, left_shape, right_shape;
};

bool is_matrix(const TypeRow& type) { return type.is(TypeKind::Matrix); }
bool is_float_vector(const Context& context, const TypeRow& type) {
  return type.is(TypeKind::Vector) && context.types.row(type.component).is(TypeKind::Float);
}

// Which of the three are matrices; the others are vectors.
// The four instructions differ in nothing else until sizes are compared.
struct ProductForm {
  bool result, left, right;
};

// Reads the three types and judges their classes; false when something is wrong or poisoned.
bool read_product(const Context& context, const Visit& visit, Report& report, ProductForm form, Product& product) {
  const Complaint complain{context, visit, report};
  product.result = context.types.find(visit.type);
  product.left = context.type_of(visit.word(3));
  product.right = context.type_of(visit.word(4));
  if (product.result == nullptr || product.left == nullptr || product.right == nullptr) return false;
  // First what each of the three is, then what they are made of; sizes are compared when both are right. A vector
  // counts as a matrix of one column, so it has rows.
  const auto fits = [&](const TypeRow& type, bool wants_matrix) {
    return wants_matrix ? is_matrix(type) : is_float_vector(context, type);
  };
  const auto text = [](bool wants_matrix) { return wants_matrix ? "a matrix" : "a float vector"; };
  if (!fits(*product.result, form.result)) {
    complain.result(text(form.result));
    return false;
  }
  if (!fits(*product.left, form.left)) {
    complain.operand(3, "the left operand", text(form.left));
    return false;
  }
  if (!fits(*product.right, form.right)) {
    complain.operand(4, "the right operand", text(form.right));
    return false;
  }
  // Types are declared once, so equal components have one id.
  for (const std::size_t word : {std::size_t{3}, std::size_t{4}}) {
    const TypeRow& operand = word == 3 ? *product.left : *product.right;
    if (context.types.row(operand.component).id == context.types.row(product.result->component).id) continue;
    complain.relation(word, word == 3 ? "the left operand" : "the right operand", "the component type of the result",
                      visit.type);
    return false;
  }
  // Rows and columns, in which a vector is a single column.
  product.result_shape = context.types.shape(*product.result);
  product.left_shape = context.types.shape(*product.left);
  product.right_shape = context.types.shape(*product.right);
  return true;
}

// Each size that is wrong is a finding of its own, at the operand that has it.
void check_size(const Complaint& complain, std::size_t word, std::string_view what, std::uint64_t found,
                std::uint64_t expected) {
  if (found == expected) return;
  complain.report.add(
      Rule::ProductSize, complain.visit.at(word),
      {op_text(complain.context, complain.visit.op()), what, std::to_string(found), std::to_string(expected)});
}

// The vector is a row here: its components meet the rows of the matrix, and the result has one for each column.
void check_vector_times_matrix(const Context& context, const Visit& visit, Report& report) {
  Product p;
  if (!read_product(context, visit, report, {false, false, true}, p)) return;
  const Complaint complain{context, visit, report};
  check_size(complain, 4, "columns of the matrix", p.right_shape.columns, p.result_shape.rows);
  check_size(complain, 4, "rows of the matrix", p.right_shape.rows, p.left_shape.rows);
}

void check_matrix_times_vector(const Context& context, const Visit& visit, Report& report) {
  Product p;
  if (!read_product(context, visit, report, {false, true, false}, p)) return;
  const Complaint complain{context, visit, report};
  check_size(complain, 3, "rows of the matrix", p.left_shape.rows, p.result_shape.rows);
  check_size(complain, 3, "columns of the matrix", p.left_shape.columns, p.right_shape.rows);
}

void check_matrix_times_matrix(const Context& context, const Visit& visit, Report& report) {
  Product p;
  if (!read_product(context, visit, report, {true, true, true}, p)) return;
  const Complaint complain{context, visit, report};
  check_size(complain, 3, "rows of the left matrix", p.left_shape.rows, p.result_shape.rows);
  check_size(complain, 4, "columns of the right matrix", p.right_shape.columns, p.result_shape.columns);
  check_size(complain, 3, "columns of the left matrix", p.left_shape.columns, p.right_shape.rows);
}

// A column times a row: each of the two gives one side of the matrix.
void check_outer_product(const Context& context, const Visit& visit, Report& report) {
  Product p;
  if (!read_product(context, visit, report, {true, false, false}, p)) return;
  const Complaint complain{context, visit, report};
  check_size(complain, 3, "components of the left vector", p.left_shape.rows, p.result_shape.rows);
  check_size(complain, 4, "components of the right vector", p.right_shape.rows, p.result_shape.columns);
}

// Types and sizes are the row's; what is left is that one format of floats has a capability for this operation alone.
void check_dot(const Context& context, const Visit& visit, Report& report) {
  const TypeRow *left = context.type_of(visit.word(3)), *right = context.type_of(visit.word(4));
  const TypeRow* result = context.types.find(visit.type);
  if (left == nullptr || right == nullptr || result == nullptr) return;
  if (result->contains.has_any(TypeTrait::BFloat16) && !context.has(Capability::BFloat16DotProductKHR)) {
    report.add(Rule::ScalarCapability, visit.at(1), {"a dot product of bfloat16", "BFloat16DotProductKHR"});
  }
}

// --- sums with a carry, products in two words ---------------------------------------------------------------------------

void check_extended(const Context& context, const Visit& visit, Report& report) {
  const Complaint complain{context, visit, report};
  const TypeRow* result = context.types.find(visit.type);
  if (result == nullptr) return;
  // 3.42.13: the low and the high part, or sum and carry, are the members of a structure. All but one instruction take
  // their integers as unsigned and say so by the type.
  const bool is_signed = visit.op() == OpSMulExtended;
  const Words members = context.types.members(*result);
  // Without members there is no first one: `of(0)` is a row of no kind, which the test below refuses.
  const TypeRow& member = members.empty() ? context.types.of(0) : context.types.of(members[0]);
  const TypeRow& scalar = context.types.row(member.component);
  const bool is_integer = (member.is_scalar() || member.is(TypeKind::Vector)) && scalar.is(TypeKind::Int) &&
                          (is_signed || !scalar.is_signed);
  if (!result->is(TypeKind::Struct) || members.size() != 2 || members[0] != members[1] || !is_integer) {
    complain.result(is_signed ? "a structure of two members of one integer type"
                              : "a structure of two members of one unsigned integer type");
    return;
  }
  for (std::size_t word = 3; word <= 4; ++word) {
    if (context.module.type_of(visit.word(word)) == members[0]) continue;
    complain.relation(word, word == 3 ? "operand 1" : "operand 2", "a member of the result", members[0]);
  }
}

// --- cooperative matrices -----------------------------------------------------------------------------------------------

// What is multiplied and added: operands from word 3 on.
struct Factor {
  std::string_view name;
  CooperativeMatrixUse use;  ///< where matrices have one
  std::string_view expected;
};
constexpr Factor factors[] = {
    {"matrix A", CooperativeMatrixUse::MatrixAKHR, "a cooperative matrix of the use MatrixAKHR"},
    {"matrix B", CooperativeMatrixUse::MatrixBKHR, "a cooperative matrix of the use MatrixBKHR"},
    {"matrix C", CooperativeMatrixUse::MatrixAccumulatorKHR, "a cooperative matrix of the use MatrixAccumulatorKHR"},
};

void check_multiply_add(const Context& context, const Visit& visit, Report& report) {
  const Complaint complain{context, visit, report};
  // Matrices of the two extensions do not mix, so one kind holds for all four.
  const TypeKind kind =
      visit.op() == OpCooperativeMatrixMulAddKHR ? TypeKind::CooperativeMatrix : TypeKind::CooperativeMatrixNV;
  const TypeRow* result = context.types.find(visit.type);
  if (result == nullptr) return;
  if (!result->is(kind)) {
    complain.result("a cooperative matrix");
    return;
  }
  // D = A × B + C. What types the components may have is up to the device, which tells it through the API; the shapes
  // are the same for all.
  const CooperativeShape d = cooperative_shape(context, *result);
  // Of a use that specialization decides nothing is told; matrices of NV have none.
  const auto is_of = [&](const CooperativeShape& shape, CooperativeMatrixUse use) {
    const auto value = context.constants.as_u64(shape.use);
    return kind == TypeKind::CooperativeMatrixNV || !value || *value == static_cast<std::uint64_t>(use);
  };
  if (!is_of(d, CooperativeMatrixUse::MatrixAccumulatorKHR)) {
    complain.result("a cooperative matrix of the use MatrixAccumulatorKHR");
    return;
  }
  CooperativeShape operands[3];
  for (std::size_t i = 0; i < 3; ++i) {
    const TypeRow* type = context.type_of(visit.word(i + 3));
    if (type == nullptr) return;
    if (!type->is(kind)) {
      complain.operand(i + 3, factors[i].name, "a cooperative matrix");
      return;
    }
    // All four are shared by the same invocations. A matrix of another scope ends the check: its sizes mean something
    // else.
    operands[i] = cooperative_shape(context, *type);
    if (!is_of(operands[i], factors[i].use)) {
      complain.operand(i + 3, factors[i].name, factors[i].expected);
      return;
    }
    if (!may_be_equal(context, operands[i].scope, d.scope)) {
      complain.relation(i + 3, factors[i].name, "the scope of the result", visit.type);
      return;
    }
  }
  const auto& [a, b, c] = operands;
  // A is M by K, B is K by N, C and D are M by N. Each size that is wrong is told.
  if (!may_be_equal(context, a.rows, d.rows))
    complain.relation(3, factors[0].name, "the rows of the result", visit.type);
  if (!may_be_equal(context, b.columns, d.columns))
    complain.relation(4, factors[1].name, "the columns of the result", visit.type);
  if (!may_be_equal(context, c.rows, d.rows) || !may_be_equal(context, c.columns, d.columns)) {
    complain.relation(5, factors[2].name, "the rows and columns of the result", visit.type);
  }
  if (!may_be_equal(context, a.columns, b.rows)) {
    complain.relation(4, factors[1].name, "the columns of matrix A, in its rows",
                      context.module.type_of(visit.word(3)));
  }
}

// --- choices ------------------------------------------------------------------------------------------------------------

void check_select(const Context& context, const Visit& visit, Report& report) {
  const Complaint complain{context, visit, report};
  const TypeRow *result = context.types.find(visit.type), *condition = context.type_of(visit.word(3));
  if (result == nullptr || condition == nullptr) return;
  // Three ways to be chosen: by a capability where the value is a name (pointers, handles), as a composite since 1.4,
  // and simply.
  const bool takes_composites = context.version() >= Version{1, 4};
  const bool is_handle =
      result->is(TypeKind::Image) || result->is(TypeKind::Sampler) || result->is(TypeKind::SampledImage);
  const bool is_simple = result->is_scalar() || result->is_vector();
  if (result->is_pointer()) {
    if (context.preamble.addressing_model() == AddressingModel::Logical &&
        !context.has(Capability::VariablePointersStorageBuffer)) {
      report.add(Rule::SelectCapability, visit.at(1),
                 {"a pointer", "VariablePointers or VariablePointersStorageBuffer"});
      return;
    }
  } else if (is_handle) {
    if (!context.has(Capability::BindlessTextureNV)) {
      report.add(Rule::SelectCapability, visit.at(1), {"an image or sampler", "BindlessTextureNV"});
      return;
    }
  } else if (!is_simple && !(takes_composites && result->is_composite() && !result->is(TypeKind::RuntimeArray))) {
    complain.result(takes_composites ? "a scalar, a pointer or a composite" : "a scalar, a vector or a pointer");
    return;
  }
  const TypeRow& scalar = context.types.row(condition->component);
  if (!scalar.is(TypeKind::Bool) || !(condition->is_scalar() || condition->is_vector())) {
    complain.operand(3, "the condition", "a boolean scalar or vector");
    return;
  }
  // One condition for the whole result takes a newer version, unless the result is one value.
  const bool is_one_for_all = condition->is(TypeKind::Bool) && (takes_composites || !result->is_vector());
  if (!is_one_for_all &&
      (!result->is_vector() || context.types.shape(*result).rows != context.types.shape(*condition).rows)) {
    complain.relation(3, "the condition", "the components of the result", visit.type);
  }
  // Both objects are judged, whatever the condition is worth.
  for (std::size_t word = 4; word <= 5; ++word) {
    if (context.module.type_of(visit.word(word)) == visit.type) continue;
    complain.relation(word, word == 4 ? "object 1" : "object 2", "the result type", visit.type);
  }
}

// --- bits ---------------------------------------------------------------------------------------------------------------

// Vulkan works on bits of 32-bit integers alone, unless a device can do more.
// The base is the first operand of each of these, and has the type of the result or as many components.
void check_bit_base(const Context& context, const Visit& visit, Report& report) {
  if (!context.is_vulkan()) return;
  const TypeRow* base = context.type_of(visit.word(3));
  if (base == nullptr || !context.types.row(base->component).is(TypeKind::Int)) return;
  if (context.types.row(base->component).width != 32) {
    report.add(Rule::VulkanBitWidth, visit.at(3), {op_text(context, visit.op()), type_text(context, base->id)});
  }
}

}  // namespace

std::span<const Check> arithmetic_checks() {
  static constexpr Check checks[] = {
      {{OpVectorTimesMatrix}, check_vector_times_matrix},
      {{OpMatrixTimesVector}, check_matrix_times_vector},
      {{OpMatrixTimesMatrix}, check_matrix_times_matrix},
      {{OpOuterProduct}, check_outer_product},
      {{OpDot}, check_dot},
      {{OpIAddCarry, OpISubBorrow, OpUMulExtended, OpSMulExtended}, check_extended},
      {{OpCooperativeMatrixMulAddKHR, OpCooperativeMatrixMulAddNV}, check_multiply_add},
      {{OpSelect}, check_select},
      {{OpBitFieldInsert, OpBitFieldSExtract, OpBitFieldUExtract, OpBitReverse, OpBitCount}, check_bit_base},
  };
  return checks;
}

}  // namespace vireo::spirv
