// SPDX-License-Identifier: Apache-2.0
//
// Checks that fit no other file: lines, sizes, clocks, and constants that extensions add (SPV_KHR_shader_clock,
// SPV_INTEL_function_pointers).
//
// These instructions have nothing in common, so each has a separate check function.
#include <fmt/format.h>

#include "spirv/validate/analysis/pointers.h"
#include "spirv/validate/checks/checks.h"
#include "vireo/spirv/binary/views/debug.h"
#include "vireo/spirv/binary/views/function.h"
#include "vireo/spirv/binary/views/miscellaneous.h"
#include "vireo/spirv/binary/views/reserved.h"
#include "vireo/spirv/binary/views/vendor.h"

namespace vireo::spirv {
namespace {

using enum Op;

// --- clocks -------------------------------------------------------------------------------------------------------------

void check_clock_scope(const InstructionCheck& c) {
  const auto operand = c.as<OpReadClockKHR>().scope();
  const auto value = c.constants.as_u64(operand);
  if (!value || (!c.is_vulkan() && !c.is_opencl())) return;
  const auto scope = static_cast<Scope>(*value);
  if (scope == Scope::Subgroup || scope == Scope::Device) return;
  if (c.is_opencl() && scope == Scope::Workgroup) return;
  c.report(Rule::ClockScope, c.at(operand),
           {enumerant_text(c, "Scope", static_cast<Word>(*value)),
            c.is_vulkan() ? "Subgroup or Device" : "Subgroup, Workgroup or Device"});
}

// The result has 64 bits: a 64-bit unsigned integer, or a vector of two 32-bit unsigned integers.
void check_clock(const InstructionCheck& c) {
  check_clock_scope(c);
  const TypeRow& result = c.types.of(c.type);
  const TypeRow& scalar = result.component();
  const bool is_one = result.is_int(64);
  const bool is_pair = result.is(TypeKind::Vector) && result.count == 2 && scalar.is_int(32);
  if ((is_one || is_pair) && !scalar.is_signed) return;
  c.wrong_result("a 64-bit unsigned integer, or a vector of two of 32 bits");
}

// --- constants ----------------------------------------------------------------------------------------------------------

void check_function_pointer(const InstructionCheck& c) {
  const TypeRow& result = c.types.of(c.type);
  if (!result.is(TypeKind::Pointer) || !result.pointee().is(TypeKind::Function)) {
    c.wrong_result("a pointer to a function type");
    return;
  }
  const auto operand = c.as<OpConstantFunctionPointerINTEL>().function();
  const auto function = as<OpFunction>(c.module.find(operand));
  if (!function || function->function_type() == 0) {
    c.report(Rule::CallTarget, c.at(operand), {operand, c.op_of(operand)});
    c.note({c.module.definition(operand), 0}, "defined here");
  } else if (function->function_type() != result.element) {
    c.result_mismatch("the type of the function", function->function_type());
  }
}

// --- sizes --------------------------------------------------------------------------------------------------------------

// OpSizeOf takes a pointer or a pointer type, and returns the size of the pointee.
void check_size_of(const InstructionCheck& c) {
  const auto id = c.as<OpSizeOf>().pointer();
  const TypeRow* type = c.types.find(id) != nullptr ? c.types.find(id) : c.find_type_of(id);
  if (type != nullptr && type->is_pointer()) return;
  if (type == nullptr && c.module.type_of(c.module.find(id)) != 0) return;
  c.wrong_part(id, "the pointer", "a pointer, or a type of pointers");
}

// --- lines --------------------------------------------------------------------------------------------------------------

void check_line(const InstructionCheck& c) {
  const auto file = c.as<OpLine>().file();
  const Op defined_by = c.op_of(file);
  if (defined_by == OpString) return;
  c.report(Rule::LineFile, c.at(file), {file, defined_by});
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
