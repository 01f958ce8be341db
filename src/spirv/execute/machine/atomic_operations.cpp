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
  const std::uint32_t bytes = s.type.kind == CellType::Kind::Bool ? 4 : s.type.width / 8;
  if (m.has_checks()) check_pointers(m, s);
  m.note_shared_read();
  LaneMask undefined;
  for_each_lane(m.active(), [&](std::uint32_t lane) {
    const Pointer pointer{m.cells(s.a)[lane]};
    const MemoryPlace place = find_place(m, s, pointer, bytes, lane);
    if (place.bytes == nullptr) {
      if (!s.result.is_none()) m.cells(s.result)[lane] = m.arbitrary(s.type);
      return;
    }
    Cell old = 0;
    std::memcpy(&old, place.bytes, bytes);
    const Cell value = s.b.is_none() ? 0 : m.cells(s.b)[lane], comparator = s.c.is_none() ? 0 : m.cells(s.c)[lane];
    const Cell now = updated(s, old, value, comparator);
    m.state().changes += now != old;
    std::memcpy(place.bytes, &now, bytes);
    if (!s.result.is_none()) m.cells(s.result)[lane] = old;
    if (!m.has_checks()) return;
    const bool only_reads = s.opcode == OpAtomicLoad,
               only_writes = s.opcode == OpAtomicStore || s.opcode == OpAtomicFlagClear;
    const bool fails =
        (s.opcode == OpAtomicCompareExchange || s.opcode == OpAtomicCompareExchangeWeak) && old != comparator;
    m.note_atomic(s, place, bytes, lane, !only_writes, !only_reads && !fails);
    if (place.object->shadow == nullptr) return;
    ByteState* const shadow = place.shadow();
    const bool is_store = s.opcode == OpAtomicStore || s.opcode == OpAtomicExchange || s.opcode == OpAtomicFlagClear ||
                          s.opcode == OpAtomicFlagTestAndSet;
    if (std::any_of(shadow, shadow + bytes, [](ByteState state) { return state != ByteState::Defined; })) {
      if (s.opcode != OpAtomicStore && s.opcode != OpAtomicFlagClear) undefined.set(lane);
      if (is_store) std::fill_n(shadow, bytes, ByteState::Defined);
    }
    if (!s.b.is_none() && m.undefined(s.b)->has(lane)) {
      std::fill_n(shadow, bytes, ByteState::Undefined);
      m.owner_of(*place.object).set_origin(*place.object, place.at, *m.origins(s.b));
    }
  });
  if (!m.has_checks() || s.result.is_none()) return;
  set_undefined(m, s.result, undefined, origin_of(s));
}

}  // namespace vireo::spirv
