// SPDX-License-Identifier: Apache-2.0
//
// Tensors: types, constants, reads and writes (SPV_ARM_tensors); and the layouts and views for loading matrices from
// memory as tensors (SPV_NV_tensor_addressing).
//
// A tensor type may omit its rank and its shape, and instructions that need them reject such types. Both
// are ids of constants, so values that specialization may make equal are accepted.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>

#include "spirv/validate/analysis/tensor_parts.h"
#include "spirv/validate/analysis/type_parts.h"
#include "spirv/validate/checks/checks.h"
#include "spirv/validate/checks/tensors/cooperative.h"
#include "spirv/validate/core/by_opcode.h"
#include "support/counted.h"
#include "vireo/spirv/binary/views/composite.h"
#include "vireo/spirv/binary/views/constant_creation.h"
#include "vireo/spirv/binary/views/reserved.h"
#include "vireo/spirv/binary/views/tensor.h"
#include "vireo/spirv/binary/views/type_declaration.h"

namespace vireo::spirv {
namespace {

using enum Op;

// --- types -----------------------------------------------------------------------------------------------------------

void check_rank(const InstructionCheck& c, AnyOperand rank) {
  const TypeRow& type = c.type_of(rank);
  if (type.id == 0 && c.types.find(rank) == nullptr) return;  // an undefined id has its own finding
  const bool is_number = c.is_constant(rank) && type.is(TypeKind::Int);
  // If specialization determines the number, it is unknown.
  // The rank is read as unsigned, so a negative number is a large rank.
  if (is_number && c.constants.as_i64(rank).value_or(1) != 0) return;
  c.report(Rule::TensorRank, c.at(rank), {rank});
}

// The length of a shape must equal the rank, if both are known. Dimensions must not be 0.
void check_shape(const InstructionCheck& c, Word rank, AnyOperand shape) {
  const TypeRow& type = c.type_of(shape);
  // Reports at most one finding for a shape: not a constant, not an array of the right length, or a size of 0.
  const auto refuse = [&](std::string_view found, std::string_view expected) {
    c.report(Rule::TensorShape, c.at(shape), {shape, found, expected});
  };
  if (!c.is_constant(shape)) { return refuse("the result of " + op_text(c, c.op_of(shape)), "a constant"); }
  const bool is_array = type.is(TypeKind::Array) && type.element_type().is(TypeKind::Int);
  if (!is_array || !may_be_equal(c, type.length, rank)) {
    return refuse("a value of type " + type_name(c, type.id),
                  "an array with one integer for each dimension of the rank");
  }
  // A dimension that specialization determines may have any size.
  const ConstantRow& constant = c.constants.of(shape);
  const auto parts = c.constants.parts(constant);
  const bool has_zero =
      constant.kind == ConstantKind::Null || std::any_of(parts.begin(), parts.end(), [&](ConstantIndex i) {
        const ConstantRow& part = c.constants.row(i);
        return part.status == ConstantStatus::Known && part.bits == 0 && !part.has_parts();
      });
  if (has_zero) refuse("a shape with a size of 0", "sizes of 1 or more");
}

// Element type, rank and shape are independent, so each may be reported. A tensor without a rank cannot be read or
// written.
void check_tensor_type(const InstructionCheck& c) {
  const auto tensor = c.as<OpTypeTensorARM>();
  if (!c.types.of(tensor.element_type()).is_scalar()) {
    c.wrong_part(tensor.element_type(), "the element type", "a scalar type");
  }
  const auto rank = tensor.rank();
  if (rank) check_rank(c, *rank);
  if (const auto shape = tensor.shape()) check_shape(c, *rank, *shape);
}

// --- parts -----------------------------------------------------------------------------------------------------------

// Checks the value that fills all elements of a tensor. It is an element, whatever the rank.
void check_replicated(const InstructionCheck& c, const TypeRow& tensor) {
  const auto value = c.as<OpCompositeConstructReplicateEXT>().value();
  const TypeRow& type = c.type_of(value);
  if (type.id == tensor.element) return;
  c.report(Rule::TensorConstituents, c.at(value),
           {fmt::format("value {} has type {}", id_text(c, value), type_name(c, type.id)),
            "the element type of the tensor"});
}

// Tensors are nested by rank: the constituents are elements if the rank is 1, and tensors otherwise.
void check_parts(const InstructionCheck& c) {
  const TypeRow& type = c.types.of(c.type);
  if (!type.is(TypeKind::Tensor)) return;
  const TensorShape tensor = tensor_shape_of(c, type);
  // Without a shape, the constituents of a constant are unknown.
  if (tensor.shape == 0) {
    c.report(Rule::TensorConstituents, c.at_type(),
             {"the result type is a tensor without a shape", "a tensor type with a shape"});
    return;
  }
  if (c.op() == OpConstantNull) return;
  const bool has_parts = is_one_of({OpConstantComposite, OpSpecConstantComposite, OpCompositeConstruct}, c.op());
  if (!has_parts) return check_replicated(c, type);
  const auto constituents = c.as<OpConstantComposite>().constituents();
  const std::size_t all = constituents.size() + continued_constituents(c, c.index);
  if (const auto size = tensor_size(c, tensor, 0); size && *size != all) {
    c.report(Rule::TensorConstituents, c.at(),
             {fmt::format("{} has {}", op_text(c, c.op()), counted(all, "constituent")),
              fmt::format("{}, the size of the first dimension", *size)});
    return;
  }
  const std::optional<std::uint64_t> rank = c.constants.as_u64(tensor.rank);
  if (!rank) return;
  // Adjacent constituents of one type are compared, and reported, once.
  const TypeRow* last = nullptr;
  for (const AnyOperand constituent : constituents) {
    const TypeRow& part = c.type_of(constituent);
    if (&part == last) continue;
    last = &part;
    const bool is_fine = *rank == 1 ? part.id == type.element : may_be_slice(c, part, type, 1);
    if (is_fine) continue;
    c.report(Rule::TensorConstituents, c.at(constituent),
             {fmt::format("constituent {} has type {}", id_text(c, constituent), type_name(c, part.id)),
              *rank == 1 ? "the element type of the tensor"
                         : "a tensor with the same element type, a rank that is lower by one, and the same shape "
                           "without the first dimension"});
  }
}

// --- reads and writes ------------------------------------------------------------------------------------------------

// The checks that reads, writes and queries share.
class TensorAccess {
 public:
  explicit TensorAccess(const InstructionCheck& c) : c_(c) {}

