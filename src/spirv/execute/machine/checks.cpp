// SPDX-License-Identifier: Apache-2.0
//
// Steps with checks: what is undefined about the operands, and which results are undefined (operations.h).
//
// After a finding the result is an arbitrary but defined value, so that one fault is one finding. A result is undefined if
// an operand on which it depends is.
//
// Source: specification 3.42.11 to 3.42.16; GLSL.std.450; Vulkan, "Precision and Operation of SPIR-V Instructions".
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "spirv/execute/machine/operations.h"
#include "spirv/execute/program/step_rows.h"
#include "spirv/execute/report/value_text.h"
#include "spirv/module/arithmetic/arithmetic_limits.h"
#include "spirv/module/arithmetic/function_domains.h"
#include "spirv/module/fold.h"
#include "vireo/spirv/binary/views/miscellaneous.h"

namespace vireo::spirv {
namespace {

using enum Op;
using GL = GLSL_std_450;

// One component of the operands of a step in a lane.
struct StepValues {
  Machine& m;
  const Step& s;
  std::uint32_t cell, lane;

  [[nodiscard]] CellRef ref(std::size_t operand) const {
    const CellRef first = operand == 0 ? s.a : operand == 1 ? s.b : s.c;
    return first.is_none() ? first : first.plus(cell);
  }
  [[nodiscard]] std::optional<std::uint64_t> bits(std::size_t operand) const {
    if (ref(operand).is_none()) return std::nullopt;
    return m.cells(ref(operand))[lane];
  }
  [[nodiscard]] std::optional<double> number(std::size_t operand) const {
    const auto raw = bits(operand);
    return raw ? double_of(*raw, s.type.format) : std::nullopt;
  }
  [[nodiscard]] std::optional<std::int64_t> signed_integer(std::size_t operand) const {
    const auto raw = bits(operand);
    if (!raw) return std::nullopt;
    const std::uint32_t width = s.opcode == OpExtInst && operand == 1 && s.extra != 0 ? s.extra : s.type.width;
    return sign_extended(*raw, width);
  }
  [[nodiscard]] std::uint32_t result_width() const { return s.result_type.width; }
  // The id of an operand in the instruction.
  [[nodiscard]] std::string text(std::size_t operand) const {
    const ModuleCheck& c = m.state().report->check();
    const InstructionView view = c.module.instruction(s.source);
    const std::size_t word = operand + (s.opcode == OpExtInst ? 5 : 3);
    if (word >= view.word_count) return "an operand";
    std::string id = id_text(c, view.word(word));
    return s.count > 1 && c.type_of(view.word(word)).is_vector() ? fmt::format("component {} of {}", cell, id) : id;
  }
};

std::string integers_text(bool is_signed, std::uint32_t width) {
  return fmt::format("{} {}-bit integers", is_signed ? "signed" : "unsigned", width);
}

// Calls `visit` for each component of each active lane.
template <typename Visit>
void each_component(Machine& m, const Step& s, Visit visit) {
  for (std::uint32_t cell = 0; cell < s.count; ++cell)
    for_each_lane(m.active(), [&](std::uint32_t lane) { visit(StepValues{m, s, cell, lane}); });
}

void check_division(Machine& m, const Step& s) {
  m.require_defined(Rule::UndefinedOperand, s, 4, s.b, s.count);
  const bool is_signed = s.opcode != OpUDiv && s.opcode != OpUMod;
  const bool is_remainder = s.opcode == OpSRem || s.opcode == OpSMod;
  const bool is_vulkan = m.state().report->check().is_vulkan();
  const Cell lowest = Cell{1} << (s.type.width - 1), minus_one = mask_of(s.type.width);
  each_component(m, s, [&](const StepValues& values) {
    const Cell a = *values.bits(0), b = *values.bits(1);
    if (b == 0) {
      if (m.begins(Rule::ZeroDivisor, s)) m.report(Rule::ZeroDivisor, s, 4, values.lane, {values.text(1), s.opcode});
    } else if (is_signed && a == lowest && b == minus_one) {
      if (m.begins(Rule::DivisionOverflow, s))
        m.report(Rule::DivisionOverflow, s, 3, values.lane,
                 {s.opcode, values.text(0), integers_text(true, s.type.width)});
    } else if (is_remainder && is_vulkan && ((a | b) & lowest) != 0) {
      const bool is_first = (a & lowest) != 0;
      if (m.begins(Rule::NegativeRemainder, s))
        m.report(Rule::NegativeRemainder, s, is_first ? 3 : 4, values.lane, {s.opcode, values.text(is_first ? 0 : 1)});
    }
  });
}

void check_shift(Machine& m, const Step& s) {
  each_component(m, s, [&](const StepValues& values) {
    const Cell amount = *values.bits(1);
    if (amount < s.type.width || m.undefined(values.ref(1))->has(values.lane) || !m.begins(Rule::ShiftAmount, s))
      return;
    m.report(Rule::ShiftAmount, s, 4, values.lane, {values.text(1), amount, s.type.width});
  });
}

void check_wrap(Machine& m, const Step& s) {
  const std::uint32_t width = s.type.width;
  each_component(m, s, [&](const StepValues& values) {
    const bool is_negation = s.opcode == OpSNegate, is_shift = s.opcode == OpShiftLeftLogical;
    const Op op = is_negation ? OpISub : s.opcode;
    const Cell a = is_negation ? 0 : *values.bits(0), b = *values.bits(is_negation ? 0 : 1);
    if (is_shift && b >= width) return;
    const std::int64_t right = is_shift ? static_cast<std::int64_t>(b) : sign_extended(b, width);
    const bool exceeds_signed =
        (s.flags & no_signed_wrap) != 0 && overflows_signed(op, sign_extended(a, width), right, width);
    const bool exceeds =
        exceeds_signed || (!is_negation && (s.flags & no_unsigned_wrap) != 0 && overflows_unsigned(op, a, b, width));
    if (!exceeds || m.undefined(values.ref(0))->has(values.lane)) return;
    if (!is_negation && m.undefined(values.ref(1))->has(values.lane)) return;
    if (!m.begins(Rule::WrapOverflow, s)) return;
    const ModuleCheck& c = m.state().report->check();
    m.report(Rule::WrapOverflow, s, 0, values.lane,
             {c.module.result_of(c.module.instruction(s.source)), exceeds_signed ? "NoSignedWrap" : "NoUnsignedWrap",
              s.opcode, integers_text(exceeds_signed, width)});
  });
}

void check_conversion(Machine& m, const Step& s) {
  if ((s.flags & is_saturated) != 0) return;
  each_component(m, s, [&](const StepValues& values) {
    if (is_convertible(values.number(0).value_or(0), s.result_type.width, s.opcode == OpConvertFToS)) return;
    if (m.undefined(values.ref(0))->has(values.lane) || !m.begins(Rule::ConversionRange, s)) return;
    const ModuleCheck& c = m.state().report->check();
    m.report(Rule::ConversionRange, s, 3, values.lane,
             {s.opcode, values.text(0), c.module.type_of(c.module.instruction(s.source))});
  });
}

void check_bit_field(Machine& m, const Step& s) {
  // The offset and the count are scalars; an insertion has one operand more.
  const bool is_insertion = s.opcode == OpBitFieldInsert;
  const CellRef offsets = is_insertion ? s.c : s.b, counts = is_insertion ? s.c.plus(1) : s.c;
  for_each_lane(m.active(), [&](std::uint32_t lane) {
    const Cell offset = m.cells(offsets)[lane], count = m.cells(counts)[lane];
    if (offset <= s.type.width && count <= s.type.width - offset) return;
    if (m.undefined(offsets)->has(lane) || m.undefined(counts)->has(lane) || !m.begins(Rule::BitFieldRange, s)) return;
    m.report(Rule::BitFieldRange, s, is_insertion ? 5 : 4, lane,
             {s.opcode, fmt::format(" at offset {} with {} bits", offset, count), s.type.width});
  });
}

void check_vector_index(Machine& m, const Step& s) {
  const Cell* const index = m.cells(s.b);
  for_each_lane(m.active(), [&](std::uint32_t lane) {
    if (index[lane] < s.count || m.undefined(s.b)->has(lane) || !m.begins(Rule::VectorIndex, s)) return;
    const ModuleCheck& c = m.state().report->check();
    const InstructionView view = c.module.instruction(s.source);
    m.report(Rule::VectorIndex, s, s.opcode == OpVectorInsertDynamic ? 5 : 4, lane,
             {fmt::format("{}", index[lane]), c.module.type_of(nth_operand(view, 0)), s.count - 1});
  });
}

void report_domain(Machine& m, const Step& s, std::uint16_t operand, std::uint32_t lane, const std::string& text) {
  const ModuleCheck& c = m.state().report->check();
  m.report(Rule::FunctionDomain, s, static_cast<std::uint16_t>(5 + operand), lane, {function_name(c, s.source), text});
}

void check_domain(Machine& m, const Step& s) {
  const auto row = std::ranges::find(glsl_domains, s.operation, &DomainRow::inst);
  if (row != std::end(glsl_domains)) {
    each_component(m, s, [&](const StepValues& values) {
      if (!is_outside(*row, values)) return;
      for (std::size_t i = 0; i < 3; ++i)
        if (!values.ref(i).is_none() && m.undefined(values.ref(i))->has(values.lane)) return;
      if (m.begins(Rule::FunctionDomain, s)) report_domain(m, s, row->a, values.lane, outside_text(*row, values));
    });
    return;
  }
  // The functions of whole vectors and matrices.
  for_each_lane(m.active(), [&](std::uint32_t lane) {
    bool is_zero = true;
    for (std::uint32_t cell = 0; cell < s.count; ++cell) {
      const StepValues values{m, s, cell, lane};
      if (m.undefined(values.ref(0))->has(lane)) return;
      is_zero &= values.number(0) == 0.0;
    }
    if (is_zero && m.begins(Rule::FunctionDomain, s))
      report_domain(m, s, 0, lane,
                    fmt::format("for {}, whose components are all 0", StepValues{m, s, 0, lane}.text(0)));
  });
}

void check_assumption(Machine& m, const Step& s) {
  m.require_defined(Rule::UndefinedOperand, s, 1, s.a, 1);
  const Cell* const condition = m.cells(s.a);
  for_each_lane(m.active(), [&](std::uint32_t lane) {
    if (condition[lane] != 0 || !m.begins(Rule::FalseAssumption, s)) return;
    const View<OpAssumeTrueKHR> assumption(m.state().report->check().module.instruction(s.source));
    m.report(Rule::FalseAssumption, s, 1, lane, {Word{assumption.condition()}});
  });
}

void check_difference(Machine& m, const Step& s) {
  const Cell *const a = m.cells(s.a), *const b = m.cells(s.b);
  for_each_lane(m.active(), [&](std::uint32_t lane) {
    if (Pointer{a[lane]}.object() == Pointer{b[lane]}.object() || !m.begins(Rule::PointerDifference, s)) return;
    const InstructionView view = m.state().report->check().module.instruction(s.source);
    m.report(Rule::PointerDifference, s, 3, lane, {nth_operand(view, 0), nth_operand(view, 1)});
  });
}

void check_shift_left(Machine& m, const Step& s) {
  check_shift(m, s);
  if (s.flags != 0) check_wrap(m, s);
}

// --- propagation --------------------------------------------------------------------------------------------------------

// The lanes in which some cells are undefined, and the origin of one of them.
struct Shadow {
  LaneMask lanes;
  std::uint32_t origin = 0;
  void add(Machine& m, CellRef cell) {
    const LaneMask undefined = *m.undefined(cell) & m.active();
    if (undefined.any() && !lanes.any()) origin = *m.origins(cell);
    lanes |= undefined;
  }
  void add(Machine& m, CellRef first, std::uint32_t count) {
    if (first.is_none()) return;
    for (std::uint32_t cell = 0; cell < count; ++cell) add(m, first.plus(cell));
  }
};

void mark(Machine& m, CellRef first, std::uint32_t count, const Shadow& shadow) {
  for (std::uint32_t cell = 0; cell < count; ++cell) set_undefined(m, first.plus(cell), shadow.lanes, shadow.origin);
}

void propagate_select(Machine& m, const Step& s) {
  for (std::uint32_t cell = 0; cell < s.count; ++cell) {
    const CellRef condition = s.a.plus(s.operation == scalar_a ? 0 : cell);
    Shadow shadow;
    shadow.add(m, condition);
    const Cell* const chosen = m.cells(condition);
    const LaneMask left = *m.undefined(s.b.plus(cell)), right = *m.undefined(s.c.plus(cell));
    if (left.any() || right.any()) {
      for_each_lane(m.active(), [&](std::uint32_t lane) {
        const CellRef from = chosen[lane] != 0 ? s.b.plus(cell) : s.c.plus(cell);
        if (!m.undefined(from)->has(lane)) return;
        if (!shadow.lanes.any()) shadow.origin = *m.origins(from);
        shadow.lanes.set(lane);
      });
    }
    set_undefined(m, s.result.plus(cell), shadow.lanes, shadow.origin);
  }
}

// The component that an index selects: of the operand for an extraction, of the result for an insertion.
void propagate_index(Machine& m, const Step& s) {
  const bool is_insertion = s.opcode == OpVectorInsertDynamic;
  const Cell* const index = m.cells(s.b);
  Shadow unknown;
  unknown.add(m, s.b);
  if (!is_insertion) {
    Shadow shadow = unknown;
    for_each_lane(m.active(), [&](std::uint32_t lane) {
      if (index[lane] >= s.count) return;
      const CellRef from = s.a.plus(static_cast<std::uint32_t>(index[lane]));
      if (!m.undefined(from)->has(lane)) return;
      if (!shadow.lanes.any()) shadow.origin = *m.origins(from);
      shadow.lanes.set(lane);
    });
    return mark(m, s.result, 1, shadow);
  }
  for_each_lane(m.active(), [&](std::uint32_t lane) {
    for (std::uint32_t cell = 0; cell < s.count; ++cell) {
      if (index[lane] != cell && !unknown.lanes.has(lane)) continue;
      const CellRef to = s.result.plus(cell);
      const bool is_undefined = unknown.lanes.has(lane) || m.undefined(s.a)->has(lane);
      LaneMask& shadow = *m.undefined(to);
      shadow = shadow - LaneMask::of(lane);
      if (!is_undefined) continue;
      shadow.set(lane);
      *m.origins(to) = unknown.lanes.has(lane) ? unknown.origin : *m.origins(s.a);
    }
  });
}

// The cells of the result of an extended instruction whose result depends on all cells of the operands; 0 if each cell of
// the result depends on one cell of each operand.
std::uint32_t joint_cells(const Step& s) {
  switch (static_cast<GL>(s.operation)) {
    case GL::Length:
    case GL::Distance:
    case GL::Determinant:
    case GL::PackSnorm4x8:
    case GL::PackUnorm4x8:
    case GL::PackSnorm2x16:
    case GL::PackUnorm2x16:
    case GL::PackHalf2x16:
    case GL::PackDouble2x32: return 1;
    case GL::UnpackSnorm2x16:
    case GL::UnpackUnorm2x16:
    case GL::UnpackHalf2x16:
    case GL::UnpackDouble2x32: return 2;
    case GL::UnpackSnorm4x8:
    case GL::UnpackUnorm4x8: return 4;
    case GL::Normalize:
    case GL::Cross:
    case GL::Reflect:
    case GL::Refract:
    case GL::FaceForward:
    case GL::MatrixInverse: return s.count;
    default: return 0;
  }
}

// Each cell of the result depends on one cell of each operand.
void propagate_cells(Machine& m, const Step& s) {
  for (std::uint32_t cell = 0; cell < s.count; ++cell) {
    Shadow shadow;
    shadow.add(m, s.a.plus(cell));
    if (!s.b.is_none()) shadow.add(m, s.b.plus(s.operation == scalar_b && s.opcode != OpExtInst ? 0 : cell));
    if (!s.c.is_none()) shadow.add(m, s.c.plus(cell));
    set_undefined(m, s.result.plus(cell), shadow.lanes, shadow.origin);
  }
}

// Steps whose results depend on their operands in other ways than cell by cell.
void propagate_special(Machine& m, const Step& s) {
  switch (s.opcode) {
    case OpUndef: return mark(m, s.result, s.count, {m.active(), origin_of(s)});
    case OpSelect: return propagate_select(m, s);
    case OpVectorExtractDynamic:
    case OpVectorInsertDynamic: return propagate_index(m, s);
    case OpFreezeKHR: return mark(m, s.result, s.count, {});
    case OpAny:
    case OpAll:
    case OpDot: {
      Shadow shadow;
      shadow.add(m, s.a, s.count);
      if (s.opcode == OpDot) shadow.add(m, s.b, s.count);
      return mark(m, s.result, 1, shadow);
    }
    case OpBitcast: {
      if (s.type.width == s.result_type.width) break;
      Shadow shadow;
      shadow.add(m, s.a, s.count * s.result_type.width / std::max<std::uint32_t>(s.type.width, 1));
      return mark(m, s.result, s.count, shadow);
    }
    case OpBitFieldInsert:
    case OpBitFieldSExtract:
    case OpBitFieldUExtract: {
      Shadow shadow;
      shadow.add(m, s.a, s.count);
      shadow.add(m, s.b, s.opcode == OpBitFieldInsert ? s.count : 1);
      shadow.add(m, s.c, s.opcode == OpBitFieldInsert ? 2 : 1);
      return mark(m, s.result, s.count, shadow);
    }
    case OpIAddCarry:
    case OpISubBorrow:
    case OpUMulExtended:
    case OpSMulExtended:
      for (std::uint32_t cell = 0; cell < s.count; ++cell) {
        Shadow shadow;
        shadow.add(m, s.a.plus(cell % (s.count / 2)));
        shadow.add(m, s.b.plus(cell % (s.count / 2)));
        set_undefined(m, s.result.plus(cell), shadow.lanes, shadow.origin);
      }
      return;
    case OpExtInst: {
      const bool is_pair = s.operation == static_cast<std::uint16_t>(GL::ModfStruct) ||
                           s.operation == static_cast<std::uint16_t>(GL::FrexpStruct);
      if (const std::uint32_t cells = joint_cells(s); cells != 0) {
        Shadow shadow;
        shadow.add(m, s.a, s.count);
        const bool is_refraction = s.operation == static_cast<std::uint16_t>(GL::Refract);
        shadow.add(m, s.b, s.count);
        shadow.add(m, s.c, is_refraction ? 1 : s.count);
        return mark(m, s.result, cells, shadow);
      }
      if (!is_pair) break;
      for (std::uint32_t cell = 0; cell < 2 * s.count; ++cell)
        set_undefined(m, s.result.plus(cell), *m.undefined(s.a.plus(cell % s.count)),
                      *m.origins(s.a.plus(cell % s.count)));
      return;
    }
    default: break;
  }
  propagate_cells(m, s);
}

}  // namespace

bool is_checked_itself(Op opcode) {
  switch (opcode) {
    case OpLoad:
    case OpStore:
    case OpAccessChain:
    case OpArrayLength:
    case OpImage:
    case OpSampledImage:
    case OpString: return true;
    default: return is_shared_operation(opcode);
  }
}

StepFunction* check_of(const Step& s) {
  switch (s.opcode) {
    case OpUDiv:
    case OpSDiv:
    case OpUMod:
    case OpSRem:
    case OpSMod: return check_division;
    case OpShiftLeftLogical: return check_shift_left;
    case OpShiftRightLogical:
    case OpShiftRightArithmetic: return check_shift;
    case OpIAdd:
    case OpISub:
    case OpIMul:
    case OpSNegate: return s.flags != 0 ? check_wrap : nullptr;
    case OpConvertFToU:
    case OpConvertFToS: return check_conversion;
    case OpBitFieldInsert:
    case OpBitFieldSExtract:
    case OpBitFieldUExtract: return check_bit_field;
    case OpVectorExtractDynamic:
    case OpVectorInsertDynamic: return check_vector_index;
    case OpExtInst: return (s.flags & has_domain) != 0 ? check_domain : nullptr;
    case OpAssumeTrueKHR: return check_assumption;
    case OpPtrDiff: return check_difference;
    default: return nullptr;
  }
}

StepFunction* mark_of(const Step& s) {
  if (s.result.is_none()) return nullptr;
  switch (s.opcode) {
    case OpUndef:
    case OpSelect:
    case OpVectorExtractDynamic:
    case OpVectorInsertDynamic:
    case OpFreezeKHR:
    case OpAny:
    case OpAll:
    case OpDot:
    case OpBitcast:
    case OpBitFieldInsert:
    case OpBitFieldSExtract:
    case OpBitFieldUExtract:
    case OpIAddCarry:
    case OpISubBorrow:
    case OpUMulExtended:
    case OpSMulExtended:
    case OpExtInst: return propagate_special;
    default: return propagate_cells;
  }
}

}  // namespace vireo::spirv
