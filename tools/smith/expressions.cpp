// SPDX-License-Identifier: Apache-2.0
//
// Expressions of integers and Booleans (generator.h), and the choice of an expression for a type.
#include <algorithm>
#include <vector>

#include "smith/generator.h"

namespace vireo::spirv {

using Kind = SmithType::Kind;

ValueId SmithGenerator::op(Op opcode, TypeRef type, std::initializer_list<AnyId> operands) {
  std::vector<Word> words = {types_[type].id.word};
  for (const AnyId operand : operands) words.push_back(operand.word);
  return ValueId(b_.instruction(opcode, words));
}

ValueId SmithGenerator::ext(GLSL_std_450 function, TypeRef type, std::initializer_list<OpenOperand> operands) {
  return b_.ext(function, types_[type].id, operands);
}

// --- any type ---------------------------------------------------------------------------------------------------------

// A value that exists, the contents of a variable, or a constant.
ValueId SmithGenerator::leaf(TypeRef type) {
  const std::uint32_t kind = random_.below(16);
  if (kind < 8) {
    std::vector<ValueId> found;
    for (const Value& each : values_) {
      if (each.type == type) found.push_back(each.id);
    }
    // Late values more often: they depend on more.
    if (!found.empty()) {
      const std::uint32_t first = random_.below(found.size()), second = random_.below(found.size());
      return found[std::max(first, second)];
    }
  }
  if (kind < 12) {
    if (const auto pointer = pointer_to(type, false)) return b_.OpLoad(types_[type].id, *pointer);
  }
  if (kind < 14) {
    std::vector<ValueId> found;
    for (const Value& each : spec_constants_) {
      if (each.type == type) found.push_back(each.id);
    }
    if (!found.empty()) return random_.pick(found);
  }
  if (!is_guarded() && random_.one_in(3)) return b_.OpUndef(types_[type].id);
  return constant(type);
}

ValueId SmithGenerator::value(TypeRef type, std::uint32_t depth) {
  if (depth == 0 || random_.one_in(5)) return leaf(type);
  --depth;
  const Kind kind = types_[type].kind;
  if (kind == Kind::Matrix) return matrix_value(type, depth);
  if (kind == Kind::Array || kind == Kind::Struct) return aggregate_value(type, depth);
  switch (random_.below(12)) {
    case 0: return select(type, depth);
    case 1: return kind == Kind::Vector ? vector_value(type, depth) : extraction(type, depth);
    case 2:
      if (kind == Kind::Vector) return vector_value(type, depth);
      for (std::uint32_t tries = 0; tries < 4 && !callees_.empty(); ++tries) {
        const Callee& callee = random_.pick(callees_);
        if (callee.result != type) continue;
        if (const auto result = call(callee)) return *result;
      }
      break;
    default: break;
  }
  switch (types_[types_.scalar_of(type)].kind) {
    case Kind::Bool: return bool_value(type, depth);
    case Kind::Int: return int_value(type, depth);
    default: return float_value(type, depth);
  }
}

ValueId SmithGenerator::select(TypeRef type, std::uint32_t depth) {
  // Since 1.4 a Boolean can select between values of any type.
  const bool is_each = types_[type].kind == Kind::Vector && random_.one_in(2);
  const ValueId choice = value(is_each ? types_.with_scalar(type, bool_) : bool_, depth);
  const ValueId a = value(type, depth);
  const ValueId b = value(type, depth);
  return b_.OpSelect(types_[type].id, choice, a, b);
}

// --- integers ---------------------------------------------------------------------------------------------------------

ValueId SmithGenerator::int_value(TypeRef type, std::uint32_t depth) {
  switch (random_.below(16)) {
    case 0: return int_division(type, depth);
    case 1:
    case 2: return int_shift(type, depth);
    case 3:
    case 4: return int_conversion(type, depth);
    case 5: return int_bits(type, depth);
    case 6: return int_function(type, depth);
    case 7: {
      const ValueId a = value(type, depth);
      return op(random_.one_in(2) ? Op::OpNot : Op::OpSNegate, type, {a});
    }
    default: break;
  }
  constexpr Op operations[] = {Op::OpIAdd, Op::OpISub, Op::OpIMul, Op::OpBitwiseAnd, Op::OpBitwiseOr, Op::OpBitwiseXor};
  const Op opcode = random_.pick(operations);
  const ValueId a = value(type, depth);
  const ValueId b = value(type, depth);
  return op(opcode, type, {a, b});
}

// A signed divisor is positive: the smallest number divided by -1 overflows. In Vulkan the operands of a signed remainder are
// not negative.
ValueId SmithGenerator::int_division(TypeRef type, std::uint32_t depth) {
  constexpr Op unsigned_ones[] = {Op::OpUDiv, Op::OpUMod}, signed_ones[] = {Op::OpSDiv, Op::OpSRem, Op::OpSMod};
  const bool is_signed = types_[types_.scalar_of(type)].is_signed || random_.one_in(6);
  // OpUDiv and OpUMod need unsigned types.
  const Op opcode = is_signed ? random_.pick(signed_ones) : random_.pick(unsigned_ones);
  ValueId a = value(type, depth);
  ValueId b = value(type, depth);
  if (is_guarded()) {
    const std::uint32_t width = types_[types_.scalar_of(type)].width;
    const std::uint64_t largest = ~std::uint64_t{0} >> (64 - width + 1), most = random_.one_in(2) ? 15 : largest;
    if (opcode == Op::OpSRem || opcode == Op::OpSMod) a = op(Op::OpBitwiseAnd, type, {a, constant_bits(type, largest)});
    if (is_signed || random_.one_in(2)) b = op(Op::OpBitwiseAnd, type, {b, constant_bits(type, most)});
    b = op(Op::OpBitwiseOr, type, {b, constant_bits(type, 1)});
  }
  return op(opcode, type, {a, b});
}

ValueId SmithGenerator::int_shift(TypeRef type, std::uint32_t depth) {
  constexpr Op operations[] = {Op::OpShiftLeftLogical, Op::OpShiftRightLogical, Op::OpShiftRightArithmetic};
  const Op opcode = random_.pick(operations);
  // The amount may have another width.
  const TypeRef amount_type = random_.one_in(4) ? types_.with_scalar(type, random_int()) : type;
  const ValueId a = value(type, depth);
  ValueId b = value(amount_type, depth);
  if (is_guarded()) {
    const ValueId most = constant_bits(amount_type, types_[types_.scalar_of(type)].width - 1);
    b = op(Op::OpBitwiseAnd, amount_type, {b, most});
  }
  return op(opcode, type, {a, b});
}

ValueId SmithGenerator::int_conversion(TypeRef type, std::uint32_t depth) {
  const SmithType scalar = types_[types_.scalar_of(type)];
  switch (random_.below(4)) {
    case 0: {  // from a float, which is clamped; a NaN becomes the lower limit
      const TypeRef from = types_.with_scalar(type, random_float());
      ValueId a = value(from, depth);
      if (is_guarded()) {
        const double most = std::min(bound_of(from), 100.0);
        const ValueId low = constant_real(from, scalar.is_signed ? -most : 0), high = constant_real(from, most);
        a = ext(GLSL_std_450::NClamp, from, {a, low, high});
      }
      return op(scalar.is_signed ? Op::OpConvertFToS : Op::OpConvertFToU, type, {a});
    }
    case 1: {  // the same bits with the other sign
      const ValueId a = value(types_.with_scalar(type, types_.integer(scalar.width, !scalar.is_signed)), depth);
      return op(Op::OpBitcast, type, {a});
    }
    default: {
      SmithType from = types_[random_int()];
      if (from.width == scalar.width) from.width = scalar.width == 64 ? 32 : 2 * scalar.width;
      const ValueId a = value(types_.with_scalar(type, types_.integer(from.width, from.is_signed)), depth);
      // The result of OpUConvert is unsigned.
      return op(scalar.is_signed || random_.one_in(3) ? Op::OpSConvert : Op::OpUConvert, type, {a});
    }
  }
}

// Vulkan permits these instructions for 32 bits only.
ValueId SmithGenerator::int_bits(TypeRef type, std::uint32_t depth) {
  const SmithType scalar = types_[types_.scalar_of(type)];
  const ValueId a = value(type, depth);
  if (scalar.width != 32) {
    // A pair of words is a wider integer.
    if (scalar.width != 64 || types_[type].kind == Kind::Vector) return op(Op::OpNot, type, {a});
    const ValueId pair = value(types_.vector(u32_, 2), depth);
    return op(Op::OpBitcast, type, {pair});
  }
  switch (random_.below(5)) {
    case 0: return op(Op::OpBitCount, type, {a});
    case 1: return op(Op::OpBitReverse, type, {a});
    case 2: {  // the words of the product, or the sum and its carry
      if (scalar.is_signed) break;
      const TypeRef pair = types_.structure({type, type});
      constexpr Op operations[] = {Op::OpUMulExtended, Op::OpIAddCarry, Op::OpISubBorrow};
      const Op opcode = random_.pick(operations);
      const ValueId b = value(type, depth);
      const ValueId both = op(opcode, pair, {a, b});
      return b_.OpCompositeExtract(types_[type].id, both, {random_.below(2)});
    }
    default: break;
  }
  const Op opcode = random_.one_in(2)  ? Op::OpBitFieldInsert
                    : scalar.is_signed ? Op::OpBitFieldSExtract
                                       : Op::OpBitFieldUExtract;
  ValueId offset = value(u32_, depth);
  ValueId count = value(u32_, depth);
  if (is_guarded()) {
    offset = op(Op::OpBitwiseAnd, u32_, {offset, word(15)});
    count = op(Op::OpBitwiseAnd, u32_, {count, word(15)});
  }
  if (opcode != Op::OpBitFieldInsert) return op(opcode, type, {a, offset, count});
  const ValueId inserted = value(type, depth);
  return op(opcode, type, {a, inserted, offset, count});
}

ValueId SmithGenerator::int_function(TypeRef type, std::uint32_t depth) {
  const SmithType scalar = types_[types_.scalar_of(type)];
  const ValueId a = value(type, depth);
  switch (random_.below(4)) {
    case 0: {  // the lower limit is not above the upper one
      const ValueId low = constant_bits(type, random_.below(8)), high = constant_bits(type, 8 + random_.below(64));
      return ext(scalar.is_signed ? GLSL_std_450::SClamp : GLSL_std_450::UClamp, type, {a, low, high});
    }
    case 1:
      if (scalar.is_signed) return ext(random_.one_in(2) ? GLSL_std_450::SAbs : GLSL_std_450::SSign, type, {a});
      break;
    case 2:
      if (scalar.width == 32) {
        constexpr GLSL_std_450 functions[] = {GLSL_std_450::FindILsb, GLSL_std_450::FindUMsb, GLSL_std_450::FindSMsb};
        return ext(random_.pick(functions), type, {a});
      }
      break;
    default: break;
  }
  const bool is_minimum = random_.one_in(2);
  const GLSL_std_450 function = scalar.is_signed ? (is_minimum ? GLSL_std_450::SMin : GLSL_std_450::SMax)
                                                 : (is_minimum ? GLSL_std_450::UMin : GLSL_std_450::UMax);
  const ValueId b = value(type, depth);
  return ext(function, type, {a, b});
}

// --- Booleans ---------------------------------------------------------------------------------------------------------

// A condition that is rarely a constant.
ValueId SmithGenerator::condition() { return random_.one_in(4) ? value(bool_, 2) : comparison(bool_, 2); }

ValueId SmithGenerator::bool_value(TypeRef type, std::uint32_t depth) {
  switch (random_.below(6)) {
    case 0: {
      const ValueId a = value(type, depth);
      return op(Op::OpLogicalNot, type, {a});
    }
    case 1: {
      constexpr Op operations[] = {Op::OpLogicalAnd, Op::OpLogicalOr, Op::OpLogicalEqual, Op::OpLogicalNotEqual};
      const Op opcode = random_.pick(operations);
      const ValueId a = value(type, depth);
      const ValueId b = value(type, depth);
      return op(opcode, type, {a, b});
    }
    case 2:
      if (types_[type].kind != Kind::Vector) {
        const ValueId a = value(types_.vector(bool_, 2 + random_.below(3)), depth);
        return op(random_.one_in(2) ? Op::OpAny : Op::OpAll, type, {a});
      }
      break;
    default: break;
  }
  return comparison(type, depth);
}

ValueId SmithGenerator::comparison(TypeRef type, std::uint32_t depth) {
  constexpr Op of_ints[] = {Op::OpIEqual,       Op::OpINotEqual,         Op::OpULessThan, Op::OpULessThanEqual,
                            Op::OpUGreaterThan, Op::OpUGreaterThanEqual, Op::OpSLessThan, Op::OpSLessThanEqual,
                            Op::OpSGreaterThan, Op::OpSGreaterThanEqual};
  constexpr Op of_floats[] = {Op::OpFOrdEqual,           Op::OpFUnordEqual,          Op::OpFOrdNotEqual,
                              Op::OpFUnordNotEqual,      Op::OpFOrdLessThan,         Op::OpFUnordLessThan,
                              Op::OpFOrdGreaterThan,     Op::OpFUnordGreaterThan,    Op::OpFOrdLessThanEqual,
                              Op::OpFUnordLessThanEqual, Op::OpFOrdGreaterThanEqual, Op::OpFUnordGreaterThanEqual};
  const bool is_float = random_.one_in(4);
  const TypeRef scalar = is_float ? random_float() : random_int();
  const TypeRef compared = types_.with_scalar(type, scalar);
  const ValueId a = value(compared, depth);
  if (is_float && random_.one_in(8)) return op(random_.one_in(2) ? Op::OpIsNan : Op::OpIsInf, type, {a});
  const Op opcode = is_float ? random_.pick(of_floats) : random_.pick(of_ints);
  const ValueId b = value(compared, depth);
  return op(opcode, type, {a, b});
}

}  // namespace vireo::spirv
