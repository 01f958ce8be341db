// SPDX-License-Identifier: Apache-2.0
//
// Cooperative matrices as arrays (SPV_QCOM_cooperative_matrix_conversion).
//
// Each invocation of a subgroup stores one line (a row or a column) of a matrix. These instructions
// convert the line to an array and back. So the array has the bits of the line: as components, or packed into 32-bit
// unsigned integers.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "spirv/validate/checks/checks.h"
#include "spirv/validate/checks/tensors/cooperative.h"
#include "vireo/spirv/binary/views/composite.h"
#include "vireo/spirv/binary/views/conversion.h"

namespace vireo::spirv {
namespace {

using enum Op;

// Bits of an array element that holds several packed components.
constexpr std::uint32_t packed_width = 32;

// Reports a finding such as "OpX: the array has length 4; expected 8".
void wrong_shape(const InstructionCheck& c, Place place, const std::string& what, std::uint64_t found,
                 const std::string& expected) {
  c.report(Rule::ConversionShape, place, {c.op(), what, found, expected});
}

// Returns the number of bits in `count` elements, saturated at the largest 64-bit number.
std::uint64_t bits_of(std::uint64_t count, std::uint64_t width) {
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  return width != 0 && count > most / width ? most : count * width;
}

bool is_packed(const TypeRow& element) { return element.is_int(packed_width) && !element.is_signed; }

// Whether a matrix of this use may have the component type. Matrices A and B may have 8-bit integers, accumulators
// 32-bit integers. All uses allow 16- and 32-bit IEEE floats.
bool fits_use(const TypeRow& component, bool is_accumulator) {
  if (component.is(TypeKind::Int)) return component.width == (is_accumulator ? 32u : 8u);
  return component.is(TypeKind::Float) && component.encoding == TypeRow::no_encoding &&
         (component.width == 16 || component.width == 32);
}

/// A conversion between a matrix and an array: one is the result, the other the operand.
struct Conversion {
  const TypeRow* matrix;
  const TypeRow* array;
  AnyOperand source;
  bool gives_matrix;
};

// The requirements on matrix and array do not depend on which is the result; only the messages differ.
bool check_kinds(const InstructionCheck& c, const Conversion& conversion) {
  const auto expect = [&](bool is_result, bool is_fine, std::string_view name, std::string_view expected) {
    if (is_fine) return true;
    if (is_result) {
      c.wrong_result(expected);
    } else {
      c.wrong_operand(conversion.source, name, expected);
    }
    return false;
  };
  return expect(conversion.gives_matrix, conversion.matrix->is(TypeKind::CooperativeMatrix), "the matrix",
                "a cooperative matrix") &&
         expect(!conversion.gives_matrix, conversion.array->is(TypeKind::Array), "the array", "an array");
}

// Checks scope, component type, use and line length, in this order. Unknown values are accepted.
void check_conversion(const InstructionCheck& c, const Conversion& conversion) {
  if (!check_kinds(c, conversion)) return;
  const Constants& constants = c.constants;
  // The shape consists of ids of constants: scope, rows, columns, use.
  const CooperativeShape shape = cooperative_shape(c, *conversion.matrix);
  const TypeRow& component = conversion.matrix->component();
  const TypeRow& element = conversion.array->element_type();
  const Place result = c.at_type(), source = c.at(conversion.source);
  const Place matrix = conversion.gives_matrix ? result : source, array = conversion.gives_matrix ? source : result;
  const auto scope = constants.as_u64(shape.scope), use = constants.as_u64(shape.use);
  if (scope && *scope != static_cast<std::uint64_t>(Scope::Subgroup)) {
    wrong_shape(c, matrix, "the matrix has scope", *scope, "Subgroup");
    return;
  }
  // Compares ids, because scalar types are declared once.
  if (element.id != component.id && !is_packed(element)) {
    wrong_shape(c, array, "the array has elements of width", element.width,
                "the component type of the matrix or a 32-bit unsigned integer");
    return;
  }
  if (!use) return;
  const bool is_accumulator = *use == static_cast<std::uint64_t>(CooperativeMatrixUse::MatrixAccumulatorKHR);
  // The uses are 0 for A, 1 for B and 2 for the accumulator.
  if (*use > static_cast<std::uint64_t>(CooperativeMatrixUse::MatrixAccumulatorKHR)) {
    wrong_shape(c, matrix, "the matrix has use", *use, "MatrixAKHR, MatrixBKHR or MatrixAccumulatorKHR");
    return;
  }
  if (!fits_use(component, is_accumulator)) {
    wrong_shape(c, matrix, "the matrix has components of width", component.width,
                is_accumulator ? "a 32-bit integer, or a 16-bit or 32-bit float"
                               : "an 8-bit integer, or a 16-bit or 32-bit float");
    return;
  }
  // A line of B is a column; a line of the other matrices is a row.
  const bool is_b = *use == static_cast<std::uint64_t>(CooperativeMatrixUse::MatrixBKHR);
  const auto line = constants.as_u64(is_b ? shape.rows : shape.columns);
  const auto length = constants.as_u64(conversion.array->length);
  // A line of A or B has this number of bits for every component type: it fills the registers of one invocation.
  constexpr std::uint64_t operand_bits = 256;
  if (!line) return;
  const std::uint64_t bits = bits_of(*line, component.width);
  if (!is_accumulator && bits != operand_bits) {
    wrong_shape(c, matrix, is_b ? "the number of bits in a matrix column is" : "the number of bits in a matrix row is",
                bits, std::to_string(operand_bits));
    return;
  }
  // One array element for each component, or one for each packed 32-bit word of the line. Components are 8, 16 or 32
  // bits wide.
  const std::uint64_t wanted = element.id == component.id ? *line : *line / (packed_width / component.width);
  if (length && *length != wanted) { wrong_shape(c, array, "the array has length", *length, std::to_string(wanted)); }
}

void check_array_construct(const InstructionCheck& c) {
  const auto source = c.as<OpCompositeConstructCoopMatQCOM>().source_array();
  const TypeRow &matrix = c.types.of(c.type), &array = c.type_of(source);
  check_conversion(c, {&matrix, &array, source, true});
}

void check_array_extract(const InstructionCheck& c) {
  const auto source = c.as<OpCompositeExtractCoopMatQCOM>().source_cooperative_matrix();
  const TypeRow &matrix = c.type_of(source), &array = c.types.of(c.type);
  check_conversion(c, {&matrix, &array, source, false});
}

// --- arrays only -----------------------------------------------------------------------------------------------------

// Whether a type may be the element of an array that is sliced or cast. Integers may be signed or unsigned.
bool is_line_element(const TypeRow& element) {
  const bool is_float = element.is(TypeKind::Float) && element.encoding == TypeRow::no_encoding &&
                        (element.width == 16 || element.width == 32);
  return element.is_int(packed_width) || is_float;
}

// Reads the types of result and operand, which must be arrays of line elements. Returns false if they are not.
bool read_arrays(const InstructionCheck& c, AnyOperand source, const TypeRow*& result, const TypeRow*& operand) {
  constexpr std::string_view expected = "an array of 32-bit integers, or of 16- or 32-bit floats";
  result = &c.types.of(c.type);
  operand = &c.type_of(source);
  const auto is_line = [&](const TypeRow& type) {
    return type.is(TypeKind::Array) && is_line_element(type.element_type());
  };
  if (!is_line(*result)) {
    c.wrong_result(expected);
    return false;
  }
  if (!is_line(*operand)) {
    c.wrong_operand(source, "the source", expected);
    return false;
  }
  return true;
}

// Checks the range of a constant index. The behavior of a wrong range is undefined, so the finding is a warning.
void check_sub_array_range(const InstructionCheck& c, AnyOperand index, const TypeRow& result, const TypeRow& source) {
  const auto start = c.constants.as_i64(index);
  const auto length = c.constants.as_u64(result.length), whole = c.constants.as_u64(source.length);
  if (!start || !length || !whole || !c.is_reachable()) return;
  if (*start >= 0 && *length <= *whole && static_cast<std::uint64_t>(*start) <= *whole - *length) return;
  c.report(Rule::SubArrayRange, c.at(index), {*start, *length, *whole});
}

void check_sub_array(const InstructionCheck& c) {
  const auto extract = c.as<OpExtractSubArrayQCOM>();
  const TypeRow *result = nullptr, *operand = nullptr;
  if (!read_arrays(c, extract.source_array(), result, operand)) return;
  if (result->element != operand->element) {
    c.mismatch(extract.source_array(), "the source", "the same element type as the result", c.type);
  }
  const TypeRow& index = c.type_of(extract.index());
  if (!index.is_int(32)) {
    c.wrong_operand(extract.index(), "the index", "a 32-bit integer scalar");
  } else {
    check_sub_array_range(c, extract.index(), *result, *operand);
  }
}

// A cast keeps the total number of bits, as OpBitcast does for vectors.
void check_array_cast(const InstructionCheck& c) {
  const auto source = c.as<OpBitCastArrayQCOM>().source_array();
  const TypeRow *result = nullptr, *operand = nullptr;
  if (!read_arrays(c, source, result, operand)) return;
  // If specialization determines a length, the lengths are not compared.
  const auto given = c.constants.as_u64(operand->length), wanted = c.constants.as_u64(result->length);
  if (!given || !wanted) return;
  const std::uint64_t width = operand->element_type().width, wanted_width = result->element_type().width;
  // Compares lengths in units of the wider elements, so that no product exceeds 64 bits.
  const std::uint64_t unit = std::max(width, wanted_width), parts = unit / width, wanted_parts = unit / wanted_width;
  if (*given % parts == 0 && *wanted % wanted_parts == 0 && *given / parts == *wanted / wanted_parts) return;
  c.report(Rule::BitcastBits, c.at(source),
           {c.op(), operand->id, bits_of(*given, width), c.type, bits_of(*wanted, wanted_width)});
}

}  // namespace

std::span<const Check> cooperative_array_checks() {
  static constexpr Check checks[] = {
      {{OpCompositeConstructCoopMatQCOM}, check_array_construct},
      {{OpCompositeExtractCoopMatQCOM}, check_array_extract},
      {{OpExtractSubArrayQCOM}, check_sub_array},
      {{OpBitCastArrayQCOM}, check_array_cast},
  };
  return checks;
}

}  // namespace vireo::spirv
