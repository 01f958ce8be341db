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
  const InstructionView view = context.module.instruction(tensor.declaration);
  return {view.word(3), view.word(4)};
}

// Without a rank only the elements are known, and the tensor can only be passed on.
void check_rank(const Context& context, const Visit& visit, Report& report) {
  constexpr std::size_t word = 3;
  if (!visit.has_word(word)) return;
  const Word rank = visit.word(word);
  const TypeRow* type = context.type_of(rank);
  if (type == nullptr && context.types.find(rank) == nullptr) return;  // told elsewhere
  const bool is_number = type != nullptr && context.is_constant(rank) && type->is(TypeKind::Int);
  // What specialization says is not known yet.
  if (is_number && context.constants.as_i64(rank).value_or(1) > 0) return;
  report.add(Rule::TensorRank, visit.at(word), {id_text(context, rank)});
}

// A shape is as long as the rank says, as far as both are known; a dimension of no size would hold nothing.
void check_shape(const Context& context, const Visit& visit, Report& report) {
  constexpr std::size_t word = 4;
  if (!visit.has_word(word)) return;
  const Word shape = visit.word(word);
  const TypeRow* type = context.type_of(shape);
  if (type == nullptr) return;
  // One finding for a shape, the first of: no constant, no array as long as the rank, a size of 0.
  const auto refuse = [&](std::string_view found, std::string_view expected) {
    report.add(Rule::TensorShape, visit.at(word), {id_text(context, shape), found, expected});
  };
  if (!context.is_constant(shape)) {
    return refuse("the result of " + op_text(context, context.op_of(shape)), "a constant");
  }
  const bool is_array = type->is(TypeKind::Array) && context.types.row(type->element_row).is(TypeKind::Int);
  if (!is_array || !may_be_equal(context, type->length, visit.word(3))) {
    return refuse("of type " + type_text(context, type->id), "an array of integers, as many as the rank says");
  }
  // Each dimension that is known is looked at; those that specialization says may become anything but that.
  const ConstantRow& constant = context.constants.of(shape);
  const auto parts = context.constants.parts(constant);
  const bool has_zero =
      constant.kind == ConstantKind::Null || std::any_of(parts.begin(), parts.end(), [&](ConstantIndex i) {
        const ConstantRow& part = context.constants.row(i);
        return part.status == ConstantStatus::Known && part.bits == 0 && !part.has_parts();
      });
  if (has_zero) refuse("a shape with a size of 0", "sizes of 1 or more");
}

// Each part is judged by itself; all that is wrong is told.
void check_tensor_type(const Context& context, const Visit& visit, Report& report) {
  if (!context.types.of(visit.word(2)).is_scalar()) {
    Complaint{context, visit, report}.part(2, "the element type", "a scalar type");
  }
  check_rank(context, visit, report);
  check_shape(context, visit, report);
}

// --- parts ----------------------------------------------------------------------------------------------------------

// The size of a tensor's first dimension, as far as it is known.
// One level of nesting is judged by one instruction, so the first dimension is all that it needs.
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
    report.add(Rule::TensorParts, visit.at(1),
               {"a tensor of type " + type_text(context, type->id), "a type with a shape"});
    return;
  }
  // Null and replicated values have no list of parts whose length could be wrong.
  const bool has_parts = visit.op() == OpConstantComposite || visit.op() == OpSpecConstantComposite;
  if (!has_parts) return;
  const std::size_t given = visit.from(3).size();
  if (const auto size = first_size(context, tensor); size && *size != given) {
    report.add(Rule::TensorParts, visit.at(),
               {fmt::format("{} constituents", given), fmt::format("{} as the shape says", *size)});
    return;
  }
  const std::optional<std::uint64_t> rank = context.constants.as_u64(tensor.rank);
  if (!rank) return;
  for (std::size_t i = 0; i < given; ++i) {
    const TypeRow* part = context.type_of(visit.word(3 + i));
    if (part == nullptr) continue;
    // The rank of an inner tensor is not compared: that tensor was judged by its own shape where it was made.
    const bool is_fine =
        *rank == 1 ? part->id == type->element : part->is(TypeKind::Tensor) && part->element == type->element;
    if (is_fine) continue;
    report.add(Rule::TensorParts, visit.at(3 + i),
               {"a constituent of type " + type_text(context, part->id),
                *rank == 1 ? "the element type" : "a tensor of the same element type and a lower rank"});
  }
}

