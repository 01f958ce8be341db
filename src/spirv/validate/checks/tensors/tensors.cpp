// SPDX-License-Identifier: Apache-2.0
//
// Tensors: their types and constants, reading and writing them (SPV_ARM_tensors), and the layouts and views by which
// matrices are loaded from memory that is seen as a tensor (SPV_NV_tensor_addressing).
//
// The one idea: a tensor's type says its rank and shape, or leaves them open; instructions that need them refuse types
// that leave them open. Both are ids of constants, so what specialization may make equal is not reported.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>

#include "spirv/validate/checks/tensors/cooperative.h"
#include "spirv/validate/engine/by_opcode.h"
#include "spirv/validate/engine/checks.h"
#include "spirv/validate/engine/complaint.h"
#include "vireo/spirv/views/constant_creation.h"
#include "vireo/spirv/views/reserved.h"
#include "vireo/spirv/views/tensor.h"
#include "vireo/spirv/views/type_declaration.h"

namespace vireo::spirv {
namespace {

using enum Op;

// --- types --------------------------------------------------------------------------------------------------------------

// The ids that OpTypeTensorARM has; 0 where it leaves them open.
struct TensorShape {
  Word rank = 0, shape = 0;
};
// Ids of constants: the rank is an integer, the shape an array of integers.
TensorShape tensor_shape_of(const Context& context, const TypeRow& tensor) {
  const View<OpTypeTensorARM> declaration(context.module.instruction(tensor.declaration));
  const auto rank = declaration.rank(), shape = declaration.shape();
  return {rank ? rank->id : 0, shape ? shape->id : 0};
}

void check_rank(const Context& context, const Visit& visit, Report& report, AnyOperand rank) {
  const TypeRow* type = context.type_of(rank);
  if (type == nullptr && context.types.find(rank) == nullptr) return;  // reported elsewhere
  const bool is_number = type != nullptr && context.is_constant(rank) && type->is(TypeKind::Int);
  // The number is not known yet where specialization decides it.
  if (is_number && context.constants.as_i64(rank).value_or(1) > 0) return;
  report.add(Rule::TensorRank, visit.at(rank), {id_text(context, rank)});
}

// A shape is as long as the rank says, as far as both are known; a dimension of no size would hold nothing.
void check_shape(const Context& context, const Visit& visit, Report& report, Word rank, AnyOperand shape) {
  const TypeRow* type = context.type_of(shape);
  if (type == nullptr) return;
  // One finding for a shape, the first of: no constant, no array as long as the rank, a size of 0.
  const auto refuse = [&](std::string_view found, std::string_view expected) {
    report.add(Rule::TensorShape, visit.at(shape), {id_text(context, shape), found, expected});
  };
  if (!context.is_constant(shape)) {
    return refuse("the result of " + op_text(context, context.op_of(shape)), "a constant");
  }
  const bool is_array = type->is(TypeKind::Array) && context.types.row(type->element_row).is(TypeKind::Int);
  if (!is_array || !may_be_equal(context, type->length, rank)) {
    return refuse("of type " + type_text(context, type->id), "an array of integers, as many as the rank says");
  }
  // A dimension that specialization decides may become any size.
  const ConstantRow& constant = context.constants.of(shape);
  const auto parts = context.constants.parts(constant);
  const bool has_zero =
      constant.kind == ConstantKind::Null || std::any_of(parts.begin(), parts.end(), [&](ConstantIndex i) {
        const ConstantRow& part = context.constants.row(i);
        return part.status == ConstantStatus::Known && part.bits == 0 && !part.has_parts();
      });
  if (has_zero) refuse("a shape with a size of 0", "sizes of 1 or more");
}

// Element type, rank and shape do not depend on each other, so each of them may be reported. Without a rank only the
// elements are known, and the tensor can only be passed on.
void check_tensor_type(const Context& context, const Visit& visit, Report& report) {
  const auto tensor = visit.as<OpTypeTensorARM>();
  if (!context.types.of(tensor.element_type()).is_scalar()) {
    Complaint{context, visit, report}.part(tensor.element_type(), "the element type", "a scalar type");
  }
  const auto rank = tensor.rank();
  if (rank) check_rank(context, visit, report, *rank);
  if (const auto shape = tensor.shape()) check_shape(context, visit, report, *rank, *shape);
}

// --- parts ----------------------------------------------------------------------------------------------------------

// The size of a tensor's first dimension, as far as it is known.
// Each instruction checks one level of nesting, so it needs the first dimension alone.
std::optional<std::uint64_t> first_size(const Context& context, const TensorShape& tensor) {
  const Constants& constants = context.constants;
  const auto parts = constants.parts(constants.of(tensor.shape));
  if (parts.empty()) return std::nullopt;
  const ConstantRow& part = constants.row(parts[0]);
  if (!part.is_scalar() || part.status != ConstantStatus::Known) return std::nullopt;
  return part.bits;
}

// Constant tensors nest by rank: of one dimension they have elements, of more they have tensors.
void check_parts(const Context& context, const Visit& visit, Report& report) {
  const TypeRow* type = context.types.find(visit.type);
  if (type == nullptr || !type->is(TypeKind::Tensor)) return;
  const TensorShape tensor = tensor_shape_of(context, *type);
  // Without a shape, what a constant would have to be made of is not said.
  if (tensor.shape == 0) {
    report.add(Rule::TensorParts, visit.at_type(),
               {"a tensor of type " + type_text(context, type->id), "a type with a shape"});
    return;
  }
  // Null and replicated values have no list of parts whose length could be wrong.
  const bool has_parts = visit.op() == OpConstantComposite || visit.op() == OpSpecConstantComposite;
  if (!has_parts) return;
  const auto constituents = visit.as<OpConstantComposite>().constituents();
  if (const auto size = first_size(context, tensor); size && *size != constituents.size()) {
    report.add(Rule::TensorParts, visit.at(),
               {fmt::format("{} constituents", constituents.size()), fmt::format("{} as the shape says", *size)});
    return;
  }
  const std::optional<std::uint64_t> rank = context.constants.as_u64(tensor.rank);
  if (!rank) return;
  for (const AnyOperand constituent : constituents) {
    const TypeRow* part = context.type_of(constituent);
    if (part == nullptr) continue;
    // The rank of an inner tensor is not compared: the instruction that makes it checks its shape.
    const bool is_fine =
        *rank == 1 ? part->id == type->element : part->is(TypeKind::Tensor) && part->element == type->element;
    if (is_fine) continue;
    report.add(Rule::TensorParts, visit.at(constituent),
               {"a constituent of type " + type_text(context, part->id),
                *rank == 1 ? "the element type" : "a tensor of the same element type and a lower rank"});
  }
}

// --- reading and writing ------------------------------------------------------------------------------------------------

// What reading, writing and asking have in common.
class TensorAccess {
 public:
  TensorAccess(const Context& context, const Visit& visit, Report& report)
      : context_(context), visit_(visit), report_(report) {}

