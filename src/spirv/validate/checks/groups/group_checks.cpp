// SPDX-License-Identifier: Apache-2.0
//
// Group, non-uniform and atomic instructions: requirements beyond their typing rows.
//
// Typing rows check types. These checks concern the storage class of a pointer, the capability for a
// value type, and the operand that a group operation requires.
//
// Source: specification 3.42.18 (atomics), 3.42.21 (groups), 3.42.24 (non-uniform); SPV_NV_shader_subgroup_partitioned,
// SPV_EXT_shader_atomic_float_add and similar extensions.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

#include "spirv/validate/analysis/fixes.h"
#include "spirv/validate/analysis/pointers.h"
#include "spirv/validate/checks/checks.h"
#include "vireo/spirv/binary/views/atomic.h"
#include "vireo/spirv/binary/views/group.h"
#include "vireo/spirv/binary/views/non_uniform.h"

namespace vireo::spirv {
namespace {

using enum Op;

// --- group instructions of kernels --------------------------------------------------------------------------------------

// Whether a type is an integer as wide as an address. If the addressing model is not physical, 32 and 64 bits are
// valid.
bool is_size(const ModuleCheck& c, const TypeRow& type) {
  const auto addressing = c.module_declarations.addressing_model();
  if (addressing == AddressingModel::Physical32) return type.is_int(32);
  return type.is_int(64) || (addressing != AddressingModel::Physical64 && type.is_int(32));
}

// The copy is between Workgroup and CrossWorkgroup memory, in either direction (3.42.21).
void check_async_storage(const InstructionCheck& c, AnyOperand operand, const TypeRow& destination,
                         const TypeRow& source) {
  const bool to_workgroup = destination.storage == StorageClass::Workgroup;
  const bool is_fine =
      (to_workgroup && source.storage == StorageClass::CrossWorkgroup) ||
      (destination.storage == StorageClass::CrossWorkgroup && source.storage == StorageClass::Workgroup);
  if (is_fine) return;
  const auto text = [&](StorageClass storage) { return enumerant_text(c, storage); };
  c.report(Rule::AsyncCopyStorage, c.at(operand), {text(source.storage), text(destination.storage)});
}

void check_async_copy(const InstructionCheck& c) {
  // The checks of the sizes and of the event are independent, so each may report a finding. Each check of the pointers
  // depends on the previous one, so they stop at the first error.
  const auto copy = c.as<OpGroupAsyncCopy>();
  if (!c.types.of(c.type).is(TypeKind::Event)) c.wrong_result("OpTypeEvent");
  for (const auto& [size, name] :
       {std::pair{copy.num_elements(), "the number of elements"}, {copy.stride(), "the stride"}}) {
    const TypeRow& type = c.type_of(size);
    if (!is_size(c, type)) c.wrong_operand(size, name, "an integer as wide as addresses");
  }
  const TypeRow& event = c.type_of(copy.event());
  if (!event.is(TypeKind::Event)) c.wrong_operand(copy.event(), "the event", "OpTypeEvent");

  const TypeRow& destination = c.type_of(copy.destination());
  const TypeRow& source = c.type_of(copy.source());
  // An untyped pointer has no pointee and is rejected here.
  const TypeRow& pointee = destination.pointee();
  const bool copies_numbers = pointee.is_numerical() || (pointee.is_vector() && pointee.component().is_numerical());
  if (!destination.is(TypeKind::Pointer) || !copies_numbers) {
    c.wrong_operand(copy.destination(), "the destination", "a pointer to scalars or vectors of numbers");
    return;
  }
  if (!source.is(TypeKind::Pointer) || source.element != destination.element) {
    c.mismatch(copy.source(), "the source", "the type of the destination", destination.id);
    return;
  }
  check_async_storage(c, copy.destination(), destination, source);
}

// The same copy through untyped pointers: the size of an element replaces the type (SPV_KHR_untyped_pointers).
void check_untyped_async_copy(const InstructionCheck& c) {
  const auto copy = c.as<OpUntypedGroupAsyncCopyKHR>();
  if (!c.types.of(c.type).is(TypeKind::Event)) c.wrong_result("OpTypeEvent");
  const struct {
    AnyOperand operand;
    std::string_view name;
  } sizes[] = {{copy.element_num_bytes(), "the size of an element"},
               {copy.num_elements(), "the number of elements"},
               {copy.stride(), "the stride"}};
  for (const auto& size : sizes) {
    if (!is_size(c, c.type_of(size.operand))) {
      c.wrong_operand(size.operand, size.name, "an integer as wide as addresses");
    }
  }
  if (!c.type_of(copy.event()).is(TypeKind::Event)) c.wrong_operand(copy.event(), "the event", "OpTypeEvent");
  const TypeRow &destination = c.type_of(copy.destination()), &source = c.type_of(copy.source());
  if (!destination.is(TypeKind::UntypedPointer)) {
    c.wrong_operand(copy.destination(), "the destination", "an untyped pointer");
  } else if (!source.is(TypeKind::UntypedPointer)) {
    c.wrong_operand(copy.source(), "the source", "an untyped pointer");
  } else {
    check_async_storage(c, copy.destination(), destination, source);
  }
}

void check_wait_events(const InstructionCheck& c) {
  const auto wait = c.as<OpGroupWaitEvents>();
  const TypeRow& count = c.type_of(wait.num_events());
  if (!count.is_int(32)) { c.wrong_operand(wait.num_events(), "the number of events", "a 32-bit integer"); }
  // The list is a pointer to one event or to the first event of an array.
  const TypeRow& list = c.type_of(wait.events_list());
  if (list.is(TypeKind::Pointer) && list.pointee().is(TypeKind::Event)) return;
  c.wrong_operand(wait.events_list(), "the list of events", "a pointer to OpTypeEvent");
}

// --- non-uniform --------------------------------------------------------------------------------------------------------

// The ClusterSize of rotations, whose rule is an error, and of reductions. The behavior of reductions with other values
// is undefined, so their rule is a warning.
void check_cluster_power(const InstructionCheck& c, AnyOperand size, Rule rule) {
  const std::optional<std::uint64_t> value = c.constants.as_u64(size);
  if (!value || std::has_single_bit(*value)) return;
  if (rule == Rule::ClusterSizePower && !c.is_reachable()) return;
  c.report(rule, c.at(size), {op_text(c, c.op()), std::to_string(*value)});
}
void check_rotation(const InstructionCheck& c) {
  const auto size = c.as<OpGroupNonUniformRotateKHR>().cluster_size();
  if (size) check_cluster_power(c, *size, Rule::RotateClusterSize);
}

// Checks the last operand, whose name in the grammar is ClusterSize. Depending on the group operation, it is a cluster
// size or a partition ballot.
void check_arithmetic(const InstructionCheck& c) {
  const auto reduction = c.as<OpGroupNonUniformIAdd>();  // all opcodes of this check have the same operands
  const auto operation = reduction.operation();
  // "ClusterSize %x has type %float (f32)".
  const auto typed = [&](std::string_view name, Word id) {
    return fmt::format("{} {} has type {}", name, id_text(c, id), type_of_text(c, id));
  };
  const auto size = reduction.cluster_size();
  const TypeRow* type = size ? &c.type_of(*size) : nullptr;
  // The operand is optional in the grammar, which cannot express that the group operation requires it.
  if (operation == GroupOperation::ClusteredReduce) {
    if (!size) {
      c.report(Rule::ClusterSize, c.at(operation), {"ClusteredReduce has no ClusterSize"});
    } else if (!type->is(TypeKind::Int) || type->is_signed) {
      c.report(Rule::ClusterSize, c.at(*size), {typed("ClusterSize", *size)});
    } else if (!c.is_constant(*size)) {
      c.report(Rule::ClusterSize, c.at(*size),
               {fmt::format("ClusterSize {} is defined by {}", id_text(c, *size), op_text(c, c.op_of(*size)))});
    } else {
      check_cluster_power(c, *size, Rule::ClusterSizePower);
    }
    return;
  }
  const bool is_partitioned = operation == GroupOperation::PartitionedReduceEXT ||
                              operation == GroupOperation::PartitionedInclusiveScanEXT ||
                              operation == GroupOperation::PartitionedExclusiveScanEXT;
  if (!is_partitioned) {
    // Other operations ignore the operand, but its type is still checked.
    if (type != nullptr && (!type->is(TypeKind::Int) || type->is_signed)) {
      c.report(Rule::ClusterSize, c.at(*size), {typed("ClusterSize", *size)});
    }
    return;
  }
  if (!size) {
    const auto value = static_cast<Word>(operation.value);
    c.report(Rule::PartitionBallot, c.at(operation), {enumerant_text(c, "GroupOperation", value) + " has no Ballot"});
    return;
  }
  // A ballot has one bit for each invocation, in four 32-bit words.
  const bool is_ballot =
      type != nullptr && type->is(TypeKind::Vector) && type->count == 4 && type->component().is_int(32);
  if (type == nullptr || is_ballot) return;
  c.report(Rule::PartitionBallot, c.at(*size), {typed("Ballot", *size)});
}

// Before SPIR-V 1.5, the operand that selects an invocation must be a constant. From 1.5 on it must only
// be dynamically uniform, which cannot be checked statically.
void check_chosen_invocation(const InstructionCheck& c, AnyOperand chosen, std::string_view name) {
  if (c.version() >= Version{1, 5} || c.is_constant(chosen)) return;
  c.report(Rule::BroadcastConstant, c.at(chosen), {name, chosen, c.op(), c.op_of(chosen)});
}
void check_broadcast(const InstructionCheck& c) {
  check_chosen_invocation(c, c.as<OpGroupNonUniformBroadcast>().invocation_id(), "Invocation Id");
}
void check_quad_broadcast(const InstructionCheck& c) {
  check_chosen_invocation(c, c.as<OpGroupNonUniformQuadBroadcast>().index(), "Index");
}
void check_ballot_count(const InstructionCheck& c) {
  const auto operation = c.as<OpGroupNonUniformBallotBitCount>().operation();
  // The instruction counts the bits of all invocations, or of those up to the current one. Vulkan allows no other group
  // operation.
  const bool is_fine = operation == GroupOperation::Reduce || operation == GroupOperation::InclusiveScan ||
                       operation == GroupOperation::ExclusiveScan;
  if (is_fine || !c.is_vulkan()) return;
  c.report(Rule::BallotCountOperation, c.at(operation),
           {enumerant_text(c, "GroupOperation", static_cast<Word>(operation.value))});
}

// --- atomics ------------------------------------------------------------------------------------------------------------

using Storage = StorageClass;
// The storage classes that 2.16.1 and extensions allow. Vulkan allows fewer, but has no pointers to the others.
constexpr Storage universal_storage[] = {
    Storage::Uniform,
    Storage::StorageBuffer,
    Storage::Workgroup,
    Storage::CrossWorkgroup,
    Storage::Generic,
    Storage::AtomicCounter,
    Storage::Image,
    Storage::Function,
    Storage::PhysicalStorageBuffer,
    Storage::TaskPayloadWorkgroupEXT,
    Storage::NodePayloadAMDX,
};

template <typename Classes>
bool has(const Classes& classes, Storage storage) {
  return std::find(std::begin(classes), std::end(classes), storage) != std::end(classes);
}

// Capabilities of float atomics, by width in bits. 16-bit vectors have a separate capability.
struct FloatAtomic {
  Op opcode;
  std::uint32_t width;
  Capability capability;
};
constexpr FloatAtomic float_atomics[] = {
    {OpAtomicFAddEXT, 16, Capability::AtomicFloat16AddEXT},
    {OpAtomicFAddEXT, 32, Capability::AtomicFloat32AddEXT},
    {OpAtomicFAddEXT, 64, Capability::AtomicFloat64AddEXT},
    {OpAtomicFMinEXT, 16, Capability::AtomicFloat16MinMaxEXT},
    {OpAtomicFMinEXT, 32, Capability::AtomicFloat32MinMaxEXT},
    {OpAtomicFMinEXT, 64, Capability::AtomicFloat64MinMaxEXT},
    {OpAtomicFMaxEXT, 16, Capability::AtomicFloat16MinMaxEXT},
    {OpAtomicFMaxEXT, 32, Capability::AtomicFloat32MinMaxEXT},
    {OpAtomicFMaxEXT, 64, Capability::AtomicFloat64MinMaxEXT},
};

void check_atomic_capability(const InstructionCheck& c, const TypeRow& type) {
  const auto need = [&](Capability capability) {
    if (c.has(capability)) return;
    const std::string name = enumerant_text(c, capability);
    c.report_once(Rule::AtomicCapability, c.at(), name, {c.op(), type.id, name});
    hint_capability(c, name);
  };
  const TypeRow& scalar = type.component();
  // Kernels and shaders both need this capability.
  if (type.is_int(64)) return need(Capability::Int64Atomics);
  // The capabilities below apply only to shaders.
  if (!c.is_shader() || !scalar.is(TypeKind::Float)) return;
  if (type.is(TypeKind::Vector)) return need(Capability::AtomicFloat16VectorNV);
  // Float loads, stores and exchanges have no row, because they need no capability.
  for (const FloatAtomic& row : float_atomics) {
    if (row.opcode == c.op() && row.width == scalar.width) need(row.capability);
  }
}

// OpenCL 2.0 added Generic.
bool has_generic_atomics(const ModuleCheck& c) { return c.environment.client_version > Version{1, 2}; }

// Whether OpenCL allows atomics on a storage class. It does not allow Image.
bool is_opencl_storage(const ModuleCheck& c, Storage storage) {
  return storage == Storage::Function || storage == Storage::Workgroup || storage == Storage::CrossWorkgroup ||
         (storage == Storage::Generic && has_generic_atomics(c));
}

// The storage classes that a module may use in atomics, for messages. Those of extensions are omitted.
std::string_view atomic_storage_text(const ModuleCheck& c) {
  if (c.is_opencl()) {
    return has_generic_atomics(c) ? "Function, Workgroup, CrossWorkgroup or Generic"
                                  : "Function, Workgroup or CrossWorkgroup";
  }
  if (c.is_vulkan()) return "StorageBuffer, Uniform with BufferBlock, Workgroup, Image or PhysicalStorageBuffer";
  if (c.is_shader()) {
    return "StorageBuffer, Uniform with BufferBlock, Workgroup, Image, AtomicCounter or PhysicalStorageBuffer";
  }
  return "Function, Workgroup, CrossWorkgroup or Generic";
}

void check_atomic(const InstructionCheck& c) {
  const AnyOperand pointer = c.operand(OperandName::pointer);
  const TypeRow& pointer_type = c.type_of(pointer);
  if (!pointer_type.is_pointer()) return;  // reported by the typing row
  // The type in memory is that of the result, except for stores and flags: OpAtomicStore and OpAtomicFlagClear have no
  // result, and the result of OpAtomicFlagTestAndSet is a boolean. An untyped pointer has no element.
  const bool has_value_result = c.type != 0 && c.op() != OpAtomicFlagTestAndSet;
  const Word value_type = has_value_result          ? c.type
                          : c.op() == OpAtomicStore ? c.type_id_of(c.operand(OperandName::value))
                                                    : pointer_type.element;
  if (const TypeRow* type = c.types.find(value_type)) check_atomic_capability(c, *type);
  const Storage storage = pointer_type.storage;
  const auto refuse = [&](Rule rule) {
    // Tracing a pointer costs work, so it is done only for a finding that is kept.
    const Word origin = c.has_room_for(rule) ? origin_of(c, pointer) : 0;
    c.report(rule, c.at(pointer), {op_text(c, c.op()), enumerant_text(c, storage), atomic_storage_text(c)});
    if (origin != 0 && is_variable(c.op_of(origin))) {
      c.note({c.module.definition(origin), 0}, "variable declared here");
    }
  };
  // Reports the more general violated rule: of all modules and shaders (2.16.1), then of the environment. Kernels may use
  // atomics on Function memory.
  const bool is_shaders_function = c.is_shader() && storage == Storage::Function;
  if (!has(universal_storage, storage) || is_shaders_function) {
    refuse(Rule::AtomicStorage);
  } else if (is_uniform_block(c, pointer)) {
    refuse(Rule::AtomicStorage);
    c.vuid(0);  // the VUID allows Uniform with any decoration
  } else if (c.is_opencl() && !is_opencl_storage(c, storage)) {
    refuse(Rule::OpenclAtomicStorage);
  }
}

// An atomic flag is a 32-bit integer.
void check_atomic_flag(const InstructionCheck& c) {
  check_atomic(c);
  const AnyOperand pointer = c.operand(OperandName::pointer);
  const TypeRow& type = c.type_of(pointer);
  if (!type.is(TypeKind::Pointer) || type.pointee().is_int(32)) return;
  c.wrong_operand(pointer, "the pointer", "a pointer to a 32-bit integer");
}

void check_atomic_store(const InstructionCheck& c) {
  check_atomic(c);
  // Typing rows compare operands with the result type, which this instruction lacks.
  const auto store = c.as<OpAtomicStore>();
  const TypeRow& pointer = c.type_of(store.pointer());
  const TypeRow& value = c.type_of(store.value());
  if (!pointer.is(TypeKind::Pointer) || pointer.element == value.id) return;
  c.report(Rule::AtomicValue, c.at(store.value()), {value.id, store.value(), store.pointer(), pointer.element});
  c.note({c.module.definition(store.pointer()), 0}, "pointer defined here");
}

}  // namespace

std::span<const Check> group_checks() {
  static constexpr Check checks[] = {
      {{OpGroupAsyncCopy}, check_async_copy},
      {{OpUntypedGroupAsyncCopyKHR}, check_untyped_async_copy},
      {{OpGroupWaitEvents}, check_wait_events},
      {group_arithmetic, check_arithmetic},
      {{OpGroupNonUniformRotateKHR}, check_rotation},
      {{OpGroupNonUniformBroadcast}, check_broadcast},
      {{OpGroupNonUniformQuadBroadcast}, check_quad_broadcast},
      {{OpGroupNonUniformBallotBitCount}, check_ballot_count},
      {number_atomics, check_atomic},
      {{OpAtomicStore}, check_atomic_store},
      {{OpAtomicFlagTestAndSet, OpAtomicFlagClear}, check_atomic_flag},
  };
  return checks;
}

}  // namespace vireo::spirv