  /// Returns the tensor's type. If the value is not a tensor or its type omits the rank, reports a finding and returns
  /// nullptr.
  const TypeRow* check_tensor(AnyOperand tensor) {
    const TypeRow& type = c_.type_of(tensor);
    if (type.is(TypeKind::Tensor) && tensor_shape_of(c_, type).rank != 0) return &type;
    c_.wrong_operand(tensor, "the tensor", "a tensor with a rank");
    return nullptr;
  }

  void check_coordinates(AnyOperand coordinates, const TypeRow& tensor) {
    const TypeRow& type = c_.type_of(coordinates);
    // Lengths and ranks are ids and are compared by value; unknown values may agree.
    const Word rank = tensor_shape_of(c_, tensor).rank;
    const bool is_array = type.is(TypeKind::Array) && type.element_type().is(TypeKind::Int);
    if (is_array && may_be_equal(c_, type.length, rank)) return;
    c_.wrong_operand(coordinates, "the coordinates", "an array with one integer for each dimension of the tensor");
  }

  /// Whether a type is a scalar or an array of scalars.
  static bool is_data(const TypeRow& type) {
    return type.is_scalar() || (type.is(TypeKind::Array) && type.element_type().is_scalar());
  }
  static Word element_of(const TypeRow& type) { return type.is(TypeKind::Array) ? type.element : type.id; }

