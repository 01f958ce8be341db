// SPDX-License-Identifier: Apache-2.0
//
// Constant-creation instructions (specification 3.42.7), and literals of types that are narrower than a word (2.2.1).
//
// A composite constant has one constituent for each part of its type, so one loop checks all composites.
// types.h states the type of each part. For OpSpecConstantOp, this file checks only that the operation is allowed. The
// checks of that operation check its operands.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "spirv/validate/analysis/tensor_parts.h"
#include "spirv/validate/analysis/type_parts.h"
#include "spirv/validate/checks/checks.h"
#include "spirv/validate/checks/values/constituents.h"
#include "support/counted.h"
#include "vireo/spirv/binary/views/constant_creation.h"

namespace vireo::spirv {
namespace {

using enum Op;

void check_bool(const InstructionCheck& c) {
  const TypeRow& type = c.types.of(c.type);
  if (!type.is(TypeKind::Bool)) c.wrong_result("a boolean scalar");
}

// --- composites ------------------------------------------------------------------------------------------------------

// Whether an opcode may have specialization constants as constituents.
bool is_spec_composite(Op op) {
  return is_one_of(
      {OpSpecConstantComposite, OpSpecConstantCompositeContinuedINTEL, OpSpecConstantCompositeReplicateEXT}, op);
}

// The place of an id's definition.
Place definition_of(const ModuleCheck& c, Word id) { return {c.module.definition(id), 0}; }

// A constituent must be a constant or undefined. Only a specialization constant may have specialization constants as
// constituents. `constant`: the row of the constituent; nullptr if it has none.
bool check_constituent_kind(const InstructionCheck& c, AnyOperand constituent, const ConstantRow* constant) {
  // Undefined values are also allowed. Some of them have no row.
  if (constant == nullptr && !is_one_of({OpUndef, OpPoisonKHR}, c.op_of(constituent))) {
    c.not_constant(constituent, "constituent");
    return false;
  }
  // A composite of specialization constants is also a specialization constant (2.12), and its opcode must state that.
  if (constant != nullptr && constant->is_spec && !is_spec_composite(c.op())) {
    c.report(Rule::SpecConstituent, c.at(constituent), {constituent, c.op()});
    c.note(definition_of(c, constituent), "specialization constant declared here");
    c.hint("use " + op_text(c, c.op() == OpConstantCompositeReplicateEXT ? OpSpecConstantCompositeReplicateEXT
                                                                         : OpSpecConstantComposite));
    return false;
  }
  return true;
}

void check_composite(const InstructionCheck& c) {
  const TypeRow& type = c.types.of(c.type);
  const auto constituents = c.as<OpConstantComposite>().constituents();
  // The constituents of tensors nest by rank; tensors.cpp checks their types.
  if (type.is(TypeKind::Tensor)) {
    for_each_constituent(c, constituents, [&](const InstructionCheck& at, AnyOperand constituent, auto) {
      check_constituent_kind(at, constituent, c.constants.find(constituent));
    });
    return;
  }
  if (!type.is_composite() || type.is(TypeKind::RuntimeArray)) {
    c.wrong_result("a composite");
    return;
  }
  // A cooperative matrix has one constituent, which fills it.
  const auto count = type.is_cooperative_matrix() ? 1 : part_count(c, type);
  const std::size_t all = constituents.size() + continued_constituents(c, c.index);
  if (count && *count != all) {
    c.report(Rule::ConstituentCount, c.at(), {c.op(), counted(all, "constituent"), *count, c.type});
    return;
  }
  for_each_constituent(c, constituents, [&](const InstructionCheck& at, AnyOperand constituent, std::size_t i) {
    // A constituent that is not a constant has only one finding.
    const ConstantRow* constant = c.constants.find(constituent);
    if (!check_constituent_kind(at, constituent, constant)) return;
    const Word member = type.is(TypeKind::Struct) ? c.types.member_type(type, i) : type.element;
    const Word found = constant != nullptr ? c.types.row(constant->type).id : c.module.type_of(constituent);
    if (member != 0 && found != member) {
      at.mismatch(constituent, fmt::format("constituent {}", i), part_text(c, type, i), member);
    }
  });
}

// All parts have the same value, so they have the same type.
void check_replicate(const InstructionCheck& c) {
  const TypeRow& type = c.types.of(c.type);
  const bool is_tensor = type.is(TypeKind::Tensor);
  if (!is_tensor && (!type.is_composite() || type.is(TypeKind::RuntimeArray))) {
    c.wrong_result("a composite");
    return;
  }
  const auto value = c.as<OpConstantCompositeReplicateEXT>().value();
  // tensors.cpp checks the type of the value of a tensor.
  if (!check_constituent_kind(c, value, c.constants.find(value)) || is_tensor) return;
  const Word other = other_part(c, type, c.module.type_of(value));
  if (other != 0) c.mismatch(value, "the value", "the type of each part of the result", other);
}

// --- null ------------------------------------------------------------------------------------------------------------

// 3.42.7, OpConstantNull: whether a type has a null value. Pointers have one, except those to physical storage buffers.
bool is_nullable(const TypeRow& type) {
  switch (type.kind) {
    case TypeKind::Event:
    case TypeKind::DeviceEvent:
    case TypeKind::ReserveId:
    case TypeKind::Queue:
    case TypeKind::Tensor: return true;
    default: break;
  }
  // `contains` covers all nested parts, so one lookup is enough.
  constexpr TypeTraits without_null = TypeTrait::RuntimeArray | TypeTrait::PhysicalPointer | TypeTrait::Void |
                                      TypeTrait::Function | TypeTrait::WithoutNull | TypeTrait::Unknown;
  if (type.contains.has_any(without_null)) return false;
  return type.is_scalar() || type.is_pointer() || type.is_composite();
}

void check_null(const InstructionCheck& c) {
  const TypeRow& type = c.types.of(c.type);
  if (!is_nullable(type)) { c.wrong_result("a type with a null value"); }
}

// Handles that the API binds have no undefined values in Vulkan. An array or structure of handles has none either,
// because each of its parts would be one. HLSL front ends leave undefined handles for their legalization to remove.
void check_undefined(const InstructionCheck& c) {
  const TypeRow& type = c.types.of(c.type);
  if (!c.is_vulkan() || !type.contains.has_any(TypeTrait::Opaque)) return;
  // If structures cannot have opaque members, the declaration of the structure is reported.
  const bool has_members = c.has(Capability::BindlessTextureNV) || c.has(Capability::DescriptorHeapEXT);
  if (type.contains.has_any(TypeTrait::Struct) && !has_members) return;
  // A tensor with a shape is a composite of numbers, not a handle (SPV_ARM_tensors, 2.2.2).
  const auto is_handle = [&](const TypeRow& part) { return is_bound_handle(part) && !is_shaped_tensor(c, part); };
  if (find_part(c, type, is_handle) == nullptr) return;
  c.report(Rule::UndefinedHandle, c.at_type(), {c.type});
}

void check_sampler(const InstructionCheck& c) {
  const TypeRow& type = c.types.of(c.type);
  if (!type.is(TypeKind::Sampler)) c.wrong_result("a sampler");
}

// --- literals --------------------------------------------------------------------------------------------------------

// Whether the unused bits of the last word are a zero or sign extension of the value.
bool is_extended(Word last, const ScalarType& type) {
  // 2.2.1: a number that is narrower than its words is in the low bits. The high bits are zero or copies of the sign,
  // so equal numbers have equal words. Widths of 32 and 64 fill the last word. For other widths `used` is 1 to 31, so
  // no shift is by 32 bits.
  const unsigned used = type.width % 32u;
  if (used == 0) return true;
  const Word high = last >> used;
  const bool is_negative =
      type.is_signed && type.class_ == ScalarType::Class::Integer && ((last >> (used - 1)) & 1) != 0;
  const Word copies = is_negative ? ~Word{0} >> used : 0;
  return high == copies;
}

void check_literals(const InstructionCheck& c) {
  // The decoder determined the size of the literals from this type: the type of the constant or, for OpSwitch, of the
  // selector.
  const ScalarType& type = c.decoded->literal_type;
  for (const Operand& operand : c.operands) {
    if (operand.shape != OperandShape::LiteralContextDependentNumber) continue;
    const auto last = static_cast<std::uint16_t>(operand.word + operand.word_count - 1);
    if (is_extended(c.view.word(last), type)) continue;
    c.report(Rule::LiteralExtension, {c.index, last},
             {type.width, c.op(), type.is_signed ? "copies of the sign bit" : "0",
              fmt::format("0x{:08x}", c.view.word(last))});
  }
}

// --- operations ------------------------------------------------------------------------------------------------------

// Operations that only kernels may use in OpSpecConstantOp, like access chains.
constexpr Op kernel_operations[] = {
    OpConvertFToS,
    OpConvertSToF,
    OpConvertFToU,
    OpConvertUToF,
    OpConvertPtrToU,
    OpConvertUToPtr,
    OpGenericCastToPtr,
    OpPtrCastToGeneric,
    OpBitcast,
    OpFNegate,
    OpFAdd,
    OpFSub,
    OpFMul,
    OpFDiv,
    OpFRem,
    OpFMod,
};

void check_operation(const InstructionCheck& c) {
  // OpQuantizeToF16 needs Shader; the other operations need Kernel. A module with both capabilities may use all.
  const auto opcode = c.as<OpSpecConstantOp>().opcode();
  const Op operation = opcode;
  const auto needs = [&](std::string_view what) { c.report(Rule::SpecOperation, c.at(opcode), {operation, what}); };
  if (operation == OpQuantizeToF16 && !c.is_shader()) needs("capability Shader");
  if (c.has(Capability::Kernel)) return;
  if (operation == OpUConvert) {
    if (c.version() < Version{1, 4} && !c.module_declarations.has_extension("SPV_AMD_gpu_shader_int16")) {
      needs("SPIR-V 1.4, capability Kernel or extension SPV_AMD_gpu_shader_int16");
    }
  } else if (is_one_of(kernel_operations, operation) || is_one_of(access_chains, operation)) {
    needs("capability Kernel");
  }
}

// The data fills an array of integers, packed from the lowest bit on, with no unused words.
void check_data(const InstructionCheck& c) {
  const TypeRow& type = c.types.of(c.type);
  const TypeRow& element = type.element_type();
  if (!type.is(TypeKind::Array) || !element.is(TypeKind::Int)) {
    c.wrong_result("an array of integers");
    return;
  }
  if (c.decorations.has(type.id, Decoration::ArrayStride)) {
    c.wrong_result("an array without the decoration ArrayStride");
    return;
  }
  const std::uint64_t words = c.as<OpConstantDataKHR>().datas().size();
  // If specialization determines the length, at least one word is needed.
  const bool is_known = type.count != 0 && type.has_known_size();
  // Elements are packed, so the sum of their bits is rounded up to words.
  const std::uint64_t expected = is_known ? (type.bits + 31) / 32 : std::max<std::uint64_t>(words, 1);
  if (words == expected) return;
  c.report(Rule::ConstantDataLength, c.at(), {words, c.type, expected});
}

}  // namespace

std::span<const Check> constant_checks() {
  static constexpr Check checks[] = {
      {{OpConstantDataKHR, OpSpecConstantDataKHR}, check_data},
      {boolean_constants, check_bool},
      {{OpConstantComposite, OpSpecConstantComposite}, check_composite},
      {{OpConstantCompositeReplicateEXT, OpSpecConstantCompositeReplicateEXT}, check_replicate},
      {{OpConstantNull}, check_null},
      {{OpUndef}, check_undefined},
      {{OpConstantSampler}, check_sampler},
      {{OpConstant, OpSpecConstant, OpSwitch}, check_literals},
      {{OpSpecConstantOp}, check_operation},
  };
  return checks;
}

}  // namespace vireo::spirv
