// SPDX-License-Identifier: Apache-2.0
//
// Arithmetic, bit and logical instructions (specification 3.42.13 to 3.42.15): requirements that typing rows cannot
// state.
//
// All products of vectors and matrices are "rows times columns", including those of cooperative matrices,
// whose sizes are constants. So a product needs a few equal sizes and types, and each mismatch is reported by name.
#include <fmt/format.h>

#include "spirv/validate/analysis/fixes.h"
#include "spirv/validate/analysis/tensor_parts.h"
#include "spirv/validate/analysis/type_parts.h"
#include "spirv/validate/checks/checks.h"
#include "spirv/validate/checks/tensors/cooperative.h"
#include "spirv/validate/tables/typing.h"
#include "support/counted.h"
#include "vireo/spirv/binary/views/arithmetic.h"
#include "vireo/spirv/binary/views/relational_and_logical.h"

namespace vireo::spirv {
namespace {

using enum Op;

// --- products of vectors and matrices --------------------------------------------------------------------------------

/// The operands of a product, and the shapes of result and operands. All have float components.
struct Product {
  AnyOperand left, right;
  Shape result_shape{}, left_shape{}, right_shape{};
};

bool is_matrix(const TypeRow& type) { return type.is(TypeKind::Matrix); }
bool is_float_vector(const TypeRow& type) { return type.is(TypeKind::Vector) && type.component().is(TypeKind::Float); }

// States whether result and operands are matrices or vectors. This is the only difference between the four instructions
// before sizes are compared.
struct ProductForm {
  bool result, left, right;
};

// Checks the classes of the three types and reads their shapes. Returns false after a finding, or if a type is unknown.
bool read_product(const InstructionCheck& c, ProductForm form, Product& product) {
  const TypeRow& result = c.types.of(c.type);
  const TypeRow &left = c.type_of(product.left), &right = c.type_of(product.right);
  // Checks the kind of all three types, then their components. Sizes are compared later. A vector counts as a matrix of
  // one column.
  const auto fits = [&](const TypeRow& type, bool wants_matrix) {
    return wants_matrix ? is_matrix(type) : is_float_vector(type);
  };
  const auto text = [](bool wants_matrix) { return wants_matrix ? "a matrix" : "a float vector"; };
  if (!fits(result, form.result)) {
    c.wrong_result(text(form.result));
    return false;
  }
  if (!fits(left, form.left)) {
    c.wrong_operand(product.left, "the left operand", text(form.left));
    return false;
  }
  if (!fits(right, form.right)) {
    c.wrong_operand(product.right, "the right operand", text(form.right));
    return false;
  }
  // Scalar types are declared once, so equal components have equal ids.
  const auto has_component = [&](AnyOperand operand, const TypeRow& type, std::string_view name) {
    if (type.component().id == result.component().id) return true;
    c.mismatch(operand, name, "the same component type as the result", c.type);
    return false;
  };
  if (!has_component(product.left, left, "the left operand") ||
      !has_component(product.right, right, "the right operand")) {
    return false;
  }
  // A vector has one column.
  product.result_shape = c.types.shape(result);
  product.left_shape = c.types.shape(left);
  product.right_shape = c.types.shape(right);
  return true;
}

// A size of a result or operand, with its name for messages: the columns of "the matrix".
struct Size {
  std::string_view owner;
  std::string_view unit;  ///< "column", "row", "component"
  std::uint64_t count;
};

// Reports each wrong size separately, at the operand that has it.
void check_size(const InstructionCheck& c, AnyOperand operand, const Size& found, const Size& expected) {
  if (found.count == expected.count) return;
  c.report(
      Rule::ProductSize, c.at(operand),
      {c.op(), found.owner, counted(found.count, found.unit), expected.owner, counted(expected.count, expected.unit)});
}

// The vector is a row: its length is the number of rows of the matrix. The result has one component for each column.
void check_vector_times_matrix(const InstructionCheck& c) {
  const auto product = c.as<OpVectorTimesMatrix>();
  Product p{product.vector(), product.matrix()};
  if (!read_product(c, {false, false, true}, p)) return;
  check_size(c, p.right, {"the matrix", "column", p.right_shape.columns},
             {"the result", "component", p.result_shape.rows});
  check_size(c, p.right, {"the matrix", "row", p.right_shape.rows}, {"the vector", "component", p.left_shape.rows});
}

void check_matrix_times_vector(const InstructionCheck& c) {
  const auto product = c.as<OpMatrixTimesVector>();
  Product p{product.matrix(), product.vector()};
  if (!read_product(c, {false, true, false}, p)) return;
  check_size(c, p.left, {"the matrix", "row", p.left_shape.rows}, {"the result", "component", p.result_shape.rows});
  check_size(c, p.left, {"the matrix", "column", p.left_shape.columns},
             {"the vector", "component", p.right_shape.rows});
}

void check_matrix_times_matrix(const InstructionCheck& c) {
  const auto product = c.as<OpMatrixTimesMatrix>();
  Product p{product.left_matrix(), product.right_matrix()};
  if (!read_product(c, {true, true, true}, p)) return;
  check_size(c, p.left, {"the left matrix", "row", p.left_shape.rows}, {"the result", "row", p.result_shape.rows});
  check_size(c, p.right, {"the right matrix", "column", p.right_shape.columns},
             {"the result", "column", p.result_shape.columns});
  check_size(c, p.left, {"the left matrix", "column", p.left_shape.columns},
             {"the right matrix", "row", p.right_shape.rows});
}

// The product of a column and a row: their lengths are the rows and the columns of the matrix.
void check_outer_product(const InstructionCheck& c) {
  const auto product = c.as<OpOuterProduct>();
  Product p{product.vector_1(), product.vector_2()};
  if (!read_product(c, {true, false, false}, p)) return;
  check_size(c, p.left, {"vector 1", "component", p.left_shape.rows}, {"the result", "row", p.result_shape.rows});
  check_size(c, p.right, {"vector 2", "component", p.right_shape.rows},
             {"the result", "column", p.result_shape.columns});
}

// The typing row checks types and sizes. OpDot needs an additional capability for bfloat16.
void check_dot(const InstructionCheck& c) {
  const TypeRow& result = c.types.of(c.type);
  if (result.contains.has_any(TypeTrait::BFloat16) && !c.has(Capability::BFloat16DotProductKHR)) {
    c.report(Rule::ScalarCapability, c.at_type(), {"a dot product of bfloat16", "BFloat16DotProductKHR"});
    hint_capability(c, Capability::BFloat16DotProductKHR);
  }
}

// --- carry and extended multiplication -------------------------------------------------------------------------------

void check_extended(const InstructionCheck& c) {
  const TypeRow& result = c.types.of(c.type);
  // 3.42.13: the result is a structure of low and high part, or of sum and carry. All instructions except
  // OpSMulExtended require unsigned integer types.
  const bool is_signed = c.op() == OpSMulExtended;
  const Words members = c.types.members(result);
  // If there are no members, `of(0)` is a row of no kind, which the test below rejects.
  const TypeRow& member = members.empty() ? c.types.of(0) : c.types.of(members[0]);
  const TypeRow& scalar = member.component();
  const bool is_integer = (member.is_scalar() || is_vector_of_any_count(c, member)) && scalar.is(TypeKind::Int) &&
                          (is_signed || !scalar.is_signed);
  if (!result.is(TypeKind::Struct) || members.size() != 2 || members[0] != members[1] || !is_integer) {
    c.wrong_result(is_signed ? "a structure of two members of the same type, an integer scalar or vector"
                             : "a structure of two members of the same type, an unsigned integer scalar or vector");
    return;
  }
  const auto check_operand = [&](AnyOperand operand, std::string_view name) {
    if (c.module.type_of(operand) == members[0]) return;
    c.mismatch(operand, name, "the type of the result's members", members[0]);
  };
  check_operand(c.operand(OperandName::operand_1), "operand 1");
  check_operand(c.operand(OperandName::operand_2), "operand 2");
}

// --- cooperative matrices --------------------------------------------------------------------------------------------

// An operand of the multiply-add.
struct Factor {
  OperandName operand;
  std::string_view name;
  CooperativeMatrixUse use;  ///< for KHR matrices
  std::string_view expected;
};
constexpr Factor factors[] = {
    {OperandName::a, "matrix A", CooperativeMatrixUse::MatrixAKHR, "a cooperative matrix with use MatrixAKHR"},
    {OperandName::b, "matrix B", CooperativeMatrixUse::MatrixBKHR, "a cooperative matrix with use MatrixBKHR"},
    {OperandName::c, "matrix C", CooperativeMatrixUse::MatrixAccumulatorKHR,
     "a cooperative matrix with use MatrixAccumulatorKHR"},
};

// Components of floats have their own sign, so only the components of integer matrices are treated as signed. One
// instruction has at most one finding: its flags usually have the same cause.
void check_signed_components(const InstructionCheck& c, std::span<const AnyOperand> operands) {
  const auto mask = c.as<OpCooperativeMatrixMulAddKHR>().cooperative_matrix_operands();
  if (!mask) return;
  using enum CooperativeMatrixOperands;
  // The flags of A, B and C, in the order of the operands, then that of the result.
  constexpr CooperativeMatrixOperands flags[] = {MatrixASignedComponentsKHR, MatrixBSignedComponentsKHR,
                                                 MatrixCSignedComponentsKHR, MatrixResultSignedComponentsKHR};
  for (std::size_t i = 0; i < std::size(flags); ++i) {
    const bool is_result = i == operands.size();
    const TypeRow& type = is_result ? c.types.of(c.type) : c.type_of(operands[i]);
    if ((mask->value & flags[i]) == NoneKHR || type.component().is(TypeKind::Int)) continue;
    c.report(Rule::SignedComponents, c.at(*mask),
             {enumerant_text(c, "CooperativeMatrixOperands", static_cast<Word>(flags[i])), c.op(),
              is_result ? "the result" : factors[i].name, type.id});
    return;
  }
}

void check_multiply_add(const InstructionCheck& c) {
  // Matrices of the two extensions cannot be mixed, so all four have one kind.
  const TypeKind kind =
      c.op() == OpCooperativeMatrixMulAddKHR ? TypeKind::CooperativeMatrix : TypeKind::CooperativeMatrixNV;
  const TypeRow& result = c.types.of(c.type);
  if (!result.is(kind)) {
    c.wrong_result("a cooperative matrix");
    return;
  }
  // D = A × B + C. The supported component types depend on the device; the shapes do not.
  const CooperativeShape d = cooperative_shape(c, result);
  // An unknown use is accepted; NV matrices have none.
  const auto is_of = [&](const CooperativeShape& shape, CooperativeMatrixUse use) {
    const auto value = c.constants.as_u64(shape.use);
    return kind == TypeKind::CooperativeMatrixNV || !value || *value == static_cast<std::uint64_t>(use);
  };
  if (!is_of(d, CooperativeMatrixUse::MatrixAccumulatorKHR)) {
    c.wrong_result("a cooperative matrix with use MatrixAccumulatorKHR");
    return;
  }
  AnyOperand operands[3];
  CooperativeShape shapes[3];
  for (std::size_t i = 0; i < 3; ++i) {
    const AnyOperand operand = operands[i] = c.operand(factors[i].operand);
    const TypeRow& type = c.type_of(operand);
    if (!type.is(kind)) {
      c.wrong_operand(operand, factors[i].name, "a cooperative matrix");
      return;
    }
    // All four matrices must have the same scope. A different scope ends the check, because sizes depend on the scope.
    shapes[i] = cooperative_shape(c, type);
    if (!is_of(shapes[i], factors[i].use)) {
      c.wrong_operand(operand, factors[i].name, factors[i].expected);
      return;
    }
    if (!may_be_equal(c, shapes[i].scope, d.scope)) {
      c.mismatch(operand, factors[i].name, "the same scope as the result", c.type);
      return;
    }
  }
  const auto& [a, b, added] = shapes;
  // A is M by K, B is K by N, C and D are M by N. Each wrong size is reported.
  if (!may_be_equal(c, a.rows, d.rows)) c.mismatch(operands[0], factors[0].name, "as many rows as the result", c.type);
  if (!may_be_equal(c, b.columns, d.columns))
    c.mismatch(operands[1], factors[1].name, "as many columns as the result", c.type);
  if (!may_be_equal(c, added.rows, d.rows) || !may_be_equal(c, added.columns, d.columns)) {
    c.mismatch(operands[2], factors[2].name, "as many rows and columns as the result", c.type);
  }
  if (!may_be_equal(c, a.columns, b.rows)) {
    c.mismatch(operands[1], factors[1].name, "as many rows as matrix A has columns", c.module.type_of(operands[0]));
  }
  if (kind == TypeKind::CooperativeMatrix) check_signed_components(c, operands);
}

// --- OpSelect --------------------------------------------------------------------------------------------------------

void check_select(const InstructionCheck& c) {
  const auto select = c.as<OpSelect>();
  const TypeRow &result = c.types.of(c.type), &condition = c.type_of(select.condition());
  // Pointers and handles need a capability; composites need 1.4; scalars and vectors are always allowed.
  const bool takes_composites = c.version() >= Version{1, 4};
  const bool is_handle =
      result.is(TypeKind::Image) || result.is(TypeKind::Sampler) || result.is(TypeKind::SampledImage);
  const bool is_simple = result.is_scalar() || result.is_vector();
  if (result.is_pointer()) {
    if (c.module_declarations.addressing_model() == AddressingModel::Logical &&
        !c.has(Capability::VariablePointersStorageBuffer)) {
      c.report(Rule::SelectCapability, c.at_type(), {"a pointer", "VariablePointers or VariablePointersStorageBuffer"});
      return;
    }
  } else if (is_handle) {
    if (!c.has(Capability::BindlessTextureNV)) {
      c.report(Rule::SelectCapability, c.at_type(), {"an image or sampler", "BindlessTextureNV"});
      hint_capability(c, Capability::BindlessTextureNV);
      return;
    }
  } else if (!is_simple && !(takes_composites && (result.is_composite() || is_shaped_tensor(c, result)) &&
                             !result.is(TypeKind::RuntimeArray))) {
    c.wrong_result(takes_composites ? "a scalar, a pointer or a composite" : "a scalar, a vector or a pointer");
    return;
  }
  const TypeRow& scalar = condition.component();
  if (!scalar.is(TypeKind::Bool) || !(condition.is_scalar() || condition.is_vector())) {
    c.wrong_operand(select.condition(), "the condition", "a boolean scalar or vector");
    return;
  }
  // A scalar condition for a vector or composite result needs 1.4.
  const bool is_one_for_all = condition.is(TypeKind::Bool) && (takes_composites || !result.is_vector());
  if (!is_one_for_all && !(result.is_vector() && have_same_count(c, result, condition))) {
    c.mismatch(select.condition(), "the condition", "as many components as the result", c.type);
  }
  // The objects and the condition are independent, so each of the three may be reported.
  const auto check_object = [&](AnyOperand object, std::string_view name) {
    if (c.module.type_of(object) == c.type) return;
    c.mismatch(object, name, "the result type", c.type);
  };
  check_object(select.object_1(), "object 1");
  check_object(select.object_2(), "object 2");
}

// --- bits ------------------------------------------------------------------------------------------------------------

// Vulkan allows these instructions only for 32-bit integers. The base is their first operand and has as many components
// as the result.
void check_bit_base(const InstructionCheck& c) {
  if (!c.is_vulkan()) return;
  const AnyOperand operand = c.operand(OperandName::base);
  const TypeRow& base = c.type_of(operand);
  if (!base.component().is(TypeKind::Int)) return;
  if (base.component().width != 32) {
    c.report(Rule::VulkanBitWidth, c.at(operand), {c.op(), base.id});
    c.hint("legal with the feature maintenance9 (--allow-vulkan-32-bit-bitwise)");
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
