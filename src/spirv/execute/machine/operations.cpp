// SPDX-License-Identifier: Apache-2.0
//
// Steps that compute: one operation on each scalar of each lane (machine.h).
//
// If all lanes are active, the cells of an operand are one contiguous array, and the compiler vectorizes the loop.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "spirv/execute/machine/machine.h"
#include "spirv/execute/machine/operations.h"
#include "spirv/execute/program/step_rows.h"
#include "spirv/module/fold.h"

namespace vireo::spirv {
namespace {

using enum Op;

// Calls `compute(result, lane's index)` … for each scalar of each active lane.
template <typename Compute>
void each(Machine& m, std::uint32_t count, Compute compute) {
  const std::size_t width = m.width();
  if (m.is_full()) {
    for (std::size_t i = 0; i < count * width; ++i) compute(i);
    return;
  }
  for (std::uint32_t cell = 0; cell < count; ++cell)
    for_each_lane(m.active(), [&](std::uint32_t lane) { compute(cell * width + lane); });
}

template <typename F>
void unary(Machine& m, const Step& s, F f) {
  Cell* const to = m.cells(s.result);
  const Cell* const a = m.cells(s.a);
  each(m, s.count, [=](std::size_t i) { to[i] = f(a[i]); });
}

template <typename F>
void binary(Machine& m, const Step& s, F f) {
  Cell* const to = m.cells(s.result);
  const Cell* const a = m.cells(s.a);
  const Cell* const b = m.cells(s.b);
  if (s.operation == scalar_b) {
    const std::size_t width = m.width();
    for (std::uint32_t cell = 0; cell < s.count; ++cell) {
      Cell* const row = to + cell * width;
      const Cell* const left = a + cell * width;
      each(m, 1, [=](std::size_t i) { row[i] = f(left[i], b[i]); });
    }
    return;
  }
  each(m, s.count, [=](std::size_t i) { to[i] = f(a[i], b[i]); });
}

void fill(Machine& m, const Step& s, Cell value) {
  Cell* const to = m.cells(s.result);
  each(m, s.count, [=](std::size_t i) { to[i] = value; });
}

// Combines the cells of an operand into one.
template <typename F>
void reduce(Machine& m, const Step& s, F f) {
  Cell* const to = m.cells(s.result);
  const Cell* const a = m.cells(s.a);
  const std::size_t width = m.width();
  each(m, 1, [=](std::size_t i) {
    Cell all = a[i];
    for (std::uint32_t cell = 1; cell < s.count; ++cell) all = f(all, a[cell * width + i]);
    to[i] = all;
  });
}

void select(Machine& m, const Step& s) {
  Cell* const to = m.cells(s.result);
  const Cell *const condition = m.cells(s.a), *const a = m.cells(s.b), *const b = m.cells(s.c);
  const std::size_t width = m.width();
  const bool is_one = s.operation == scalar_a;
  for (std::uint32_t cell = 0; cell < s.count; ++cell) {
    const std::size_t at = cell * width;
    const Cell* const own = condition + (is_one ? 0 : at);
    each(m, 1, [=](std::size_t i) { to[at + i] = own[i] != 0 ? a[at + i] : b[at + i]; });
  }
}

void extract_dynamic(Machine& m, const Step& s) {
  Cell* const to = m.cells(s.result);
  const Cell *const vector = m.cells(s.a), *const index = m.cells(s.b);
  const std::size_t width = m.width();
  each(m, 1, [=](std::size_t i) { to[i] = index[i] < s.count ? vector[index[i] * width + i] : 0; });
}

void insert_dynamic(Machine& m, const Step& s) {
  Cell* const to = m.cells(s.result);
  const Cell *const component = m.cells(s.a), *const index = m.cells(s.b);
  const std::size_t width = m.width();
  each(m, 1, [=](std::size_t i) {
    if (index[i] < s.count) to[index[i] * width + i] = component[i];
  });
}

// --- formats ------------------------------------------------------------------------------------------------------------

float as_float(Cell bits) { return std::bit_cast<float>(static_cast<std::uint32_t>(bits)); }
Cell to_cell(float value) { return std::bit_cast<std::uint32_t>(value); }
double as_double(Cell bits) { return std::bit_cast<double>(bits); }
Cell to_cell(double value) { return std::bit_cast<std::uint64_t>(value); }

// Applies a function of floats in the format of the step. Formats of 16 bits are computed as floats and rounded: that is
// exact for sums, products, quotients and roots, because a float has more than twice their digits.
template <typename F>
void float_unary(Machine& m, const Step& s, F f) {
  switch (s.type.format) {
    case FloatFormat::Single: return unary(m, s, [f](Cell a) { return to_cell(f(as_float(a))); });
    case FloatFormat::Double: return unary(m, s, [f](Cell a) { return to_cell(f(as_double(a))); });
    default: {
      const FloatFormat format = s.type.format;
      return unary(m, s, [f, format](Cell a) {
        const auto x = static_cast<float>(double_of(a, format).value_or(0));
        return bits_of(static_cast<double>(f(x)), format).value_or(0);
      });
    }
  }
}

template <typename F>
void float_binary(Machine& m, const Step& s, F f) {
  switch (s.type.format) {
    case FloatFormat::Single: return binary(m, s, [f](Cell a, Cell b) { return to_cell(f(as_float(a), as_float(b))); });
    case FloatFormat::Double:
      return binary(m, s, [f](Cell a, Cell b) { return to_cell(f(as_double(a), as_double(b))); });
    default: {
      const FloatFormat format = s.type.format;
      return binary(m, s, [f, format](Cell a, Cell b) {
        const auto x = static_cast<float>(double_of(a, format).value_or(0));
        const auto y = static_cast<float>(double_of(b, format).value_or(0));
        return bits_of(static_cast<double>(f(x, y)), format).value_or(0);
      });
    }
  }
}

double value_of(Cell bits, FloatFormat format) { return double_of(bits, format).value_or(0); }

template <typename F>
void float_compare(Machine& m, const Step& s, bool if_unordered, F f) {
  const FloatFormat format = s.type.format;
  if (format == FloatFormat::Single) {
    return binary(m, s, [=](Cell a, Cell b) -> Cell {
      const float x = as_float(a), y = as_float(b);
      return std::isnan(x) || std::isnan(y) ? if_unordered : f(x, y);
    });
  }
  binary(m, s, [=](Cell a, Cell b) -> Cell {
    const double x = value_of(a, format), y = value_of(b, format);
    return std::isnan(x) || std::isnan(y) ? if_unordered : f(x, y);
  });
}

// --- integers -----------------------------------------------------------------------------------------------------------

template <typename F>
void int_binary(Machine& m, const Step& s, F f) {
  const Cell mask = mask_of(s.result_type.width);
  binary(m, s, [=](Cell a, Cell b) { return f(a, b) & mask; });
}

template <typename F>
void signed_binary(Machine& m, const Step& s, F f) {
  const std::uint32_t width = s.type.width;
  const Cell mask = mask_of(s.result_type.width);
  binary(m, s,
         [=](Cell a, Cell b) { return static_cast<Cell>(f(sign_extended(a, width), sign_extended(b, width))) & mask; });
}

// The results of an undefined division are those of common devices.
std::int64_t signed_quotient(std::int64_t a, std::int64_t b) {
  if (b == 0) return -1;
  return b == -1 ? static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(a)) : a / b;
}
std::int64_t signed_rest(std::int64_t a, std::int64_t b) { return b == 0 ? a : b == -1 ? 0 : a % b; }
std::int64_t signed_modulo(std::int64_t a, std::int64_t b) {
  const std::int64_t rest = signed_rest(a, b);
  return b != 0 && rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

Cell reversed(Cell bits, std::uint32_t width) {
  Cell result = 0;
  for (std::uint32_t i = 0; i < width; ++i) result |= (bits >> i & 1) << (width - 1 - i);
  return result;
}

// Instantiated for each opcode, so that a step runs the code of its own operation alone.
template <Op opcode>
void execute_integer(Machine& m, const Step& s) {
  const std::uint32_t width = s.type.width;
  const Cell mask = mask_of(width);
  switch (opcode) {
    case OpSNegate: return unary(m, s, [=](Cell a) { return (0 - a) & mask; });
    case OpNot: return unary(m, s, [=](Cell a) { return ~a & mask; });
    case OpIAdd: return int_binary(m, s, [](Cell a, Cell b) { return a + b; });
    case OpISub: return int_binary(m, s, [](Cell a, Cell b) { return a - b; });
    case OpIMul: return int_binary(m, s, [](Cell a, Cell b) { return a * b; });
    case OpUDiv: return binary(m, s, [=](Cell a, Cell b) { return b == 0 ? mask : a / b; });
    case OpUMod: return binary(m, s, [](Cell a, Cell b) { return b == 0 ? a : a % b; });
    case OpSDiv: return signed_binary(m, s, signed_quotient);
    case OpSRem: return signed_binary(m, s, signed_rest);
    case OpSMod: return signed_binary(m, s, signed_modulo);
    case OpBitwiseAnd: return binary(m, s, [](Cell a, Cell b) { return a & b; });
    case OpBitwiseOr: return binary(m, s, [](Cell a, Cell b) { return a | b; });
    case OpBitwiseXor: return binary(m, s, [](Cell a, Cell b) { return a ^ b; });
    case OpShiftLeftLogical: return binary(m, s, [=](Cell a, Cell b) { return b >= width ? 0 : a << b & mask; });
    case OpShiftRightLogical: return binary(m, s, [=](Cell a, Cell b) { return b >= width ? 0 : a >> b; });
    case OpShiftRightArithmetic:
      return binary(m, s, [=](Cell a, Cell b) {
        return static_cast<Cell>(sign_extended(a, width) >> std::min<Cell>(b, width - 1)) & mask;
      });
    case OpBitReverse: return unary(m, s, [=](Cell a) { return reversed(a, width); });
    case OpBitCount: return unary(m, s, [](Cell a) { return static_cast<Cell>(std::popcount(a)); });
    case OpIEqual: return binary(m, s, [](Cell a, Cell b) -> Cell { return a == b; });
    case OpINotEqual: return binary(m, s, [](Cell a, Cell b) -> Cell { return a != b; });
    case OpUGreaterThan: return binary(m, s, [](Cell a, Cell b) -> Cell { return a > b; });
    case OpUGreaterThanEqual: return binary(m, s, [](Cell a, Cell b) -> Cell { return a >= b; });
    case OpULessThan: return binary(m, s, [](Cell a, Cell b) -> Cell { return a < b; });
    case OpULessThanEqual: return binary(m, s, [](Cell a, Cell b) -> Cell { return a <= b; });
    case OpSGreaterThan: return signed_binary(m, s, [](std::int64_t a, std::int64_t b) { return a > b; });
    case OpSGreaterThanEqual: return signed_binary(m, s, [](std::int64_t a, std::int64_t b) { return a >= b; });
    case OpSLessThan: return signed_binary(m, s, [](std::int64_t a, std::int64_t b) { return a < b; });
    case OpSLessThanEqual: return signed_binary(m, s, [](std::int64_t a, std::int64_t b) { return a <= b; });
    default: return;
  }
}

template <Op opcode>
void execute_float(Machine& m, const Step& s) {
  switch (opcode) {
    case OpFNegate: {
      const Cell sign = Cell{1} << (s.type.width - 1);
      return unary(m, s, [=](Cell a) { return a ^ sign; });
    }
    case OpFAdd: return float_binary(m, s, [](auto a, auto b) { return a + b; });
    case OpFSub: return float_binary(m, s, [](auto a, auto b) { return a - b; });
    case OpFMul: return float_binary(m, s, [](auto a, auto b) { return a * b; });
    case OpFDiv: return float_binary(m, s, [](auto a, auto b) { return a / b; });
    case OpFRem: return float_binary(m, s, [](auto a, auto b) { return std::fmod(a, b); });
    case OpFMod:
      return float_binary(m, s, [](auto a, auto b) {
        const auto rest = std::fmod(a, b);
        return rest != 0 && std::signbit(rest) != std::signbit(b) ? rest + b : rest;
      });
    case OpIsNan: {
      const FloatFormat format = s.type.format;
      return unary(m, s, [=](Cell a) -> Cell { return std::isnan(value_of(a, format)); });
    }
    case OpIsInf: {
      const FloatFormat format = s.type.format;
      return unary(m, s, [=](Cell a) -> Cell { return std::isinf(value_of(a, format)); });
    }
    case OpFOrdEqual: return float_compare(m, s, false, [](auto a, auto b) { return a == b; });
    case OpFUnordEqual: return float_compare(m, s, true, [](auto a, auto b) { return a == b; });
    case OpFOrdNotEqual: return float_compare(m, s, false, [](auto a, auto b) { return a != b; });
    case OpFUnordNotEqual: return float_compare(m, s, true, [](auto a, auto b) { return a != b; });
    case OpFOrdLessThan: return float_compare(m, s, false, [](auto a, auto b) { return a < b; });
    case OpFUnordLessThan: return float_compare(m, s, true, [](auto a, auto b) { return a < b; });
    case OpFOrdGreaterThan: return float_compare(m, s, false, [](auto a, auto b) { return a > b; });
    case OpFUnordGreaterThan: return float_compare(m, s, true, [](auto a, auto b) { return a > b; });
    case OpFOrdLessThanEqual: return float_compare(m, s, false, [](auto a, auto b) { return a <= b; });
    case OpFUnordLessThanEqual: return float_compare(m, s, true, [](auto a, auto b) { return a <= b; });
    case OpFOrdGreaterThanEqual: return float_compare(m, s, false, [](auto a, auto b) { return a >= b; });
    case OpFUnordGreaterThanEqual: return float_compare(m, s, true, [](auto a, auto b) { return a >= b; });
    default: return;
  }
}

struct OperationRow {
  Op opcode;
  StepFunction* run;
};
template <std::size_t... i>
constexpr auto integer_rows(std::index_sequence<i...>) {
  return std::to_array<OperationRow>({{integer_opcodes[i], execute_integer<integer_opcodes[i]>}...});
}
template <std::size_t... i>
constexpr auto float_rows(std::index_sequence<i...>) {
  return std::to_array<OperationRow>({{float_opcodes[i], execute_float<float_opcodes[i]>}...});
}
constexpr auto integer_operations = integer_rows(std::make_index_sequence<std::size(integer_opcodes)>());
constexpr auto float_operations = float_rows(std::make_index_sequence<std::size(float_opcodes)>());

StepFunction* arithmetic_of(const Step& s) {
  const bool is_float = s.type.kind == CellType::Kind::Float;
  const std::span<const OperationRow> rows =
      is_float ? std::span<const OperationRow>(float_operations) : integer_operations;
  const auto found = std::ranges::find(rows, s.opcode, &OperationRow::opcode);
  return found == rows.end() ? nullptr : found->run;
}

// The sum of the products, from the first one on.
template <typename Float, typename Read, typename Write>
void dot_of(Machine& m, const Step& s, Read read, Write write) {
  Cell* const to = m.cells(s.result);
  const Cell *const a = m.cells(s.a), *const b = m.cells(s.b);
  const std::size_t width = m.width();
  each(m, 1, [=](std::size_t i) {
    Float sum = read(a[i]) * read(b[i]);
    for (std::uint32_t cell = 1; cell < s.count; ++cell) sum += read(a[cell * width + i]) * read(b[cell * width + i]);
    to[i] = write(sum);
  });
}

void dot(Machine& m, const Step& s) {
  const FloatFormat format = s.type.format;
  if (format == FloatFormat::Single) return dot_of<float>(m, s, as_float, [](float value) { return to_cell(value); });
  dot_of<double>(
      m, s, [=](Cell bits) { return value_of(bits, format); },
      [=](double value) { return bits_of(value, format).value_or(0); });
}

void pointer_difference(Machine& m, const Step& s) {
  const std::uint64_t size = std::max<std::uint64_t>(s.extra, 1);
  const Cell mask = mask_of(s.result_type.width);
  binary(m, s, [=](Cell a, Cell b) {
    return static_cast<Cell>(static_cast<std::int64_t>(a - b) / static_cast<std::int64_t>(size)) & mask;
  });
}

// The low half of the result, or the sum, and then the high half, the carry or the borrow.
void extended(Machine& m, const Step& s) {
  const std::uint32_t width = s.type.width, count = s.count / 2;
  const Cell mask = mask_of(width);
  const std::size_t high = std::size_t{count} * m.width();
  Cell* const to = m.cells(s.result);
  const Cell *const a = m.cells(s.a), *const b = m.cells(s.b);
  const Op opcode = s.opcode;
  each(m, count, [=](std::size_t i) {
    const Cell x = a[i], y = b[i];
    switch (opcode) {
      case OpIAddCarry: to[i] = (x + y) & mask, to[high + i] = ((x + y) & mask) < x; return;
      case OpISubBorrow: to[i] = (x - y) & mask, to[high + i] = x < y; return;
      default: break;
    }
    const bool is_signed = opcode == OpSMulExtended;
    __extension__ using Wide = __int128;
    const Wide product = is_signed ? Wide{sign_extended(x, width)} * sign_extended(y, width)
                                   : static_cast<Wide>(x) * static_cast<Wide>(y);
    to[i] = static_cast<Cell>(product) & mask;
    to[high + i] = static_cast<Cell>(product >> width) & mask;
  });
}

bool is_atomic_step(Op opcode) {
  if (opcode >= OpAtomicLoad && opcode <= OpAtomicXor) return true;
  switch (opcode) {
    case OpAtomicFAddEXT:
    case OpAtomicFMinEXT:
    case OpAtomicFMaxEXT:
    case OpAtomicFlagTestAndSet:
    case OpAtomicFlagClear: return true;
    default: return false;
  }
}

bool is_group_step(Op opcode) {
  return (opcode >= OpGroupNonUniformElect && opcode <= OpGroupNonUniformQuadSwap) ||
         opcode == OpGroupNonUniformRotateKHR;
}

// The field is inserted into the bits of the base, or extracted from them.
void bit_field(Machine& m, const Step& s) {
  const bool is_insertion = s.opcode == OpBitFieldInsert;
  const std::uint32_t bits = s.type.width;
  const std::size_t width = m.width();
  Cell* const to = m.cells(s.result);
  const Cell *const base = m.cells(s.a), *const inserted = m.cells(s.b);
  const Cell* const offsets = m.cells(is_insertion ? s.c : s.b);
  const Cell* const counts = m.cells(is_insertion ? s.c.plus(1) : s.c);
  for (std::uint32_t cell = 0; cell < s.count; ++cell) {
    for_each_lane(m.active(), [&](std::uint32_t lane) {
      const std::size_t at = cell * width + lane;
      const auto offset = static_cast<std::uint32_t>(std::min<Cell>(offsets[lane], bits));
      const auto count = static_cast<std::uint32_t>(std::min<Cell>(counts[lane], bits - offset));
      if (count == 0) {
        to[at] = is_insertion ? base[at] : 0;
        return;
      }
      const Cell field = mask_of(count) << offset;
      if (is_insertion) {
        to[at] = (base[at] & ~field) | (inserted[at] << offset & field);
        return;
      }
      const Cell value = (base[at] & field) >> offset;
      to[at] = s.opcode == OpBitFieldSExtract ? static_cast<Cell>(sign_extended(value, count)) & mask_of(bits) : value;
    });
  }
}

}  // namespace

bool is_image_step(Op opcode) {
  return (opcode >= OpImageSampleImplicitLod && opcode <= OpImageQuerySamples && opcode != OpImage) ||
         (opcode >= OpImageSparseSampleImplicitLod && opcode <= OpImageSparseRead) || opcode == OpImageTexelPointer;
}

bool is_shared_operation(Op opcode) { return is_image_step(opcode) || is_atomic_step(opcode) || is_group_step(opcode); }

namespace {

// The operations that are worth no function of their own.
void execute_rest(Machine& m, const Step& s) {
  switch (s.opcode) {
    case OpFreezeKHR: return unary(m, s, [](Cell a) { return a; });
    case OpUndef: return fill(m, s, m.arbitrary(s.type));
    case OpAssumeTrueKHR: return;
    case OpBitFieldInsert:
    case OpBitFieldSExtract:
    case OpBitFieldUExtract: return bit_field(m, s);
    case OpLogicalAnd: return binary(m, s, [](Cell a, Cell b) { return a & b; });
    case OpLogicalOr: return binary(m, s, [](Cell a, Cell b) { return a | b; });
    case OpLogicalEqual: return binary(m, s, [](Cell a, Cell b) -> Cell { return a == b; });
    case OpLogicalNotEqual: return binary(m, s, [](Cell a, Cell b) -> Cell { return a != b; });
    case OpLogicalNot: return unary(m, s, [](Cell a) { return a ^ 1; });
    case OpAny: return reduce(m, s, [](Cell a, Cell b) { return a | b; });
    case OpAll: return reduce(m, s, [](Cell a, Cell b) { return a & b; });
    case OpVectorExtractDynamic: return extract_dynamic(m, s);
    case OpVectorInsertDynamic: return insert_dynamic(m, s);
    case OpIAddCarry:
    case OpISubBorrow:
    case OpUMulExtended:
    case OpSMulExtended: return extended(m, s);
    case OpConvertFToU:
    case OpConvertFToS:
    case OpConvertSToF:
    case OpConvertUToF:
    case OpUConvert:
    case OpSConvert:
    case OpFConvert:
    case OpQuantizeToF16: return convert(m, s);
    case OpPtrEqual: return binary(m, s, [](Cell a, Cell b) -> Cell { return a == b; });
    case OpPtrNotEqual: return binary(m, s, [](Cell a, Cell b) -> Cell { return a != b; });
    case OpPtrDiff: return pointer_difference(m, s);
    default: return;
  }
}

void copy(Machine& m, const Step& s) {
  unary(m, s, [](Cell a) { return a; });
}

}  // namespace

StepFunction* operation_of(const Program& program, const Step& s, bool has_checks) {
  switch (s.opcode) {
    case OpLoad: return (s.flags & is_handle) != 0 ? load_handle : load_of(program, s, has_checks);
    case OpImage:
    case OpSampledImage: return combine_image;
    case OpStore: return store;
    case OpAccessChain: return access_chain;
    case OpArrayLength: return array_length;
    case OpCopyObject: return copy;
    case OpSelect: return select;
    case OpDot: return dot;
    case OpBitcast: return bitcast;
    case OpExtInst: return call_glsl;
    case OpString: return print;
    default: break;
  }
  if (is_image_step(s.opcode)) return image_operation;
  if (is_atomic_step(s.opcode)) return atomic_operation;
  if (is_group_step(s.opcode)) return group_operation;
  StepFunction* const arithmetic = arithmetic_of(s);
  return arithmetic == nullptr ? execute_rest : arithmetic;
}

std::vector<StepOperations> operations_of(const Program& program, bool has_checks) {
  std::vector<StepOperations> operations;
  operations.reserve(program.steps.size());
  for (const Step& step : program.steps) {
    const bool is_tracked = has_checks && !is_checked_itself(step.opcode);
    operations.push_back({operation_of(program, step, has_checks), is_tracked ? check_of(step) : nullptr,
                          is_tracked ? mark_of(step) : nullptr});
  }
  return operations;
}

}  // namespace vireo::spirv
