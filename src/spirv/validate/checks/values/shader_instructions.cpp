// SPDX-License-Identifier: Apache-2.0
//
// Derivatives, ray flags and reorder hints: requirements that typing rows cannot state.
//
// Typing rows check the fixed types of these instructions. The checks here depend on capabilities,
// extensions, and the number of operands.
//
// Source: specification 3.42.16 (derivatives), 3.37 (ray flags); SPV_NV_shader_invocation_reorder and its successor.
#include <algorithm>
#include <string>

#include "spirv/validate/analysis/fixes.h"
#include "spirv/validate/checks/checks.h"

namespace vireo::spirv {
namespace {

using enum Op;

void check_derivative(const InstructionCheck& c) {
  const TypeRow& type = c.types.of(c.type);
  if (type.component().width != 16) return;
  if (c.module_declarations.has_extension("SPV_AMD_gpu_shader_half_float")) return;
  c.report(Rule::HalfDerivative, c.at_type(), {c.op(), c.type});
  c.hint("legal with OpExtension \"SPV_AMD_gpu_shader_half_float\"");
}

// --- rays ------------------------------------------------------------------------------------------------------------

// Ray flags are checked only if they are constant.
void check_ray_flags(const InstructionCheck& c) {
  const AnyOperand ray_flags = c.operand(OperandName::ray_flags);
  const auto flags = c.constants.as_u64(ray_flags, ValueUse::OrDefault);
  const KindId kind = c.kinds.ray_flags;
  if (!flags || kind.is_none()) return;
  for (Word rest = static_cast<Word>(*flags); rest != 0; rest &= rest - 1) {
    const EnumerantRow* row = c.grammar().find_value(kind, rest & (~rest + 1));
    if (row == nullptr) continue;
    const auto capabilities = c.grammar().capabilities(row->capabilities);
    if (capabilities.empty() || std::any_of(capabilities.begin(), capabilities.end(), [&](std::uint16_t capability) {
          return c.module_declarations.has_enumerant(capability);
        })) {
      continue;
    }
    const auto name = [&](std::size_t i) { return c.grammar().text(c.grammar().enumerants[capabilities[i]].name); };
    // Any one of the capabilities suffices: "RayQueryKHR, RayTracingKHR or RayTracingNV".
    std::string names(name(0));
    for (std::size_t i = 1; i < capabilities.size(); ++i) {
      names.append(i + 1 == capabilities.size() ? " or " : ", ").append(name(i));
    }
    c.report_once(Rule::RayFlagCapability, c.at(ray_flags), name(0), {c.grammar().text(row->name), c.op(), names});
    const bool is_micromap = row->value == static_cast<Word>(RayFlags::ForceOpacityMicromap2StateKHR);
    c.vuid(is_micromap ? 11542 : 0);
    if (capabilities.size() == 1) hint_capability(c, names);
  }
}

// --- hints -----------------------------------------------------------------------------------------------------------

// The hint and its bits are optional operands, and must be present together.
void check_hint(const InstructionCheck& c) {
  const AnyOperand hint = c.operand(OperandName::hint), bits = c.operand(OperandName::bits);
  const auto is_present = [&](AnyOperand operand) { return operand.word < c.view.word_count; };
  if (is_present(hint) == is_present(bits)) return;
  c.report(Rule::ReorderHintBits, c.at(hint), {c.op()});
}

}  // namespace

// OpTraceNV and OpTraceMotionNV are not listed. SPV_NV_ray_tracing also defines their flags, but the grammar does not
// list its capability for the flags.
std::span<const Check> shader_checks() {
  static constexpr Check checks[] = {
      {derivatives, check_derivative},
      {{OpTraceRayKHR, OpTraceRayMotionNV, OpHitObjectRecordMissEXT, OpHitObjectRecordMissMotionEXT,
        OpRayQueryInitializeKHR, OpHitObjectTraceRayNV, OpHitObjectTraceRayMotionNV, OpHitObjectTraceRayEXT,
        OpHitObjectTraceRayMotionEXT, OpHitObjectTraceReorderExecuteEXT, OpHitObjectTraceMotionReorderExecuteEXT},
       check_ray_flags},
      {{OpReorderThreadWithHitObjectNV, OpReorderThreadWithHitObjectEXT, OpHitObjectReorderExecuteShaderEXT,
        OpHitObjectTraceReorderExecuteEXT, OpHitObjectTraceMotionReorderExecuteEXT},
       check_hint},
  };
  return checks;
}

}  // namespace vireo::spirv
