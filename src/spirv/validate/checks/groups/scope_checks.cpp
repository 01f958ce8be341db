// SPDX-License-Identifier: Apache-2.0
//
// Checks of scope and memory semantics operands of all instructions.
//
// The grammar marks scope and memory semantics operands, so one function checks these operands of all
// instructions. Tables list the requirements of single instructions.
//
// Source: specification 3.25 (memory semantics), 3.27 (scopes), 3.42.18 (atomics), 3.42.20 (barriers); the Vulkan
// appendix on SPIR-V.
#include <fmt/format.h>

#include <bit>
#include <optional>
#include <string>

#include "spirv/validate/analysis/fixes.h"
#include "spirv/validate/checks/checks.h"
#include "spirv/validate/checks/device/device_check.h"
#include "spirv/validate/checks/groups/scopes.h"
#include "spirv/validate/tables/bits.h"
#include "vireo/spirv/binary/views/tensor.h"

namespace vireo::spirv {
namespace {

using enum Op;

// The value of a scope or semantics operand; nullopt if it is not a constant. For a specialization constant, returns
// the default, because it is the only known value.
std::optional<Word> value_of(const ModuleCheck& c, Word id) {
  if (const auto value = c.constants.as_u64(id, ValueUse::OrDefault)) return static_cast<Word>(*value);
  // A negative value keeps its bits; no valid scope or semantics is negative.
  if (const auto value = c.constants.as_i64(id, ValueUse::OrDefault)) return static_cast<Word>(*value);
  return std::nullopt;
}

// Checks that a scope or semantics operand is a 32-bit integer and, in shaders, a constant.
bool is_usable(const InstructionCheck& c, const Operand& operand, std::string_view what) {
  const Word id = c.view.word(operand.word);
  const TypeRow& type = c.type_of(id);
  if (!type.is_int(32)) {
    c.report(Rule::ScopeType, c.at(operand), {what, id, c.op(), type.id});
    return false;
  }
  // OpUndef counts as a constant, but has no value.
  const ConstantRow* constant = c.op_of(id) == OpUndef ? nullptr : c.constants.find(id);
  // The scope and the size of a cooperative matrix depend on the device, so SPV_KHR_cooperative_matrix allows
  // specialization constants as scopes, and SPV_NV_cooperative_matrix also as memory semantics.
  const bool may_be_spec = c.has(Capability::CooperativeMatrixNV) ||
                           (operand.shape != OperandShape::IdMemorySemantics &&
                            (c.has(Capability::CooperativeMatrixKHR) || c.op() == OpTypeCooperativeMatrixKHR));
  if (!c.is_shader() || (constant != nullptr && (!constant->is_spec || may_be_spec))) return true;
  c.report(Rule::ScopeConstant, c.at(operand), {what, id, c.op(), c.op_of(id)});
  c.note({c.module.definition(id), 0}, "defined here");
  return false;
}

// --- scopes -------------------------------------------------------------------------------------------------------------

// Compares names, because the grammar has no class for group instructions.
bool has_prefix(const ModuleCheck& c, Op op, std::string_view prefix) {
  const InstructionRow* row = c.grammar().find_opcode(op);
  return row != nullptr && c.grammar().text(row->name).starts_with(prefix);
}
// The names of all group instructions, including those of vendors, start with OpGroup.
bool is_group(const ModuleCheck& c, Op op) { return has_prefix(c, op, "OpGroup"); }
bool is_non_uniform(const ModuleCheck& c, Op op) { return has_prefix(c, op, "OpGroupNonUniform"); }

// Several instructions may use one constant: a wrong value is reported once for each opcode.
std::string cause_of(const DecodedInstruction& inst, Place place) {
  return fmt::format("{} {}", inst.view.word(place.word), static_cast<unsigned>(inst.op()));
}

void check_execution_scope(const InstructionCheck& c, Place place, Scope scope) {
  const auto name = [&] { return enumerant_text(c, scope); };
  const bool is_small = scope == Scope::Subgroup;
  if (is_non_uniform(c, c.op())) {
    const bool rotates = c.op() == OpGroupNonUniformRotateKHR;
    const bool is_late_vulkan = c.is_vulkan() && c.environment.client_version >= Version{1, 1};
    // Non-uniform instructions need Subgroup scope. OpGroupNonUniformRotateKHR also allows Workgroup, but not in Vulkan
    // 1.1 and later.
    if (!is_small && (!rotates || is_late_vulkan)) {
      c.report_once(Rule::NonUniformScope, place, cause_of(c, place), {c.op(), name(), "Subgroup"});
    } else if (!is_small && scope != Scope::Workgroup) {
      c.report_once(Rule::NonUniformScope, place, cause_of(c, place), {c.op(), name(), "Subgroup or Workgroup"});
    }
    return;
  }
  const bool is_restricted = c.is_vulkan() || is_group(c, c.op());
  if (is_restricted && !is_small && scope != Scope::Workgroup) {
    c.report_once(Rule::ExecutionScope, place, cause_of(c, place), {c.op(), name()});
    c.vuid(is_split_barrier(c.op()) ? 13553 : 4636);
  }
}

// If another rule already reports that the module lacks VulkanMemoryModel, adds the message of `own` to that finding as a
// note, and returns true.
bool join_missing_model(const InstructionCheck& c, Rule own, Place place, Arguments arguments) {
  const std::string model = enumerant_text(c, Capability::VulkanMemoryModel);
  for (const Rule rule : {Rule::CooperativeMemoryModel, Rule::QueueFamilyScope, Rule::SemanticsCapability}) {
    if (rule == own || !c.findings.join(rule, row_of(own).name, model, own)) continue;
    c.note(place, own, arguments);
    return true;
  }
  return false;
}

// Checks a memory scope. QueueFamily needs the Vulkan memory model. In that model, Device needs a further capability.
void check_memory_scope(const InstructionCheck& c, Place place, Scope scope) {
  const bool has_vulkan_model = c.has(Capability::VulkanMemoryModel);
  if (scope == Scope::QueueFamily && !has_vulkan_model) {
    if (join_missing_model(c, Rule::QueueFamilyScope, place, {})) return;
    c.report_once(Rule::QueueFamilyScope, place, "the capability", {});
    c.name_missing(Rule::QueueFamilyScope, Capability::VulkanMemoryModel);
    hint_vulkan_memory_model(c);
    return;
  }
  if (scope == Scope::Device && has_vulkan_model && !c.has(Capability::VulkanMemoryModelDeviceScope)) {
    c.report_once(Rule::DeviceScope, place, "the capability", {});
    hint_capability(c, Capability::VulkanMemoryModelDeviceScope);
  }
  if (!c.is_vulkan()) return;
  // Vulkan allows all scopes except CrossDevice.
  const bool is_fine = scope == Scope::Device || scope == Scope::QueueFamily || scope == Scope::Workgroup ||
                       scope == Scope::ShaderCallKHR || scope == Scope::Subgroup || scope == Scope::Invocation;
  if (!is_fine) {
    c.report_once(Rule::VulkanMemoryScope, place, cause_of(c, place), {c.op(), scope});
  } else if (scope == Scope::Subgroup && !c.has(Capability::GroupNonUniform) && !c.has(Capability::SubgroupBallotKHR) &&
             !c.has(Capability::SubgroupVoteKHR)) {
    c.report(Rule::SubgroupMemoryScope, place);
  }
  check_device_memory_scope(c, place, scope);
}

// "0 (CrossDevice) to 6 (ShaderCallKHR)": the scopes of the loaded grammar, which have consecutive values.
std::string known_scopes(const ModuleCheck& c) {
  Word last = 0;
  while (c.grammar().find_value(c.kinds.scope, last + 1) != nullptr) ++last;
  const auto text = [&](Word scope) { return fmt::format("{} ({})", scope, enumerant_text(c, "Scope", scope)); };
  return text(0) + " to " + text(last);
}

void check_scope(const InstructionCheck& c, const Operand& operand) {
  if (!is_usable(c, operand, "Scope")) return;
  const std::optional<Word> value = value_of(c, c.view.word(operand.word));
  if (!value) return;
  const Place place = c.at(operand);
  const std::optional<Scope> scope = scope_of(c, operand);
  // The decoder does not report an unknown scope, because the operand is an id.
  if (!scope) {
    c.report_once(Rule::ScopeValue, place, cause_of(c, place), {*value, known_scopes(c)});
    return;
  }
  if (*scope == Scope::ShaderCallKHR && !c.has(Capability::RayTracingKHR)) {
    c.report_once(Rule::ShaderCallScope, place, "the capability", {});
    hint_capability(c, Capability::RayTracingKHR);
    return;
  }
  switch (role_of_scope(c, operand)) {
    case ScopeRole::Execution: return check_execution_scope(c, place, *scope);
    case ScopeRole::Memory: return check_memory_scope(c, place, *scope);
    case ScopeRole::Other: return;
  }
}

// --- memory semantics ---------------------------------------------------------------------------------------------------

using Semantics = MemorySemantics;

constexpr Word orders =
    bits(Semantics::Acquire, Semantics::Release, Semantics::AcquireRelease, Semantics::SequentiallyConsistent);
constexpr Word acquiring = bits(Semantics::Acquire, Semantics::AcquireRelease);
constexpr Word releasing = bits(Semantics::Release, Semantics::AcquireRelease);
// The bits for storage classes that Vulkan allows in memory semantics.
constexpr Word vulkan_storage =
    bits(Semantics::UniformMemory, Semantics::WorkgroupMemory, Semantics::ImageMemory, Semantics::OutputMemory);

bool is_barrier(Op op) {
  return op == OpControlBarrier || op == OpMemoryBarrier || op == OpMemoryNamedBarrier || is_split_barrier(op);
}

// The names of the bits, lowest first; no bits mean Relaxed.
std::string semantics_text(const ModuleCheck& c, Word value) {
  std::string text;
  for (Word rest = value; rest != 0; rest &= rest - 1) {
    text.append(text.empty() ? "" : "|").append(enumerant_text(c, "MemorySemantics", rest & (~rest + 1)));
  }
  return text.empty() ? "Relaxed" : text;
}

// Memory orders that an instruction must not have.
struct OrderRow {
  Op opcode;
  Word forbidden;  ///< bits of MemorySemantics
  Rule rule;
  bool only_vulkan = false;  ///< in Vulkan, and with the Vulkan memory model
};
// A store cannot have Acquire semantics, and a load cannot have Release semantics (3.25). Vulkan requires the same of
// the two halves of a split barrier; SPV_EXT_split_barrier and SPV_INTEL_split_barrier do not.
constexpr OrderRow order_rows[] = {
    {OpAtomicStore, acquiring, Rule::StoreOrder},
    {OpAtomicFlagClear, acquiring, Rule::StoreOrder},
    {OpAtomicLoad, releasing, Rule::LoadOrder},
    {OpControlBarrierArriveEXT, acquiring, Rule::ArriveOrder, true},
    {OpControlBarrierWaitEXT, releasing, Rule::WaitOrder, true},
};

// Semantics bits that need a capability.
struct SemanticsCapability {
  Semantics bit;
  Capability capability;
};
// The decoder cannot check these capabilities, because the bits are the value of a constant.
constexpr SemanticsCapability semantics_capabilities[] = {
    {Semantics::UniformMemory, Capability::Shader},
    {Semantics::OutputMemory, Capability::VulkanMemoryModel},
    {Semantics::MakeAvailable, Capability::VulkanMemoryModel},
    {Semantics::MakeVisible, Capability::VulkanMemoryModel},
    {Semantics::Volatile, Capability::VulkanMemoryModel},
};

class SemanticsCheck {
 public:
  SemanticsCheck(const InstructionCheck& c, const Operand& operand, Word value)
      : c_(c),
        operand_(operand),
        value_(value),
        is_vulkan_(c.is_vulkan() || c.module_declarations.memory_model() == MemoryModel::Vulkan) {}

