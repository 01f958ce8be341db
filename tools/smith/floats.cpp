// SPDX-License-Identifier: Apache-2.0
//
// Expressions of floats, vectors, matrices and aggregates (generator.h).
//
// By default each float is an integer between -bound_of() and bound_of(). Sums of four products of such numbers are exact, so
// the rounding mode, the order of additions, and fused operations do not matter; there are no denormals. -0 may occur, but no
// operation and no output shows its sign.
#include <vector>

#include "smith/generator.h"

namespace vireo::spirv {

using Kind = SmithType::Kind;

double SmithGenerator::bound_of(TypeRef type) const {
  const std::uint32_t width = types_[types_.scalar_of(type)].width;
  return width == 16 ? 16 : width == 32 ? 1024 : 65536;
}

// Brings the result of an operation back into the bound.
ValueId SmithGenerator::tame(TypeRef type, ValueId value) {
  if (options_.any_floats) {
    b_.OpDecorate(value, Decoration::NoContraction);
    return value;
  }
  const ValueId low = constant_real(type, -bound_of(type)), high = constant_real(type, bound_of(type));
  return ext(GLSL_std_450::FClamp, type, {value, low, high});
}

ValueId SmithGenerator::float_value(TypeRef type, std::uint32_t depth) {
  switch (random_.below(10)) {
    case 0: {
      const ValueId a = value(type, depth);
      return op(Op::OpFNegate, type, {a});
    }
    case 1:
    case 2: return float_conversion(type, depth);
    case 3:
    case 4: return float_function(type, depth);
    case 5: return float_product(type, depth);
    default: break;
  }
  constexpr Op operations[] = {Op::OpFAdd, Op::OpFSub, Op::OpFMul, Op::OpFDiv};
  const Op opcode = operations[random_.below(options_.any_floats ? 4 : 3)];
  const ValueId a = value(type, depth);
  ValueId b = value(type, depth);
  if (opcode == Op::OpFDiv && is_guarded()) {  // not 0
    b = ext(GLSL_std_450::FAbs, type, {b});
    b = ext(GLSL_std_450::NMax, type, {b, constant_real(type, 0.125)});
  }
  return tame(type, op(opcode, type, {a, b}));
}

// The products of linear algebra.
ValueId SmithGenerator::float_product(TypeRef type, std::uint32_t depth) {
  const TypeRef scalar = types_.scalar_of(type);
  if (types_[type].kind != Kind::Vector) {
    const TypeRef vector = types_.vector(type, 2 + random_.below(3));
    const ValueId a = value(vector, depth);
    const ValueId b = value(vector, depth);
    return tame(type, op(Op::OpDot, type, {a, b}));
  }
  const std::uint32_t count = types_[type].count;
  if (random_.one_in(2)) {
    const ValueId a = value(type, depth);
    const ValueId b = value(scalar, depth);
    return tame(type, op(Op::OpVectorTimesScalar, type, {a, b}));
  }
  const std::uint32_t inner = 2 + random_.below(3);
  const TypeRef vector = types_.vector(scalar, inner);
  if (random_.one_in(2)) {
    const ValueId a = value(types_.matrix(type, inner), depth);
    const ValueId b = value(vector, depth);
    return tame(type, op(Op::OpMatrixTimesVector, type, {a, b}));
  }
  const ValueId a = value(vector, depth);
  const ValueId b = value(types_.matrix(vector, count), depth);
  return tame(type, op(Op::OpVectorTimesMatrix, type, {a, b}));
}

ValueId SmithGenerator::float_conversion(TypeRef type, std::uint32_t depth) {
  const std::uint32_t width = types_[types_.scalar_of(type)].width;
  const std::uint32_t kind = random_.below(3);
  if (kind == 0) {
    const std::uint32_t other = width == 64 ? 16u << random_.below(2) : random_.one_in(2) ? 64 : 48 - width;
    const ValueId a = value(types_.with_scalar(type, types_.floating(other)), depth);
    const ValueId converted = op(Op::OpFConvert, type, {a});
    return options_.any_floats ? converted : tame(type, converted);
  }
  if (kind == 1 && options_.any_floats) {
    const ValueId a = value(types_.with_scalar(type, types_.integer(width, random_.one_in(2))), depth);
    return op(Op::OpBitcast, type, {a});
  }
  const TypeRef scalar = random_int(), from = types_.with_scalar(type, scalar);
  ValueId a = value(from, depth);
  // A large integer may be inexact as a float, and beyond the range of half: clear the high bits.
  if (!options_.any_floats) a = op(Op::OpBitwiseAnd, from, {a, constant_bits(from, width == 16 ? 15 : 127)});
  return op(types_[scalar].is_signed ? Op::OpConvertSToF : Op::OpConvertUToF, type, {a});
}

ValueId SmithGenerator::float_function(TypeRef type, std::uint32_t depth) {
  const ValueId a = value(type, depth);
  switch (random_.below(5)) {
    case 0: return ext(random_.one_in(2) ? GLSL_std_450::FAbs : GLSL_std_450::FSign, type, {a});
    case 1: {  // half of a number, rounded
      constexpr GLSL_std_450 functions[] = {GLSL_std_450::Floor, GLSL_std_450::Ceil, GLSL_std_450::Trunc,
                                            GLSL_std_450::RoundEven};
      const GLSL_std_450 function = random_.pick(functions);
      const ValueId half = op(Op::OpFMul, type, {a, constant_real(type, 0.5)});
      return ext(function, type, {half});
    }
    case 2: {
      const ValueId b = value(type, depth);
      const ValueId c = value(type, depth);
      return options_.any_floats ? ext(GLSL_std_450::Fma, type, {a, b, c})
                                 : tame(type, ext(GLSL_std_450::Fma, type, {a, b, c}));
    }
    case 3: {
      const ValueId low = constant_real(type, -4), high = constant_real(type, 5 + random_.below(8));
      return ext(GLSL_std_450::NClamp, type, {a, low, high});
    }
    default: break;
  }
  const ValueId b = value(type, depth);
  return ext(random_.one_in(2) ? GLSL_std_450::NMin : GLSL_std_450::NMax, type, {a, b});
}

// --- parts of composites ------------------------------------------------------------------------------------------------

ValueId SmithGenerator::extraction(TypeRef scalar, std::uint32_t depth) {
  if (random_.one_in(2)) {
    std::vector<Value> found;
    for (const Value& each : values_) {
      if (each.type != scalar && types_.contains(each.type, scalar)) found.push_back(each);
    }
    if (!found.empty()) {
      const Value whole = random_.pick(found);
      std::vector<Word> path;
      for (TypeRef type = whole.type; type != scalar;) {
        Word part = random_.below(types_[type].count);
        while (!types_.contains(types_[type].part(part), scalar)) part = (part + 1) % types_[type].count;
        path.push_back(part);
        type = types_[type].part(part);
      }
      return b_.OpCompositeExtract(types_[scalar].id, whole.id, path);
    }
  }
  const std::uint32_t count = 2 + random_.below(3);
  const ValueId vector = value(types_.vector(scalar, count), depth);
  if (random_.one_in(2)) return b_.OpCompositeExtract(types_[scalar].id, vector, {random_.below(count)});
  const ValueId index = index_below(word(count));
  return b_.OpVectorExtractDynamic(types_[scalar].id, vector, index);
}

ValueId SmithGenerator::vector_value(TypeRef type, std::uint32_t depth) {
  const TypeRef scalar = types_.scalar_of(type);
  const std::uint32_t count = types_[type].count;
  switch (random_.below(4)) {
    case 0: {
      const TypeRef first = types_.vector(scalar, 2 + random_.below(3)),
                    second = types_.vector(scalar, 2 + random_.below(3));
      const std::uint32_t all = types_[first].count + types_[second].count;
      const ValueId a = value(first, depth);
      const ValueId b = value(second, depth);
      std::vector<Word> components;
      for (std::uint32_t i = 0; i < count; ++i) components.push_back(random_.below(all));
      return b_.OpVectorShuffle(types_[type].id, a, b, components);
    }
    case 1: {
      const ValueId vector = value(type, depth);
      const ValueId part = value(scalar, depth);
      if (random_.one_in(2)) { return b_.OpCompositeInsert(types_[type].id, part, vector, {random_.below(count)}); }
      const ValueId index = index_below(word(count));
      return b_.OpVectorInsertDynamic(types_[type].id, vector, part, index);
    }
    case 2:
      if (count > 2) {  // a shorter vector is a constituent, too
        const ValueId a = value(types_.vector(scalar, count - 1), depth);
        const ValueId b = value(scalar, depth);
        return b_.OpCompositeConstruct(types_[type].id, {a, b});
      }
      break;
    default: break;
  }
  std::vector<ValueId> parts;
  for (std::uint32_t i = 0; i < count; ++i) parts.push_back(value(scalar, depth));
  return b_.OpCompositeConstruct(types_[type].id, parts);
}

ValueId SmithGenerator::matrix_value(TypeRef type, std::uint32_t depth) {
  const TypeRef column = types_[type].parts[0], scalar = types_.scalar_of(column);
  const std::uint32_t columns = types_[type].count, rows = types_[column].count;
  if (random_.one_in(3)) {
    const ValueId a = value(types_.matrix(types_.vector(scalar, columns), rows), depth);
    return op(Op::OpTranspose, type, {a});
  }
  std::vector<ValueId> parts;
  if (random_.one_in(3)) {  // a product, whose columns are tamed
    ValueId product;
    if (random_.one_in(2)) {
      const ValueId a = value(column, depth);
      const ValueId b = value(types_.vector(scalar, columns), depth);
      product = op(Op::OpOuterProduct, type, {a, b});
    } else if (random_.one_in(2)) {
      const ValueId a = value(type, depth);
      const ValueId b = value(scalar, depth);
      product = op(Op::OpMatrixTimesScalar, type, {a, b});
    } else {
      const std::uint32_t inner = 2 + random_.below(3);
      const ValueId a = value(types_.matrix(column, inner), depth);
      const ValueId b = value(types_.matrix(types_.vector(scalar, inner), columns), depth);
      product = op(Op::OpMatrixTimesMatrix, type, {a, b});
    }
    if (options_.any_floats) return product;
    for (Word i = 0; i < columns; ++i) {
      parts.push_back(tame(column, b_.OpCompositeExtract(types_[column].id, product, {i})));
    }
  } else {
    for (Word i = 0; i < columns; ++i) parts.push_back(value(column, depth));
  }
  return b_.OpCompositeConstruct(types_[type].id, parts);
}

ValueId SmithGenerator::aggregate_value(TypeRef type, std::uint32_t depth) {
  const SmithType row = types_[type];
  switch (random_.below(4)) {
    case 0: {
      const Word part = random_.below(row.count);
      const ValueId whole = leaf(type);
      const ValueId inserted = value(row.part(part), depth);
      return b_.OpCompositeInsert(row.id, inserted, whole, {part});
    }
    case 1: return select(type, depth);
    default: break;
  }
  // The number of elements may be specialized.
  if (row.kind == Kind::Array && row.length == spec_constants_[0].id) return leaf(type);
  std::vector<ValueId> parts;
  for (std::uint32_t i = 0; i < row.count; ++i) parts.push_back(value(row.part(i), depth));
  return b_.OpCompositeConstruct(row.id, parts);
}

}  // namespace vireo::spirv
