// SPDX-License-Identifier: Apache-2.0
//
// Warnings about extended instructions: constant operands for which the result is undefined, and formats of DebugPrintf
// with more conversions than arguments.
//
// A function has a row for its domain (module/arithmetic). All findings are warnings, because the behavior is undefined
// only if the instruction is executed.
//
// Sources: "SPIR-V Extended Instructions for GLSL", section 2; "OpenCL Extended Instruction Set Specification", section
// 2; NonSemantic.DebugPrintf.
#include "spirv/validate/checks/extended_sets/undefined_functions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "spirv/module/arithmetic/function_domains.h"
#include "spirv/module/fold.h"
#include "spirv/validate/analysis/constant_components.h"
#include "support/counted.h"
#include "vireo/spirv/binary/views/debug.h"
#include "vireo/spirv/binary/views/sets/nonsemantic_debugprintf.h"

namespace vireo::spirv {
namespace {

// The components `n` of the operands.
struct ConstantValues {
  const ExtInstCheck& c;
  std::size_t n;

  [[nodiscard]] std::optional<double> number(std::size_t i) const { return float_component(c, c.operand(i), n); }
  [[nodiscard]] std::optional<std::int64_t> signed_integer(std::size_t i) const {
    return signed_component(c, c.operand(i), n);
  }
  [[nodiscard]] std::optional<std::uint64_t> bits(std::size_t i) const { return component_bits(c, c.operand(i), n); }
  [[nodiscard]] std::uint32_t result_width() const { return c.types.of(c.type).component().width; }
  [[nodiscard]] std::string text(std::size_t i) const { return component_text(c, c.operand(i), n); }
};

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
  check_absolute_value(c, is_glsl ? number_of(GLSL_std_450::SAbs) : number_of(OpenCL_std::s_abs));
  const std::span<const DomainRow> rows = is_glsl ? std::span<const DomainRow>(glsl_domains) : opencl_domains;
  // A linear search is fast enough for fewer than twenty rows.
  const auto row = std::ranges::find(rows, c.inst.number, &DomainRow::inst);
  if (row == rows.end()) return;
  std::size_t count = 0;
  for (std::size_t i = 0; i < 3; ++i) { count = std::max(count, constant_component_count(c, c.operand(i))); }
  for (std::size_t n = 0; n < count; ++n) {
    const ConstantValues values{c, n};
    if (!is_outside(*row, values)) continue;
    c.report(Rule::FunctionDomain, c.at(c.operand(row->a)), {c.name(), outside_text(*row, values)});
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