  void run() {
    for (const SemanticsCapability& row : semantics_capabilities) {
      if ((value_ & bits(row.bit)) == 0 || c_.has(row.capability)) continue;
      const std::string capability = enumerant_text(c_, row.capability);
      const std::string text = semantics_text(c_, bits(row.bit));
      if (row.capability == Capability::VulkanMemoryModel &&
          join_missing_model(c_, Rule::SemanticsCapability, place(), {text, capability}))
        return;
      c_.report_once(Rule::SemanticsCapability, place(), capability, {text, capability});
      if (row.capability == Capability::VulkanMemoryModel) hint_vulkan_memory_model(c_);
      return;
    }
    // At most one finding for each mask: further errors usually follow from the first.
    if (const std::optional<Rule> rule = violated_rule()) report(*rule);
  }

 private:
  [[nodiscard]] Place place() const { return c_.at(operand_); }
  [[nodiscard]] bool has(Semantics bit) const { return (value_ & bits(bit)) != 0; }
  void report(Rule rule) {
    std::string cause = cause_of(c_, place());
    std::string equal;
    // The rules of Unequal semantics show the Equal semantics, too.
    if (is_unequal()) {
      const Word value = value_of(c_, c_.operand(OperandName::equal)).value_or(0);
      equal = semantics_text(c_, value);
      cause += fmt::format(" {}", value);
    }
    c_.report_once(rule, place(), cause, {op_text(c_, c_.op()), semantics_text(c_, value_), equal});
  }

