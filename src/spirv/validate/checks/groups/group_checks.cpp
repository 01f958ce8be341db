// SPDX-License-Identifier: Apache-2.0
//
// Group, non-uniform and atomic instructions: what their typing rows cannot say.
//
// The one idea: typing rows say the types. What is left are pairs: a pointer and its storage class, a value and the
// capability for it, a group operation and the operand that it takes besides.
//
// Source: specification 3.42.18 (atomics), 3.42.21 (groups), 3.42.24 (non-uniform); SPV_NV_shader_subgroup_partitioned,
// SPV_EXT_shader_atomic_float_add and its like.
#include <algorithm>
#include <iterator>
#include <utility>

#include "spirv/validate/engine/checks.h"
#include "spirv/validate/engine/complaint.h"

namespace vireo::spirv {
namespace {

using enum Op;

// --- groups of kernels --------------------------------------------------------------------------------------------------

// A size in memory is as wide as an address.
bool is_size(const Context& context, const TypeRow& type) {
  const auto addressing = context.preamble.addressing_model();
  if (addressing == AddressingModel::Physical32) return type.is_int(32);
  return type.is_int(64) || (addressing != AddressingModel::Physical64 && type.is_int(32));
}

void check_async_copy(const Context& context, const Visit& visit, Report& report) {
  // Numbers and event do not depend on each other, and each is told. What the pointers are and where they point builds
  // on each other, and there the first fault ends it.
  constexpr std::size_t destination_word = 4, source_word = 5, count_word = 6, stride_word = 7, event_word = 8;
  const Complaint complain{context, visit, report};
  if (!context.types.of(visit.type).is(TypeKind::Event)) complain.result("OpTypeEvent");
  for (const auto& [word, name] : {std::pair{count_word, "the number of elements"}, {stride_word, "the stride"}}) {
    const TypeRow* type = context.type_of(visit.word(word));
    if (type != nullptr && !is_size(context, *type)) complain.operand(word, name, "an integer as wide as addresses");
  }
  const TypeRow* event = context.type_of(visit.word(event_word));
  if (event != nullptr && !event->is(TypeKind::Event)) complain.operand(event_word, "the event", "OpTypeEvent");

  const TypeRow* destination = context.type_of(visit.word(destination_word));
  const TypeRow* source = context.type_of(visit.word(source_word));
  if (destination == nullptr || source == nullptr) return;
  // An untyped pointer has no pointee; it is refused with all that does not point to numbers.
  const TypeRow& pointee = context.types.of(destination->element);
  const bool copies_numbers =
      pointee.is_numerical() || (pointee.is_vector() && context.types.row(pointee.component).is_numerical());
  if (!destination->is(TypeKind::Pointer) || !copies_numbers) {
    complain.operand(destination_word, "the destination", "a pointer to scalars or vectors of numbers");
    return;
  }
  if (!source->is(TypeKind::Pointer) || source->element != destination->element) {
    complain.relation(source_word, "the source", "the type of the destination", destination->id);
    return;
  }
  // The copy is between the memory of the workgroup and that of the device, one way or the other (3.42.21).
  const bool to_workgroup = destination->storage == StorageClass::Workgroup;
  const bool is_fine =
      (to_workgroup && source->storage == StorageClass::CrossWorkgroup) ||
      (destination->storage == StorageClass::CrossWorkgroup && source->storage == StorageClass::Workgroup);
  if (is_fine) return;
  const auto text = [&](StorageClass storage) { return enumerant_text(context, storage); };
  report.add(Rule::AsyncCopyStorage, visit.at(destination_word), {text(source->storage), text(destination->storage)});
}

// No result: the scope is in word 1, then the number and a pointer to the first of as many events.
void check_wait_events(const Context& context, const Visit& visit, Report& report) {
  constexpr std::size_t count_word = 2, list_word = 3;
  const Complaint complain{context, visit, report};
  const TypeRow* count = context.type_of(visit.word(count_word));
  if (count != nullptr && !count->is_int(32)) complain.operand(count_word, "the number of events", "a 32-bit integer");
  // The list is one pointer: events stand in an array, or are a single variable.
  const TypeRow* list = context.type_of(visit.word(list_word));
  if (list == nullptr) return;
  if (list->is(TypeKind::Pointer) && context.types.of(list->element).is(TypeKind::Event)) return;
  complain.operand(list_word, "the list of events", "a pointer to OpTypeEvent");
}

// --- non-uniform --------------------------------------------------------------------------------------------------------

// The operand behind the value: a cluster's size, or the ballot of a partition, as the group operation says.
void check_arithmetic(const Context& context, const Visit& visit, Report& report) {
  const auto operation = static_cast<GroupOperation>(visit.word(4));
  constexpr std::size_t word = 6;
  // Operation in word 4, value in word 5; without a sixth word the operand is left out.
  const TypeRow* type = visit.has_word(word) ? context.type_of(visit.word(word)) : nullptr;
  // The grammar has the operand as optional: that the group operation decides whether it is there, it cannot say.
  if (operation == GroupOperation::ClusteredReduce) {
    if (!visit.has_word(word)) {
      report.add(Rule::ClusterSize, visit.at(4), {"ClusteredReduce without another operand"});
    } else if (type != nullptr &&
               (!type->is(TypeKind::Int) || type->is_signed || !context.is_constant(visit.word(word)))) {
      report.add(Rule::ClusterSize, visit.at(word),
                 {id_text(context, visit.word(word)) + " is of type " + type_text(context, type->id)});
    }
    return;
  }
  const bool is_partitioned = operation == GroupOperation::PartitionedReduceEXT ||
                              operation == GroupOperation::PartitionedInclusiveScanEXT ||
                              operation == GroupOperation::PartitionedExclusiveScanEXT;
  if (!is_partitioned) {
    // Other operations make no use of a size, but what stands there is one.
    if (type != nullptr && (!type->is(TypeKind::Int) || type->is_signed)) {
      report.add(Rule::ClusterSize, visit.at(word),
                 {id_text(context, visit.word(word)) + " is of type " + type_text(context, type->id)});
    }
    return;
  }
  if (!visit.has_word(word)) {
    report.add(Rule::PartitionBallot, visit.at(4), {"a partitioned operation without another operand"});
    return;
  }
  // One bit for each invocation, in four words of 32 bits.
  const bool is_ballot = type != nullptr && type->is(TypeKind::Vector) && type->count == 4 &&
                         context.types.row(type->component).is(TypeKind::Int);
  if (type == nullptr || is_ballot) return;
  report.add(Rule::PartitionBallot, visit.at(word),
             {id_text(context, visit.word(word)) + " is of type " + type_text(context, type->id)});
}

// Whose value is spread, or where values go, is said by a constant in older versions.
// Since 1.5 whose value it is need only be the same for all (dynamically uniform), which no check can see.
void check_broadcast(const Context& context, const Visit& visit, Report& report) {
  constexpr std::size_t word = 5;
  if (context.version() >= Version{1, 5} || context.is_constant(visit.word(word))) return;
  report.add(Rule::BroadcastConstant, visit.at(word),
             {id_text(context, visit.word(word)), op_text(context, visit.op())});
}

void check_ballot_count(const Context& context, const Visit& visit, Report& report) {
  const auto operation = static_cast<GroupOperation>(visit.word(4));
  // Bits of a ballot are counted over all invocations, or up to one's own. Vulkan has no other ways to count.
  const bool is_fine = operation == GroupOperation::Reduce || operation == GroupOperation::InclusiveScan ||
                       operation == GroupOperation::ExclusiveScan;
  if (is_fine || !context.is_vulkan()) return;
  report.add(Rule::BallotCountOperation, visit.at(4), {enumerant_text(context, "GroupOperation", visit.word(4))});
}

// --- atomics ------------------------------------------------------------------------------------------------------------

using Storage = StorageClass;
// What 2.16.1 names for all modules, and what extensions added to it; then what Vulkan leaves of that.
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
constexpr Storage vulkan_group_storage[] = {
    Storage::Uniform,         Storage::StorageBuffer,         Storage::Workgroup,
    Storage::Image,           Storage::PhysicalStorageBuffer, Storage::TaskPayloadWorkgroupEXT,
    Storage::NodePayloadAMDX,
};

// A look at a dozen rows is quicker than anything cleverer.
template <typename Classes>
bool has(const Classes& classes, Storage storage) {
  return std::find(std::begin(classes), std::end(classes), storage) != std::end(classes);
}

// What atomics of floats need, by width. 16-bit vectors have a capability of their own.
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

void check_atomic_capability(const Context& context, const Visit& visit, const TypeRow& type, Report& report) {
  const auto need = [&](Capability capability) {
    if (context.has(capability)) return;
    const std::string name = enumerant_text(context, capability);
    report.add_once(Rule::AtomicCapability, visit.at(), name,
                    {op_text(context, visit.op()), type_text(context, type.id), name});
  };
  const TypeRow& scalar = context.types.row(type.component);
  // Asked of kernels as well as of shaders.
  if (type.is_int(64)) return need(Capability::Int64Atomics);
  // The capabilities below belong to shaders.
  if (!context.is_shader() || !scalar.is(TypeKind::Float)) return;
  if (type.is(TypeKind::Vector)) return need(Capability::AtomicFloat16VectorNV);
  // Loads, stores and exchanges of floats have no row and need nothing.
  for (const FloatAtomic& row : float_atomics) {
    if (row.opcode == visit.op() && row.width == scalar.width) need(row.capability);
  }
}

// OpenCL has no images for atomics; and the first one has no pointers that may be of any class.
void check_opencl_storage(const Context& context, const Visit& visit, const TypeRow& pointer, std::size_t word,
                          Report& report) {
  // Generic came with OpenCL 2.0.
  const bool has_generic = context.environment.client_version > Version{1, 2};
  const Storage storage = pointer.storage;
  if (storage == Storage::Function || storage == Storage::Workgroup || storage == Storage::CrossWorkgroup ||
      (storage == Storage::Generic && has_generic)) {
    return;
  }
  report.add(
      Rule::OpenclAtomicStorage, visit.at(word),
      {op_text(context, visit.op()), enumerant_text(context, storage),
       has_generic ? "Function, Workgroup, CrossWorkgroup or Generic" : "Function, Workgroup or CrossWorkgroup"});
}

void check_atomic(const Context& context, const Visit& visit, Report& report) {
  // Atomics with a result have the pointer behind type and id; OpAtomicStore and OpAtomicFlagClear have neither.
  const bool has_result = visit.type != 0;
  const std::size_t word = has_result ? 3 : 1;
  const TypeRow* pointer = context.type_of(visit.word(word));
  if (pointer == nullptr || !pointer->is_pointer()) return;  // the typing row's finding
  // Testing a flag gives a boolean, whatever the flag is in memory.
  const Word value_type = has_result && visit.op() != OpAtomicFlagTestAndSet ? visit.type : pointer->element;
  if (const TypeRow* type = context.types.find(value_type)) check_atomic_capability(context, visit, *type, report);
  const auto refuse = [&](Rule rule) {
    report.add(rule, visit.at(word), {op_text(context, visit.op()), enumerant_text(context, pointer->storage)});
  };
  // One finding, that of the widest rule that is broken: all modules, then shaders (2.16.2), then the environment.
  // Memory of one invocation needs no atomics: kernels may use them there all the same.
  const bool is_shaders_function = context.is_shader() && pointer->storage == Storage::Function;
  if (!has(universal_storage, pointer->storage) || is_shaders_function) {
    refuse(Rule::AtomicStorage);
  } else if (context.is_vulkan() && context.is_shader() && !has(vulkan_group_storage, pointer->storage)) {
    refuse(Rule::VulkanAtomicStorage);
  } else if (context.is_opencl()) {
    check_opencl_storage(context, visit, *pointer, word, report);
  }
}

// Flags are integers that are set and cleared, and nothing else is done with them.
void check_atomic_flag(const Context& context, const Visit& visit, Report& report) {
  check_atomic(context, visit, report);
  const std::size_t word = visit.type != 0 ? 3 : 1;
  const TypeRow* pointer = context.type_of(visit.word(word));
  if (pointer == nullptr || !pointer->is(TypeKind::Pointer) || context.types.of(pointer->element).is_int(32)) return;
  Complaint{context, visit, report}.operand(word, "the pointer", "a pointer to a 32-bit integer");
}

void check_atomic_store(const Context& context, const Visit& visit, Report& report) {
  check_atomic(context, visit, report);
  const TypeRow* pointer = context.type_of(visit.word(1));
  // Pointer, scope, semantics, value. The rows compare operands with results, and here there is no result.
  const TypeRow* value = context.type_of(visit.word(4));
  if (pointer == nullptr || value == nullptr || !pointer->is(TypeKind::Pointer) || pointer->element == value->id)
    return;
  report.add(Rule::AtomicValue, visit.at(4),
             {id_text(context, visit.word(4)), type_text(context, value->id), type_text(context, pointer->element)});
}

}  // namespace

std::span<const Check> group_checks() {
  static constexpr Check checks[] = {
      {{OpGroupAsyncCopy}, check_async_copy},
      {{OpGroupWaitEvents}, check_wait_events},
      {{OpGroupNonUniformIAdd, OpGroupNonUniformFAdd, OpGroupNonUniformIMul, OpGroupNonUniformFMul,
        OpGroupNonUniformSMin, OpGroupNonUniformUMin, OpGroupNonUniformFMin, OpGroupNonUniformSMax,
        OpGroupNonUniformUMax, OpGroupNonUniformFMax, OpGroupNonUniformBitwiseAnd, OpGroupNonUniformBitwiseOr,
        OpGroupNonUniformBitwiseXor, OpGroupNonUniformLogicalAnd, OpGroupNonUniformLogicalOr,
        OpGroupNonUniformLogicalXor},
       check_arithmetic},
      {{OpGroupNonUniformBroadcast, OpGroupNonUniformQuadBroadcast, OpGroupNonUniformQuadSwap}, check_broadcast},
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
