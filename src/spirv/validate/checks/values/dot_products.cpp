// SPDX-License-Identifier: Apache-2.0
//
// Dot products of integers (specification 3.42.13) and of small floats (SPV_VALVE_mixed_float_dot_product).
//
// The one idea: a dot product takes two vectors of one length and width; four 8-bit integers may as well be packed into a
// 32-bit one. Which vectors a module may multiply, capabilities say one by one, so after the shapes the capability of the
// shape is asked for.
#include <fmt/format.h>

#include <optional>
#include <tuple>

#include "spirv/validate/engine/by_opcode.h"
#include "spirv/validate/engine/checks.h"
#include "spirv/validate/engine/complaint.h"
#include "vireo/spirv/views/arithmetic.h"

namespace vireo::spirv {
namespace {

using enum Op;

// --- integers -----------------------------------------------------------------------------------------------------------

/// Which sign the integers of a dot product have: `Any` leaves it to their types.
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

// All dot products have two vectors.
struct VectorName {
  OperandName name;
  std::string_view text;
};
constexpr VectorName vector_1{OperandName::vector_1, "vector 1"}, vector_2{OperandName::vector_2, "vector 2"};

// The types are sound, but the module lacks the capability to multiply them.
void needs(const Context& context, const Visit& visit, Report& report, std::string_view capability) {
  const AnyOperand vector = visit.operand(vector_1.name);
  report.add_once(Rule::DotCapability, visit.at(vector), capability,
                  {op_text(context, visit.op()), type_of_text(context, vector), capability});
}

// Four integers of 8 bits in one of 32: the result has to hold one of them, and the format says how they lie.
void check_packed(const Context& context, const Visit& visit, Report& report, const IntegerDot& dot) {
  for (const auto& [name, text] : {vector_1, vector_2}) {
    const AnyOperand vector = visit.operand(name);
    if (context.type_of(vector)->is_int(32)) continue;
    Complaint{context, visit, report}.operand(vector, text, "a 32-bit integer, or a vector of integers");
    return;
  }
  if (!context.has(Capability::DotProductInput4x8BitPacked)) {
    needs(context, visit, report, "DotProductInput4x8BitPacked");
  }
  const auto format =
      dot.has_accumulator ? visit.as<OpSDotAccSat>().packed_vector_format() : visit.as<OpSDot>().packed_vector_format();
  if (!format) report.add(Rule::PackedFormat, visit.at(), {op_text(context, visit.op())});
  // Bits of each of the four.
  constexpr std::uint32_t packed_width = 8;
  if (context.types.of(visit.type).width < packed_width) {
    Complaint{context, visit, report}.result("an integer of 8 bits or more");
  }
}

// Components of a vector; nothing when specialization says how many.
std::optional<std::uint64_t> vector_length(const Context& context, const TypeRow& vector) {
  if (vector.is(TypeKind::LongVector)) return context.constants.as_u64(vector.length);
  return vector.count;
}

// Vectors of one length and width. 8-bit integers by fours are what hardware has; any others need another capability.
void check_vectors(const Context& context, const Visit& visit, Report& report, const IntegerDot& dot) {
  const Complaint complain{context, visit, report};
  const TypeRow *first = context.type_of(visit.operand(vector_1.name)),
                *second = context.type_of(visit.operand(vector_2.name));
  for (const auto& [name, vector, sign] :
       {std::tuple{vector_1, first, dot.first}, std::tuple{vector_2, second, dot.second}}) {
    const TypeRow& component = context.types.row(vector->component);
    const bool wants_unsigned = sign == Sign::Unsigned;
    if (!vector->is_vector() || !component.is(TypeKind::Int) || (wants_unsigned && component.is_signed)) {
      complain.operand(visit.operand(name.name), name.text,
                       wants_unsigned ? "a vector of unsigned integers" : "a vector of integers");
      return;
    }
  }
  // Lengths and widths agree; signs need not, since OpSUDot multiplies one of each.
  const std::uint32_t width = context.types.row(first->component).width;
  const auto length = vector_length(context, *first), other = vector_length(context, *second);
  if ((length && other && *length != *other) || width != context.types.row(second->component).width) {
    complain.relation(visit.operand(vector_2.name), vector_2.text, "components and width of vector 1", first->id);
    return;
  }
  // A product does not fit a narrower sum, whatever its value.
  if (context.types.of(visit.type).width < width) {
    complain.result_relation("components that are no wider", first->id);
    return;
  }
  // One capability for all shapes, and one for each that hardware has.
  if (context.has(Capability::DotProductInputAll)) return;
  const bool is_4x8 = length == 4u && width == 8;
  if (!is_4x8) {
    needs(context, visit, report, "DotProductInputAll");
  } else if (!context.has(Capability::DotProductInput4x8Bit)) {
    needs(context, visit, report, "DotProductInput4x8Bit");
  }
}

// The sum first: what is added up has to fit it.
void check_integer_dot(const Context& context, const Visit& visit, Report& report) {
  const Complaint complain{context, visit, report};
  const IntegerDot& dot = *find_row(integer_dots, visit.op());
  const TypeRow* result = context.types.find(visit.type);
  const TypeRow *first = context.type_of(visit.operand(vector_1.name)),
                *second = context.type_of(visit.operand(vector_2.name));
  if (result == nullptr || first == nullptr || second == nullptr) return;
  if (!result->is(TypeKind::Int) || (dot.result == Sign::Unsigned && result->is_signed)) {
    complain.result(dot.result == Sign::Unsigned ? "an unsigned integer scalar" : "an integer scalar");
    return;
  }
  const AnyOperand accumulator = visit.operand(OperandName::accumulator);
  if (dot.has_accumulator && context.module.type_of(accumulator) != visit.type) {
    complain.relation(accumulator, "the accumulator", "the result type", visit.type);
  }
  // The first operand decides between two packed words and two vectors.
  if (first->kind != second->kind) {
    complain.relation(visit.operand(vector_2.name), vector_2.text, "the kind of vector 1", first->id);
  } else if (first->is_scalar()) {
    check_packed(context, visit, report, dot);
  } else {
    check_vectors(context, visit, report, dot);
  }
}

// --- floats -------------------------------------------------------------------------------------------------------------

/// A dot product of small floats whose sum is kept wider, or as wide.
struct FloatDot {
  Op opcode;
  std::uint64_t count;        ///< components of each vector
  std::uint32_t width;        ///< bits of a component
  std::uint32_t accumulator;  ///< bits of the sum
  Capability of_ieee;         ///< lets components be of IEEE 754
};
constexpr FloatDot float_rows[] = {
    {OpFDot2MixAcc32VALVE, 2, 16, 32, Capability::DotProductFloat16AccFloat32VALVE},
    {OpFDot2MixAcc16VALVE, 2, 16, 16, Capability::DotProductFloat16AccFloat16VALVE},
    {OpFDot4MixAcc32VALVE, 4, 8, 32, Capability::DotProductFloat8AccFloat32VALVE},
};
constexpr auto float_dots = by_opcode(float_rows);

// Components of 16 bits are of one format, which has its capability; of 8 bits both formats are one capability's.
void check_float_format(const Context& context, const Visit& visit, Report& report, const FloatDot& dot) {
  const Complaint complain{context, visit, report};
  const TypeRow *first = context.type_of(visit.operand(vector_1.name)),
                *second = context.type_of(visit.operand(vector_2.name));
  const TypeRow& component = context.types.row(first->component);
  // 8 bits: OpFDot4MixAcc32VALVE itself needs that capability, so the grammar asks for it.
  if (dot.width != 16) return;
  if (component.encoding != context.types.row(second->component).encoding) {
    complain.relation(visit.operand(vector_2.name), vector_2.text, "the component type of vector 1", first->id);
    return;
  }
  const bool is_bfloat16 = component.encoding == static_cast<Word>(FPEncoding::BFloat16KHR);
  const Capability wanted = is_bfloat16 ? Capability::DotProductBFloat16AccVALVE : dot.of_ieee;
  if (!context.has(wanted)) needs(context, visit, report, enumerant_text(context, wanted));
  // A sum that is as wide as the components is of their format; a wider one is always of IEEE 754.
  if (dot.accumulator == 16 && context.types.of(visit.type).encoding != component.encoding) {
    complain.result_relation("the component type of the vectors", component.id);
  }
}

// Accumulators are of the result's type, so that sums can be chained.
void check_float_dot(const Context& context, const Visit& visit, Report& report) {
  const Complaint complain{context, visit, report};
  const FloatDot& dot = *find_row(float_dots, visit.op());
  const TypeRow* result = context.types.find(visit.type);
  if (result == nullptr) return;
  // What has no encoding is of IEEE 754.
  const bool is_ieee = result->encoding == TypeRow::no_encoding;
  if (!result->is(TypeKind::Float) || result->width != dot.accumulator || (dot.accumulator == 32 && !is_ieee)) {
    complain.result(fmt::format("a {}-bit float scalar", dot.accumulator));
    return;
  }
  for (const auto& [name, text] : {vector_1, vector_2}) {
    const AnyOperand operand = visit.operand(name);
    const TypeRow* vector = context.type_of(operand);
    if (vector == nullptr) return;
    const TypeRow& component = context.types.row(vector->component);
    if (vector->is_vector() && vector->count == dot.count && component.is(TypeKind::Float) &&
        component.width == dot.width) {
      continue;
    }
    complain.operand(operand, text, fmt::format("a vector of {} {}-bit floats", dot.count, dot.width));
    return;
  }
  check_float_format(context, visit, report, dot);
  const AnyOperand accumulator = visit.operand(OperandName::accumulator);
  if (context.module.type_of(accumulator) != visit.type) {
    complain.relation(accumulator, "the accumulator", "the result type", visit.type);
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