  // Whether the memory scope is Invocation. A memory order has no effect in this scope, because no other invocation
  // observes the access.
  [[nodiscard]] bool is_of_invocation() const {
    const auto scope = value_of(c_, c_.operand(OperandName::memory));
    return scope == static_cast<Word>(Scope::Invocation);
  }

  // Whether the operand is the Unequal semantics of a compare-exchange, used when the values differ.
  [[nodiscard]] bool is_unequal() const {
    return (c_.op() == OpAtomicCompareExchange || c_.op() == OpAtomicCompareExchangeWeak) &&
           operand_.word == c_.operand(OperandName::unequal).word;
  }

  // The first rule that the mask violates.
  [[nodiscard]] std::optional<Rule> violated_rule() const {
    if (std::popcount(value_ & orders) > 1) return Rule::SingleMemoryOrder;
    // The Vulkan memory model has no sequentially consistent order.
    if (is_vulkan_ && has(Semantics::SequentiallyConsistent)) return Rule::NoSequentialConsistency;
    for (const OrderRow& row : order_rows) {
      if (row.only_vulkan && !is_vulkan_) continue;
      if (row.opcode == c_.op() && (value_ & row.forbidden) != 0) return row.rule;
    }
    if (is_vulkan_) {
      if (!is_unequal() && (value_ & orders) != 0 && is_of_invocation()) return Rule::InvocationOrder;
      if (const std::optional<Rule> rule = incomplete_mask()) return rule;
    }
    return is_unequal() ? wrong_unequal_mask() : std::nullopt;
  }

