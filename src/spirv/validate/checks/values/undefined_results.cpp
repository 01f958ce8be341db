// SPDX-License-Identifier: Apache-2.0
//
// Operands with which the result or the behavior of an instruction is undefined (SPIR-V 1.6, 2.18.3, 3.42.8, 3.42.11 to
// 3.42.14 and 3.42.24; SPV_KHR_expect_assume, SPV_KHR_no_integer_wrap_decoration, SPV_INTEL_ternary_bitwise_function,
// SPV_EXT_ocp_microscaling_types).
//
// Such a module is valid, and its behavior is undefined only if the instruction is executed. So all findings
// are warnings, and unreachable blocks have none. An operand that is not a constant, or that specialization can change,
// is not examined.
//
// With the execution mode ArithmeticPoisonKHR, integer arithmetic and conversions give poison instead, which OpFreezeKHR
// can replace (SPV_KHR_poison_freeze). So they get no warnings.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "spirv/module/arithmetic/arithmetic_limits.h"
#include "spirv/module/fold.h"
#include "spirv/validate/analysis/constant_components.h"
#include "spirv/validate/analysis/pointers.h"
#include "spirv/validate/analysis/type_parts.h"
#include "spirv/validate/checks/checks.h"
#include "spirv/validate/checks/memory/memory_access.h"
#include "support/counted.h"
#include "vireo/spirv/binary/views/arithmetic.h"
#include "vireo/spirv/binary/views/atomic.h"
#include "vireo/spirv/binary/views/bit.h"
#include "vireo/spirv/binary/views/composite.h"
#include "vireo/spirv/binary/views/conversion.h"
#include "vireo/spirv/binary/views/group.h"
#include "vireo/spirv/binary/views/memory.h"
#include "vireo/spirv/binary/views/miscellaneous.h"
#include "vireo/spirv/binary/views/non_uniform.h"

