// SPDX-License-Identifier: Apache-2.0
//
// Scopes and memory semantics, wherever an instruction takes them.
//
// The one idea: the grammar says which operands are scopes and which are memory semantics, so no list of instructions is
// needed: one function judges each such operand. What an instruction wants of them besides is a row.
//
// Source: specification 3.25 (memory semantics), 3.27 (scopes), 3.42.18 (atomics), 3.42.20 (barriers); the Vulkan appendix
// on SPIR-V.
#include <bit>
#include <optional>
#include <string>

#include "spirv/validate/checks/groups/scopes.h"
#include "spirv/validate/engine/checks.h"
#include "spirv/validate/tables/bits.h"

namespace vireo::spirv {
namespace {

using enum Op;

// A scope or semantics operand as a number; nothing when it is no constant. One that specialization may change counts
// with its default: where such a constant may stand at all, that is what there is to judge.
std::optional<Word> value_of(const Context& context, Word id) {
  if (const auto value = context.constants.as_u64(id, ValueUse::OrDefault)) return static_cast<Word>(*value);
  // A negative one has its bits as well, and stands for nothing.
  if (const auto value = context.constants.as_i64(id, ValueUse::OrDefault)) return static_cast<Word>(*value);
  return std::nullopt;
}

// Both kinds are 32-bit integers; shaders know them when they are compiled.
bool is_fit_for_use(const Context& context, const Visit& visit, const Operand& operand, std::string_view what,
                    Report& report) {
  const Word id = visit.view.word(operand.word);
  const TypeRow* type = context.type_of(id);
  if (type == nullptr) return false;
  if (!type->is_int(32)) {
    report.add(Rule::ScopeType, visit.at(operand), {what, op_text(context, visit.op()), type_text(context, type->id)});
    return false;
  }
  // OpUndef is a constant that has no value.
  const ConstantRow* constant = context.op_of(id) == OpUndef ? nullptr : context.constants.find(id);
  // Cooperative matrices are as large as the device likes, and of the scope it likes: both may be specialized.
  const bool may_be_spec = visit.op() == OpTypeCooperativeMatrixKHR || context.has(Capability::CooperativeMatrixNV);
  if (!context.is_shader() || (constant != nullptr && (!constant->is_spec || may_be_spec))) return true;
  report.add(Rule::ScopeConstant, visit.at(operand), {what, op_text(context, visit.op()), id_text(context, id)});
  return false;
}

// --- scopes -------------------------------------------------------------------------------------------------------------

// By name, since the grammar has no class for them; only asked of instructions with an execution scope.
bool is_non_uniform(const Context& context, Op op) {
  const InstructionRow* row = context.grammar().find_opcode(op);
  return row != nullptr && context.grammar().text(row->name).starts_with("OpGroupNonUniform");
}

void check_execution_scope(const Context& context, const Visit& visit, Place place, Scope scope, Report& report) {
  const auto name = [&] { return enumerant_text(context, scope); };
  const bool is_small = scope == Scope::Subgroup;
  if (is_non_uniform(context, visit.op())) {
    const bool rotates = visit.op() == OpGroupNonUniformRotateKHR;
    const bool is_late_vulkan = context.is_vulkan() && context.environment.client_version >= Version{1, 1};
    // All of them are of subgroups, but for rotation, which the specification lets a workgroup have and Vulkan does
    // not.
    if (!is_small && (!rotates || is_late_vulkan)) {
      report.add(Rule::NonUniformScope, place, {op_text(context, visit.op()), name(), "Subgroup"});
    } else if (!is_small && scope != Scope::Workgroup) {
      report.add(Rule::NonUniformScope, place, {op_text(context, visit.op()), name(), "Subgroup or Workgroup"});
    }
    return;
  }
  if (context.is_vulkan() && !is_small && scope != Scope::Workgroup) {
    report.add(Rule::ExecutionScope, place, {op_text(context, visit.op()), name()});
  }
}

// Who has to see what is written. QueueFamily is of the Vulkan memory model, which has a capability for Device besides.
void check_memory_scope(const Context& context, const Visit& visit, Place place, Scope scope, Report& report) {
  const bool has_vulkan_model = context.has(Capability::VulkanMemoryModel);
  if (scope == Scope::QueueFamily && !has_vulkan_model) {
    report.add_once(Rule::QueueFamilyScope, place, "the capability", {});
    return;
  }
  if (scope == Scope::Device && has_vulkan_model && !context.has(Capability::VulkanMemoryModelDeviceScope)) {
    report.add_once(Rule::DeviceScope, place, "the capability", {});
  }
  if (!context.is_vulkan()) return;
  // All but CrossDevice: Vulkan has no memory that devices order among them.
  const bool is_fine = scope == Scope::Device || scope == Scope::QueueFamily || scope == Scope::Workgroup ||
                       scope == Scope::ShaderCallKHR || scope == Scope::Subgroup || scope == Scope::Invocation;
  if (!is_fine) {
    report.add(Rule::VulkanMemoryScope, place, {op_text(context, visit.op()), enumerant_text(context, scope)});
  } else if (scope == Scope::Subgroup && context.environment.client_version < Version{1, 1} &&
             !context.has(Capability::SubgroupBallotKHR) && !context.has(Capability::SubgroupVoteKHR)) {
    report.add(Rule::SubgroupMemoryScope, place);
  }
}

void check_scope(const Context& context, const Visit& visit, const Operand& operand, Report& report) {
  if (!is_fit_for_use(context, visit, operand, "the scope", report)) return;
  const std::optional<Word> value = value_of(context, visit.view.word(operand.word));
  if (!value) return;
  const Place place = visit.at(operand);
  const std::optional<Scope> scope = scope_of(context, visit, operand);
  // The decoder reports numbers of enumerants that the grammar lacks, but this operand is an id.
  if (!scope) {
    report.add(Rule::ScopeValue, place, {std::to_string(*value)});
    return;
  }
  switch (role_of_scope(context, visit, operand)) {
    case ScopeRole::Execution: return check_execution_scope(context, visit, place, *scope, report);
    case ScopeRole::Memory: return check_memory_scope(context, visit, place, *scope, report);
    case ScopeRole::Other: return;
  }
}

// --- memory semantics ---------------------------------------------------------------------------------------------------

using Semantics = MemorySemantics;

constexpr Word orders =
    bits(Semantics::Acquire, Semantics::Release, Semantics::AcquireRelease, Semantics::SequentiallyConsistent);
constexpr Word acquiring = bits(Semantics::Acquire, Semantics::AcquireRelease);
constexpr Word releasing = bits(Semantics::Release, Semantics::AcquireRelease);
// What Vulkan knows of storage classes in semantics.
constexpr Word vulkan_storage =
    bits(Semantics::UniformMemory, Semantics::WorkgroupMemory, Semantics::ImageMemory, Semantics::OutputMemory);

bool is_barrier(Op op) { return op == OpControlBarrier || op == OpMemoryBarrier || op == OpMemoryNamedBarrier; }

// The bits from the lowest up; no bits mean Relaxed.
std::string semantics_text(const Context& context, Word value) {
  std::string text;
  for (Word rest = value; rest != 0; rest &= rest - 1) {
    text.append(text.empty() ? "" : "|").append(enumerant_text(context, "MemorySemantics", rest & (~rest + 1)));
  }
  return text.empty() ? "Relaxed" : text;
}

// What an instruction must not have of orders.
struct OrderRow {
  Op opcode;
  Word forbidden;  ///< orders that it cannot have
  Rule rule;
};
// A store cannot acquire and a load cannot release (3.25). Of a split barrier the first half releases what was written
// and the second acquires it.
constexpr OrderRow order_rows[] = {
    {OpAtomicStore, acquiring, Rule::StoreOrder},
    {OpAtomicFlagClear, acquiring, Rule::StoreOrder},
    {OpAtomicLoad, releasing, Rule::LoadOrder},
    {OpControlBarrierArriveEXT, bits(Semantics::Acquire, Semantics::AcquireRelease), Rule::ArriveOrder},
    {OpControlBarrierWaitEXT, bits(Semantics::Release, Semantics::AcquireRelease), Rule::WaitOrder},
};

// The bits that only a memory model, or shaders, have.
struct SemanticsCapability {
  Semantics bit;
  Capability capability;
};
// The decoder tells of enumerants among operands; these bits are in a constant, where only this check sees them.
constexpr SemanticsCapability semantics_capabilities[] = {
    {Semantics::UniformMemory, Capability::Shader},
    {Semantics::OutputMemory, Capability::VulkanMemoryModel},
    {Semantics::MakeAvailable, Capability::VulkanMemoryModel},
    {Semantics::MakeVisible, Capability::VulkanMemoryModel},
    {Semantics::Volatile, Capability::VulkanMemoryModel},
};

class SemanticsCheck {
 public:
  SemanticsCheck(const Context& context, const Visit& visit, const Operand& operand, Word value, Report& report)
      : context_(context),
        visit_(visit),
        operand_(operand),
        value_(value),
        is_vulkan_(context.is_vulkan() || context.preamble.memory_model() == MemoryModel::Vulkan),
        report_(report) {}