  // A memory order needs a storage class, and a storage class needs an order.
  [[nodiscard]] std::optional<Rule> incomplete_mask() const {
    // Relaxed without storage classes is valid: an atomic that orders only itself.
    const bool has_order = (value_ & orders) != 0, has_storage = (value_ & vulkan_storage) != 0;
    if (c_.op() == OpMemoryBarrier && !has_order) return Rule::BarrierOrder;
    if (has_storage && !has_order) return Rule::StorageWithoutOrder;
    if (has_order && !has_storage) return Rule::OrderWithoutStorage;
    if (has(Semantics::MakeAvailable) && (value_ & releasing) == 0) return Rule::AvailableOrder;
    if (has(Semantics::MakeVisible) && (value_ & acquiring) == 0) return Rule::VisibleOrder;
    if (has(Semantics::Volatile) && is_barrier(c_.op())) return Rule::VolatileBarrier;
    return std::nullopt;
  }

  // Compares the Unequal semantics with the Equal ones (3.42.18).
  [[nodiscard]] std::optional<Rule> wrong_unequal_mask() const {
    // If the values differ, nothing is written, so nothing is released.
    if ((value_ & releasing) != 0) return Rule::UnequalRelease;
    const std::optional<Word> equal = value_of(c_, c_.operand(OperandName::equal));
    if (!equal) return std::nullopt;
    const bool is_total = has(Semantics::SequentiallyConsistent);
    const Word as_strong = is_total ? bits(Semantics::SequentiallyConsistent) : orders;
    if ((value_ & orders) != 0 && (*equal & as_strong) == 0) return Rule::UnequalStronger;
    if (!is_vulkan_) return std::nullopt;
    // The Unequal semantics cannot have bits that the Equal semantics lack.
    if ((value_ & ~*equal & vulkan_storage) != 0) return Rule::UnequalStorage;
    if ((value_ & ~*equal & bits(Semantics::MakeVisible)) != 0) return Rule::UnequalVisible;
    // Volatile applies to both outcomes, so both masks must agree.
    if (((value_ ^ *equal) & bits(Semantics::Volatile)) != 0) return Rule::UnequalVolatile;
    return std::nullopt;
  }

