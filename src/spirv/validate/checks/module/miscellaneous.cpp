// SPDX-License-Identifier: Apache-2.0
//
// Checks that fit no other file: lines, sizes, clocks, and constants that extensions add (SPV_KHR_shader_clock,
// SPV_INTEL_function_pointers).
//
// These instructions have nothing in common, so each has a separate check function.
#include <fmt/format.h>

#include "spirv/validate/analysis/pointers.h"
#include "spirv/validate/engine/checks.h"
#include "spirv/validate/engine/type_error_reporter.h"
#include "vireo/spirv/views/debug.h"
#include "vireo/spirv/views/function.h"
#include "vireo/spirv/views/miscellaneous.h"
#include "vireo/spirv/views/reserved.h"
#include "vireo/spirv/views/vendor.h"

namespace vireo::spirv {
namespace {

using enum Op;

// --- clocks -------------------------------------------------------------------------------------------------------------

void check_clock_scope(const Context& context, const DecodedInstruction& visit, Report& report) {
  const auto operand = visit.as<OpReadClockKHR>().scope();
  const auto value = context.constants.as_u64(operand);
  if (!value || (!context.is_vulkan() && !context.is_opencl())) return;
  const auto scope = static_cast<Scope>(*value);
  if (scope == Scope::Subgroup || scope == Scope::Device) return;
  if (context.is_opencl() && scope == Scope::Workgroup) return;
  report.add(Rule::ClockScope, visit.at(operand),
             {enumerant_text(context, "Scope", static_cast<Word>(*value)),
              context.is_vulkan() ? "Subgroup or Device" : "Subgroup, Workgroup or Device"});
}

// The result has 64 bits: a 64-bit unsigned integer, or a vector of two 32-bit unsigned integers.
void check_clock(const Context& context, const DecodedInstruction& visit, Report& report) {
  check_clock_scope(context, visit, report);
  const TypeRow& result = context.types.of(visit.type);
  const TypeRow& scalar = context.types.row(result.component);
  const bool is_one = result.is_int(64);
  const bool is_pair = result.is(TypeKind::Vector) && result.count == 2 && scalar.is_int(32);
  if ((is_one || is_pair) && !scalar.is_signed) return;
  TypeErrorReporter{context, visit, report}.result("a 64-bit unsigned integer, or a vector of two of 32 bits");
}

// --- constants ----------------------------------------------------------------------------------------------------------

void check_function_pointer(const Context& context, const DecodedInstruction& visit, Report& report) {
  const TypeRow& result = context.types.of(visit.type);
  if (!result.is(TypeKind::Pointer) || !context.types.of(result.element).is(TypeKind::Function)) {
    TypeErrorReporter{context, visit, report}.result("a pointer to a function type");
    return;
  }
  const auto operand = visit.as<OpConstantFunctionPointerINTEL>().function();
  const auto function = as<OpFunction>(context.module.find(operand));
  if (!function || function->function_type() == 0) {
    report.add(Rule::CallTarget, visit.at(operand),
               {id_text(context, operand), op_text(context, context.op_of(operand))});
    report.note({context.module.definition(operand), 0}, "defined here");
  } else if (function->function_type() != result.element) {
    TypeErrorReporter{context, visit, report}.result_relation("the type of the function", function->function_type());
  }
}

// --- sizes --------------------------------------------------------------------------------------------------------------

// OpSizeOf takes a pointer or a pointer type, and returns the size of the pointee.
void check_size_of(const Context& context, const DecodedInstruction& visit, Report& report) {
  const auto id = visit.as<OpSizeOf>().pointer();
  const TypeRow* type = context.types.find(id) != nullptr ? context.types.find(id) : context.find_type_of(id);
  if (type != nullptr && type->is_pointer()) return;
  if (type == nullptr && context.module.type_of(context.module.find(id)) != 0) return;
  TypeErrorReporter{context, visit, report}.part(id, "the pointer", "a pointer, or a type of pointers");
}

// --- lines --------------------------------------------------------------------------------------------------------------

void check_line(const Context& context, const DecodedInstruction& visit, Report& report) {
  const auto file = visit.as<OpLine>().file();
  const Op defined_by = context.op_of(file);
  if (defined_by == OpString) return;
  report.add(Rule::LineFile, visit.at(file), {id_text(context, file), op_text(context, defined_by)});
}

}  // namespace

std::span<const Check> miscellaneous_checks() {
  static constexpr Check checks[] = {
      {{OpLine}, check_line},
      {{OpSizeOf}, check_size_of},
      {{OpReadClockKHR}, check_clock},
      {{OpConstantFunctionPointerINTEL}, check_function_pointer},
  };
  return checks;
}

}  // namespace vireo::spirv