// --- reading and writing ------------------------------------------------------------------------------------------------

constexpr Word bit(TensorOperands operand) { return static_cast<Word>(operand); }

// What reading, writing and asking have in common. `tensor_word` is where the tensor stands; coordinates follow it.
class TensorAccess {
 public:
  TensorAccess(const Context& context, const Visit& visit, Report& report, std::size_t tensor_word)
      : context_(context), visit_(visit), report_(report), word_(tensor_word) {}

  /// The tensor's type; nullptr when it is none, or its rank is left open, which is reported.
  const TypeRow* tensor() {
    const TypeRow* type = context_.type_of(visit_.word(word_));
    if (type == nullptr) return nullptr;
    if (type->is(TypeKind::Tensor) && tensor_shape_of(context_, *type).rank != 0) return type;
    complain().operand(word_, "the tensor", "a tensor whose rank is known");
    return nullptr;
  }

  void check_coordinates(const TypeRow& tensor) {
    const std::size_t word = word_ + 1;
    const TypeRow* type = context_.type_of(visit_.word(word));
    if (type == nullptr) return;
    // Lengths and ranks are ids, compared by their values; what specialization decides may agree.
    const Word rank = tensor_shape_of(context_, tensor).rank;
    const bool is_array = type->is(TypeKind::Array) && context_.types.row(type->element_row).is(TypeKind::Int);
    if (is_array && may_be_equal(context_, type->length, rank)) return;
    complain().operand(word, "the coordinates", "an array of integers, as many as the tensor has dimensions");
  }

  /// Of a scalar, or of an array of scalars.
  static bool is_data(const Context& context, const TypeRow& type) {
    return type.is_scalar() || (type.is(TypeKind::Array) && context.types.row(type.element_row).is_scalar());
  }
  static Word element_of(const TypeRow& type) { return type.is(TypeKind::Array) ? type.element : type.id; }

  [[nodiscard]] Complaint complain() const { return {context_, visit_, report_}; }

  /// Operands that an instruction has no use for, and those that come in pairs.
  void check_mask(std::size_t word, Word forbidden, std::string_view place) {
    const Word mask = visit_.word(word);
    // Lowest bit first, one finding for each.
    for (Word rest = mask & forbidden; rest != 0; rest &= rest - 1) {
      report_.add(Rule::TensorOperandPlace, visit_.at(word),
                  {name(rest & (~rest + 1)), op_text(context_, visit_.op()), place});
    }
    // Making available or visible is for others to see, so the access has to be non-private. What has no place here at
    // all is not told a second time for that.
    constexpr Word shared = bit(TensorOperands::MakeElementAvailableARM) | bit(TensorOperands::MakeElementVisibleARM);
    if ((mask & shared) == 0 || (mask & forbidden & shared) != 0) return;
    if ((mask & bit(TensorOperands::NonPrivateElementARM)) != 0) return;
    report_.add(Rule::TensorNonPrivate, visit_.at(word), {name(mask & shared)});
  }

 private:
  [[nodiscard]] std::string name(Word operand) const { return enumerant_text(context_, "TensorOperands", operand); }

  const Context& context_;
  const Visit& visit_;
  Report& report_;
  const std::size_t word_;
};

