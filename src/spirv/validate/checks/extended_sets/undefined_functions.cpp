// SPDX-License-Identifier: Apache-2.0
//
// Warnings about extended instructions: constant operands for which the result is undefined, and formats of DebugPrintf
// with more conversions than arguments.
//
// A function has a row for its domain. All findings are warnings, because the behavior is undefined only if
// the instruction is executed.
//
// Sources: "SPIR-V Extended Instructions for GLSL", section 2; "OpenCL Extended Instruction Set Specification", section
// 2; NonSemantic.DebugPrintf.
#include "spirv/validate/checks/extended_sets/undefined_functions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "spirv/module/fold.h"
#include "spirv/validate/analysis/constant_components.h"
#include "support/counted.h"
#include "vireo/spirv/binary/views/debug.h"
#include "vireo/spirv/binary/views/sets/nonsemantic_debugprintf.h"
#include "vireo/spirv/grammar/ext_insts.h"

namespace vireo::spirv {
namespace {

using GL = GLSL_std_450;
using CL = OpenCL_std;

// --- domains ------------------------------------------------------------------------------------------------------------

/// The values for which a result is undefined. `a` and `b` are the operands that the row names.
enum class Outside : std::uint8_t {
  Negative,       ///< a < 0
  NotPositive,    ///< a <= 0
  BeyondOne,      ///< |a| > 1
  OneOrBeyond,    ///< |a| >= 1
  BelowOne,       ///< a < 1
  BothZero,       ///< a = b = 0
  Power,          ///< a < 0, or a = 0 and b <= 0
  Above,          ///< a > b, as floats
  AboveSigned,    ///< a > b, as signed integers
  AboveUnsigned,  ///< a > b, as unsigned integers
  AboveOrEqual,   ///< a >= b, as floats
  BeyondUnit,     ///< a < 0, a > 1, or a is NaN
  NotFinite,      ///< a or b is infinite or NaN
  AboveOrNaN,     ///< a >= b, or a, b or the third operand is NaN
  LargeExponent,  ///< an integer a > 128; > 1024 if the result has 64 bits
};

struct DomainRow {
  std::uint32_t inst;
  Outside outside;
  std::uint8_t a, b;  ///< operand indexes, from 0
};

constexpr std::uint32_t number_of(GL inst) { return static_cast<std::uint32_t>(inst); }
constexpr std::uint32_t number_of(CL inst) { return static_cast<std::uint32_t>(inst); }

// clang-format off
constexpr DomainRow glsl_rows[] = {
    {number_of(GL::Asin),        Outside::BeyondOne,     0, 0},
    {number_of(GL::Acos),        Outside::BeyondOne,     0, 0},
    {number_of(GL::Acosh),       Outside::BelowOne,      0, 0},
    {number_of(GL::Atanh),       Outside::OneOrBeyond,   0, 0},
    {number_of(GL::Atan2),       Outside::BothZero,      0, 1},
    {number_of(GL::Pow),         Outside::Power,         0, 1},
    {number_of(GL::Log),         Outside::NotPositive,   0, 0},
    {number_of(GL::Log2),        Outside::NotPositive,   0, 0},
    {number_of(GL::Sqrt),        Outside::Negative,      0, 0},
    {number_of(GL::InverseSqrt), Outside::NotPositive,   0, 0},
    {number_of(GL::FClamp),      Outside::Above,         1, 2},
    {number_of(GL::NClamp),      Outside::Above,         1, 2},
    {number_of(GL::UClamp),      Outside::AboveUnsigned, 1, 2},
    {number_of(GL::SClamp),      Outside::AboveSigned,   1, 2},
    {number_of(GL::SmoothStep),  Outside::AboveOrEqual,  0, 1},
    {number_of(GL::Frexp),       Outside::NotFinite,     0, 0},
    {number_of(GL::FrexpStruct), Outside::NotFinite,     0, 0},
    {number_of(GL::Ldexp),       Outside::LargeExponent, 1, 1},
};

constexpr DomainRow opencl_rows[] = {
    {number_of(CL::fclamp),      Outside::Above,         1, 2},
    {number_of(CL::s_clamp),     Outside::AboveSigned,   1, 2},
    {number_of(CL::u_clamp),     Outside::AboveUnsigned, 1, 2},
    {number_of(CL::smoothstep),  Outside::AboveOrNaN,    0, 1},
    {number_of(CL::fmax_common), Outside::NotFinite,     0, 1},
    {number_of(CL::fmin_common), Outside::NotFinite,     0, 1},
    {number_of(CL::mix),         Outside::BeyondUnit,    2, 2},
};
// clang-format on

// The first of three operands whose component `n` is a NaN.
std::optional<std::size_t> nan_operand(const ExtInstCheck& c, std::size_t n) {
  for (std::size_t i = 0; i < 3; ++i) {
    const auto value = float_component(c, c.operand(i), n);
    if (value && std::isnan(*value)) return i;
  }
  return std::nullopt;
}

// Returns true if component `n` of the operands is known and out of the domain. Comparisons with a NaN are false.
bool is_outside(const ExtInstCheck& c, const DomainRow& row, std::size_t n) {
  const Word first = c.operand(row.a), second = c.operand(row.b);
  switch (row.outside) {
    case Outside::AboveSigned: {
      const auto a = signed_component(c, first, n), b = signed_component(c, second, n);
      return a && b && *a > *b;
    }
    case Outside::AboveUnsigned: {
      const auto a = component_bits(c, first, n), b = component_bits(c, second, n);
      return a && b && *a > *b;
    }
    case Outside::LargeExponent: {
      const auto exponent = signed_component(c, first, n);
      const TypeRow& result = c.types.of(c.type).component();
      return exponent && (result.width == 32 || result.width == 64) && *exponent > (result.width == 32 ? 128 : 1024);
    }
    default: break;
  }
  const auto a = float_component(c, first, n), b = float_component(c, second, n);
  // One operand may be out of the domain whatever the other one is.
  if (row.outside == Outside::Power && a && *a < 0) return true;
  if (row.outside == Outside::NotFinite) return (a && !std::isfinite(*a)) || (b && !std::isfinite(*b));
  if (row.outside == Outside::AboveOrNaN && nan_operand(c, n)) return true;
  if (!a || !b) return false;
  switch (row.outside) {
    case Outside::Negative: return *a < 0;
    case Outside::NotPositive: return *a <= 0;
    case Outside::BeyondOne: return std::fabs(*a) > 1;
    case Outside::OneOrBeyond: return std::fabs(*a) >= 1;
    case Outside::BelowOne: return *a < 1;
    case Outside::BothZero: return *a == 0 && *b == 0;
    case Outside::Power: return *a == 0 && *b <= 0;
    case Outside::Above: return *a > *b;
    case Outside::AboveOrEqual:
    case Outside::AboveOrNaN: return *a >= *b;
    case Outside::BeyondUnit: return !(*a >= 0 && *a <= 1);
    default: return false;
  }
}

// "for %x, which is less than 0": what is wrong with component `n`.
std::string outside_text(const ExtInstCheck& c, const DomainRow& row, std::size_t n) {
  const std::string a = component_text(c, c.operand(row.a), n);
  const std::string b = component_text(c, c.operand(row.b), n);
  switch (row.outside) {
    case Outside::Negative: return fmt::format("for {}, which is less than 0", a);
    case Outside::NotPositive: return fmt::format("for {}, which is not greater than 0", a);
    case Outside::BeyondOne: return fmt::format("for {}, which is not in the range from -1 to 1", a);
    case Outside::OneOrBeyond: return fmt::format("for {}, which is not between -1 and 1", a);
    case Outside::BelowOne: return fmt::format("for {}, which is less than 1", a);
    case Outside::BeyondUnit: return fmt::format("for {}, which is not in the range from 0 to 1", a);
    case Outside::NotFinite: {
      const auto value = float_component(c, c.operand(row.a), n);
      return fmt::format("for {}, which is not finite", value && !std::isfinite(*value) ? a : b);
    }
    case Outside::BothZero: return fmt::format("for {} and {}, which are both 0", a, b);
    case Outside::Power:
      return float_component(c, c.operand(row.a), n) < 0.0
                 ? fmt::format("for the base {}, which is less than 0", a)
                 : fmt::format("for the base {}, which is 0, and the exponent {}, which is not greater than 0", a, b);
    case Outside::Above:
    case Outside::AboveSigned:
    case Outside::AboveUnsigned: return fmt::format("for the minimum {}, which is greater than the maximum {}", a, b);
    case Outside::AboveOrNaN:
      if (const auto nan = nan_operand(c, n)) {
        return fmt::format("for {}, which is a NaN", component_text(c, c.operand(*nan), n));
      }
      [[fallthrough]];
    case Outside::AboveOrEqual:
      return fmt::format("for the first edge {}, which is not less than the second, {}", a, b);
    case Outside::LargeExponent: return fmt::format("for the exponent {}, which is too large for the result", a);
  }
  return {};
}

// The absolute value of the lowest integer is out of range (SPV_KHR_no_integer_wrap_decoration).
void check_absolute_value(const ExtInstCheck& c, std::uint32_t absolute_value) {
  if (c.inst.number != absolute_value || c.gives_poison) return;
  if (!c.decorations.has(c.result, Decoration::NoSignedWrap)) return;
  const std::uint32_t width = c.type_of(c.operand(0)).component().width;
  for (std::size_t n = 0; n < constant_component_count(c, c.operand(0)); ++n) {
    const auto value = signed_component(c, c.operand(0), n);
    if (!value || *value != sign_extended(std::uint64_t{1} << (width - 1), width)) continue;
    c.report(Rule::WrapOverflow, c.at(),
             {c.result, "NoSignedWrap", c.name(), fmt::format("signed {}-bit integers", width)});
    return;
  }
}

}  // namespace

void check_domain(const ExtInstCheck& c) {
  if (!c.is_reachable()) return;
  const bool is_glsl = c.set.set == KnownSet::Glsl;
  check_absolute_value(c, is_glsl ? number_of(GL::SAbs) : number_of(CL::s_abs));
  const std::span<const DomainRow> rows = is_glsl ? std::span<const DomainRow>(glsl_rows) : opencl_rows;
  // A linear search is fast enough for fewer than twenty rows.
  const auto row = std::ranges::find(rows, c.inst.number, &DomainRow::inst);
  if (row == rows.end()) return;
  std::size_t count = 0;
  for (std::size_t i = 0; i < 3; ++i) { count = std::max(count, constant_component_count(c, c.operand(i))); }
  for (std::size_t n = 0; n < count; ++n) {
    if (!is_outside(c, *row, n)) continue;
    c.report(Rule::FunctionDomain, c.at(c.operand(row->a)), {c.name(), outside_text(c, *row, n)});
    return;
  }
}

// Each `%` starts a conversion, which takes one argument; a vector is one argument. `%%` prints a percent sign.
void check_printf_arguments(const ExtInstCheck& c) {
  if (!c.is_reachable()) return;
  const auto print = c.as<NonSemantic_DebugPrintf::DebugPrintf>();
  const auto string = as<Op::OpString>(c.module.find(print.format()));
  if (!string) return;
  const std::string_view format = string->string();
  // Many instructions may have one long format.
  if (!c.budget.spend(1 + format.size() / 16)) return;
  std::size_t conversions = 0;
  for (std::size_t i = 0; i + 1 < format.size(); ++i) {
    if (format[i] != '%') continue;
    if (format[i + 1] == '%') ++i;
    else ++conversions;
  }
  const std::size_t arguments = print.id_refs().size();
  if (arguments >= conversions) return;
  c.report(Rule::PrintfArguments, c.at(print.format()),
           {print.format(), counted(conversions, "conversion"), counted(arguments, "argument")});
}

}  // namespace vireo::spirv