  void run() {
    for (const SemanticsCapability& row : semantics_capabilities) {
      if ((value_ & bits(row.bit)) == 0 || context_.has(row.capability)) continue;
      const std::string capability = enumerant_text(context_, row.capability);
      report_.add_once(Rule::SemanticsCapability, place(), capability,
                       {semantics_text(context_, bits(row.bit)), capability});
      return;
    }
    // One finding for a mask: from here on what is wrong with it follows from what was told.
    if (std::popcount(value_ & orders) > 1) return say(Rule::OneOrder);
    // Vulkan's memory model has no total order of all accesses.
    if (is_vulkan_ && has(Semantics::SequentiallyConsistent)) return say(Rule::NoSequentialConsistency);
    for (const OrderRow& row : order_rows) {
      if (row.opcode == visit_.op() && (value_ & row.forbidden) != 0) return say(row.rule);
    }
    if (is_unequal()) return check_unequal();
    if (!is_vulkan_) return;
    if ((value_ & orders) != 0 && is_of_invocation()) return say(Rule::InvocationOrder);
    check_completeness();
  }

 private:
  [[nodiscard]] Place place() const { return visit_.at(operand_); }
  [[nodiscard]] bool has(Semantics bit) const { return (value_ & bits(bit)) != 0; }
  void say(Rule rule) {
    report_.add(rule, place(), {semantics_text(context_, value_), op_text(context_, visit_.op())});
  }