  /// Reports bits of the mask that the instruction does not allow, and bits that require another bit.
  void check_mask(TensorOperandsView mask, TensorOperands forbidden, std::string_view place) {
    // Reports one finding for each bit, the lowest first.
    for (Word rest = static_cast<Word>(mask.value() & forbidden); rest != 0; rest &= rest - 1) {
      c_.report(Rule::UnsupportedTensorOperand, c_.at(mask), {name(rest & (~rest + 1)), c_.op(), place});
    }
    // Availability and visibility operands require NonPrivateElementARM. A bit that is reported above is not reported
    // again.
    constexpr TensorOperands shared = TensorOperands::MakeElementAvailableARM | TensorOperands::MakeElementVisibleARM;
    if (!mask.has(shared) || mask.has(forbidden & shared)) return;
    if (mask.has(TensorOperands::NonPrivateElementARM)) return;
    c_.report(Rule::TensorNonPrivate, c_.at(mask), {name(static_cast<Word>(mask.value() & shared))});
  }

 private:
  [[nodiscard]] std::string name(Word operand) const { return enumerant_text(c_, "TensorOperands", operand); }

  const InstructionCheck& c_;
};

// If the result is an array, the instruction reads consecutive elements along the last dimension.
void check_read(const InstructionCheck& c) {
  const auto read = c.as<OpTensorReadARM>();
  TensorAccess access(c);
  const TypeRow* tensor = access.check_tensor(read.tensor());
  const TypeRow& result = c.types.of(c.type);
  if (!TensorAccess::is_data(result)) {
    c.wrong_result("a scalar or an array of scalars");
  } else if (tensor != nullptr && TensorAccess::element_of(result) != tensor->element) {
    c.result_mismatch("the element type of the tensor", tensor->element);
  }
  if (tensor != nullptr) access.check_coordinates(read.coordinates(), *tensor);
  const auto mask = read.tensor_operands();
  access.check_mask(mask, TensorOperands::MakeElementAvailableARM, "OpTensorWriteARM");
  const auto value = mask.OutOfBoundsValueARM();
  if (tensor == nullptr || !value) return;
  const TypeRow& type = c.type_of(*value);
  if (type.id != tensor->element) {
    c.mismatch(*value, "OutOfBoundsValueARM", "the element type of the tensor", tensor->element);
  } else if (!c.is_constant(*value)) {
    c.not_constant(*value, "OutOfBoundsValueARM");
  }
}

// Writes out of bounds have no effect, so OutOfBoundsValueARM is not allowed.
void check_write(const InstructionCheck& c) {
  const auto write = c.as<OpTensorWriteARM>();
  TensorAccess access(c);
  const TypeRow* tensor = access.check_tensor(write.tensor());
  const TypeRow& object = c.type_of(write.object());
  if (!TensorAccess::is_data(object)) {
    c.wrong_operand(write.object(), "the object", "a scalar or an array of scalars");
  } else if (tensor != nullptr && TensorAccess::element_of(object) != tensor->element) {
    c.mismatch(write.object(), "the object", "the element type of the tensor", tensor->element);
  }
  if (tensor != nullptr) access.check_coordinates(write.coordinates(), *tensor);
  access.check_mask(write.tensor_operands(),
                    TensorOperands::OutOfBoundsValueARM | TensorOperands::MakeElementVisibleARM, "OpTensorReadARM");
}

// The dimension must be a constant, because it must be known at compile time.
void check_tensor_query(const InstructionCheck& c) {
  const auto query = c.as<OpTensorQuerySizeARM>();
  TensorAccess access(c);
  const TypeRow* tensor = access.check_tensor(query.tensor());
  const TypeRow& result = c.types.of(c.type);
  if (!result.is(TypeKind::Int)) c.wrong_result("an integer scalar");
  const auto dimension = query.dimension();
  const TypeRow& type = c.type_of(dimension);
  if (!type.is(TypeKind::Int)) return c.wrong_operand(dimension, "the dimension", "an integer scalar");
  if (!c.is_constant(dimension)) return c.not_constant(dimension, "the dimension");
  if (tensor == nullptr) return;
  // Dimensions count from 0. The check is skipped if the rank or the dimension is unknown.
  const auto rank = c.constants.as_u64(tensor_shape_of(c, *tensor).rank);
  if (!rank) return;
  const auto wrong = [&](const std::string& value) {
    c.report(Rule::TensorDimension, c.at(dimension), {value, *rank});
  };
  if (const auto value = c.constants.as_u64(dimension)) {
    if (*value >= *rank) wrong(std::to_string(*value));
  } else if (const auto negative = c.constants.as_i64(dimension)) {
    wrong(std::to_string(*negative));
  }
}

// --- layouts and views -----------------------------------------------------------------------------------------------

// A range of numbers, both ends included.
struct NumberRange {
  std::int64_t least, most;
};

// Checks that an operand is a constant 32-bit integer in a range. If it is a specialization constant, its default value
// is checked. `name` is the operand's name in messages: "the number of dimensions".
bool check_number(const InstructionCheck& c, AnyOperand operand, std::string_view name, NumberRange range) {
  const TypeRow& type = c.type_of(operand);
  const auto refuse = [&](std::string_view found) {
    c.report(Rule::TensorAddressing, c.at(operand),
             {name, c.op(), found, fmt::format("a 32-bit integer constant from {} to {}", range.least, range.most)});
    return false;
  };
  if (c.module.type_of(operand) == 0) return refuse("the result of " + op_text(c, c.op_of(operand)));
  if (!type.is_int(32)) return refuse("a value of type " + type_name(c, type.id));
  if (!c.is_constant(operand)) return refuse("the result of " + op_text(c, c.op_of(operand)));
  const auto value = c.constants.as_i64(operand, ValueUse::OrDefault);
  // If there is no default value, as in an operation that is not evaluated, the value is unknown.
  return !value || (*value >= range.least && *value <= range.most) ? true : refuse(std::to_string(*value));
}

// The maximum of the extension. With this maximum, a set of dimensions fits in one word.
constexpr std::int64_t most_dimensions = 5;

void check_layout_type(const InstructionCheck& c) {
  constexpr std::int64_t last_mode = static_cast<std::int64_t>(TensorClampMode::RepeatMirrored);
  const auto layout = c.as<OpTypeTensorLayoutNV>();
  check_number(c, layout.dim(), "the number of dimensions", {1, most_dimensions});
  check_number(c, layout.clamp_mode(), "the clamp mode", {0, last_mode});
}

// A view reorders the dimensions of a tensor by a permutation, which contains each dimension once.
void check_view_type(const InstructionCheck& c) {
  const auto view = c.as<OpTypeTensorViewNV>();
  // The list is checked only if the number of dimensions is valid.
  bool is_fine = check_number(c, view.dim(), "the number of dimensions", {1, most_dimensions});
  const auto has_dimensions = view.has_dimensions();
  const TypeRow& type = c.type_of(has_dimensions);
  if ((!type.is(TypeKind::Bool) || !c.is_constant(has_dimensions))) {
    c.report(Rule::TensorAddressing, c.at(has_dimensions),
             {"operand 'HasDimensions'", "OpTypeTensorViewNV",
              type.is(TypeKind::Bool) ? "the result of " + op_text(c, c.op_of(has_dimensions))
                                      : "a value of type " + type_name(c, type.id),
              "a boolean constant"});
  }
  const auto dimensions = c.constants.as_u64(view.dim(), ValueUse::OrDefault);
  if (!is_fine || !dimensions) return;
  const auto permutation = view.ps();
  if (permutation.size() != *dimensions) {
    c.report(Rule::TensorPermutation, c.at(), {fmt::format("{} of {} dimensions", permutation.size(), *dimensions)});
    return;
  }
  // check_number() limits each number to 0 to 4 before the shift. If there are as many numbers as dimensions and none
  // repeats, none is missing.
  std::uint32_t seen = 0;
  for (const AnyOperand number : permutation) {
    const auto last = static_cast<std::int64_t>(*dimensions) - 1;
    if (!check_number(c, number, "a dimension of the permutation", {0, last})) return;
    const auto dimension = c.constants.as_u64(number, ValueUse::OrDefault);
    if (!dimension) return;  // unknown
    const std::uint32_t flag = 1u << *dimension;
    if ((seen & flag) != 0) {
      c.report(Rule::TensorPermutation, c.at(number), {fmt::format("dimension {} twice", *dimension)});
      return;
    }
    seen |= flag;
  }
}

// The instructions that build layouts and views. A row states the kind of the result and the number of integer
// operands: `per_dimension` for each dimension, plus `additional`.
struct BuilderRow {
  Op opcode;
  TypeKind kind;
  std::uint8_t per_dimension, additional;
};
constexpr BuilderRow builder_rows[] = {
    {OpTensorLayoutSetDimensionNV, TypeKind::TensorLayout, 1, 0},
    {OpTensorLayoutSetStrideNV, TypeKind::TensorLayout, 1, 0},
    {OpTensorLayoutSliceNV, TypeKind::TensorLayout, 2, 0},
    {OpTensorLayoutSetBlockSizeNV, TypeKind::TensorLayout, 1, 0},
    {OpTensorLayoutSetClampValueNV, TypeKind::TensorLayout, 0, 1},
    {OpTensorViewSetDimensionNV, TypeKind::TensorView, 1, 0},
    {OpTensorViewSetStrideNV, TypeKind::TensorView, 1, 0},
    {OpTensorViewSetClipNV, TypeKind::TensorView, 0, 4},
    {OpCreateTensorLayoutNV, TypeKind::TensorLayout, 0, 0},
    {OpCreateTensorViewNV, TypeKind::TensorView, 0, 0},
};
constexpr auto builders = by_opcode(builder_rows);

// Layouts and views are built in steps. Each step returns a modified value of the same type.
void check_builder(const InstructionCheck& c) {
  // Each opcode in the check table of this function has a row.
  const BuilderRow* row = find_row(builders, c.op());
  const TypeRow& result = c.types.of(c.type);
  if (!result.is(row->kind)) {
    return c.wrong_result(row->kind == TypeKind::TensorLayout ? "a tensor layout" : "a tensor view");
  }
  if (row->per_dimension + row->additional == 0) return;  // has no operands
  // All these instructions have the operands of OpTensorLayoutSliceNV: a layout or view, then integers.
  const auto step = c.as<OpTensorLayoutSliceNV>();
  const TypeRow& base = c.type_of(step.tensor_layout());
  if (base.id != result.id) {
    c.mismatch(step.tensor_layout(), row->kind == TypeKind::TensorLayout ? "the layout" : "the view", "the result type",
               result.id);
  }
  const InstructionView declaration = c.module.instruction(result.declaration);
  const Word dim = declaration.word(word_of(declaration.opcode, OperandName::dim));
  // Unlike in type declarations, the default value of a specialization constant is not used here, because
  // specialization may change the number of operands.
  const auto dimensions = c.constants.as_u64(dim);
  const auto sizes = step.operands();
  if (dimensions && sizes.size() != *dimensions * row->per_dimension + row->additional) {
    c.report(Rule::TensorAddressingCount, c.at(),
             {c.op(), sizes.size(), *dimensions, *dimensions * row->per_dimension + row->additional});
  }
  for (const AnyOperand size : sizes) {
    const TypeRow& type = c.type_of(size);
    if (!type.is_int(32)) c.wrong_operand(size, "a size", "a 32-bit integer scalar");
  }
}

}  // namespace

std::span<const Check> tensor_checks() {
  static constexpr Check checks[] = {
      {{OpTypeTensorARM}, check_tensor_type},
      {{OpConstantNull, OpConstantComposite, OpSpecConstantComposite, OpConstantCompositeReplicateEXT,
        OpSpecConstantCompositeReplicateEXT, OpCompositeConstruct, OpCompositeConstructReplicateEXT},
       check_parts},
      {{OpTensorReadARM}, check_read},
      {{OpTensorWriteARM}, check_write},
      {{OpTensorQuerySizeARM}, check_tensor_query},
      {{OpTypeTensorLayoutNV}, check_layout_type},
      {{OpTypeTensorViewNV}, check_view_type},
      {{OpCreateTensorLayoutNV, OpCreateTensorViewNV, OpTensorLayoutSetDimensionNV, OpTensorLayoutSetStrideNV,
        OpTensorLayoutSliceNV, OpTensorLayoutSetBlockSizeNV, OpTensorLayoutSetClampValueNV, OpTensorViewSetDimensionNV,
        OpTensorViewSetStrideNV, OpTensorViewSetClipNV},
       check_builder},
  };
  return checks;
}

}  // namespace vireo::spirv