  /// The tensor's type; nullptr when it is none, or its rank is left open, which is reported.
  const TypeRow* check_tensor(AnyOperand tensor) {
    const TypeRow* type = context_.type_of(tensor);
    if (type == nullptr) return nullptr;
    if (type->is(TypeKind::Tensor) && tensor_shape_of(context_, *type).rank != 0) return type;
    complain().operand(tensor, "the tensor", "a tensor whose rank is known");
    return nullptr;
  }

  void check_coordinates(AnyOperand coordinates, const TypeRow& tensor) {
    const TypeRow* type = context_.type_of(coordinates);
    if (type == nullptr) return;
    // Lengths and ranks are ids, compared by their values; what specialization decides may agree.
    const Word rank = tensor_shape_of(context_, tensor).rank;
    const bool is_array = type->is(TypeKind::Array) && context_.types.row(type->element_row).is(TypeKind::Int);
    if (is_array && may_be_equal(context_, type->length, rank)) return;
    complain().operand(coordinates, "the coordinates", "an array of integers, as many as the tensor has dimensions");
  }

  /// Of a scalar, or of an array of scalars.
  static bool is_data(const Context& context, const TypeRow& type) {
    return type.is_scalar() || (type.is(TypeKind::Array) && context.types.row(type.element_row).is_scalar());
  }
  static Word element_of(const TypeRow& type) { return type.is(TypeKind::Array) ? type.element : type.id; }