  // Whether the memory scope is one invocation. No other invocation sees what such an access orders.
  [[nodiscard]] bool is_of_invocation() const {
    const auto scope = value_of(context_, visit_.operand(OperandName::memory));
    return scope == static_cast<Word>(Scope::Invocation);
  }

  // The semantics of OpAtomicCompareExchange for the case that nothing is exchanged: its second ones.
  [[nodiscard]] bool is_unequal() const {
    return (visit_.op() == OpAtomicCompareExchange || visit_.op() == OpAtomicCompareExchangeWeak) &&
           operand_.word == visit_.operand(OperandName::unequal).word;
  }

  // An order is about memory of some class, and memory of some class is ordered somehow.
  void check_completeness() {
    // Relaxed on both sides is complete: an atomic that orders nothing but itself.
    const bool has_order = (value_ & orders) != 0, has_storage = (value_ & vulkan_storage) != 0;
    if (visit_.op() == OpMemoryBarrier && !has_order) return say(Rule::BarrierOrder);
    if (has_storage && !has_order) return say(Rule::StorageWithoutOrder);
    if (has_order && !has_storage) return say(Rule::OrderWithoutStorage);
    if ((value_ & bits(Semantics::MakeAvailable)) != 0 && (value_ & releasing) == 0) return say(Rule::AvailableOrder);
    if ((value_ & bits(Semantics::MakeVisible)) != 0 && (value_ & acquiring) == 0) return say(Rule::VisibleOrder);
    if ((value_ & bits(Semantics::Volatile)) != 0 && is_barrier(visit_.op())) say(Rule::VolatileBarrier);
  }

