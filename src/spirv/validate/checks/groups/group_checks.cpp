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

#include "spirv/validate/analysis/pointers.h"
#include "spirv/validate/engine/checks.h"
#include "spirv/validate/engine/fixes.h"
#include "spirv/validate/engine/type_error_reporter.h"
#include "vireo/spirv/views/atomic.h"
#include "vireo/spirv/views/group.h"
#include "vireo/spirv/views/non_uniform.h"

namespace vireo::spirv {
namespace {

using enum Op;

// --- group instructions of kernels --------------------------------------------------------------------------------------

// Whether a type is an integer as wide as an address. If the addressing model is not physical, 32 and 64 bits are
// valid.
bool is_size(const Context& context, const TypeRow& type) {
  const auto addressing = context.module_declarations.addressing_model();
  if (addressing == AddressingModel::Physical32) return type.is_int(32);
  return type.is_int(64) || (addressing != AddressingModel::Physical64 && type.is_int(32));
}

// The copy is between Workgroup and CrossWorkgroup memory, in either direction (3.42.21).
void check_async_storage(const Context& context, const DecodedInstruction& visit, AnyOperand operand,
                         const TypeRow& destination, const TypeRow& source, Report& report) {
  const bool to_workgroup = destination.storage == StorageClass::Workgroup;
  const bool is_fine =
      (to_workgroup && source.storage == StorageClass::CrossWorkgroup) ||
      (destination.storage == StorageClass::CrossWorkgroup && source.storage == StorageClass::Workgroup);
  if (is_fine) return;
  const auto text = [&](StorageClass storage) { return enumerant_text(context, storage); };
  report.add(Rule::AsyncCopyStorage, visit.at(operand), {text(source.storage), text(destination.storage)});
}

void check_async_copy(const Context& context, const DecodedInstruction& visit, Report& report) {
  // The checks of the sizes and of the event are independent, so each may report a finding. Each check of the pointers
  // depends on the previous one, so they stop at the first error.
  const auto copy = visit.as<OpGroupAsyncCopy>();
  const TypeErrorReporter type_errors{context, visit, report};
  if (!context.types.of(visit.type).is(TypeKind::Event)) type_errors.result("OpTypeEvent");
  for (const auto& [size, name] :
       {std::pair{copy.num_elements(), "the number of elements"}, {copy.stride(), "the stride"}}) {
    const TypeRow& type = context.type_of(size);
    if (!is_size(context, type)) type_errors.operand(size, name, "an integer as wide as addresses");
  }
  const TypeRow& event = context.type_of(copy.event());
  if (!event.is(TypeKind::Event)) type_errors.operand(copy.event(), "the event", "OpTypeEvent");

  const TypeRow& destination = context.type_of(copy.destination());
  const TypeRow& source = context.type_of(copy.source());
  // An untyped pointer has no pointee and is rejected here.
  const TypeRow& pointee = context.types.of(destination.element);
  const bool copies_numbers =
      pointee.is_numerical() || (pointee.is_vector() && context.types.row(pointee.component).is_numerical());
  if (!destination.is(TypeKind::Pointer) || !copies_numbers) {
    type_errors.operand(copy.destination(), "the destination", "a pointer to scalars or vectors of numbers");
    return;
  }
  if (!source.is(TypeKind::Pointer) || source.element != destination.element) {
    type_errors.relation(copy.source(), "the source", "the type of the destination", destination.id);
    return;
  }
  check_async_storage(context, visit, copy.destination(), destination, source, report);
}

// The same copy through untyped pointers: the size of an element replaces the type (SPV_KHR_untyped_pointers).
void check_untyped_async_copy(const Context& context, const DecodedInstruction& visit, Report& report) {
  const auto copy = visit.as<OpUntypedGroupAsyncCopyKHR>();
  const TypeErrorReporter type_errors{context, visit, report};
  if (!context.types.of(visit.type).is(TypeKind::Event)) type_errors.result("OpTypeEvent");
  const struct {
    AnyOperand operand;
    std::string_view name;
  } sizes[] = {{copy.element_num_bytes(), "the size of an element"},
               {copy.num_elements(), "the number of elements"},
               {copy.stride(), "the stride"}};
  for (const auto& size : sizes) {
    if (!is_size(context, context.type_of(size.operand))) {
      type_errors.operand(size.operand, size.name, "an integer as wide as addresses");
    }
  }
  if (!context.type_of(copy.event()).is(TypeKind::Event)) type_errors.operand(copy.event(), "the event", "OpTypeEvent");
  const TypeRow &destination = context.type_of(copy.destination()), &source = context.type_of(copy.source());
  if (!destination.is(TypeKind::UntypedPointer)) {
    type_errors.operand(copy.destination(), "the destination", "an untyped pointer");
  } else if (!source.is(TypeKind::UntypedPointer)) {
    type_errors.operand(copy.source(), "the source", "an untyped pointer");
  } else {
    check_async_storage(context, visit, copy.destination(), destination, source, report);
  }
}

void check_wait_events(const Context& context, const DecodedInstruction& visit, Report& report) {
  const auto wait = visit.as<OpGroupWaitEvents>();
  const TypeErrorReporter type_errors{context, visit, report};
  const TypeRow& count = context.type_of(wait.num_events());
  if (!count.is_int(32)) { type_errors.operand(wait.num_events(), "the number of events", "a 32-bit integer"); }
  // The list is a pointer to one event or to the first event of an array.
  const TypeRow& list = context.type_of(wait.events_list());
  if (list.is(TypeKind::Pointer) && context.types.of(list.element).is(TypeKind::Event)) return;
  type_errors.operand(wait.events_list(), "the list of events", "a pointer to OpTypeEvent");
}

// --- non-uniform --------------------------------------------------------------------------------------------------------

// The ClusterSize of rotations, whose rule is an error, and of reductions. The behavior of reductions with other values
// is undefined, so their rule is a warning.
void check_cluster_power(const Context& context, const DecodedInstruction& visit, AnyOperand size, Rule rule,
                         Report& report) {
  const std::optional<std::uint64_t> value = context.constants.as_u64(size);
  if (!value || std::has_single_bit(*value)) return;
  if (rule == Rule::ClusterSizePower && !visit.is_reachable()) return;
  report.add(rule, visit.at(size), {op_text(context, visit.op()), std::to_string(*value)});
}
void check_rotation(const Context& context, const DecodedInstruction& visit, Report& report) {
  const auto size = visit.as<OpGroupNonUniformRotateKHR>().cluster_size();
  if (size) check_cluster_power(context, visit, *size, Rule::RotateClusterSize, report);
}

// Checks the last operand, whose name in the grammar is ClusterSize. Depending on the group operation, it is a cluster
// size or a partition ballot.
void check_arithmetic(const Context& context, const DecodedInstruction& visit, Report& report) {
  const auto reduction = visit.as<OpGroupNonUniformIAdd>();  // all opcodes of this check have the same operands
  const auto operation = reduction.operation();
  // "ClusterSize %x has type %float (f32)".
  const auto typed = [&](std::string_view name, Word id) {
    return fmt::format("{} {} has type {}", name, id_text(context, id), type_of_text(context, id));
  };
  const auto size = reduction.cluster_size();
  const TypeRow* type = size ? &context.type_of(*size) : nullptr;
  // The operand is optional in the grammar, which cannot express that the group operation requires it.
  if (operation == GroupOperation::ClusteredReduce) {
    if (!size) {
      report.add(Rule::ClusterSize, visit.at(operation), {"ClusteredReduce has no ClusterSize"});
    } else if (!type->is(TypeKind::Int) || type->is_signed) {
      report.add(Rule::ClusterSize, visit.at(*size), {typed("ClusterSize", *size)});
    } else if (!context.is_constant(*size)) {
      report.add(Rule::ClusterSize, visit.at(*size),
                 {fmt::format("ClusterSize {} is defined by {}", id_text(context, *size),
                              op_text(context, context.op_of(*size)))});
    } else {
      check_cluster_power(context, visit, *size, Rule::ClusterSizePower, report);
    }
    return;
  }
  const bool is_partitioned = operation == GroupOperation::PartitionedReduceEXT ||
                              operation == GroupOperation::PartitionedInclusiveScanEXT ||
                              operation == GroupOperation::PartitionedExclusiveScanEXT;
  if (!is_partitioned) {
    // Other operations ignore the operand, but its type is still checked.
    if (type != nullptr && (!type->is(TypeKind::Int) || type->is_signed)) {
      report.add(Rule::ClusterSize, visit.at(*size), {typed("ClusterSize", *size)});
    }
    return;
  }
  if (!size) {
    const auto value = static_cast<Word>(operation.value);
    report.add(Rule::PartitionBallot, visit.at(operation),
               {enumerant_text(context, "GroupOperation", value) + " has no Ballot"});
    return;
  }
  // A ballot has one bit for each invocation, in four 32-bit words.
  const bool is_ballot = type != nullptr && type->is(TypeKind::Vector) && type->count == 4 &&
                         context.types.row(type->component).is_int(32);
  if (type == nullptr || is_ballot) return;
  report.add(Rule::PartitionBallot, visit.at(*size), {typed("Ballot", *size)});
}

// Before SPIR-V 1.5, the operand that selects an invocation must be a constant. From 1.5 on it must only
// be dynamically uniform, which cannot be checked statically.
void check_chosen_invocation(const Context& context, const DecodedInstruction& visit, Report& report, AnyOperand chosen,
                             std::string_view name) {
  if (context.version() >= Version{1, 5} || context.is_constant(chosen)) return;
  report.add(Rule::BroadcastConstant, visit.at(chosen),
             {name, id_text(context, chosen), op_text(context, visit.op()), op_text(context, context.op_of(chosen))});
}
void check_broadcast(const Context& context, const DecodedInstruction& visit, Report& report) {
  check_chosen_invocation(context, visit, report, visit.as<OpGroupNonUniformBroadcast>().invocation_id(),
                          "Invocation Id");
}
void check_quad_broadcast(const Context& context, const DecodedInstruction& visit, Report& report) {
  check_chosen_invocation(context, visit, report, visit.as<OpGroupNonUniformQuadBroadcast>().index(), "Index");
}
void check_ballot_count(const Context& context, const DecodedInstruction& visit, Report& report) {
  const auto operation = visit.as<OpGroupNonUniformBallotBitCount>().operation();
  // The instruction counts the bits of all invocations, or of those up to the current one. Vulkan allows no other group
  // operation.
  const bool is_fine = operation == GroupOperation::Reduce || operation == GroupOperation::InclusiveScan ||
                       operation == GroupOperation::ExclusiveScan;
  if (is_fine || !context.is_vulkan()) return;
  report.add(Rule::BallotCountOperation, visit.at(operation),
             {enumerant_text(context, "GroupOperation", static_cast<Word>(operation.value))});
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

void check_atomic_capability(const Context& context, const DecodedInstruction& visit, const TypeRow& type,
                             Report& report) {
  const auto need = [&](Capability capability) {
    if (context.has(capability)) return;
    const std::string name = enumerant_text(context, capability);
    report.add_once(Rule::AtomicCapability, visit.at(), name,
                    {op_text(context, visit.op()), type_name(context, type.id), name});
    hint_capability(context, report, name);
  };
  const TypeRow& scalar = context.types.row(type.component);
  // Kernels and shaders both need this capability.
  if (type.is_int(64)) return need(Capability::Int64Atomics);
  // The capabilities below apply only to shaders.
  if (!context.is_shader() || !scalar.is(TypeKind::Float)) return;
  if (type.is(TypeKind::Vector)) return need(Capability::AtomicFloat16VectorNV);
  // Float loads, stores and exchanges have no row, because they need no capability.
  for (const FloatAtomic& row : float_atomics) {
    if (row.opcode == visit.op() && row.width == scalar.width) need(row.capability);
  }
}

// OpenCL 2.0 added Generic.
bool has_generic_atomics(const Context& context) { return context.environment.client_version > Version{1, 2}; }

// Whether OpenCL allows atomics on a storage class. It does not allow Image.
bool is_opencl_storage(const Context& context, Storage storage) {
  return storage == Storage::Function || storage == Storage::Workgroup || storage == Storage::CrossWorkgroup ||
         (storage == Storage::Generic && has_generic_atomics(context));
}

// The storage classes that a module may use in atomics, for messages. Those of extensions are omitted.
std::string_view atomic_storage_text(const Context& context) {
  if (context.is_opencl()) {
    return has_generic_atomics(context) ? "Function, Workgroup, CrossWorkgroup or Generic"
                                        : "Function, Workgroup or CrossWorkgroup";
  }
  if (context.is_vulkan()) return "StorageBuffer, Uniform with BufferBlock, Workgroup, Image or PhysicalStorageBuffer";
  if (context.is_shader()) {
    return "StorageBuffer, Uniform with BufferBlock, Workgroup, Image, AtomicCounter or PhysicalStorageBuffer";
  }
  return "Function, Workgroup, CrossWorkgroup or Generic";
}

void check_atomic(const Context& context, const DecodedInstruction& visit, Report& report) {
  const AnyOperand pointer = visit.operand(OperandName::pointer);
  const TypeRow& pointer_type = context.type_of(pointer);
  if (!pointer_type.is_pointer()) return;  // reported by the typing row
  // The type in memory is that of the result, except for stores and flags: OpAtomicStore and OpAtomicFlagClear have no
  // result, and the result of OpAtomicFlagTestAndSet is a boolean. An untyped pointer has no element.
  const bool has_value_result = visit.type != 0 && visit.op() != OpAtomicFlagTestAndSet;
  const Word value_type = has_value_result              ? visit.type
                          : visit.op() == OpAtomicStore ? context.type_id_of(visit.operand(OperandName::value))
                                                        : pointer_type.element;
  if (const TypeRow* type = context.types.find(value_type)) check_atomic_capability(context, visit, *type, report);
  const Storage storage = pointer_type.storage;
  const auto refuse = [&](Rule rule) {
    // Tracing a pointer costs work, so it is done only for a finding that is kept.
    const Word origin = report.has_room_for(rule) ? origin_of(context, pointer) : 0;
    report.add(rule, visit.at(pointer),
               {op_text(context, visit.op()), enumerant_text(context, storage), atomic_storage_text(context)});
    if (origin != 0 && is_variable(context.op_of(origin))) {
      report.note({context.module.definition(origin), 0}, "variable declared here");
    }
  };
  // Reports the more general violated rule: of all modules and shaders (2.16.1), then of the environment. Kernels may use
  // atomics on Function memory.
  const bool is_shaders_function = context.is_shader() && storage == Storage::Function;
  if (!has(universal_storage, storage) || is_shaders_function) {
    refuse(Rule::AtomicStorage);
  } else if (is_uniform_block(context, pointer)) {
    refuse(Rule::AtomicStorage);
    report.vuid(0);  // the VUID allows Uniform with any decoration
  } else if (context.is_opencl() && !is_opencl_storage(context, storage)) {
    refuse(Rule::OpenclAtomicStorage);
  }
}

// An atomic flag is a 32-bit integer.
void check_atomic_flag(const Context& context, const DecodedInstruction& visit, Report& report) {
  check_atomic(context, visit, report);
  const AnyOperand pointer = visit.operand(OperandName::pointer);
  const TypeRow& type = context.type_of(pointer);
  if (!type.is(TypeKind::Pointer) || context.types.of(type.element).is_int(32)) return;
  TypeErrorReporter{context, visit, report}.operand(pointer, "the pointer", "a pointer to a 32-bit integer");
}

void check_atomic_store(const Context& context, const DecodedInstruction& visit, Report& report) {
  check_atomic(context, visit, report);
  // Typing rows compare operands with the result type, which this instruction lacks.
  const auto store = visit.as<OpAtomicStore>();
  const TypeRow& pointer = context.type_of(store.pointer());
  const TypeRow& value = context.type_of(store.value());
  if (!pointer.is(TypeKind::Pointer) || pointer.element == value.id) return;
  report.add(Rule::AtomicValue, visit.at(store.value()),
             {type_name(context, value.id), id_text(context, store.value()), id_text(context, store.pointer()),
              type_name(context, pointer.element)});
  report.note({context.module.definition(store.pointer()), 0}, "pointer defined here");
}

}  // namespace

std::span<const Check> group_checks() {
  static constexpr Check checks[] = {
      {{OpGroupAsyncCopy}, check_async_copy},
      {{OpUntypedGroupAsyncCopyKHR}, check_untyped_async_copy},
      {{OpGroupWaitEvents}, check_wait_events},
      {{OpGroupNonUniformIAdd, OpGroupNonUniformFAdd, OpGroupNonUniformIMul, OpGroupNonUniformFMul,
        OpGroupNonUniformSMin, OpGroupNonUniformUMin, OpGroupNonUniformFMin, OpGroupNonUniformSMax,
        OpGroupNonUniformUMax, OpGroupNonUniformFMax, OpGroupNonUniformBitwiseAnd, OpGroupNonUniformBitwiseOr,
        OpGroupNonUniformBitwiseXor, OpGroupNonUniformLogicalAnd, OpGroupNonUniformLogicalOr,
        OpGroupNonUniformLogicalXor},
       check_arithmetic},
      {{OpGroupNonUniformRotateKHR}, check_rotation},
      {{OpGroupNonUniformBroadcast}, check_broadcast},
      {{OpGroupNonUniformQuadBroadcast}, check_quad_broadcast},
      {{OpGroupNonUniformBallotBitCount}, check_ballot_count},
      {{OpAtomicLoad, OpAtomicExchange, OpAtomicCompareExchange, OpAtomicCompareExchangeWeak, OpAtomicIIncrement,
        OpAtomicIDecrement, OpAtomicIAdd, OpAtomicISub, OpAtomicSMin, OpAtomicUMin, OpAtomicSMax, OpAtomicUMax,
        OpAtomicAnd, OpAtomicOr, OpAtomicXor, OpAtomicFAddEXT, OpAtomicFMinEXT, OpAtomicFMaxEXT},
       check_atomic},
      {{OpAtomicStore}, check_atomic_store},
      {{OpAtomicFlagTestAndSet, OpAtomicFlagClear}, check_atomic_flag},
  };
  return checks;
}

}  // namespace vireo::spirv
