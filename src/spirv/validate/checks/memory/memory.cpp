// SPDX-License-Identifier: Apache-2.0
//
// Memory instructions (specification 3.42.8): loads, stores, copies, lengths and comparisons. Variables and access chains
// have files of their own.
//
// The one idea: whatever goes through a pointer is judged in the same order: that it is a pointer, that what it points to
// is of the type that goes through, that the storage can be read or written, and then its memory operands.
#include <fmt/format.h>

#include "spirv/validate/analysis/pointers.h"
#include "spirv/validate/analysis/small_types.h"
#include "spirv/validate/analysis/type_matching.h"
#include "spirv/validate/checks/memory/memory_access.h"
#include "spirv/validate/engine/checks.h"
#include "spirv/validate/engine/complaint.h"
#include "vireo/spirv/views/memory.h"

namespace vireo::spirv {
namespace {

using enum Op;

// A module with 8- or 16-bit storage and no arithmetic of that width has no use for structures or arrays of such
// values: it may not compute with what it would take out of them.
// Types that are only stored go through memory one number, vector or matrix at a time.
bool is_loadable_small(const TypeRow& type) {
  return type.is_scalar() || type.is_vector() || type.is(TypeKind::Matrix) || type.is_pointer();
}

// --- load and store -----------------------------------------------------------------------------------------------------

// A pointee that is another type hides the rest: what is asked next is about the value that goes through.
void check_load(const Context& context, const Visit& visit, Report& report) {
  const Complaint complain{context, visit, report};
  const auto load = visit.as<OpLoad>();
  const TypeRow *result = context.types.find(visit.type), *pointer = context.type_of(load.pointer());
  if (result == nullptr || !check_pointer_type(context, visit, report, load.pointer(), "the pointer")) return;
  check_pointer_giver(context, visit, report, load.pointer(), "the pointer");
  // Untyped pointers take the type of what goes through them (SPV_KHR_untyped_pointers): there is nothing to compare.
  if (pointer->is(TypeKind::Pointer) && pointer->element != visit.type) {
    complain.result_relation("what the pointer points to", pointer->element);
    return;
  }
  // A value has a size, and an array without a length has none. Compilers of HLSL write such loads all the same, and
  // remove them later on.
  if (result->contains.has_any(TypeTrait::RuntimeArray) && !context.has(Feature::BeforeHlslLegalization)) {
    report.add(Rule::RuntimeArrayValue, visit.at_type(), {type_text(context, visit.type)});
  }
  if (is_storage_only(context, *result) && !is_loadable_small(*result)) {
    report.add(Rule::StorageOnlyType, visit.at_type(), {op_text(context, visit.op()), type_text(context, visit.type)});
  }
  check_memory_access(context, visit, report, {pointer, result, load.memory_access(), AccessKind::Reads});
}

// Storage that a shader sees and never writes, in any environment.
bool is_read_only(StorageClass storage) {
  return storage == StorageClass::UniformConstant || storage == StorageClass::Input ||
         storage == StorageClass::PushConstant || storage == StorageClass::ShaderRecordBufferKHR;
}

// Uniform blocks are read; storage buffers of older modules are Uniform, too, and BufferBlock.
bool is_uniform_block(const Context& context, Word pointer) {
  // A pointer to a member does not know its block: the variable at the other end of its chain does.
  const Word origin = origin_of(context, pointer);
  const TypeRow* type = context.type_of(origin);
  if (type == nullptr || !type->is(TypeKind::Pointer) || context.op_of(origin) != OpVariable) return false;
  const TypeRow& block = without_arrays(context, context.types.of(type->element));
  return context.decorations.has(block.id, Decoration::Block);
}

// What stands for an object of the API: it is bound, not written.
bool is_handle(const TypeRow& type) {
  return type.is(TypeKind::Image) || type.is(TypeKind::Sampler) || type.is(TypeKind::SampledImage) ||
         type.is(TypeKind::AccelerationStructure);
}

// Where it goes is judged apart from what goes there: both may be wrong at once.
void check_store(const Context& context, const Visit& visit, Report& report) {
  const Complaint complain{context, visit, report};
  const auto store = visit.as<OpStore>();
  const TypeRow *object = context.type_of(store.object()), *pointer = context.type_of(store.pointer());
  if (!check_pointer_type(context, visit, report, store.pointer(), "the pointer")) return;
  check_pointer_giver(context, visit, report, store.pointer(), "the pointer");
  // In Vulkan only, where one storage class may hold both sorts of buffers.
  if (context.is_vulkan() && pointer->storage == StorageClass::Uniform && is_uniform_block(context, store.pointer())) {
    report.add(Rule::UniformBlockStore, visit.at(store.pointer()), {op_text(context, visit.op())});
  }
  if (object == nullptr) return;
  if (is_read_only(pointer->storage)) {
    report.add(Rule::ReadOnlyStorage, visit.at(store.pointer()),
               {op_text(context, visit.op()), enumerant_text(context, pointer->storage)});
  }
  if (object->is(TypeKind::Void)) {
    complain.operand(store.object(), "the object", "a value that is not void");
    return;
  }
  if (pointer->is(TypeKind::Pointer) && pointer->element != object->id) {
    // A structure of the same layout is as good, where that is taken.
    const bool is_relaxed = context.has(Feature::RelaxStructStore) && object->is(TypeKind::Struct) &&
                            types_match(context, pointer->element, object->id, MatchLevel::SameLayout);
    if (!is_relaxed) {
      complain.relation(store.object(), "the object", "what the pointer points to", pointer->element);
      return;
    }
  }
  if (is_storage_only(context, *object) && !is_loadable_small(*object)) {
    report.add(Rule::StorageOnlyType, visit.at(store.object()),
               {op_text(context, visit.op()), type_text(context, object->id)});
  }
  // Bindless handles are numbers, and may be stored; front ends of HLSL keep handles in variables for a while.
  if (context.is_vulkan() && is_handle(without_arrays(context, *object)) &&
      !context.has(Feature::BeforeHlslLegalization) && !context.has(Capability::BindlessTextureNV)) {
    report.add(Rule::StoredHandle, visit.at(store.object()), {type_text(context, object->id)});
  }
  check_memory_access(context, visit, report, {pointer, object, store.memory_access(), AccessKind::Writes});
}

// --- accesses that may not take place (SPV_INTEL_predicated_io) ---------------------------------------------------------

void check_predicated_operands(const Context& context, const Visit& visit, Report& report,
                               const PointerAccess& access) {
  // A volatile access takes place, always and once: that is the opposite of a condition.
  if (access.mask.has(MemoryAccess::Volatile)) {
    report.add(Rule::VolatilePredicated, visit.at(access.mask), {op_text(context, visit.op())});
  }
  check_memory_access(context, visit, report, access);
}

// Typing rows check the predicate and the default value.
void check_predicated_load(const Context& context, const Visit& visit, Report& report) {
  const auto load = visit.as<OpPredicatedLoadINTEL>();
  if (!check_pointer_operand(context, visit, report, load.pointer(), "the pointer")) return;
  check_predicated_operands(
      context, visit, report,
      {context.type_of(load.pointer()), context.types.find(visit.type), load.memory_access(), AccessKind::Reads});
}

void check_predicated_store(const Context& context, const Visit& visit, Report& report) {
  const auto store = visit.as<OpPredicatedStoreINTEL>();
  if (!check_pointer_operand(context, visit, report, store.pointer(), "the pointer")) return;
  const TypeRow *pointer = context.type_of(store.pointer()), *object = context.type_of(store.object());
  if (object != nullptr && pointer->is(TypeKind::Pointer) && pointer->element != object->id) {
    Complaint{context, visit, report}.relation(store.object(), "the object", "what the pointer points to",
                                               pointer->element);
  }
  check_predicated_operands(context, visit, report, {pointer, object, store.memory_access(), AccessKind::Writes});
}

// --- copies -------------------------------------------------------------------------------------------------------------

// One mask stands for both sides; of two the first one is the target's.
void check_copy_access(const Context& context, const Visit& visit, Report& report, MemoryAccessView first,
                       MemoryAccessView second) {
  const TypeRow* target = context.type_of(visit.operand(OperandName::target));
  const TypeRow* source = context.type_of(visit.operand(OperandName::source));
  // What an untyped pointer points to is not known; then alignment and the like are judged without it.
  const auto value = [&](const TypeRow* pointer) {
    return pointer->is(TypeKind::Pointer) ? context.types.find(pointer->element) : nullptr;
  };
  if (!second.is_present()) {
    // The mask speaks of both pointers at once, and one that is wrong for both is wrong once.
    const bool is_physical = source->storage == StorageClass::PhysicalStorageBuffer;
    const TypeRow* judged = is_physical ? source : target;
    check_memory_access(context, visit, report,
                        {judged, value(judged), first, AccessKind::ReadsAndWrites, is_physical ? target : source});
    return;
  }
  if (context.version() < Version{1, 4}) {
    report.add(Rule::TwoMasks, visit.at(second), {op_text(context, visit.op())});
    return;
  }
  check_memory_access(context, visit, report, {target, value(target), first, AccessKind::Writes});
  check_memory_access(context, visit, report, {source, value(source), second, AccessKind::Reads});
}

// Stricter than loads and stores, which take small values one number, vector or matrix at a time.
void check_copied_type(const Context& context, const Visit& visit, Report& report, const TypeRow& pointer) {
  const TypeRow* value = context.types.find(pointer.element);
  if (value == nullptr || !is_storage_only(context, *value)) return;
  report.add(Rule::StorageOnlyType, visit.at(), {op_text(context, visit.op()), type_text(context, value->id)});
}

// What ends the walk early is what the next step would read: pointers, then a pointee, then equal ones.
void check_copy(const Context& context, const Visit& visit, Report& report) {
  const auto copy = visit.as<OpCopyMemory>();
  // With no demand on what made the pointers.
  if (!check_pointer_type(context, visit, report, copy.target(), "the target") ||
      !check_pointer_type(context, visit, report, copy.source(), "the source")) {
    return;
  }
  const Complaint complain{context, visit, report};
  const TypeRow *target = context.type_of(copy.target()), *source = context.type_of(copy.source());
  const bool has_types = target->is(TypeKind::Pointer) && source->is(TypeKind::Pointer);
  // How much is copied, a pointee says, so one of the two has to have one. (OpCopyMemorySized has an operand for it.)
  if (target->is(TypeKind::UntypedPointer) && source->is(TypeKind::UntypedPointer)) {
    complain.operand(copy.target(), "the target", "a typed pointer, or one as the source");
    return;
  }
  const TypeRow& typed = target->is(TypeKind::Pointer) ? *target : *source;
  if (context.types.of(typed.element).is(TypeKind::Void)) {
    complain.operand(&typed == target ? copy.target() : copy.source(), "the pointer",
                     "a pointer to a value that is not void");
    return;
  }
  if (has_types && target->element != source->element) {
    complain.relation(copy.source(), "the source", "what the target points to", target->element);
    return;
  }
  check_copied_type(context, visit, report, typed);
  check_copy_access(context, visit, report, copy.memory_access(), copy.memory_access_2());
}

// Bytes go where scalars of that size may be stored: else words do.
void check_copy_multiple(const Context& context, const Visit& visit, Report& report, std::uint64_t size) {
  if (!context.is_shader()) return;
  const auto copy = visit.as<OpCopyMemorySized>();
  const StorageClass target = context.type_of(copy.target())->storage, source = context.type_of(copy.source())->storage;
  const auto both_hold = [&](std::uint32_t width) {
    return may_hold_small(context, target, width) && may_hold_small(context, source, width);
  };
  if (both_hold(8)) return;
  const std::uint64_t multiple = both_hold(16) ? 2 : 4;
  if (size % multiple == 0) return;
  report.add(Rule::CopyMultiple, visit.at(copy.size()), {std::to_string(size), std::to_string(multiple)});
}

// The number of bytes is an operand, so pointees need neither be there nor agree.
void check_copy_sized(const Context& context, const Visit& visit, Report& report) {
  const auto copy = visit.as<OpCopyMemorySized>();
  // With no demand on what made the pointers.
  if (!check_pointer_type(context, visit, report, copy.target(), "the target") ||
      !check_pointer_type(context, visit, report, copy.source(), "the source")) {
    return;
  }
  const TypeRow* size = context.type_of(copy.size());
  if (size == nullptr) return;
  if (!size->is(TypeKind::Int)) {
    Complaint{context, visit, report}.operand(copy.size(), "the size", "an integer scalar");
    return;
  }
  // Sizes may be of signed types: such a size is read twice, since only one of the readings shows that it is negative.
  const auto value = context.constants.as_u64(copy.size());
  const auto negative = context.constants.as_i64(copy.size());
  if ((value && *value == 0) || (negative && *negative < 0)) {
    report.add(Rule::CopySize, visit.at(copy.size()), {std::to_string(negative.value_or(0))});
  } else if (value) {
    check_copy_multiple(context, visit, report, *value);
  }
  const TypeRow *target = context.type_of(copy.target()), *source = context.type_of(copy.source());
  for (const TypeRow* pointer : {target, source}) {
    if (pointer->is(TypeKind::Pointer)) check_copied_type(context, visit, report, *pointer);
    // A type that both sides have is reported once.
    if (target->element == source->element) break;
  }
  check_copy_access(context, visit, report, copy.memory_access(), copy.memory_access_2());
}

// --- lengths ------------------------------------------------------------------------------------------------------------

// How long an open-ended array is, is known of a buffer that is bound. Structure and member are judged in this order.
void check_array_length(const Context& context, const Visit& visit, Report& report) {
  const Complaint complain{context, visit, report};
  const TypeRow* result = context.types.find(visit.type);
  if (result == nullptr) return;
  if (!result->is(TypeKind::Int) || result->is_signed || (result->width != 32 && result->width != 64)) {
    complain.result("an unsigned integer of 32 or 64 bits");
    return;
  }
  // An untyped pointer cannot say which structure it is to, so the type stands in front of it as an operand.
  const bool is_untyped = visit.op() == OpUntypedArrayLengthKHR;
  const auto typed = visit.as<OpArrayLength>();
  const auto untyped = visit.as<OpUntypedArrayLengthKHR>();
  const AnyOperand pointer_operand = is_untyped ? untyped.pointer() : typed.structure();
  const Located<Word> member = is_untyped ? untyped.array_member() : typed.array_member();
  const TypeRow* pointer = context.type_of(pointer_operand);
  if (pointer == nullptr) return;
  if (!pointer->is(is_untyped ? TypeKind::UntypedPointer : TypeKind::Pointer)) {
    complain.operand(pointer_operand, "the structure", is_untyped ? "an untyped pointer" : "a pointer to a structure");
    return;
  }
  const TypeRow& structure = context.types.of(is_untyped ? Word{untyped.structure()} : pointer->element);
  if (!structure.is(TypeKind::Struct)) {
    if (is_untyped) {
      complain.part(untyped.structure(), "the type", "a structure");
    } else {
      complain.operand(typed.structure(), "the structure", "a pointer to a structure");
    }
    return;
  }
  const Words members = context.types.members(structure);
  // Only the last member of a structure may be open-ended, so no other has a length to ask for.
  if (members.empty() || !context.types.of(members.back()).is(TypeKind::RuntimeArray) ||
      member + std::size_t{1} != members.size()) {
    report.add(Rule::ArrayLengthMember, visit.at(member), {std::to_string(member), type_text(context, structure.id)});
  } else if (context.is_vulkan() && pointer->storage == StorageClass::Uniform &&
             context.decorations.has(structure.id, Decoration::Block)) {
    report.add(Rule::ArrayLengthUniform, visit.at(pointer_operand));
  }
}

// How many components of a matrix one invocation holds: asked of the type, no value is needed.
void check_matrix_length(const Context& context, const Visit& visit, Report& report) {
  const Complaint complain{context, visit, report};
  const TypeRow* result = context.types.find(visit.type);
  if (result == nullptr) return;
  const TypeKind wanted =
      visit.op() == OpCooperativeMatrixLengthKHR ? TypeKind::CooperativeMatrix : TypeKind::CooperativeMatrixNV;
  if (!result->is_int(32) || result->is_signed) complain.result("an unsigned integer of 32 bits");
  const AnyOperand type = visit.operand(OperandName::type);
  if (!context.types.of(type).is(wanted)) complain.part(type, "the type", "a cooperative matrix");
}

// --- comparisons --------------------------------------------------------------------------------------------------------

// Each step ends the walk: whether pointers compare at all, the result, the operands, then how they are addressed.
void check_pointer_comparison(const Context& context, const Visit& visit, Report& report) {
  const Complaint complain{context, visit, report};
  const AnyOperand operand_1 = visit.operand(OperandName::operand_1);
  const AnyOperand operand_2 = visit.operand(OperandName::operand_2);
  const TypeRow *result = context.types.find(visit.type), *left = context.type_of(operand_1),
                *right = context.type_of(operand_2);
  if (result == nullptr || left == nullptr || right == nullptr) return;
  // Without variable pointers a logical pointer is a name (2.16.1): who writes the module knows which are equal.
  if (context.is_logical && !context.has(Capability::VariablePointersStorageBuffer)) {
    report.add_once(Rule::PointerComparison, visit.at(), "logical pointers",
                    {op_text(context, visit.op()), "logical pointers", "the capability VariablePointers"});
    return;
  }
  const bool is_difference = visit.op() == OpPtrDiff;
  if (is_difference ? !result->is(TypeKind::Int) : !result->is(TypeKind::Bool)) {
    complain.result(is_difference ? "an integer scalar" : "a boolean scalar");
    return;
  }
  if (!left->is_pointer()) {
    complain.operand(operand_1, "operand 1", "a pointer");
    return;
  }
  if (!right->is_pointer()) {
    complain.operand(operand_2, "operand 2", "a pointer");
    return;
  }
  // Untyped pointers compare with typed ones; then the storage class has to be the same.
  const bool may_differ = left->is(TypeKind::UntypedPointer) || right->is(TypeKind::UntypedPointer);
  if (may_differ && !is_difference ? left->storage != right->storage : left->id != right->id) {
    complain.relation(operand_2, "operand 2", "the type of operand 1", left->id);
    return;
  }
  // Addresses are numbers, and compared as such after a conversion (SPV_KHR_physical_storage_buffer).
  if (left->storage == StorageClass::PhysicalStorageBuffer) {
    report.add(Rule::PointerComparison, visit.at(operand_1),
               {op_text(context, visit.op()), "pointers of PhysicalStorageBuffer", "integers"});
  } else if (context.preamble.addressing_model() == AddressingModel::Logical) {
    if (left->storage != StorageClass::Workgroup && left->storage != StorageClass::StorageBuffer) {
      report.add(Rule::PointerComparison, visit.at(operand_1),
                 {op_text(context, visit.op()), fmt::format("pointers of {}", enumerant_text(context, left->storage)),
                  "Workgroup or StorageBuffer"});
    } else if (left->storage == StorageClass::Workgroup && !context.has(Capability::VariablePointers)) {
      report.add_once(Rule::PointerComparison, visit.at(operand_1), "pointers of Workgroup",
                      {op_text(context, visit.op()), "pointers of Workgroup", "the capability VariablePointers"});
    }
  }
}

}  // namespace

std::span<const Check> memory_checks() {
  static constexpr Check checks[] = {
      {{OpLoad}, check_load},
      {{OpStore}, check_store},
      {{OpPredicatedLoadINTEL}, check_predicated_load},
      {{OpPredicatedStoreINTEL}, check_predicated_store},
      {{OpCopyMemory}, check_copy},
      {{OpCopyMemorySized}, check_copy_sized},
      {{OpArrayLength, OpUntypedArrayLengthKHR}, check_array_length},
      {{OpCooperativeMatrixLengthKHR, OpCooperativeMatrixLengthNV}, check_matrix_length},
      {{OpPtrEqual, OpPtrNotEqual, OpPtrDiff}, check_pointer_comparison},
  };
  return checks;
}

}  // namespace vireo::spirv