// An array reads as many elements in a row, along the last dimension.
void check_read(const Context& context, const Visit& visit, Report& report) {
  constexpr std::size_t mask_word = 5;
  TensorAccess access(context, visit, report, 3);
  const TypeRow* tensor = access.tensor();
  const TypeRow* result = context.types.find(visit.type);
  if (result != nullptr && !TensorAccess::is_data(context, *result)) {
    access.complain().result("a scalar or an array of scalars");
  } else if (result != nullptr && tensor != nullptr && TensorAccess::element_of(*result) != tensor->element) {
    access.complain().result_relation("the element type of the tensor", tensor->element);
  }
  if (tensor != nullptr) access.check_coordinates(*tensor);
  access.check_mask(mask_word, bit(TensorOperands::MakeElementAvailableARM), "OpTensorWriteARM");
  // The value for what is out of bounds follows the mask: it has the lowest of the bits with an id.
  if (tensor == nullptr || (visit.word(mask_word) & bit(TensorOperands::OutOfBoundsValueARM)) == 0) return;
  const TypeRow* value = context.type_of(visit.word(mask_word + 1));
  if (value != nullptr && value->id != tensor->element) {
    access.complain().relation(mask_word + 1, "OutOfBoundsValueARM", "the element type of the tensor", tensor->element);
  }
}

// What is out of bounds is not written, so a value for it makes no sense here.
void check_write(const Context& context, const Visit& visit, Report& report) {
  constexpr std::size_t object_word = 3, mask_word = 4;
  TensorAccess access(context, visit, report, 1);
  const TypeRow* tensor = access.tensor();
  const TypeRow* object = context.type_of(visit.word(object_word));
  if (object != nullptr && !TensorAccess::is_data(context, *object)) {
    access.complain().operand(object_word, "the object", "a scalar or an array of scalars");
  } else if (object != nullptr && tensor != nullptr && TensorAccess::element_of(*object) != tensor->element) {
    access.complain().relation(object_word, "the object", "the element type of the tensor", tensor->element);
  }
  if (tensor != nullptr) access.check_coordinates(*tensor);
  access.check_mask(mask_word, bit(TensorOperands::OutOfBoundsValueARM) | bit(TensorOperands::MakeElementVisibleARM),
                    "OpTensorReadARM");
}