  void check_unequal() {
    const std::optional<Word> equal = value_of(context_, visit_.operand(OperandName::equal));
    // Nothing is written when nothing is exchanged, so there is nothing to release; and the order cannot be stronger
    // than that of the exchange (3.42.18).
    if ((value_ & releasing) != 0) return say(Rule::UnequalRelease);
    if (!equal) return;
    // Whether the access is volatile is known before what it compares.
    if (is_vulkan_ && ((value_ ^ *equal) & bits(Semantics::Volatile)) != 0) return say(Rule::UnequalVolatile);
    const bool is_total = has(Semantics::SequentiallyConsistent);
    const Word as_strong = is_total ? bits(Semantics::SequentiallyConsistent) : orders;
    if ((value_ & orders) != 0 && (*equal & as_strong) == 0) return say(Rule::UnequalStronger);
    if (!is_vulkan_) return;
    // Bits that the first semantics lack would be more than those of the exchange.
    if ((value_ & ~*equal & vulkan_storage) != 0) return say(Rule::UnequalStorage);
    if ((value_ & ~*equal & bits(Semantics::MakeVisible)) != 0) return say(Rule::UnequalVisible);
    check_completeness();
  }

  const Context& context_;
  const Visit& visit_;
  const Operand& operand_;
  const Word value_;
  const bool is_vulkan_;  // the environment, or the memory model
  Report& report_;
};

}  // namespace

// The first scope of a barrier or group instruction says who takes part; all others are of memory, but for a clock's.
ScopeRole role_of_scope(const Context& context, const Visit& visit, const Operand& operand) {
  const Op op = visit.op();
  if (op == OpReadClockKHR) return ScopeRole::Other;
  if (op == OpControlBarrier || op == OpControlBarrierArriveEXT || op == OpControlBarrierWaitEXT) {
    return operand.word == visit.operand(OperandName::execution).word ? ScopeRole::Execution : ScopeRole::Memory;
  }
  const InstructionRow* row = context.grammar().find_opcode(op);
  const std::string_view name = row == nullptr ? std::string_view() : context.grammar().text(row->name);
  // Who shares a cooperative matrix is said in its chapter.
  if (name.starts_with("OpType")) return ScopeRole::Other;
  // OpDecorateId has one scope to give: of UniformId, which is of all who take part.
  // Group instructions of all sets begin alike, those of vendors too.
  return op == OpDecorateId || name.starts_with("OpGroup") ? ScopeRole::Execution : ScopeRole::Memory;
}

std::optional<Scope> scope_of(const Context& context, const Visit& visit, const Operand& operand) {
  const std::optional<Word> value = value_of(context, visit.view.word(operand.word));
  const KindId kind = context.kinds.scope;
  // The loaded grammar decides which scopes there are: a newer one may know more.
  if (!value || (!kind.is_none() && context.grammar().find_value(kind, *value) == nullptr)) return std::nullopt;
  return static_cast<Scope>(*value);
}

void check_scopes(const Context& context, const Visit& visit, Report& report) {
  for (const Operand& operand : visit.operands) {
    if (operand.shape == OperandShape::IdScope) {
      check_scope(context, visit, operand, report);
    } else if (operand.shape == OperandShape::IdMemorySemantics) {
      if (!is_fit_for_use(context, visit, operand, "the memory semantics", report)) continue;
      const std::optional<Word> value = value_of(context, visit.view.word(operand.word));
      if (value) SemanticsCheck(context, visit, operand, *value, report).run();
    }
  }
}

}  // namespace vireo::spirv
