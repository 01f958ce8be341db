// SPDX-License-Identifier: Apache-2.0
//
// Dot products of integers (specification 3.42.13) and of small floats (SPV_VALVE_mixed_float_dot_product).
//
// A dot product takes two vectors of equal length and component width. Four 8-bit integers may also be
// packed into a 32-bit integer. Each of these formats needs a capability, which is checked last.
#include <fmt/format.h>

#include <optional>
#include <tuple>

#include "spirv/validate/analysis/fixes.h"
#include "spirv/validate/analysis/type_parts.h"
#include "spirv/validate/checks/checks.h"
#include "spirv/validate/core/by_opcode.h"
#include "vireo/spirv/binary/views/arithmetic.h"

namespace vireo::spirv {
namespace {

using enum Op;

// --- integers --------------------------------------------------------------------------------------------------------

/// The signedness of the integers of a dot product; `Any` accepts both.
enum class Sign : std::uint8_t { Any, Unsigned };

struct IntegerDot {
  Op opcode;
  Sign first, second, result;
  bool has_accumulator;
};
constexpr IntegerDot integer_rows[] = {
    {OpSDot, Sign::Any, Sign::Any, Sign::Any, false},
    {OpUDot, Sign::Unsigned, Sign::Unsigned, Sign::Unsigned, false},
    {OpSUDot, Sign::Any, Sign::Unsigned, Sign::Any, false},
    {OpSDotAccSat, Sign::Any, Sign::Any, Sign::Any, true},
    {OpUDotAccSat, Sign::Unsigned, Sign::Unsigned, Sign::Unsigned, true},
    {OpSUDotAccSat, Sign::Any, Sign::Unsigned, Sign::Any, true},
};
constexpr auto integer_dots = by_opcode(integer_rows);

// The two vector operands that all dot products have.
struct VectorName {
  OperandName name;
  std::string_view text;
};
constexpr VectorName vector_1{OperandName::vector_1, "vector 1"}, vector_2{OperandName::vector_2, "vector 2"};

// Reports that the module lacks the capability for this vector type.
void needs(const InstructionCheck& c, std::string_view capability) {
  const AnyOperand vector = c.operand(vector_1.name);
  c.report_once(Rule::DotCapability, c.at(vector), capability, {c.op(), c.module.type_of(vector), capability});
  hint_capability(c, capability);
}

// Checks operands of four 8-bit integers, packed into a 32-bit integer. The result must be at least 8 bits wide, and
// the instruction must have the operand Packed Vector Format.
void check_packed(const InstructionCheck& c, const IntegerDot& dot) {
  for (const auto& [name, text] : {vector_1, vector_2}) {
    const AnyOperand vector = c.operand(name);
    if (c.type_of(vector).is_int(32)) continue;
    c.wrong_operand(vector, text, "a 32-bit integer or an integer vector");
    return;
  }
  if (!c.has(Capability::DotProductInput4x8BitPacked)) { needs(c, "DotProductInput4x8BitPacked"); }
  const auto format =
      dot.has_accumulator ? c.as<OpSDotAccSat>().packed_vector_format() : c.as<OpSDot>().packed_vector_format();
  if (!format) c.report(Rule::PackedFormat, c.at(), {c.op()});
  // Bits of each packed integer.
  constexpr std::uint32_t packed_width = 8;
  if (c.types.of(c.type).width < packed_width) { c.wrong_result("an integer of 8 bits or more"); }
}

// Checks vectors of equal length and width. Vectors of four 8-bit integers need one capability; all others need
// DotProductInputAll.
void check_vectors(const InstructionCheck& c, const IntegerDot& dot) {
  const TypeRow &first = c.type_of(c.operand(vector_1.name)), &second = c.type_of(c.operand(vector_2.name));
  for (const auto& [name, vector, sign] :
       {std::tuple{vector_1, &first, dot.first}, std::tuple{vector_2, &second, dot.second}}) {
    const TypeRow& component = vector->component();
    const bool wants_unsigned = sign == Sign::Unsigned;
    if (!vector->is_vector() || !component.is(TypeKind::Int) || (wants_unsigned && component.is_signed)) {
      c.wrong_operand(c.operand(name.name), name.text,
                      wants_unsigned ? "an unsigned integer vector" : "an integer vector");
      return;
    }
  }
  // Lengths and widths must agree; signedness need not, since OpSUDot multiplies one of each.
  const std::uint32_t width = first.component().width;
  const auto length = part_count(c, first), other = part_count(c, second);
  if ((length && other && *length != *other) || width != second.component().width) {
    c.mismatch(c.operand(vector_2.name), vector_2.text, "as many components of the same width as vector 1", first.id);
    return;
  }
  // The result must not be narrower than the components.
  if (c.types.of(c.type).width < width) {
    c.result_mismatch("at least the component width of vector 1", first.id);
    return;
  }
  // DotProductInputAll allows all operand types. Each of the other capabilities allows one.
  if (c.has(Capability::DotProductInputAll)) return;
  const bool is_4x8 = length == 4u && width == 8;
  if (!is_4x8) {
    needs(c, "DotProductInputAll");
  } else if (!c.has(Capability::DotProductInput4x8Bit)) {
    needs(c, "DotProductInput4x8Bit");
  }
}

// The result type is checked first, because the operands are compared with it.
void check_integer_dot(const InstructionCheck& c) {
  const IntegerDot& dot = *find_row(integer_dots, c.op());
  const TypeRow& result = c.types.of(c.type);
  const TypeRow &first = c.type_of(c.operand(vector_1.name)), &second = c.type_of(c.operand(vector_2.name));
  if (!result.is(TypeKind::Int) || (dot.result == Sign::Unsigned && result.is_signed)) {
    c.wrong_result(dot.result == Sign::Unsigned ? "an unsigned integer scalar" : "an integer scalar");
    return;
  }
  const AnyOperand accumulator = c.operand(OperandName::accumulator);
  if (dot.has_accumulator && c.module.type_of(accumulator) != c.type) {
    c.mismatch(accumulator, "the accumulator", "the result type", c.type);
  }
  // The first operand selects packed integers or vectors.
  if (first.kind != second.kind) {
    c.mismatch(c.operand(vector_2.name), vector_2.text, "a vector or a packed integer, like vector 1", first.id);
  } else if (first.is_scalar()) {
    check_packed(c, dot);
  } else {
    check_vectors(c, dot);
  }
}

// --- floats ----------------------------------------------------------------------------------------------------------

/// A dot product of small floats, with an accumulator of the same width or wider.
struct FloatDot {
  Op opcode;
  std::uint64_t count;        ///< components of each vector
  std::uint32_t width;        ///< bits of a component
  std::uint32_t accumulator;  ///< bits of the sum
  Capability of_ieee;         ///< allows IEEE 754 components
};
constexpr FloatDot float_rows[] = {
    {OpFDot2MixAcc32VALVE, 2, 16, 32, Capability::DotProductFloat16AccFloat32VALVE},
    {OpFDot2MixAcc16VALVE, 2, 16, 16, Capability::DotProductFloat16AccFloat16VALVE},
    {OpFDot4MixAcc32VALVE, 4, 8, 32, Capability::DotProductFloat8AccFloat32VALVE},
};
constexpr auto float_dots = by_opcode(float_rows);

// Both vectors of 16-bit components must have the same format, and each format needs a capability. One capability
// allows both 8-bit formats.
void check_float_format(const InstructionCheck& c, const FloatDot& dot) {
  const TypeRow &first = c.type_of(c.operand(vector_1.name)), &second = c.type_of(c.operand(vector_2.name));
  const TypeRow& component = first.component();
  // For 8 bits, the grammar states the capability of OpFDot4MixAcc32VALVE.
  if (dot.width != 16) return;
  if (component.encoding != second.component().encoding) {
    c.mismatch(c.operand(vector_2.name), vector_2.text, "the component type of vector 1", first.id);
    return;
  }
  const bool is_bfloat16 = component.encoding == static_cast<Word>(FPEncoding::BFloat16KHR);
  const Capability wanted = is_bfloat16 ? Capability::DotProductBFloat16AccVALVE : dot.of_ieee;
  if (!c.has(wanted)) needs(c, enumerant_text(c, wanted));
  // A 16-bit accumulator must have the format of the components. A 32-bit accumulator is an IEEE 754 float.
  if (dot.accumulator == 16 && c.types.of(c.type).encoding != component.encoding) {
    c.result_mismatch("the component type of the vectors", component.id);
  }
}

// The accumulator has the type of the result, so that dot products can be chained.
void check_float_dot(const InstructionCheck& c) {
  const FloatDot& dot = *find_row(float_dots, c.op());
  const TypeRow& result = c.types.of(c.type);
  // Floats without an encoding operand are IEEE 754.
  const bool is_ieee = result.encoding == TypeRow::no_encoding;
  if (!result.is(TypeKind::Float) || result.width != dot.accumulator || (dot.accumulator == 32 && !is_ieee)) {
    c.wrong_result(fmt::format("a {}-bit float scalar", dot.accumulator));
    return;
  }
  for (const auto& [name, text] : {vector_1, vector_2}) {
    const AnyOperand operand = c.operand(name);
    const TypeRow& vector = c.type_of(operand);
    const TypeRow& component = vector.component();
    if (vector.is_vector() && vector.count == dot.count && component.is(TypeKind::Float) &&
        component.width == dot.width) {
      continue;
    }
    c.wrong_operand(operand, text, fmt::format("a {}-component {}-bit float vector", dot.count, dot.width));
    return;
  }
  check_float_format(c, dot);
  const AnyOperand accumulator = c.operand(OperandName::accumulator);
  if (c.module.type_of(accumulator) != c.type) {
    c.mismatch(accumulator, "the accumulator", "the result type", c.type);
  }
}

}  // namespace

std::span<const Check> dot_product_checks() {
  static constexpr Check checks[] = {
      {{OpSDot, OpUDot, OpSUDot, OpSDotAccSat, OpUDotAccSat, OpSUDotAccSat}, check_integer_dot},
      {{OpFDot2MixAcc32VALVE, OpFDot2MixAcc16VALVE, OpFDot4MixAcc32VALVE}, check_float_dot},
  };
  return checks;
}

}  // namespace vireo::spirv