namespace vireo::spirv {
namespace {

using enum Op;

// The width of an integer or float type, or of the components of a vector type; 0 if it has none, or if constants of
// this width are not evaluated.
std::uint32_t component_width(const ModuleCheck& c, Word type) {
  const TypeRow& scalar = c.types.of(type).component();
  return scalar.is_numerical() && scalar.width <= 64 ? scalar.width : 0;
}

// "signed 32-bit integers": the integers of a decoration or of a signed instruction, whatever the type's signedness is.
std::string integers_text(bool is_signed, std::uint32_t width) {
  return fmt::format("{} {}-bit integers", is_signed ? "signed" : "unsigned", width);
}

// --- division -----------------------------------------------------------------------------------------------------------

// Checks the divisor, and a dividend that is the lowest signed integer. Each rule is reported at most once.
void check_integer_division(const InstructionCheck& c) {
  const auto division = c.as<OpSDiv>();  // all opcodes of this check have the same operands
  const auto dividend = division.operand_1(), divisor = division.operand_2();
  if (c.gives_poison) return;
  const std::uint32_t width = component_width(c, c.type);
  const bool is_signed = c.op() != OpUDiv && c.op() != OpUMod;
  bool is_zero = false, overflows = false;
  for (std::size_t n = 0; n < constant_component_count(c, divisor); ++n) {
    const auto value = signed_component(c, divisor, n);
    if (!value) continue;
    if (*value == 0 && !is_zero) {
      is_zero = true;
      c.report(Rule::ZeroDivisor, c.at(divisor), {component_text(c, divisor, n), c.op()});
    }
    const auto bits = component_bits(c, dividend, n);
    const bool is_lowest = bits && width != 0 && *bits == std::uint64_t{1} << (width - 1);
    if (is_signed && *value == -1 && is_lowest && !overflows) {
      overflows = true;
      c.report(Rule::DivisionOverflow, c.at(dividend),
               {c.op(), component_text(c, dividend, n), integers_text(true, width)});
    }
  }
}

// The floats of OpenCL follow IEEE 754, which defines the quotient and the remainder (OpenCL SPIR-V Environment
// Specification, "Numerical Compliance").
void check_float_division(const InstructionCheck& c) {
  if (c.has(Capability::Kernel)) return;
  const auto divisor = c.as<OpFDiv>().operand_2();
  for (std::size_t n = 0; n < constant_component_count(c, divisor); ++n) {
    if (float_component(c, divisor, n) != 0.0) continue;
    c.report(Rule::ZeroDivisor, c.at(divisor), {component_text(c, divisor, n), c.op()});
    return;
  }
}

// --- overflow -----------------------------------------------------------------------------------------------------------

// The operands of an operation that may be decorated. A negation subtracts from 0.
struct Operation {
  Op op;
  std::optional<AnyOperand> left;
  AnyOperand right;
};

void check_wrap(const InstructionCheck& c, const Operation& operation) {
  const std::uint32_t width = component_width(c, c.type);
  if (width == 0 || constant_component_count(c, operation.right) == 0) return;
  const bool no_signed = c.decorations.has(c.result, Decoration::NoSignedWrap);
  // The extension does not state when the negation of an unsigned number overflows.
  const bool no_unsigned = operation.left && c.decorations.has(c.result, Decoration::NoUnsignedWrap);
  if ((!no_signed && !no_unsigned) || c.gives_poison) return;
  const bool is_shift = operation.op == OpShiftLeftLogical;
  for (std::size_t n = 0; n < constant_component_count(c, operation.right); ++n) {
    const auto a = operation.left ? component_bits(c, *operation.left, n) : std::optional<std::uint64_t>(0);
    const auto b = component_bits(c, operation.right, n);
    if (!a || !b || (is_shift && *b >= width)) continue;
    // A shift amount is unsigned.
    const std::int64_t right = is_shift ? static_cast<std::int64_t>(*b) : sign_extended(*b, width);
    const bool exceeds_signed = no_signed && overflows_signed(operation.op, sign_extended(*a, width), right, width);
    if (!exceeds_signed && !(no_unsigned && overflows_unsigned(operation.op, *a, *b, width))) continue;
    c.report(
        Rule::WrapOverflow, c.at(),
        {c.result, exceeds_signed ? "NoSignedWrap" : "NoUnsignedWrap", c.op(), integers_text(exceeds_signed, width)});
    return;
  }
}

void check_binary_wrap(const InstructionCheck& c) {
  const auto sum = c.as<OpIAdd>();  // all opcodes of this check have the same operands
  check_wrap(c, {c.op(), sum.operand_1(), sum.operand_2()});
}

void check_negation_wrap(const InstructionCheck& c) {
  check_wrap(c, {OpISub, std::nullopt, c.as<OpSNegate>().operand()});
}

// --- bits ---------------------------------------------------------------------------------------------------------------

void check_shift(const InstructionCheck& c) {
  const auto shift = c.as<OpShiftLeftLogical>();  // all shifts have the same operands
  const AnyOperand amount = shift.shift();
  const std::uint32_t width = component_width(c, c.type);
  for (std::size_t n = 0; n < constant_component_count(c, amount); ++n) {
    const auto bits = component_bits(c, amount, n);
    if (!bits || width == 0 || *bits < width) continue;
    c.report(Rule::ShiftAmount, c.at(amount), {component_text(c, amount, n), *bits, width});
    break;
  }
  if (c.op() == OpShiftLeftLogical) check_wrap(c, {c.op(), shift.base(), amount});
}

// Checks an offset and a number of bits. Either of them may be unknown.
void check_field(const InstructionCheck& c, AnyOperand place, std::optional<std::uint64_t> offset,
                 std::optional<std::uint64_t> count, std::uint32_t width) {
  const std::uint64_t first = offset.value_or(0), bits = count.value_or(0);
  if (width == 0 || (first <= width && bits <= width - first)) return;
  std::string text;
  if (offset) text += fmt::format(" at offset {}", first);
  if (count) text += fmt::format(" with {}", counted(bits, "bit"));
  c.report(Rule::BitFieldRange, c.at(place), {c.op(), text, width});
}

void check_bit_field(const InstructionCheck& c, AnyOperand offset, AnyOperand count) {
  check_field(c, offset, component_bits(c, offset, 0), component_bits(c, count, 0), component_width(c, c.type));
}
void check_field_insert(const InstructionCheck& c) {
  const auto insert = c.as<OpBitFieldInsert>();
  check_bit_field(c, insert.offset(), insert.count());
}
void check_field_extract(const InstructionCheck& c) {
  const auto extract = c.as<OpBitFieldSExtract>();  // OpBitFieldUExtract has the same operands
  check_bit_field(c, extract.offset(), extract.count());
}
void check_float_extract(const InstructionCheck& c) {
  const auto extract = c.as<OpBitcastExtractEXT>();
  const auto offset = component_bits(c, extract.offset(), 0);
  if (!offset) return;
  check_field(c, extract.offset(), offset, component_width(c, c.type),
              component_width(c, c.type_id_of(extract.base())));
}

void check_lookup_table(const InstructionCheck& c) {
  const auto index = c.as<OpBitwiseFunctionINTEL>().lut_index();
  const auto bits = component_bits(c, index, 0);
  if (bits && *bits > 0xFF) c.report(Rule::LookupTableIndex, c.at(index), {*bits});
}

// --- vectors and conversions --------------------------------------------------------------------------------------------

void check_vector_index(const InstructionCheck& c, AnyOperand vector, AnyOperand index) {
  const TypeRow &type = c.type_of(vector), &index_type = c.type_of(index);
  const auto bits = component_bits(c, index, 0);
  if (!bits || !type.is_vector() || !index_type.is(TypeKind::Int)) return;
  const auto count = part_count(c, type);
  if (!count || *bits < *count) return;
  const auto value = c.constants.as_i64(index);
  c.report(Rule::VectorIndex, c.at(index),
           {value ? std::to_string(*value) : std::to_string(*bits), type.id, *count - 1});
}
void check_dynamic_extract(const InstructionCheck& c) {
  const auto extract = c.as<OpVectorExtractDynamic>();
  check_vector_index(c, extract.vector(), extract.index());
}
void check_dynamic_insert(const InstructionCheck& c) {
  const auto insert = c.as<OpVectorInsertDynamic>();
  check_vector_index(c, insert.vector(), insert.index());
}

// The conversion rounds toward 0. SaturatedConversion replaces values out of range by the nearest one.
void check_float_to_integer(const InstructionCheck& c) {
  const auto operand = c.as<OpConvertFToU>().float_value();
  const std::uint32_t width = component_width(c, c.type);
  if (width == 0) return;
  for (std::size_t n = 0; n < constant_component_count(c, operand); ++n) {
    const auto value = float_component(c, operand, n);
    if (!value || is_convertible(*value, width, c.op() == OpConvertFToS)) continue;
    if (c.decorations.has(c.result, Decoration::SaturatedConversion) || c.gives_poison) return;
    c.report(Rule::ConversionRange, c.at(operand), {c.op(), component_text(c, operand, n), c.type});
    return;
  }
}

// --- memory, assumptions, quads -----------------------------------------------------------------------------------------

// An instruction with a result has its pointer at the same position as OpLoad.
void check_null_load(const InstructionCheck& c) { check_null_access(c, c.as<OpLoad>().pointer()); }
// An instruction without a result has its pointer at the same position as OpStore.
void check_null_store(const InstructionCheck& c) { check_null_access(c, c.as<OpStore>().pointer()); }
void check_null_group_copy(const InstructionCheck& c) {
  const auto copy = c.as<OpGroupAsyncCopy>();
  check_null_access(c, copy.destination());
  check_null_access(c, copy.source());
}
void check_null_copy(const InstructionCheck& c) {
  const auto copy = c.as<OpCopyMemory>();  // OpCopyMemorySized has its pointers at the same positions
  check_null_access(c, copy.target());
  check_null_access(c, copy.source());
}

// Returns true if two variables never share memory. Two variables of StorageBuffer may be bound to one buffer if they are
// decorated Aliased; with memory models other than GLSL450, this is the default (2.18.2).
bool are_disjoint(const ModuleCheck& c, Word first, Word second) {
  if (c.type_of(first).storage == StorageClass::StorageBuffer &&
      c.module_declarations.memory_model() != MemoryModel::GLSL450) {
    return false;
  }
  const auto is_aliased = [&](Word id) { return c.decorations.has(id, Decoration::Aliased); };
  return !is_aliased(first) && !is_aliased(second);
}

// The operands of OpPtrDiff point into one array, so they are derived from one variable.
void check_difference(const InstructionCheck& c) {
  const auto difference = c.as<OpPtrDiff>();
  const Word first = origin_of(c, difference.operand_1()), second = origin_of(c, difference.operand_2());
  if (first == second || !is_variable(c.op_of(first)) || !is_variable(c.op_of(second))) return;
  if (!are_disjoint(c, first, second)) return;
  c.report(Rule::PointerDifference, c.at(difference.operand_2()), {first, second});
}

// An address that was a pointer becomes a pointer to the same storage class again.
void check_address(const InstructionCheck& c) {
  const auto number = c.as<OpConvertUToPtr>().integer_value();  // OpBitcast has its operand at the same position
  const TypeRow& result = c.types.of(c.type);
  const InstructionView source = c.module.find(origin_of(c, number, Through::Copies));
  if (!result.is_pointer() || (source.opcode != OpConvertPtrToU && source.opcode != OpBitcast)) return;
  const Word pointer = View<OpConvertPtrToU>(source).pointer();
  const TypeRow& type = c.type_of(pointer);
  if (!type.is_pointer() || type.storage == result.storage || c.gives_poison) return;
  c.report(Rule::AddressStorage, c.at(number), {number, pointer, type.storage, result.storage});
}

void check_assumption(const InstructionCheck& c) {
  const auto condition = c.as<OpAssumeTrueKHR>().condition();
  if (component_bits(c, condition, 0) != std::uint64_t{0}) return;
  c.report(Rule::FalseAssumption, c.at(condition), {condition});
}

void check_quad(const InstructionCheck& c) {
  const auto index = c.as<OpGroupNonUniformQuadBroadcast>().index();
  const auto bits = component_bits(c, index, 0);
  if (bits && *bits >= 4) c.report(Rule::QuadIndex, c.at(index), {*bits});
}

// A check that is skipped in unreachable blocks.
template <CheckFunction check>
void if_reachable(const InstructionCheck& c) {
  if (c.is_reachable()) check(c);
}

bool has_null_pointers(const ModuleCheck& c) { return c.has_null_pointers; }

}  // namespace

std::span<const Check> undefined_result_checks() {
  // clang-format off
  static constexpr Check checks[] = {
      {integer_divisions, if_reachable<check_integer_division>},
      {float_divisions, if_reachable<check_float_division>},
      {{OpIAdd, OpISub, OpIMul}, if_reachable<check_binary_wrap>},
      {{OpSNegate}, if_reachable<check_negation_wrap>},
      {shifts, if_reachable<check_shift>},
      {{OpBitFieldInsert}, if_reachable<check_field_insert>},
      {{OpBitFieldSExtract, OpBitFieldUExtract}, if_reachable<check_field_extract>},
      {{OpBitcastExtractEXT}, if_reachable<check_float_extract>},
      {{OpBitwiseFunctionINTEL}, if_reachable<check_lookup_table>},
      {{OpVectorExtractDynamic}, if_reachable<check_dynamic_extract>},
      {{OpVectorInsertDynamic}, if_reachable<check_dynamic_insert>},
      {{OpConvertFToU, OpConvertFToS}, if_reachable<check_float_to_integer>},
      // Not the predicated loads and stores of INTEL: their predicate may be that the pointer is not null.
      {number_atomics, if_reachable<check_null_load>, has_null_pointers},
      {{OpLoad, OpAtomicFlagTestAndSet, OpCooperativeMatrixLoadKHR, OpCooperativeMatrixLoadNV,
        OpCooperativeMatrixLoadTensorNV, OpCooperativeVectorLoadNV, OpSubgroupBlockReadINTEL},
       if_reachable<check_null_load>, has_null_pointers},
      {{OpStore, OpAtomicStore, OpAtomicFlagClear, OpCooperativeMatrixStoreKHR, OpCooperativeMatrixStoreNV,
        OpCooperativeMatrixStoreTensorNV, OpCooperativeVectorStoreNV, OpSubgroupBlockWriteINTEL},
       if_reachable<check_null_store>, has_null_pointers},
      {{OpCopyMemory, OpCopyMemorySized}, if_reachable<check_null_copy>, has_null_pointers},
      {{OpGroupAsyncCopy}, if_reachable<check_null_group_copy>, has_null_pointers},
      {{OpPtrDiff}, if_reachable<check_difference>},
      {{OpConvertUToPtr, OpBitcast}, if_reachable<check_address>},
      {{OpAssumeTrueKHR}, if_reachable<check_assumption>},
      {{OpGroupNonUniformQuadBroadcast}, if_reachable<check_quad>},
  };
  // clang-format on
  return checks;
}

}  // namespace vireo::spirv
