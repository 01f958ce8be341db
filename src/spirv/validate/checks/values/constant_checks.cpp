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

#include "spirv/validate/analysis/type_parts.h"
#include "spirv/validate/checks/tensors/tensor_parts.h"
#include "spirv/validate/checks/values/constituents.h"
#include "spirv/validate/engine/checks.h"
#include "spirv/validate/engine/type_error_reporter.h"
#include "support/counted.h"
#include "vireo/spirv/views/constant_creation.h"

namespace vireo::spirv {
namespace {

using enum Op;

void check_bool(const Context& context, const DecodedInstruction& visit, Report& report) {
  const TypeRow& type = context.types.of(visit.type);
  if (!type.is(TypeKind::Bool)) TypeErrorReporter{context, visit, report}.result("a boolean scalar");
}

// --- composites ------------------------------------------------------------------------------------------------------

// Whether an opcode may have specialization constants as constituents.
bool is_spec_composite(Op op) {
  return is_one_of(
      {OpSpecConstantComposite, OpSpecConstantCompositeContinuedINTEL, OpSpecConstantCompositeReplicateEXT}, op);
}

// The place of an id's definition.
Place definition_of(const Context& context, Word id) { return {context.module.definition(id), 0}; }

// A constituent must be a constant or undefined. Only a specialization constant may have specialization constants as
// constituents.
bool check_constituent_kind(const Context& context, const DecodedInstruction& visit, Report& report,
                            AnyOperand constituent) {
  const Op defining = context.op_of(constituent);
  const ConstantRow* constant = context.constants.find(constituent);
  // Undefined values are also allowed. Some of them have no row.
  if (constant == nullptr && defining != OpUndef && defining != OpPoisonKHR) {
    TypeErrorReporter{context, visit, report}.not_constant(constituent, "constituent");
    return false;
  }
  // A composite of specialization constants is also a specialization constant (2.12), and its opcode must state that.
  if (constant != nullptr && constant->is_spec && !is_spec_composite(visit.op())) {
    report.add(Rule::SpecConstituent, visit.at(constituent),
               {id_text(context, constituent), op_text(context, visit.op())});
    report.note(definition_of(context, constituent), "specialization constant declared here");
    report.hint("use " + op_text(context, visit.op() == OpConstantCompositeReplicateEXT
                                              ? OpSpecConstantCompositeReplicateEXT
                                              : OpSpecConstantComposite));
    return false;
  }
  return true;
}

void check_composite(const Context& context, const DecodedInstruction& visit, Report& report) {
  const TypeErrorReporter type_errors{context, visit, report};
  const TypeRow& type = context.types.of(visit.type);
  const auto constituents = visit.as<OpConstantComposite>().constituents();
  // The constituents of tensors nest by rank; tensors.cpp checks their types.
  if (type.is(TypeKind::Tensor)) {
    for_each_constituent(context, visit, constituents, [&](const DecodedInstruction& at, AnyOperand constituent, auto) {
      check_constituent_kind(context, at, report, constituent);
    });
    return;
  }
  if (!type.is_composite() || type.is(TypeKind::RuntimeArray)) {
    type_errors.result("a composite");
    return;
  }
  // A cooperative matrix has one constituent, which fills it.
  const auto count = type.is_cooperative_matrix() ? 1 : part_count(context, type);
  const std::size_t all = constituents.size() + continued_constituents(context, visit.index);
  if (count && *count != all) {
    report.add(Rule::ConstituentCount, visit.at(),
               {op_text(context, visit.op()), counted(all, "constituent"), std::to_string(*count),
                type_name(context, visit.type)});
    return;
  }
  for_each_constituent(
      context, visit, constituents, [&](const DecodedInstruction& at, AnyOperand constituent, std::size_t i) {
        // A constituent that is not a constant has only one finding.
        if (!check_constituent_kind(context, at, report, constituent)) return;
        const Word member = type.is(TypeKind::Struct) ? context.types.member_type(type, i) : type.element;
        if (member != 0 && context.module.type_of(constituent) != member) {
          TypeErrorReporter{context, at, report}.relation(constituent, fmt::format("constituent {}", i),
                                                          part_text(context, type, i), member);
        }
      });
}

// All parts have the same value, so they have the same type.
void check_replicate(const Context& context, const DecodedInstruction& visit, Report& report) {
  const TypeErrorReporter type_errors{context, visit, report};
  const TypeRow& type = context.types.of(visit.type);
  const bool is_tensor = type.is(TypeKind::Tensor);
  if (!is_tensor && (!type.is_composite() || type.is(TypeKind::RuntimeArray))) {
    type_errors.result("a composite");
    return;
  }
  const auto value = visit.as<OpConstantCompositeReplicateEXT>().value();
  // tensors.cpp checks the type of the value of a tensor.
  if (!check_constituent_kind(context, visit, report, value) || is_tensor) return;
  const Word other = other_part(context, type, context.module.type_of(value));
  if (other != 0) type_errors.relation(value, "the value", "the type of each part of the result", other);
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

void check_null(const Context& context, const DecodedInstruction& visit, Report& report) {
  const TypeRow& type = context.types.of(visit.type);
  if (!is_nullable(type)) { TypeErrorReporter{context, visit, report}.result("a type with a null value"); }
}

// Handles that the API binds have no undefined values in Vulkan. An array or structure of handles has none either,
// because each of its parts would be one. HLSL front ends leave undefined handles for their legalization to remove.
void check_undefined(const Context& context, const DecodedInstruction& visit, Report& report) {
  const TypeRow& type = context.types.of(visit.type);
  if (!context.is_vulkan() || !type.contains.has_any(TypeTrait::Opaque)) return;
  // If structures cannot have opaque members, the declaration of the structure is reported.
  const bool has_members = context.has(Capability::BindlessTextureNV) || context.has(Capability::DescriptorHeapEXT);
  if (type.contains.has_any(TypeTrait::Struct) && !has_members) return;
  // A tensor with a shape is a composite of numbers, not a handle (SPV_ARM_tensors, 2.2.2).
  const auto is_handle = [&](const TypeRow& part) { return is_bound_handle(part) && !is_shaped_tensor(context, part); };
  if (find_part(context, type, is_handle) == nullptr) return;
  report.add(Rule::UndefinedHandle, visit.at_type(), {type_text(context, visit.type)});
}

void check_sampler(const Context& context, const DecodedInstruction& visit, Report& report) {
  const TypeRow& type = context.types.of(visit.type);
  if (!type.is(TypeKind::Sampler)) TypeErrorReporter{context, visit, report}.result("a sampler");
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

void check_literals(const Context& context, const DecodedInstruction& visit, Report& report) {
  // The decoder determined the size of the literals from this type: the type of the constant or, for OpSwitch, of the
  // selector.
  const ScalarType& type = visit.decoded->literal_type;
  for (const Operand& operand : visit.operands) {
    if (operand.shape != OperandShape::LiteralContextDependentNumber) continue;
    const auto last = static_cast<std::uint16_t>(operand.word + operand.word_count - 1);
    if (is_extended(visit.view.word(last), type)) continue;
    report.add(Rule::LiteralExtension, {visit.index, last},
               {std::to_string(type.width), op_text(context, visit.op()),
                type.is_signed ? "copies of the sign bit" : "0", fmt::format("0x{:08x}", visit.view.word(last))});
  }
}

// --- operations ------------------------------------------------------------------------------------------------------

// Operations that only kernels may use in OpSpecConstantOp.
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
    OpAccessChain,
    OpInBoundsAccessChain,
    OpPtrAccessChain,
    OpInBoundsPtrAccessChain,
    OpUntypedAccessChainKHR,
    OpUntypedInBoundsAccessChainKHR,
    OpUntypedPtrAccessChainKHR,
    OpUntypedInBoundsPtrAccessChainKHR,
};

void check_operation(const Context& context, const DecodedInstruction& visit, Report& report) {
  // OpQuantizeToF16 needs Shader; the other operations need Kernel. A module with both capabilities may use all.
  const auto opcode = visit.as<OpSpecConstantOp>().opcode();
  const Op operation = opcode;
  const auto needs = [&](std::string_view what) {
    report.add(Rule::SpecOperation, visit.at(opcode), {op_text(context, operation), what});
  };
  if (operation == OpQuantizeToF16 && !context.is_shader()) needs("capability Shader");
  if (context.has(Capability::Kernel)) return;
  if (operation == OpUConvert) {
    if (context.version() < Version{1, 4} && !context.module_declarations.has_extension("SPV_AMD_gpu_shader_int16")) {
      needs("SPIR-V 1.4, capability Kernel or extension SPV_AMD_gpu_shader_int16");
    }
  } else if (std::find(std::begin(kernel_operations), std::end(kernel_operations), operation) !=
             std::end(kernel_operations)) {
    needs("capability Kernel");
  }
}

// The data fills an array of integers, packed from the lowest bit on, with no unused words.
void check_data(const Context& context, const DecodedInstruction& visit, Report& report) {
  const TypeRow& type = context.types.of(visit.type);
  const TypeRow& element = context.types.of(type.element);
  if (!type.is(TypeKind::Array) || !element.is(TypeKind::Int)) {
    TypeErrorReporter{context, visit, report}.result("an array of integers");
    return;
  }
  if (context.decorations.has(type.id, Decoration::ArrayStride)) {
    TypeErrorReporter{context, visit, report}.result("an array without the decoration ArrayStride");
    return;
  }
  const std::uint64_t words = visit.as<OpConstantDataKHR>().datas().size();
  // If specialization determines the length, at least one word is needed.
  const bool is_known = type.count != 0 && type.has_known_size();
  // Elements are packed, so the sum of their bits is rounded up to words.
  const std::uint64_t expected = is_known ? (type.bits + 31) / 32 : std::max<std::uint64_t>(words, 1);
  if (words == expected) return;
  report.add(Rule::ConstantDataLength, visit.at(),
             {std::to_string(words), type_name(context, visit.type), std::to_string(expected)});
}

}  // namespace

std::span<const Check> constant_checks() {
  static constexpr Check checks[] = {
      {{OpConstantDataKHR, OpSpecConstantDataKHR}, check_data},
      {{OpConstantTrue, OpConstantFalse, OpSpecConstantTrue, OpSpecConstantFalse}, check_bool},
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
