// SPDX-License-Identifier: Apache-2.0
//
// Atomic operations, one lane after the other (operations.h).
//
// Source: specification 3.42.18.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "spirv/execute/machine/operations.h"
#include "spirv/module/fold.h"

namespace vireo::spirv {
namespace {

using enum Op;

Cell updated(const Step& s, Cell old, Cell value, Cell comparator) {
  const std::uint32_t width = s.type.width;
  const bool is_less = sign_extended(value, width) < sign_extended(old, width);
  const auto floats = [&](auto f) {
    const double x = double_of(old, s.type.format).value_or(0), y = double_of(value, s.type.format).value_or(0);
    return bits_of(f(x, y), s.type.format).value_or(0);
  };
  switch (s.opcode) {
    case OpAtomicStore:
    case OpAtomicExchange: return value;
    case OpAtomicCompareExchange:
    case OpAtomicCompareExchangeWeak: return old == comparator ? value : old;
    case OpAtomicIIncrement: return (old + 1) & mask_of(width);
    case OpAtomicIDecrement: return (old - 1) & mask_of(width);
    case OpAtomicIAdd: return (old + value) & mask_of(width);
    case OpAtomicISub: return (old - value) & mask_of(width);
    case OpAtomicSMin: return is_less ? value : old;
    case OpAtomicSMax: return is_less ? old : value;
    case OpAtomicUMin: return std::min(old, value);
    case OpAtomicUMax: return std::max(old, value);
    case OpAtomicAnd: return old & value;
    case OpAtomicOr: return old | value;
    case OpAtomicXor: return old ^ value;
    case OpAtomicFAddEXT: return floats([](double x, double y) { return x + y; });
    case OpAtomicFMinEXT: return floats([](double x, double y) { return std::isnan(x) || y < x ? y : x; });
    case OpAtomicFMaxEXT: return floats([](double x, double y) { return std::isnan(x) || y > x ? y : x; });
    case OpAtomicFlagTestAndSet: return 1;
    case OpAtomicFlagClear: return 0;
    default: return old;
  }
}

}  // namespace

void atomic_operation(Machine& m, const Step& s) {
  const std::uint32_t bytes = s.type.kind == ScalarType::Kind::Bool ? 4 : s.type.width / 8;
  for_each_lane(m.active(), [&](std::uint32_t lane) {
    const Pointer pointer{m.cells(s.a)[lane]};
    const MemoryPlace place = place_of(m.objects(), pointer, bytes, lane);
    if (place.bytes == nullptr) return m.out_of_bounds(s, lane, pointer, bytes);
    Cell old = 0;
    std::memcpy(&old, place.bytes, bytes);
    const Cell value = s.b.is_none() ? 0 : m.cells(s.b)[lane], comparator = s.c.is_none() ? 0 : m.cells(s.c)[lane];
    const Cell now = updated(s, old, value, comparator);
    std::memcpy(place.bytes, &now, bytes);
    if (place.shadow != nullptr) std::memset(place.shadow, 1, bytes);
    if (!s.result.is_none()) m.cells(s.result)[lane] = old;
  });
}

}  // namespace vireo::spirv
