// SPDX-License-Identifier: Apache-2.0
//
// Families of opcodes that several components treat alike, each stated once.
//
// The grammar does not contain these families: its printing classes are broader, and some vendors' instructions have
// the class of the vendor. Members are in the order of the specification's sections, so a family is easy to compare
// with it.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <span>
#include <type_traits>

#include "vireo/spirv/grammar/enums.h"

namespace vireo::spirv {

/// Whether a list contains a value: `is_one_of({OpLoad, OpStore}, op)`. Linear; the lists are short.
template <typename T>
constexpr bool is_one_of(std::span<const std::type_identity_t<T>> list, T value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}
template <typename T>
constexpr bool is_one_of(std::initializer_list<T> list, T value) {
  return is_one_of(std::span<const T>(list.begin(), list.size()), value);
}

// --- debug instructions and annotations ------------------------------------------------------------------------------

/// Line information, which may be anywhere among the globals and in functions (specification 2.4).
constexpr bool is_line(Op opcode) { return opcode == Op::OpLine || opcode == Op::OpNoLine; }

/// Debug information apart from names (specification 3.42.2).
inline constexpr std::initializer_list<Op> source_information = {
    Op::OpSource, Op::OpSourceContinued, Op::OpSourceExtension, Op::OpString,
    Op::OpLine,   Op::OpNoLine,          Op::OpModuleProcessed};

/// Whether the instruction names a result or a member.
constexpr bool gives_name(Op opcode) { return opcode == Op::OpName || opcode == Op::OpMemberName; }

/// Whether the instruction decorates an id; the decoration is operand 2.
constexpr bool is_object_decoration(Op opcode) {
  return opcode == Op::OpDecorate || opcode == Op::OpDecorateId || opcode == Op::OpDecorateString;
}
/// Whether the instruction decorates a member; the decoration is operand 3.
constexpr bool is_member_decoration(Op opcode) {
  return opcode == Op::OpMemberDecorate || opcode == Op::OpMemberDecorateIdEXT || opcode == Op::OpMemberDecorateString;
}
constexpr bool is_decoration(Op opcode) { return is_object_decoration(opcode) || is_member_decoration(opcode); }

/// Whether the instruction gives the decorations of a group to its targets.
constexpr bool applies_group(Op opcode) { return opcode == Op::OpGroupDecorate || opcode == Op::OpGroupMemberDecorate; }

/// Whether an instruction names, decorates or groups an id without using its value.
constexpr bool only_annotates(Op opcode) {
  return opcode == Op::OpName || is_object_decoration(opcode) || applies_group(opcode);
}

// --- declarations ----------------------------------------------------------------------------------------------------

/// Whether the instruction declares an entry point, also one that depends on a condition.
constexpr bool is_entry_point(Op opcode) {
  return opcode == Op::OpEntryPoint || opcode == Op::OpConditionalEntryPointINTEL;
}

/// Whether the instruction gives an execution mode to the entry points of a function.
constexpr bool is_execution_mode(Op opcode) { return opcode == Op::OpExecutionMode || opcode == Op::OpExecutionModeId; }

/// Whether the instruction belongs to an extended set, known or not.
constexpr bool is_extended(Op opcode) { return opcode == Op::OpExtInst || opcode == Op::OpExtInstWithForwardRefsKHR; }

/// Whether the instruction declares a variable, typed or untyped.
constexpr bool is_variable(Op opcode) { return opcode == Op::OpVariable || opcode == Op::OpUntypedVariableKHR; }

/// Whether the instruction declares an aggregate type. Two of them with equal operands can differ in their decorations.
constexpr bool is_aggregate_type(Op opcode) {
  return is_one_of({Op::OpTypeStruct, Op::OpTypeArray, Op::OpTypeRuntimeArray}, opcode);
}

/// OpConstantTrue and the like, with and without specialization.
inline constexpr std::initializer_list<Op> boolean_constants = {Op::OpConstantTrue, Op::OpConstantFalse,
                                                                Op::OpSpecConstantTrue, Op::OpSpecConstantFalse};
/// Whether the instruction is a scalar specialization constant with a value of its own.
constexpr bool is_scalar_spec_constant(Op opcode) {
  return is_one_of({Op::OpSpecConstantTrue, Op::OpSpecConstantFalse, Op::OpSpecConstant}, opcode);
}
/// Whether the decoration SpecId may be applied to the result: it has a default value that a number replaces.
constexpr bool has_default_value(Op opcode) {
  return is_scalar_spec_constant(opcode) || opcode == Op::OpSpecConstantDataKHR;
}
/// Whether the instruction is one of the specialization constants of the core, whose numbers are consecutive.
constexpr bool is_core_spec_constant(Op opcode) {
  return opcode >= Op::OpSpecConstantTrue && opcode <= Op::OpSpecConstantOp;
}
/// Whether the instruction is a constant with literal words, with or without specialization.
constexpr bool is_literal_constant(Op opcode) { return opcode == Op::OpConstant || opcode == Op::OpSpecConstant; }

// --- operations ------------------------------------------------------------------------------------------------------

inline constexpr std::initializer_list<Op> access_chains = {Op::OpAccessChain,
                                                            Op::OpInBoundsAccessChain,
                                                            Op::OpPtrAccessChain,
                                                            Op::OpInBoundsPtrAccessChain,
                                                            Op::OpUntypedAccessChainKHR,
                                                            Op::OpUntypedInBoundsAccessChainKHR,
                                                            Op::OpUntypedPtrAccessChainKHR,
                                                            Op::OpUntypedInBoundsPtrAccessChainKHR};

constexpr bool is_access_chain(Op opcode) { return is_one_of(access_chains, opcode); }

/// Whether the instruction copies between two pointers.
constexpr bool is_memory_copy(Op opcode) { return opcode == Op::OpCopyMemory || opcode == Op::OpCopyMemorySized; }

/// The instructions other than atomic ones that write through a pointer.
inline constexpr std::initializer_list<Op> stores = {Op::OpStore, Op::OpPredicatedStoreINTEL, Op::OpCopyMemory,
                                                     Op::OpCopyMemorySized};

/// The atomic instructions that return a number.
inline constexpr std::initializer_list<Op> number_atomics = {Op::OpAtomicLoad,
                                                             Op::OpAtomicExchange,
                                                             Op::OpAtomicCompareExchange,
                                                             Op::OpAtomicCompareExchangeWeak,
                                                             Op::OpAtomicIIncrement,
                                                             Op::OpAtomicIDecrement,
                                                             Op::OpAtomicIAdd,
                                                             Op::OpAtomicISub,
                                                             Op::OpAtomicSMin,
                                                             Op::OpAtomicUMin,
                                                             Op::OpAtomicSMax,
                                                             Op::OpAtomicUMax,
                                                             Op::OpAtomicAnd,
                                                             Op::OpAtomicOr,
                                                             Op::OpAtomicXor,
                                                             Op::OpAtomicFAddEXT,
                                                             Op::OpAtomicFMinEXT,
                                                             Op::OpAtomicFMaxEXT};

inline constexpr std::initializer_list<Op> integer_divisions = {Op::OpUDiv, Op::OpSDiv, Op::OpUMod, Op::OpSRem,
                                                                Op::OpSMod};
inline constexpr std::initializer_list<Op> float_divisions = {Op::OpFDiv, Op::OpFRem, Op::OpFMod};
inline constexpr std::initializer_list<Op> shifts = {Op::OpShiftLeftLogical, Op::OpShiftRightLogical,
                                                     Op::OpShiftRightArithmetic};

/// Conversions from or to floating-point numbers.
inline constexpr std::initializer_list<Op> float_conversions = {Op::OpConvertFToU, Op::OpConvertFToS, Op::OpConvertSToF,
                                                                Op::OpConvertUToF, Op::OpFConvert};
/// Those with a floating-point result.
inline constexpr std::initializer_list<Op> conversions_to_float = {Op::OpConvertSToF, Op::OpConvertUToF,
                                                                   Op::OpFConvert};
/// The other conversions of numbers.
inline constexpr std::initializer_list<Op> width_conversions = {Op::OpUConvert, Op::OpSConvert};

/// The instructions of SPV_QCOM_image_processing and SPV_QCOM_image_processing2 that take images.
inline constexpr std::initializer_list<Op> image_processing = {
    Op::OpImageSampleWeightedQCOM,      Op::OpImageBoxFilterQCOM,           Op::OpImageBlockMatchSSDQCOM,
    Op::OpImageBlockMatchSADQCOM,       Op::OpImageBlockMatchWindowSSDQCOM, Op::OpImageBlockMatchWindowSADQCOM,
    Op::OpImageBlockMatchGatherSSDQCOM, Op::OpImageBlockMatchGatherSADQCOM};

inline constexpr std::initializer_list<Op> derivatives = {Op::OpDPdx,       Op::OpDPdy,       Op::OpFwidth,
                                                          Op::OpDPdxFine,   Op::OpDPdyFine,   Op::OpFwidthFine,
                                                          Op::OpDPdxCoarse, Op::OpDPdyCoarse, Op::OpFwidthCoarse};

/// The instructions that compute derivatives for the level of detail of an image.
inline constexpr std::initializer_list<Op> implicit_derivatives = {Op::OpImageSampleImplicitLod,
                                                                   Op::OpImageSampleDrefImplicitLod,
                                                                   Op::OpImageSampleProjImplicitLod,
                                                                   Op::OpImageSampleProjDrefImplicitLod,
                                                                   Op::OpImageSparseSampleImplicitLod,
                                                                   Op::OpImageSparseSampleDrefImplicitLod,
                                                                   Op::OpImageSparseSampleProjImplicitLod,
                                                                   Op::OpImageSparseSampleProjDrefImplicitLod,
                                                                   Op::OpImageQueryLod};

/// The instructions of OpCapability GroupNonUniformArithmetic that take a group operation.
inline constexpr std::initializer_list<Op> group_arithmetic = {
    Op::OpGroupNonUniformIAdd,       Op::OpGroupNonUniformFAdd,       Op::OpGroupNonUniformIMul,
    Op::OpGroupNonUniformFMul,       Op::OpGroupNonUniformSMin,       Op::OpGroupNonUniformUMin,
    Op::OpGroupNonUniformFMin,       Op::OpGroupNonUniformSMax,       Op::OpGroupNonUniformUMax,
    Op::OpGroupNonUniformFMax,       Op::OpGroupNonUniformBitwiseAnd, Op::OpGroupNonUniformBitwiseOr,
    Op::OpGroupNonUniformBitwiseXor, Op::OpGroupNonUniformLogicalAnd, Op::OpGroupNonUniformLogicalOr,
    Op::OpGroupNonUniformLogicalXor};

}  // namespace vireo::spirv
