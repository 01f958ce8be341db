// SPDX-License-Identifier: Apache-2.0
//
// Group operations: the active invocations of a tangle exchange values (operations.h).
//
// Source: specification 3.42.24 ("Non-Uniform Instructions").
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "spirv/execute/machine/operations.h"
#include "spirv/module/fold.h"

namespace vireo::spirv {
namespace {

using enum Op;

// The combination of two scalars by an arithmetic group operation.
Cell combine(const Step& s, Cell a, Cell b) {
  const std::uint32_t width = s.type.width;
  const bool is_less = sign_extended(a, width) < sign_extended(b, width);
  const auto floats = [&](auto f) {
    const double x = double_of(a, s.type.format).value_or(0), y = double_of(b, s.type.format).value_or(0);
    return bits_of(f(x, y), s.type.format).value_or(0);
  };
  switch (s.opcode) {
    case OpGroupNonUniformIAdd: return (a + b) & mask_of(width);
    case OpGroupNonUniformIMul: return (a * b) & mask_of(width);
    case OpGroupNonUniformSMin: return is_less ? a : b;
    case OpGroupNonUniformSMax: return is_less ? b : a;
    case OpGroupNonUniformUMin: return std::min(a, b);
    case OpGroupNonUniformUMax: return std::max(a, b);
    case OpGroupNonUniformBitwiseAnd:
    case OpGroupNonUniformLogicalAnd: return a & b;
    case OpGroupNonUniformBitwiseOr:
    case OpGroupNonUniformLogicalOr: return a | b;
    case OpGroupNonUniformBitwiseXor:
    case OpGroupNonUniformLogicalXor: return a ^ b;
    case OpGroupNonUniformFAdd: return floats([](double x, double y) { return x + y; });
    case OpGroupNonUniformFMul: return floats([](double x, double y) { return x * y; });
    case OpGroupNonUniformFMin: return floats([](double x, double y) { return std::isnan(x) || y < x ? y : x; });
    case OpGroupNonUniformFMax: return floats([](double x, double y) { return std::isnan(x) || y > x ? y : x; });
    default: return 0;
  }
}

// The value that combine() does not change.
Cell identity(const Step& s) {
  const std::uint32_t width = s.type.width;
  const auto number = [&](double value) { return bits_of(value, s.type.format).value_or(0); };
  switch (s.opcode) {
    case OpGroupNonUniformIMul: return 1;
    case OpGroupNonUniformSMin: return mask_of(width - 1);
    case OpGroupNonUniformSMax: return Cell{1} << (width - 1);
    case OpGroupNonUniformUMin:
    case OpGroupNonUniformBitwiseAnd:
    case OpGroupNonUniformLogicalAnd: return mask_of(width);
    case OpGroupNonUniformFMul: return number(1);
    case OpGroupNonUniformFMin: return number(HUGE_VAL);
    case OpGroupNonUniformFMax: return number(-HUGE_VAL);
    default: return 0;
  }
}

void combine_all(Machine& m, const Step& s) {
  const std::size_t width = m.width();
  const LaneMask active = m.active();
  const std::size_t cluster = s.c.is_none() ? width : std::max<Cell>(m.cells(s.c)[active.lowest()], 1);
  const auto operation = static_cast<GroupOperation>(s.operation);
  for (std::uint32_t cell = 0; cell < s.count; ++cell) {
    Cell* const to = m.cells(s.result.plus(cell));
    const Cell* const from = m.cells(s.a.plus(cell));
    for (std::size_t first = 0; first < width; first += cluster) {
      Cell sum = identity(s);
      const auto each = [&](auto visit) {
        for (std::size_t lane = first; lane < std::min(first + cluster, width); ++lane)
          if (active.has(static_cast<std::uint32_t>(lane))) visit(lane);
      };
      each([&](std::size_t lane) {
        const Cell before = sum;
        sum = combine(s, sum, from[lane]);
        to[lane] = operation == GroupOperation::ExclusiveScan ? before : sum;
      });
      if (operation == GroupOperation::Reduce || operation == GroupOperation::ClusteredReduce)
        each([&](std::size_t lane) { to[lane] = sum; });
    }
  }
}

void report_inactive(Machine& m, const Step& s, std::uint32_t lane, std::uint64_t source) {
  if (!m.begins(Rule::InactiveSource, s)) return;
  const bool exists = source < m.width();
  m.report(Rule::InactiveSource, s, 0, lane,
           {op_text(m.state().report->check(), s.opcode), fmt::format("{}", static_cast<std::int64_t>(source)),
            exists ? "does not execute the instruction" : "does not exist"});
}

// Each lane reads the value of another one. A lane that is not active has none.
template <typename Source>
void exchange(Machine& m, const Step& s, Source source_of) {
  const std::size_t width = m.width();
  std::vector<Cell> values(width);
  for (std::uint32_t cell = 0; cell < s.count; ++cell) {
    Cell* const to = m.cells(s.result.plus(cell));
    const Cell* const from = m.cells(s.a.plus(cell));
    std::copy_n(from, width, values.begin());
    LaneMask undefined;
    for_each_lane(m.active(), [&](std::uint32_t lane) {
      const std::uint64_t source = source_of(lane);
      const bool is_active = source < width && m.active().has(static_cast<std::uint32_t>(source));
      if (!is_active) {
        report_inactive(m, s, lane, source);
        to[lane] = m.arbitrary(s.type);
        return;
      }
      to[lane] = values[static_cast<std::size_t>(source)];
      if (m.has_checks() && m.undefined(s.a.plus(cell))->has(static_cast<std::uint32_t>(source))) undefined.set(lane);
    });
    if (m.has_checks()) set_undefined(m, s.result.plus(cell), undefined, *m.origins(s.a.plus(cell)));
  }
}

void set_all(Machine& m, const Step& s, Cell value) {
  for_each_lane(m.active(), [&](std::uint32_t lane) { m.cells(s.result)[lane] = value; });
}

LaneMask true_lanes(Machine& m, const Step& s) {
  LaneMask lanes;
  for_each_lane(m.active(), [&](std::uint32_t lane) {
    if (m.cells(s.a)[lane] != 0) lanes.set(lane);
  });
  return lanes;
}

bool are_equal(Machine& m, const Step& s) {
  const std::uint32_t first = m.active().lowest();
  bool are = true;
  for (std::uint32_t cell = 0; cell < s.count; ++cell) {
    const Cell* const from = m.cells(s.a.plus(cell));
    for_each_lane(m.active(), [&](std::uint32_t lane) {
      if (s.type.kind == CellType::Kind::Float)
        are &= double_of(from[lane], s.type.format) == double_of(from[first], s.type.format);
      else are &= from[lane] == from[first];
    });
  }
  return are;
}

void ballot(Machine& m, const Step& s) {
  const LaneMask lanes = true_lanes(m, s);
  for (std::uint32_t cell = 0; cell < 4; ++cell) {
    const Cell word = lanes.words[cell / 2] >> (cell % 2 * 32) & 0xFFFFFFFF;
    for_each_lane(m.active(), [&](std::uint32_t lane) { m.cells(s.result.plus(cell))[lane] = word; });
  }
}

// Calls `f` with the ballot that each lane has.
template <typename F>
void each_ballot(Machine& m, const Step& s, F f) {
  const LaneMask all = LaneMask::first(m.width());
  for_each_lane(m.active(), [&](std::uint32_t lane) {
    LaneMask lanes;
    for (std::uint32_t cell = 0; cell < 4; ++cell)
      lanes.words[cell / 2] |= m.cells(s.a.plus(cell))[lane] << (cell % 2 * 32);
    m.cells(s.result)[lane] = f(lanes & all, lane);
  });
}

Cell highest(LaneMask lanes) {
  return lanes.words[1] != 0 ? 127u - static_cast<unsigned>(std::countl_zero(lanes.words[1]))
                             : 63u - static_cast<unsigned>(std::countl_zero(lanes.words[0]));
}

void group_values(Machine& m, const Step& s) {
  const auto operand = [&](std::uint32_t lane) { return m.cells(s.b)[lane]; };
  switch (s.opcode) {
    case OpGroupNonUniformElect: {
      set_all(m, s, 0);
      m.cells(s.result)[m.active().lowest()] = 1;
      return;
    }
    case OpGroupNonUniformAll: return set_all(m, s, true_lanes(m, s) == m.active());
    case OpGroupNonUniformAny: return set_all(m, s, true_lanes(m, s).any());
    case OpGroupNonUniformAllEqual: return set_all(m, s, are_equal(m, s));
    case OpGroupNonUniformBallot: return ballot(m, s);
    case OpGroupNonUniformInverseBallot:
      return each_ballot(m, s, [](LaneMask lanes, std::uint32_t lane) -> Cell { return lanes.has(lane); });
    case OpGroupNonUniformBallotBitExtract:
      return each_ballot(m, s, [&](LaneMask lanes, std::uint32_t lane) -> Cell {
        return operand(lane) < max_lanes && lanes.has(static_cast<std::uint32_t>(operand(lane)));
      });
    case OpGroupNonUniformBallotBitCount: {
      const auto operation = static_cast<GroupOperation>(s.operation);
      return each_ballot(m, s, [=](LaneMask lanes, std::uint32_t lane) -> Cell {
        if (operation == GroupOperation::Reduce) return lanes.count();
        return (lanes & LaneMask::first(operation == GroupOperation::InclusiveScan ? lane + 1 : lane)).count();
      });
    }
    case OpGroupNonUniformBallotFindLSB:
      return each_ballot(m, s, [](LaneMask lanes, std::uint32_t) -> Cell { return lanes.any() ? lanes.lowest() : 0; });
    case OpGroupNonUniformBallotFindMSB:
      return each_ballot(m, s, [](LaneMask lanes, std::uint32_t) -> Cell { return lanes.any() ? highest(lanes) : 0; });
    case OpGroupNonUniformBroadcastFirst: {
      const std::uint32_t first = m.active().lowest();
      return exchange(m, s, [=](std::uint32_t) { return first; });
    }
    case OpGroupNonUniformBroadcast:
    case OpGroupNonUniformShuffle: return exchange(m, s, operand);
    case OpGroupNonUniformShuffleXor: return exchange(m, s, [&](std::uint32_t lane) { return lane ^ operand(lane); });
    case OpGroupNonUniformShuffleUp: return exchange(m, s, [&](std::uint32_t lane) { return lane - operand(lane); });
    case OpGroupNonUniformShuffleDown: return exchange(m, s, [&](std::uint32_t lane) { return lane + operand(lane); });
    case OpGroupNonUniformRotateKHR: {
      const std::uint32_t width = m.width();
      return exchange(m, s, [&](std::uint32_t lane) {
        const Cell size = s.c.is_none() ? width : std::max<Cell>(m.cells(s.c)[lane], 1);
        return lane / size * size + (lane % size + operand(lane)) % size;
      });
    }
    case OpGroupNonUniformQuadBroadcast:
      return exchange(m, s, [&](std::uint32_t lane) { return (lane & ~3u) + operand(lane); });
    case OpGroupNonUniformQuadSwap:
      return exchange(m, s, [&](std::uint32_t lane) { return lane ^ (operand(lane) + 1); });
    default: return combine_all(m, s);
  }
}

// The number of cells of the result.
std::uint32_t result_cells(const Step& s) {
  switch (s.opcode) {
    case OpGroupNonUniformBallot: return 4;
    case OpGroupNonUniformElect:
    case OpGroupNonUniformAll:
    case OpGroupNonUniformAny:
    case OpGroupNonUniformAllEqual:
    case OpGroupNonUniformInverseBallot:
    case OpGroupNonUniformBallotBitExtract:
    case OpGroupNonUniformBallotBitCount:
    case OpGroupNonUniformBallotFindLSB:
    case OpGroupNonUniformBallotFindMSB: return 1;
    default: return s.count;
  }
}

// Exchanges track undefined values themselves.
bool is_exchange(Op opcode) {
  switch (opcode) {
    case OpGroupNonUniformBroadcast:
    case OpGroupNonUniformBroadcastFirst:
    case OpGroupNonUniformShuffle:
    case OpGroupNonUniformShuffleXor:
    case OpGroupNonUniformShuffleUp:
    case OpGroupNonUniformShuffleDown:
    case OpGroupNonUniformRotateKHR:
    case OpGroupNonUniformQuadBroadcast:
    case OpGroupNonUniformQuadSwap: return true;
    default: return false;
  }
}

}  // namespace

void group_operation(Machine& m, const Step& s) {
  group_values(m, s);
  if (!m.has_checks() || is_exchange(s.opcode)) return;
  // An undefined value of any active lane makes the results of all undefined.
  LaneMask undefined;
  std::uint32_t origin = 0;
  const auto add = [&](CellRef cells, std::uint32_t count) {
    if (cells.is_none()) return;
    for (std::uint32_t cell = 0; cell < count; ++cell) {
      const LaneMask lanes = *m.undefined(cells.plus(cell)) & m.active();
      if (!lanes.any()) continue;
      undefined = m.active();
      origin = *m.origins(cells.plus(cell));
    }
  };
  add(s.a, s.count);
  add(s.b, 1);
  for (std::uint32_t cell = 0; cell < result_cells(s); ++cell) set_undefined(m, s.result.plus(cell), undefined, origin);
}

}  // namespace vireo::spirv