  [[nodiscard]] Complaint complain() const { return {context_, visit_, report_}; }

  /// Operands that an instruction has no use for, and those that come in pairs.
  void check_mask(TensorOperandsView mask, TensorOperands forbidden, std::string_view place) {
    // Lowest bit first, one finding for each.
    for (Word rest = static_cast<Word>(mask.value() & forbidden); rest != 0; rest &= rest - 1) {
      report_.add(Rule::TensorOperandPlace, visit_.at(mask),
                  {name(rest & (~rest + 1)), op_text(context_, visit_.op()), place});
    }
    // Making available or visible is for others to see, so the access has to be non-private. A bit that is forbidden
    // here is not reported a second time for that.
    constexpr TensorOperands shared = TensorOperands::MakeElementAvailableARM | TensorOperands::MakeElementVisibleARM;
    if (!mask.has(shared) || mask.has(forbidden & shared)) return;
    if (mask.has(TensorOperands::NonPrivateElementARM)) return;
    report_.add(Rule::TensorNonPrivate, visit_.at(mask), {name(static_cast<Word>(mask.value() & shared))});
  }

 private:
  [[nodiscard]] std::string name(Word operand) const { return enumerant_text(context_, "TensorOperands", operand); }

  const Context& context_;
  const Visit& visit_;
  Report& report_;
};

// An array reads as many elements in a row, along the last dimension.
void check_read(const Context& context, const Visit& visit, Report& report) {
  const auto read = visit.as<OpTensorReadARM>();
  TensorAccess access(context, visit, report);
  const TypeRow* tensor = access.check_tensor(read.tensor());
  const TypeRow* result = context.types.find(visit.type);
  if (result != nullptr && !TensorAccess::is_data(context, *result)) {
    access.complain().result("a scalar or an array of scalars");
  } else if (result != nullptr && tensor != nullptr && TensorAccess::element_of(*result) != tensor->element) {
    access.complain().result_relation("the element type of the tensor", tensor->element);
  }
  if (tensor != nullptr) access.check_coordinates(read.coordinates(), *tensor);
  const auto mask = read.tensor_operands();
  access.check_mask(mask, TensorOperands::MakeElementAvailableARM, "OpTensorWriteARM");
  const auto value = mask.OutOfBoundsValueARM();
  if (tensor == nullptr || !value) return;
  const TypeRow* type = context.type_of(*value);
  if (type != nullptr && type->id != tensor->element) {
    access.complain().relation(*value, "OutOfBoundsValueARM", "the element type of the tensor", tensor->element);
  }
}

// What is out of bounds is not written, so a value for it makes no sense here.
void check_write(const Context& context, const Visit& visit, Report& report) {
  const auto write = visit.as<OpTensorWriteARM>();
  TensorAccess access(context, visit, report);
  const TypeRow* tensor = access.check_tensor(write.tensor());
  const TypeRow* object = context.type_of(write.object());
  if (object != nullptr && !TensorAccess::is_data(context, *object)) {
    access.complain().operand(write.object(), "the object", "a scalar or an array of scalars");
  } else if (object != nullptr && tensor != nullptr && TensorAccess::element_of(*object) != tensor->element) {
    access.complain().relation(write.object(), "the object", "the element type of the tensor", tensor->element);
  }
  if (tensor != nullptr) access.check_coordinates(write.coordinates(), *tensor);
  access.check_mask(write.tensor_operands(),
                    TensorOperands::OutOfBoundsValueARM | TensorOperands::MakeElementVisibleARM, "OpTensorReadARM");
}

// A size is one number, so which dimension is meant has to be known when code is compiled.
void check_tensor_query(const Context& context, const Visit& visit, Report& report) {
  const auto query = visit.as<OpTensorQuerySizeARM>();
  TensorAccess access(context, visit, report);
  const TypeRow* tensor = access.check_tensor(query.tensor());
  const TypeRow* result = context.types.find(visit.type);
  if (result != nullptr && !result->is(TypeKind::Int)) access.complain().result("an integer scalar");
  const auto dimension = query.dimension();
  const TypeRow* type = context.type_of(dimension);
  if (type == nullptr) return;
  if (!type->is(TypeKind::Int)) return access.complain().operand(dimension, "the dimension", "an integer scalar");
  if (!context.is_constant(dimension)) return access.complain().not_constant(dimension, "the dimension");
  if (tensor == nullptr) return;
  // Dimensions count from 0. Both numbers have to be known.
  const auto rank = context.constants.as_u64(tensor_shape_of(context, *tensor).rank);
  if (!rank) return;
  const auto wrong = [&](const std::string& value) {
    report.add(Rule::TensorDimension, visit.at(dimension), {value, std::to_string(*rank)});
  };
  if (const auto value = context.constants.as_u64(dimension)) {
    if (*value >= *rank) wrong(std::to_string(*value));
  } else if (const auto negative = context.constants.as_i64(dimension)) {
    wrong(std::to_string(*negative));
  }
}

// --- layouts and views --------------------------------------------------------------------------------------------------

// Both ends belong to the range.
struct NumberRange {
  std::int64_t least, most;
};

// A constant 32-bit integer within a range; of a specialization constant the default counts. `name`: "the number of
// dimensions".
bool check_number(const Context& context, const Visit& visit, Report& report, AnyOperand operand, std::string_view name,
                  NumberRange range) {
  const TypeRow* type = context.type_of(operand);
  const auto refuse = [&](std::string_view found) {
    report.add(Rule::TensorAddressing, visit.at(operand),
               {name, op_text(context, visit.op()), found,
                fmt::format("a constant 32-bit integer, {} to {}", range.least, range.most)});
    return false;
  };
  if (context.module.type_of(operand) == 0) return refuse("the result of " + op_text(context, context.op_of(operand)));
  if (type == nullptr) return false;  // the type is reported already
  if (!type->is_int(32)) return refuse("of type " + type_text(context, type->id));
  if (!context.is_constant(operand)) return refuse("the result of " + op_text(context, context.op_of(operand)));
  const auto value = context.constants.as_i64(operand, ValueUse::OrDefault);
  // The value is not known where even a default is missing, as in an operation that is not folded.
  return !value || (*value >= range.least && *value <= range.most) ? true : refuse(std::to_string(*value));
}

// The limit of the extension.
// It bounds the work of a permutation as well: its set of dimensions is the bits of one word.
constexpr std::int64_t most_dimensions = 5;

void check_layout_type(const Context& context, const Visit& visit, Report& report) {
  constexpr std::int64_t last_mode = static_cast<std::int64_t>(TensorClampMode::RepeatMirrored);
  const auto layout = visit.as<OpTypeTensorLayoutNV>();
  check_number(context, visit, report, layout.dim(), "the number of dimensions", {1, most_dimensions});
  check_number(context, visit, report, layout.clamp_mode(), "the clamp mode", {0, last_mode});
}

// A view sees the same tensor with its dimensions in another order: a permutation, which names each of them once.
void check_view_type(const Context& context, const Visit& visit, Report& report) {
  const auto view = visit.as<OpTypeTensorViewNV>();
  // Only a count that is right is a length for the list.
  bool is_fine = check_number(context, visit, report, view.dim(), "the number of dimensions", {1, most_dimensions});
  const auto has_dimensions = view.has_dimensions();
  const TypeRow* type = context.type_of(has_dimensions);
  if (type != nullptr && (!type->is(TypeKind::Bool) || !context.is_constant(has_dimensions))) {
    report.add(Rule::TensorAddressing, visit.at(has_dimensions),
               {"whether there are dimensions", "OpTypeTensorViewNV", "of type " + type_text(context, type->id),
                "a constant boolean"});
  }
  const auto dimensions = context.constants.as_u64(view.dim(), ValueUse::OrDefault);
  if (!is_fine || !dimensions) return;
  const auto permutation = view.ps();
  if (permutation.size() != *dimensions) {
    report.add(Rule::TensorPermutation, visit.at(),
               {fmt::format("{} of {} dimensions", permutation.size(), *dimensions)});
    return;
  }
  // Each number is within 0 to 4 before its bit is made, so no shift goes beyond the word. As many as dimensions and
  // none twice: then none is missing.
  std::uint32_t seen = 0;
  for (const AnyOperand number : permutation) {
    const auto last = static_cast<std::int64_t>(*dimensions) - 1;
    if (!check_number(context, visit, report, number, "a dimension of the permutation", {0, last})) return;
    const auto dimension = context.constants.as_u64(number, ValueUse::OrDefault);
    if (!dimension) return;  // not known
    const std::uint32_t flag = 1u << *dimension;
    if ((seen & flag) != 0) {
      report.add(Rule::TensorPermutation, visit.at(number), {fmt::format("dimension {} twice", *dimension)});
      return;
    }
    seen |= flag;
  }
}

// What builds layouts and views: the kind, and how many integers follow, for each dimension and besides.
struct BuilderRow {
  Op opcode;
  TypeKind kind;
  std::uint8_t per_dimension, besides;
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

// Layouts and views are built step by step, each step giving a value of the same type with more in it.
void check_builder(const Context& context, const Visit& visit, Report& report) {
  // Each opcode of the checks below that names this function has a row.
  const BuilderRow* row = find_row(builders, visit.op());
  const Complaint complain{context, visit, report};
  const TypeRow* result = context.types.find(visit.type);
  if (result == nullptr) return;
  if (!result->is(row->kind)) {
    return complain.result(row->kind == TypeKind::TensorLayout ? "a tensor layout" : "a tensor view");
  }
  if (row->per_dimension + row->besides == 0) return;  // made of nothing
  // All of them have the form of this one, whatever the names: a layout or view, then integers.
  const auto step = visit.as<OpTensorLayoutSliceNV>();
  const TypeRow* base = context.type_of(step.tensor_layout());
  if (base != nullptr && base->id != result->id) {
    complain.relation(step.tensor_layout(), row->kind == TypeKind::TensorLayout ? "the layout" : "the view",
                      "the type of the result", result->id);
  }
  const InstructionView declaration = context.module.instruction(result->declaration);
  const Word dim = declaration.word(word_of(declaration.opcode, OperandName::dim));
  // Unlike in the types themselves defaults do not count here: another number of dimensions needs another number of
  // operands.
  const auto dimensions = context.constants.as_u64(dim);
  const auto sizes = step.operands();
  if (dimensions && sizes.size() != *dimensions * row->per_dimension + row->besides) {
    report.add(Rule::TensorAddressingCount, visit.at(),
               {op_text(context, visit.op()), std::to_string(sizes.size()), std::to_string(*dimensions),
                std::to_string(*dimensions * row->per_dimension + row->besides)});
  }
  for (const AnyOperand size : sizes) {
    const TypeRow* type = context.type_of(size);
    if (type != nullptr && !type->is_int(32)) complain.operand(size, "a size", "a 32-bit integer scalar");
  }
}

}  // namespace

std::span<const Check> tensor_checks() {
  static constexpr Check checks[] = {
      {{OpTypeTensorARM}, check_tensor_type},
      {{OpConstantNull, OpConstantComposite, OpSpecConstantComposite, OpConstantCompositeReplicateEXT,
        OpSpecConstantCompositeReplicateEXT, OpCompositeConstructReplicateEXT},
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