// A size is one number, so which dimension is meant has to be known when code is compiled.
void check_tensor_query(const Context& context, const Visit& visit, Report& report) {
  constexpr std::size_t word = 4;
  TensorAccess access(context, visit, report, 3);
  const TypeRow* tensor = access.tensor();
  const TypeRow* result = context.types.find(visit.type);
  if (result != nullptr && !result->is(TypeKind::Int)) access.complain().result("an integer scalar");
  const Word dimension = visit.word(word);
  const TypeRow* type = context.type_of(dimension);
  if (type == nullptr) return;
  if (!type->is(TypeKind::Int)) return access.complain().operand(word, "the dimension", "an integer scalar");
  if (!context.is_constant(dimension)) return access.complain().not_constant(word, "the dimension");
  if (tensor == nullptr) return;
  // Dimensions count from 0. Both numbers have to be known.
  const auto rank = context.constants.as_u64(tensor_shape_of(context, *tensor).rank);
  if (!rank) return;
  const auto wrong = [&](const std::string& value) {
    report.add(Rule::TensorDimension, visit.at(word), {value, std::to_string(*rank)});
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

// A constant 32-bit integer within a range; what specialization says, by its default. `name`: "the number of dimensions".
bool check_number(const Context& context, const Visit& visit, Report& report, std::size_t word, std::string_view name,
                  NumberRange range) {
  const Word id = visit.word(word);
  const TypeRow* type = context.type_of(id);
  const auto refuse = [&](std::string_view found) {
    report.add(Rule::TensorAddressing, visit.at(word),
               {name, op_text(context, visit.op()), found,
                fmt::format("a constant 32-bit integer, {} to {}", range.least, range.most)});
    return false;
  };
  if (context.module.type_of(id) == 0) return refuse("the result of " + op_text(context, context.op_of(id)));
  if (type == nullptr) return false;  // told of that type
  if (!type->is_int(32)) return refuse("of type " + type_text(context, type->id));
  if (!context.is_constant(id)) return refuse("the result of " + op_text(context, context.op_of(id)));
  const auto value = context.constants.as_i64(id, ValueUse::OrDefault);
  // Nothing where even a default is missing, as in an operation that is not folded: then nobody can tell.
  return !value || (*value >= range.least && *value <= range.most) ? true : refuse(std::to_string(*value));
}

// The limit of the extension.
// It bounds the work of a permutation as well: its set of dimensions is the bits of one word.
constexpr std::int64_t most_dimensions = 5;

void check_layout_type(const Context& context, const Visit& visit, Report& report) {
  constexpr std::int64_t last_mode = static_cast<std::int64_t>(TensorClampMode::RepeatMirrored);
  check_number(context, visit, report, 2, "the number of dimensions", {1, most_dimensions});
  check_number(context, visit, report, 3, "the clamp mode", {0, last_mode});
}

// A view sees the same tensor with its dimensions in another order: a permutation, which names each of them once.
void check_view_type(const Context& context, const Visit& visit, Report& report) {
  constexpr std::size_t first = 4;
  // The count is judged before the list: only where it is right does the list have a length to be compared with.
  bool is_fine = check_number(context, visit, report, 2, "the number of dimensions", {1, most_dimensions});
  const TypeRow* has_dimensions = context.type_of(visit.word(3));
  if (has_dimensions != nullptr && (!has_dimensions->is(TypeKind::Bool) || !context.is_constant(visit.word(3)))) {
    report.add(Rule::TensorAddressing, visit.at(3),
               {"whether there are dimensions", "OpTypeTensorViewNV",
                "of type " + type_text(context, has_dimensions->id), "a constant boolean"});
  }
  const auto dimensions = context.constants.as_u64(visit.word(2), ValueUse::OrDefault);
  if (!is_fine || !dimensions) return;
  const std::size_t count = visit.from(first).size();
  if (count != *dimensions) {
    report.add(Rule::TensorPermutation, visit.at(), {fmt::format("{} of {} dimensions", count, *dimensions)});
    return;
  }
  // Each number is within 0 to 4 before its bit is made, so no shift goes beyond the word. As many as dimensions and
  // none twice: then none is missing.
  std::uint32_t seen = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const auto last = static_cast<std::int64_t>(*dimensions) - 1;
    if (!check_number(context, visit, report, first + i, "a dimension of the permutation", {0, last})) return;
    const auto dimension = context.constants.as_u64(visit.word(first + i), ValueUse::OrDefault);
    if (!dimension) return;  // nobody can tell
    const std::uint32_t flag = 1u << *dimension;
    if ((seen & flag) != 0) {
      report.add(Rule::TensorPermutation, visit.at(first + i), {fmt::format("dimension {} twice", *dimension)});
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
  constexpr std::size_t base_word = 3, first = 4;
  // Each opcode of the checks below that names this function has a row.
  const BuilderRow* row = find_row(builders, visit.op());
  const Complaint complain{context, visit, report};
  const TypeRow* result = context.types.find(visit.type);
  if (result == nullptr) return;
  if (!result->is(row->kind)) {
    return complain.result(row->kind == TypeKind::TensorLayout ? "a tensor layout" : "a tensor view");
  }
  if (row->per_dimension + row->besides == 0) return;  // made of nothing
  const TypeRow* base = context.type_of(visit.word(base_word));
  if (base != nullptr && base->id != result->id) {
    complain.relation(base_word, row->kind == TypeKind::TensorLayout ? "the layout" : "the view",
                      "the type of the result", result->id);
  }
  // Both types have the number of dimensions in front.
  const Words declaration = context.module.instruction(result->declaration).words();
  // Unlike in the types themselves defaults do not count here: another number of dimensions wants another number of
  // operands.
  const auto dimensions = context.constants.as_u64(declaration.size() > 2 ? declaration[2] : 0);
  const std::size_t count = visit.from(first).size();
  if (dimensions && count != *dimensions * row->per_dimension + row->besides) {
    report.add(Rule::TensorAddressingCount, visit.at(),
               {op_text(context, visit.op()), std::to_string(count), std::to_string(*dimensions),
                std::to_string(*dimensions * row->per_dimension + row->besides)});
  }
  for (std::size_t i = 0; i < count; ++i) {
    const TypeRow* type = context.type_of(visit.word(first + i));
    if (type != nullptr && !type->is_int(32)) complain.operand(first + i, "a size", "a 32-bit integer scalar");
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