  const InstructionCheck& c_;
  const Operand& operand_;
  const Word value_;
  const bool is_vulkan_;  // by environment or memory model
};

}  // namespace

bool is_scope(const InstructionCheck& c, const Operand& operand) {
  if (operand.shape == OperandShape::IdScope) return true;
  if (!operand.is_parameter || !has_unmarked_scopes(c.op())) return false;
  const auto mask = c.op() == OpTensorReadARM ? c.as<OpTensorReadARM>().tensor_operands()
                                              : c.as<OpTensorWriteARM>().tensor_operands();
  const auto available = mask.MakeElementAvailableARM(), visible = mask.MakeElementVisibleARM();
  return (available && available->word == operand.word) || (visible && visible->word == operand.word);
}

// The first scope of a barrier or group instruction is an execution scope; all others are memory scopes, except those
// of OpReadClockKHR and of types.
ScopeRole role_of_scope(const InstructionCheck& c, const Operand& operand) {
  const Op op = c.op();
  if (op == OpReadClockKHR) return ScopeRole::Other;
  if (op == OpControlBarrier || is_split_barrier(op)) {
    return operand.word == c.operand(OperandName::execution).word ? ScopeRole::Execution : ScopeRole::Memory;
  }
  // check_matrix_scope checks the scope of a cooperative matrix.
  if (has_prefix(c, op, "OpType")) return ScopeRole::Other;
  // The only scope of OpDecorateId is that of UniformId, an execution scope.
  return op == OpDecorateId || is_group(c, op) ? ScopeRole::Execution : ScopeRole::Memory;
}

std::optional<Scope> scope_of(const InstructionCheck& c, const Operand& operand) {
  const std::optional<Word> value = value_of(c, c.view.word(operand.word));
  const KindId kind = c.kinds.scope;
  // The loaded grammar defines the valid scopes; a newer grammar may have more of them.
  if (!value || (!kind.is_none() && c.grammar().find_value(kind, *value) == nullptr)) return std::nullopt;
  return static_cast<Scope>(*value);
}

void check_scopes(const InstructionCheck& c) {
  for (const Operand& operand : c.operands) {
    if (is_scope(c, operand)) {
      check_scope(c, operand);
    } else if (operand.shape == OperandShape::IdMemorySemantics) {
      if (!is_usable(c, operand, "Memory Semantics")) continue;
      const std::optional<Word> value = value_of(c, c.view.word(operand.word));
      if (value) SemanticsCheck(c, operand, *value).run();
    }
  }
}

}  // namespace vireo::spirv
