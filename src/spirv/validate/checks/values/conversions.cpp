// SPDX-License-Identifier: Apache-2.0
//
// Conversion instructions (specification 3.42.11): requirements that typing rows cannot state.
//
// Typing rows check conversions of numbers. This file checks conversions of pointers, which depend on the
// storage class and the addressing model, and bitcasts, which keep the number of bits.
#include <fmt/format.h>

#include "spirv/validate/analysis/type_parts.h"
#include "spirv/validate/checks/checks.h"
#include "spirv/validate/checks/tensors/cooperative.h"
#include "vireo/spirv/binary/views/conversion.h"
#include "vireo/spirv/binary/views/reserved.h"

namespace vireo::spirv {
namespace {

using enum Op;

// --- pointers and integers -------------------------------------------------------------------------------------------

// With gather and scatter instructions, vectors of pointers may be converted too.
bool is_pointer_like(const ModuleCheck& c, const TypeRow& type) {
  return type.is_pointer() ||
         (c.has(Capability::MaskedGatherScatterINTEL) && type.is(TypeKind::Vector) && type.pointee().is_pointer());
}
bool is_int_like(const ModuleCheck& c, const TypeRow& type) {
  return type.is(TypeKind::Int) ||
         (c.has(Capability::MaskedGatherScatterINTEL) && type.is(TypeKind::Vector) && type.pointee().is(TypeKind::Int));
}

// Whether both types are scalars, or vectors of the same length.
bool have_same_components(const TypeRow& a, const TypeRow& b) {
  return a.is(TypeKind::Vector) == b.is(TypeKind::Vector) && (!a.is(TypeKind::Vector) || a.count == b.count);
}

/// The type of a result or operand, and its place.
struct Converted {
  const TypeRow& type;
  Place place;
};

// Checks a conversion between a pointer and an integer, which requires a physical pointer.
void check_address(const InstructionCheck& c, const Converted& pointer, const Converted& number) {
  const auto model = c.module_declarations.addressing_model();
  if (!model) return;  // another check reports a missing memory model
  if (model == AddressingModel::Logical) {
    c.report_once(Rule::AddressConversion, c.at(), "the model",
                  {c.op(), "a physical addressing model", "addressing model Logical"});
    return;
  }
  // In a physical addressing model, any pointer may be converted. The model states its width.
  if (model != AddressingModel::PhysicalStorageBuffer64) return;
  if (pointer.type.is_pointer() && pointer.type.storage != StorageClass::PhysicalStorageBuffer) {
    c.report(Rule::AddressConversion, pointer.place,
             {c.op(), "a pointer with storage class PhysicalStorageBuffer",
              "storage class " + enumerant_text(c, pointer.type.storage)});
    // Outside Vulkan, an integer of another width is truncated or zero-extended (3.42.11).
  } else if (c.is_vulkan() && number.type.width != 64) {
    c.report(Rule::AddressWidth, number.place, {c.op(), number.type.id});
  }
}

// The types are checked first, and the addressing model only if they are valid.
void check_pointer_to_int(const InstructionCheck& c) {
  const auto operand = c.as<OpConvertPtrToU>().pointer();
  const TypeRow &result = c.types.of(c.type), &pointer = c.type_of(operand);
  if (!is_int_like(c, result) || result.component().is_signed) {
    c.wrong_result("an unsigned integer scalar");
  } else if (!is_pointer_like(c, pointer)) {
    c.wrong_operand(operand, "the pointer", "a pointer");
  } else if (!have_same_components(result, pointer)) {
    c.mismatch(operand, "the pointer", "as many components as the result", c.type);
  } else {
    check_address(c, {pointer, c.at(operand)}, {result, c.at_type()});
  }
}

// An integer that is converted to a pointer may be signed, but is treated as unsigned (3.42.11).
void check_int_to_pointer(const InstructionCheck& c) {
  const auto operand = c.as<OpConvertUToPtr>().integer_value();
  const TypeRow &result = c.types.of(c.type), &number = c.type_of(operand);
  if (!is_pointer_like(c, result)) {
    c.wrong_result("a pointer");
  } else if (!is_int_like(c, number)) {
    c.wrong_operand(operand, "the integer", "an integer scalar");
  } else if (!have_same_components(result, number)) {
    c.mismatch(operand, "the integer", "as many components as the result", c.type);
  } else {
    check_address(c, {result, c.at_type()}, {number, c.at(operand)});
  }
}

// --- Generic ---------------------------------------------------------------------------------------------------------

// Whether pointers in a storage class may be cast to Generic (3.7).
bool has_generic_form(StorageClass storage) {
  return storage == StorageClass::Workgroup || storage == StorageClass::CrossWorkgroup ||
         storage == StorageClass::Function || storage == StorageClass::CodeSectionINTEL;
}
constexpr std::string_view specific_text = "a pointer with storage class Workgroup, CrossWorkgroup or Function";
constexpr std::string_view generic_text = "a pointer with storage class Generic";

// SPV_ALTERA_usm_storage_classes: a cast between CrossWorkgroup and the two classes that name where the memory is.
void check_memory_class_cast(const InstructionCheck& c) {
  const AnyOperand pointer = c.operand(OperandName::pointer);
  const TypeRow &result = c.types.of(c.type), &input = c.type_of(pointer);
  const bool to_global = c.op() == OpPtrCastToCrossWorkgroupALTERA;
  const auto fits = [](const TypeRow& type, bool is_global) {
    return type.is(TypeKind::Pointer) &&
           (is_global ? type.storage == StorageClass::CrossWorkgroup
                      : type.storage == StorageClass::DeviceOnlyALTERA || type.storage == StorageClass::HostOnlyALTERA);
  };
  constexpr std::string_view global_text = "a typed pointer of CrossWorkgroup";
  constexpr std::string_view own_text = "a typed pointer of DeviceOnlyALTERA or HostOnlyALTERA";
  if (!fits(result, to_global)) {
    c.wrong_result(to_global ? global_text : own_text);
  } else if (!fits(input, !to_global)) {
    c.wrong_operand(pointer, "the pointer", to_global ? own_text : global_text);
  } else if (result.element != input.element) {
    c.mismatch(pointer, "the pointer", "the pointee type of the result", c.type);
  }
}

// A cast converts between Generic and one other storage class and keeps the pointee type.
void check_generic_cast(const InstructionCheck& c) {
  const AnyOperand pointer = c.operand(OperandName::pointer);
  const TypeRow &result = c.types.of(c.type), &input = c.type_of(pointer);
  const bool to_generic = c.op() == OpPtrCastToGeneric;
  // The opcode determines which of the two is Generic.
  const auto fits = [](const TypeRow& type, bool wants_generic) {
    return type.is_pointer() &&
           (wants_generic ? type.storage == StorageClass::Generic : has_generic_form(type.storage));
  };
  if (!fits(result, to_generic)) {
    c.wrong_result(to_generic ? generic_text : specific_text);
  } else if (!fits(input, !to_generic)) {
    c.wrong_operand(pointer, "the pointer", to_generic ? specific_text : generic_text);
    // An untyped pointer has no pointee to compare.
  } else if (result.kind == input.kind && result.element != input.element) {
    c.mismatch(pointer, "the pointer", "the pointee type of the result", c.type);
  } else if (c.op() == OpGenericCastToPtrExplicit) {
    const auto storage = c.as<OpGenericCastToPtrExplicit>().storage();
    if (storage == result.storage) return;
    c.report(Rule::StorageMismatch, c.at(storage), {c.op(), storage.value, result.storage});
  }
}

// --- bits ------------------------------------------------------------------------------------------------------------

// A bitcast accepts types with a known number of bits. Booleans and composites have none.
bool is_bit_pattern(const TypeRow& type) {
  if (type.is_pointer() || type.is_cooperative_matrix()) return true;
  return (type.is_scalar() || type.is_vector()) && type.component().is_numerical();
}

// Returns the number of bits of a value; 0 if unknown. Vectors of unknown length are not compared. The addressing model
// states the width of pointers to PhysicalStorageBuffer, but not that of other pointers.
std::uint64_t total_bits(const ModuleCheck& c, const TypeRow& type) {
  if (type.is_pointer()) return type.storage == StorageClass::PhysicalStorageBuffer ? 64 : 0;
  const std::uint64_t width = type.component().width;
  return type.is_scalar() ? width : width * part_count(c, type).value_or(0);
}

// A pointer may be cast to a pointer, an integer or, since SPIR-V 1.5, a vector of 32-bit integers.
bool fits_pointer(const ModuleCheck& c, const TypeRow& other) {
  if (other.is_pointer() || other.is(TypeKind::Int)) return true;
  const bool takes_vectors =
      c.version() >= Version{1, 5} || c.module_declarations.has_extension("SPV_KHR_physical_storage_buffer");
  return takes_vectors && is_vector_of_any_count(c, other) && other.component().is_int(32);
}

/// The types of a bitcast of cooperative matrices.
struct MatrixBitcast {
  const TypeRow &result, &input;
};

// SPV_KHR_cooperative_matrix lists OpBitcast for integers of one width; a bitcast never changes the use. Compilers change
// the sign of matrices of the older NV extension in the same way. The conversions of the EXT extension may also take the
// bits of floats.
void check_matrix_bitcast(const InstructionCheck& c, const MatrixBitcast& types) {
  const auto operand = c.as<OpBitcast>().operand();
  const TypeRow &to = types.result.component(), &from = types.input.component();
  const bool may_be_float = c.has(Capability::CooperativeMatrixConversionsEXT);
  if (!to.is(TypeKind::Int) && !may_be_float) {
    c.wrong_result("a cooperative matrix with integer components");
  } else if (!from.is(TypeKind::Int) && !may_be_float) {
    c.wrong_operand(operand, "the operand", "a cooperative matrix with integer components");
  } else if (to.width != from.width) {
    c.mismatch(operand, "the operand", "components as wide as those of the result", c.type);
    // The distribution of a matrix over invocations depends on its shape, so the shape must stay.
  } else if (!may_have_same_shape(c, types.input, types.result)) {
    c.mismatch(operand, "the operand", "the scope, rows, columns and use of the result", c.type);
  }
}

void check_bitcast(const InstructionCheck& c) {
  const auto operand = c.as<OpBitcast>().operand();
  const TypeRow &result = c.types.of(c.type), &input = c.type_of(operand);
  if (!is_bit_pattern(result)) {
    c.wrong_result("a pointer, or a numerical scalar or vector");
    return;
  }
  if (!is_bit_pattern(input)) {
    c.wrong_operand(operand, "the operand", "a pointer, or a numerical scalar or vector");
    return;
  }
  // Both types are valid for a bitcast. The checks below handle matrices, long vectors and pointers, in this order; then
  // bits are compared.
  if (result.is_cooperative_matrix() != input.is_cooperative_matrix()) {
    c.mismatch(operand, "the operand",
               result.is_cooperative_matrix() ? "a cooperative matrix, like the result"
                                              : "a type other than a cooperative matrix, like the result",
               c.type);
    return;
  }
  if (result.is_cooperative_matrix()) return check_matrix_bitcast(c, {result, input});
  if (result.is(TypeKind::LongVector) != input.is(TypeKind::LongVector) && !c.has(Capability::LongVectorEXT)) {
    c.mismatch(operand, "the operand",
               result.is(TypeKind::LongVector) ? "a cooperative vector, like the result"
                                               : "a type other than a cooperative vector, like the result",
               c.type);
    return;
  }
  if (result.is_pointer() && !fits_pointer(c, input)) {
    c.mismatch(operand, "the operand", "a pointer or an integer to cast to the result type", c.type);
    return;
  }
  if (input.is_pointer() && !fits_pointer(c, result)) {
    c.mismatch(operand, "the operand", "a type other than a pointer to cast to the result type", c.type);
    return;
  }
  const std::uint64_t wanted = total_bits(c, result), given = total_bits(c, input);
  if (wanted == 0 || given == 0 || wanted == given) return;
  c.report(Rule::BitcastBits, c.at(operand), {"OpBitcast", input.id, given, c.type, wanted});
}

// --- other -----------------------------------------------------------------------------------------------------------

void check_to_acceleration_structure(const InstructionCheck& c) {
  const auto address = c.as<OpConvertUToAccelerationStructureKHR>().accel();
  const TypeRow &result = c.types.of(c.type), &input = c.type_of(address);
  if (!result.is(TypeKind::AccelerationStructure)) c.wrong_result("an acceleration structure");
  // The operand is the address of the structure in memory (SPV_KHR_ray_tracing), as a 64-bit integer or as two 32-bit
  // halves.
  const TypeRow& scalar = input.component();
  const bool is_address = input.is_int(64) && !input.is_signed;
  const bool is_pair = input.is(TypeKind::Vector) && input.count == 2 && scalar.is_int(32) && !scalar.is_signed;
  if (!is_address && !is_pair) {
    c.wrong_operand(address, "the address",
                    "a 64-bit unsigned integer or a 2-component 32-bit unsigned integer vector");
  }
}

// Returns the converted operand, whose name depends on the opcode.
AnyOperand converted_value(const DecodedInstruction& inst) {
  switch (inst.op()) {
    case OpConvertFToU:
    case OpConvertFToS: return inst.as<OpConvertFToS>().float_value();
    case OpConvertSToF: return inst.as<OpConvertSToF>().signed_value();
    case OpConvertUToF: return inst.as<OpConvertUToF>().unsigned_value();
    case OpSConvert: return inst.as<OpSConvert>().signed_value();
    case OpUConvert: return inst.as<OpUConvert>().unsigned_value();
    default: return inst.as<OpFConvert>().float_value();
  }
}

// A conversion of a matrix keeps the shape. A capability allows it to change the use, too. Typing rows check only that
// both types are matrices.
void check_matrix_shape(const InstructionCheck& c) {
  const AnyOperand operand = converted_value(c);
  const TypeRow &result = c.types.of(c.type), &input = c.type_of(operand);
  if (!result.is_cooperative_matrix() || result.kind != input.kind) return;
  if (check_matrix_transposition(c, operand)) return;
  const CooperativeShape a = cooperative_shape(c, input), b = cooperative_shape(c, result);
  if (may_have_same_size(c, a, b) && (may_be_equal(c, a.use, b.use) || may_change_use(c, a, b))) { return; }
  c.mismatch(operand, "the operand", "the scope, rows, columns and use of the result", c.type);
}

// --- microscaling formats (SPV_EXT_ocp_microscaling_types) -----------------------------------------------------------

// Whether a scalar has a microscaling format: a block-scaled format or the format of the scale. Another extension adds
// the other 8-bit floats.
bool is_microscaling(const TypeRow& scalar) {
  if (!scalar.is(TypeKind::Float)) return false;
  switch (static_cast<FPEncoding>(scalar.encoding)) {
    case FPEncoding::Float8UnsignedE8M0EXT:
    case FPEncoding::MXInt8EXT:
    case FPEncoding::Float6E2M3EXT:
    case FPEncoding::Float6E3M2EXT:
    case FPEncoding::Float4E2M1EXT: return true;
    default: return false;
  }
}

// In Vulkan, a value of these formats may be converted only to another float format. No conversion produces these
// formats, and none converts them to integers.
void check_microscaling(const InstructionCheck& c) {
  const AnyOperand operand = converted_value(c);
  const TypeRow &result = c.types.of(c.type), &input = c.type_of(operand);
  if (!c.is_vulkan()) return;
  // A conversion between floats may take such a value but not produce one. A conversion with an integer may do neither.
  const bool is_made = is_microscaling(result.component());
  if (c.op() == OpFConvert) {
    if (!is_made) return;
    c.report(Rule::MicroscalingResult, c.at_type(), {c.type});
    c.vuid(is_microscaling(input.component()) ? 12467 : 12466);
  } else if (is_made || is_microscaling(input.component())) {
    c.report(Rule::MicroscalingInteger, is_made ? c.at_type() : c.at(operand), {c.op(), is_made ? c.type : input.id});
  }
}

// Whether a type is a scalar or a vector of integers or of floats in any format.
bool is_numbers(const TypeRow& type) {
  return (type.is_scalar() || type.is_vector()) && type.component().is_numerical();
}

// The instruction extracts bits of each component, so the components of the result are narrower.
void check_bitcast_extract(const InstructionCheck& c) {
  const auto extract = c.as<OpBitcastExtractEXT>();
  const TypeRow &result = c.types.of(c.type), &base = c.type_of(extract.base());
  if (!is_numbers(result)) {
    c.wrong_result("a numerical scalar or vector");
    return;
  }
  if (!is_numbers(base)) {
    c.wrong_operand(extract.base(), "the base", "a numerical scalar or vector");
    return;
  }
  // Only Vulkan restricts the types; the relation between them applies to all environments.
  const TypeRow &to = result.component(), &from = base.component();
  if (c.is_vulkan() && !(to.is(TypeKind::Float) && (to.width == 4 || to.width == 6))) {
    c.report(Rule::BitcastExtractResult, c.at_type(), {c.type});
  }
  if (c.is_vulkan() && !from.is(TypeKind::Int)) { c.report(Rule::BitcastExtractBase, c.at(extract.base()), {base.id}); }
  if (result.is_vector() != base.is_vector() || (result.is_vector() && result.count != base.count)) {
    c.mismatch(extract.base(), "the base", "as many components as the result", c.type);
  } else if (from.width <= to.width) {
    c.mismatch(extract.base(), "the base", "components wider than those of the result", c.type);
  }
  const TypeRow& offset = c.type_of(extract.offset());
  if (!offset.is(TypeKind::Int)) c.wrong_operand(extract.offset(), "the offset", "an integer scalar");
}

}  // namespace

// Some opcodes are listed twice, because formats and shapes are independent checks.
std::span<const Check> conversion_checks() {
  static constexpr Check checks[] = {
      {float_conversions, check_microscaling},
      {{OpBitcastExtractEXT}, check_bitcast_extract},
      {{OpConvertPtrToU}, check_pointer_to_int},
      {{OpConvertUToPtr}, check_int_to_pointer},
      {{OpPtrCastToGeneric, OpGenericCastToPtr, OpGenericCastToPtrExplicit}, check_generic_cast},
      {{OpPtrCastToCrossWorkgroupALTERA, OpCrossWorkgroupCastToPtrALTERA}, check_memory_class_cast},
      {{OpBitcast}, check_bitcast},
      {float_conversions, check_matrix_shape},
      {width_conversions, check_matrix_shape},
      {{OpConvertUToAccelerationStructureKHR}, check_to_acceleration_structure},
  };
  return checks;
}

}  // namespace vireo::spirv
