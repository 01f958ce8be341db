// SPDX-License-Identifier: Apache-2.0
//
// Memory instructions (specification 3.42.8): loads, stores, copies, lengths and comparisons. Variables and access
// chains have their own files.
//
// Every memory access has the same checks in the same order. The operand is a pointer. Its pointee has
// the type of the value. The storage class is readable or writable. The memory operands are valid.
#include <fmt/format.h>

#include <bit>
#include <string>

#include "spirv/validate/analysis/decoration_places.h"
#include "spirv/validate/analysis/fixes.h"
#include "spirv/validate/analysis/pointers.h"
#include "spirv/validate/analysis/small_types.h"
#include "spirv/validate/analysis/tensor_parts.h"
#include "spirv/validate/analysis/type_matching.h"
#include "spirv/validate/analysis/type_parts.h"
#include "spirv/validate/checks/checks.h"
#include "spirv/validate/checks/memory/memory_access.h"
#include "vireo/spirv/binary/views/memory.h"

namespace vireo::spirv {
namespace {

using enum Op;

// The storage capabilities for 8- and 16-bit types allow no arithmetic. A module with only these may load and store
// such types as scalars, vectors or matrices, but not as structures or arrays.
bool is_loadable_small(const TypeRow& type) {
  return type.is_scalar() || type.is_vector() || type.is(TypeKind::Matrix) || type.is_pointer();
}

// --- load and store --------------------------------------------------------------------------------------------------

// A value has a size, and a runtime array has none. HLSL compilers emit such loads and remove them later.
void check_runtime_array(const InstructionCheck& c, const TypeRow& type, Place place) {
  if (!type.contains.has_any(TypeTrait::RuntimeArray) || c.has(Feature::BeforeHlslLegalization)) return;
  c.report(Rule::RuntimeArrayValue, place, {c.op(), type.id});
}

// Ray queries and hit objects are state of the implementation: only their own instructions access them. The texts of
// their extensions name the pointee itself, not structures that contain one.
void check_ray_object(const InstructionCheck& c, const TypeRow& type, Place place) {
  if (!is_ray_object(type)) return;
  c.report(Rule::RayObjectAccess, place, {c.op(), type.id});
}

// The alignment of an access through the result of OpRawAccessChainNV is at least the size of a component. The text also
// requires that it is stated; recorded modules omit it. memory_access.cpp checks PhysicalStorageBuffer.
void check_raw_access(const InstructionCheck& c, AnyOperand pointer, const PointerAccess& access) {
  if (!c.has(Capability::RawAccessChainsNV) || c.op_of(pointer) != OpRawAccessChainNV ||
      access.pointer->storage == StorageClass::PhysicalStorageBuffer) {
    return;
  }
  const auto aligned = access.mask.Aligned();
  const std::uint32_t size = access.value->component().width / 8;
  // A value that is no power of two has its own finding.
  if (!aligned || *aligned >= size || !std::has_single_bit(Word{*aligned})) return;
  c.report(Rule::AlignmentSize, c.at(*aligned), {*aligned, size, access.value->id});
  c.vuid(0);
  c.hint("use an alignment of at least {text}", {size});
}

// If the pointee type is wrong, the loaded value is not checked.
void check_load(const InstructionCheck& c) {
  const auto load = c.as<OpLoad>();
  const TypeRow &result = c.types.of(c.type), &pointer = c.type_of(load.pointer());
  if (!check_pointer_type(c, load.pointer(), pointer, "the pointer")) return;
  check_pointer_giver(c, load.pointer());
  // An untyped pointer takes the type of the loaded value (SPV_KHR_untyped_pointers), so there is no type to compare.
  if (pointer.is(TypeKind::Pointer) && pointer.element != c.type) {
    c.result_mismatch("the pointee type of " + id_text(c, load.pointer()), pointer.element);
    return;
  }
  check_runtime_array(c, result, c.at_type());
  if (!is_loadable_small(result) && is_storage_only(c, result)) {
    c.report(Rule::StorageOnlyType, c.at_type(), {c.op(), c.type});
  }
  check_ray_object(c, result, c.at_type());
  const PointerAccess access{&pointer, &result, load.memory_access(), AccessKind::Reads};
  check_raw_access(c, load.pointer(), access);
  check_memory_access(c, access);
}

// Storage classes that shaders can only read, in any environment.
bool is_read_only(StorageClass storage) {
  return storage == StorageClass::UniformConstant || storage == StorageClass::Input ||
         storage == StorageClass::PushConstant || storage == StorageClass::ShaderRecordBufferKHR;
}

// Checks a type that an instruction stores or copies. Bindless handles are numbers and may be stored, and a tensor with
// a shape is a composite of numbers. HLSL front ends temporarily keep handles in variables.
void check_opaque(const ModuleCheck& c, const TypeRow& type, Place place, std::string_view what, Word id) {
  const TypeRow& element = type.innermost();
  if (!c.is_vulkan() || !is_bound_handle(element) || is_shaped_tensor(c, element) ||
      c.has(Feature::BeforeHlslLegalization) || c.has(Capability::BindlessTextureNV)) {
    return;
  }
  c.report(Rule::OpaqueTypeStore, place, {fmt::format("{}{}", what, id_text(c, id)), type.id});
}

// Checks that the memory to which an instruction writes is writable.
void check_written_storage(const InstructionCheck& c) {
  const bool is_copy = is_memory_copy(c.op());
  const AnyOperand pointer = c.operand(is_copy ? OperandName::target : OperandName::pointer);
  const TypeRow& type = c.type_of(pointer);
  if (!type.is_pointer()) return;
  // Only in Vulkan, where one storage class may hold both kinds of buffers.
  if (c.is_vulkan() && is_uniform_block(c, pointer)) {
    c.report(Rule::UniformBlockStore, c.at(pointer), {c.op(), pointer});
    note_pointer(c, pointer);
    c.hint("a writable block is in StorageBuffer");
  }
  if (is_read_only(type.storage)) {
    c.report(Rule::ReadOnlyStorage, c.at(pointer), {c.op(), pointer, type.storage});
    note_pointer(c, pointer);
  }
}

// The pointer and the object are checked separately: both may be wrong.
void check_store(const InstructionCheck& c) {
  const auto store = c.as<OpStore>();
  const TypeRow &object = c.type_of(store.object()), &pointer = c.type_of(store.pointer());
  if (!check_pointer_type(c, store.pointer(), pointer, "the pointer")) return;
  check_pointer_giver(c, store.pointer());
  if (object.is(TypeKind::Void)) {
    c.wrong_operand(store.object(), "the object", "a value that is not void");
    return;
  }
  if (pointer.is(TypeKind::Pointer) && pointer.element != object.id) {
    // RelaxStructStore accepts a structure of the same layout.
    const bool is_relaxed = c.has(Feature::RelaxStructStore) && object.is(TypeKind::Struct) &&
                            types_match(c, pointer.element, object.id, MatchLevel::SameLayout);
    if (!is_relaxed) {
      c.mismatch(store.object(), "the object", "the pointee type of " + id_text(c, store.pointer()), pointer.element);
      return;
    }
  }
  if (!is_loadable_small(object) && is_storage_only(c, object)) {
    c.report(Rule::StorageOnlyType, c.at(store.object()), {c.op(), object.id});
  }
  check_opaque(c, object, c.at(store.object()), "", store.object());
  check_ray_object(c, object, c.at(store.object()));
  const PointerAccess access{&pointer, &object, store.memory_access(), AccessKind::Writes};
  check_raw_access(c, store.pointer(), access);
  check_memory_access(c, access);
}

// --- predicated accesses (SPV_INTEL_predicated_io) -------------------------------------------------------------------

void check_predicated_operands(const InstructionCheck& c, const PointerAccess& access) {
  // A volatile access must happen exactly once, so it cannot be conditional.
  if (access.mask.has(MemoryAccess::Volatile)) { c.report(Rule::VolatilePredicated, c.at(access.mask), {c.op()}); }
  check_memory_access(c, access);
}

// Typing rows check the types of the predicate and the default value.
void check_predicated_load(const InstructionCheck& c) {
  const auto load = c.as<OpPredicatedLoadINTEL>();
  if (!check_pointer_operand(c, load.pointer(), "the pointer")) return;
  check_predicated_operands(c,
                            {&c.type_of(load.pointer()), &c.types.of(c.type), load.memory_access(), AccessKind::Reads});
}

void check_predicated_store(const InstructionCheck& c) {
  const auto store = c.as<OpPredicatedStoreINTEL>();
  if (!check_pointer_operand(c, store.pointer(), "the pointer")) return;
  const TypeRow &pointer = c.type_of(store.pointer()), &object = c.type_of(store.object());
  if (pointer.is(TypeKind::Pointer) && pointer.element != object.id) {
    c.mismatch(store.object(), "the object", "the pointee type of " + id_text(c, store.pointer()), pointer.element);
  }
  check_predicated_operands(c, {&pointer, &object, store.memory_access(), AccessKind::Writes});
}

// --- copies ----------------------------------------------------------------------------------------------------------

// A single mask applies to both pointers. If there are two masks, the first applies to the target and the second to the
// source.
void check_copy_access(const InstructionCheck& c, MemoryAccessView first, MemoryAccessView second) {
  const TypeRow* target = &c.type_of(c.operand(OperandName::target));
  const TypeRow* source = &c.type_of(c.operand(OperandName::source));
  // The pointee of an untyped pointer is unknown; then alignment and other operands are checked without it.
  const auto value = [&](const TypeRow* pointer) {
    return pointer->is(TypeKind::Pointer) ? c.types.find(pointer->element) : nullptr;
  };
  if (!second.is_present()) {
    // The mask applies to both pointers. An error that concerns both is reported once.
    const bool is_physical = source->storage == StorageClass::PhysicalStorageBuffer;
    const TypeRow* checked = is_physical ? source : target;
    check_memory_access(c, {checked, value(checked), first, AccessKind::ReadsAndWrites, is_physical ? target : source});
    return;
  }
  if (c.version() < Version{1, 4}) {
    c.report(Rule::SecondMemoryOperands, c.at(second),
             {c.op(), fmt::format("{}.{}", c.version().major, c.version().minor)});
    return;
  }
  check_memory_access(c, {target, value(target), first, AccessKind::Writes});
  check_memory_access(c, {source, value(source), second, AccessKind::Reads});
}

// Copies are stricter than loads and stores: they do not accept any storage-only type, not even scalars, vectors and
// matrices.
void check_copied_type(const InstructionCheck& c, const TypeRow& pointer) {
  const TypeRow* value = c.types.find(pointer.element);
  if (value == nullptr || !is_storage_only(c, *value)) return;
  c.report(Rule::StorageOnlyType, c.at(), {c.op(), value->id});
}

// Returns at the first error, in this order: both operands are pointers, one of them is typed, and the pointee types
// are equal.
void check_copy(const InstructionCheck& c) {
  const auto copy = c.as<OpCopyMemory>();
  // A copy accepts the result of any instruction as a pointer, so only the type is checked.
  if (!check_pointer_type(c, copy.target(), "the target") || !check_pointer_type(c, copy.source(), "the source")) {
    return;
  }
  const TypeRow &target = c.type_of(copy.target()), &source = c.type_of(copy.source());
  const bool has_types = target.is(TypeKind::Pointer) && source.is(TypeKind::Pointer);
  // The pointee type determines the size of the copy, so one of the two pointers must be typed. (OpCopyMemorySized has
  // a size operand.)
  if (target.is(TypeKind::UntypedPointer) && source.is(TypeKind::UntypedPointer)) {
    c.wrong_operand(copy.target(), "the target", "a typed pointer, or one as the source");
    return;
  }
  const TypeRow& typed = target.is(TypeKind::Pointer) ? target : source;
  if (typed.pointee().is(TypeKind::Void)) {
    c.wrong_operand(&typed == &target ? copy.target() : copy.source(), "the pointer",
                    "a pointer to a value that is not void");
    return;
  }
  if (has_types && target.element != source.element) {
    c.mismatch(copy.source(), "the source", "the pointee type of " + id_text(c, copy.target()), target.element);
    return;
  }
  check_copied_type(c, typed);
  const TypeRow& copied = typed.pointee();
  check_runtime_array(c, copied, c.at(copy.source()));
  check_opaque(c, copied, c.at(copy.source()), "the content of ", copy.source());
  check_ray_object(c, copied, c.at(copy.source()));
  check_copy_access(c, copy.memory_access(), copy.memory_access_2());
}

// The size must be a multiple of the smallest scalar (1, 2 or 4 bytes) that both storage classes may contain.
void check_copy_multiple(const InstructionCheck& c, std::uint64_t size) {
  if (!c.is_shader()) return;
  const auto copy = c.as<OpCopyMemorySized>();
  const StorageClass target = c.type_of(copy.target()).storage, source = c.type_of(copy.source()).storage;
  const auto both_hold = [&](std::uint32_t width) {
    return may_hold_small(c, target, width) && may_hold_small(c, source, width);
  };
  if (both_hold(8)) return;
  const std::uint64_t multiple = both_hold(16) ? 2 : 4;
  if (size % multiple == 0) return;
  c.report(Rule::CopyMultiple, c.at(copy.size()), {size, source, target, multiple});
}

// The size is an operand, so pointee types may be absent or differ.
void check_copy_sized(const InstructionCheck& c) {
  const auto copy = c.as<OpCopyMemorySized>();
  // A copy accepts the result of any instruction as a pointer, so only the type is checked.
  if (!check_pointer_type(c, copy.target(), "the target") || !check_pointer_type(c, copy.source(), "the source")) {
    return;
  }
  const TypeRow& size = c.type_of(copy.size());
  if (!size.is(TypeKind::Int)) {
    c.wrong_operand(copy.size(), "the size", "an integer scalar");
    return;
  }
  // The size may have a signed type. It is read as unsigned and as signed, because only the signed value can be
  // negative.
  const auto value = c.constants.as_u64(copy.size());
  const auto negative = c.constants.as_i64(copy.size());
  if ((value && *value == 0) || (negative && *negative < 0)) {
    c.report(Rule::CopySize, c.at(copy.size()), {negative.value_or(0)});
  } else if (value) {
    check_copy_multiple(c, *value);
  }
  const TypeRow *target = &c.type_of(copy.target()), *source = &c.type_of(copy.source());
  for (const TypeRow* pointer : {target, source}) {
    if (pointer->is(TypeKind::Pointer)) {
      check_copied_type(c, *pointer);
      check_ray_object(c, pointer->pointee(), c.at(pointer == target ? copy.target() : copy.source()));
    }
    // If both pointers have the same pointee type, one finding is enough.
    if (target->element == source->element) break;
  }
  check_copy_access(c, copy.memory_access(), copy.memory_access_2());
}

// --- lengths ---------------------------------------------------------------------------------------------------------

// OpArrayLength returns the length of the runtime array at the end of a structure. The structure is checked before the
// member.
void check_array_length(const InstructionCheck& c) {
  const TypeRow& result = c.types.of(c.type);
  const bool may_be_long = c.module_declarations.has_extension("SPV_EXT_shader_64bit_indexing");
  if (!result.is(TypeKind::Int) || result.is_signed || (result.width != 32 && !(may_be_long && result.width == 64))) {
    c.wrong_result(may_be_long ? "an unsigned integer of 32 or 64 bits" : "an unsigned integer of 32 bits");
    if (!may_be_long && result.is_int(64) && !result.is_signed) { hint_extension(c, "SPV_EXT_shader_64bit_indexing"); }
    return;
  }
  // OpUntypedArrayLengthKHR has the structure type as an operand before the pointer.
  const bool is_untyped = c.op() == OpUntypedArrayLengthKHR;
  const auto typed = c.as<OpArrayLength>();
  const auto untyped = c.as<OpUntypedArrayLengthKHR>();
  const AnyOperand pointer_operand = is_untyped ? untyped.pointer() : typed.structure();
  const Located<Word> member = is_untyped ? untyped.array_member() : typed.array_member();
  const TypeRow& pointer = c.type_of(pointer_operand);
  if (!pointer.is(is_untyped ? TypeKind::UntypedPointer : TypeKind::Pointer)) {
    c.wrong_operand(pointer_operand, is_untyped ? "the pointer" : "the structure",
                    is_untyped ? "an untyped pointer" : "a pointer to a structure");
    return;
  }
  const TypeRow& structure = c.types.of(is_untyped ? Word{untyped.structure()} : pointer.element);
  if (!structure.is(TypeKind::Struct)) {
    if (is_untyped) {
      c.wrong_part(untyped.structure(), "the type", "a structure");
    } else {
      c.wrong_operand(typed.structure(), "the structure", "a pointer to a structure");
    }
    return;
  }
  const Words members = c.types.members(structure);
  // Only the last member of a structure may be a runtime array.
  if (members.empty() || !c.types.of(members.back()).is(TypeKind::RuntimeArray) ||
      member + std::size_t{1} != members.size()) {
    const bool has_array = !members.empty() && c.types.of(members.back()).is(TypeKind::RuntimeArray);
    std::string found = member_text(c, structure.id, member);
    if (member >= members.size()) {
      found += fmt::format(", which has {} member{}", members.size(), members.size() == 1 ? "" : "s");
    } else if (member + std::size_t{1} != members.size()) {
      found += ", which is not its last member";
    } else {
      found += fmt::format(" of type {}", type_name(c, members[member]));
    }
    c.report(Rule::ArrayLengthMember, c.at(member), {c.op(), found});
    if (has_array) c.hint("the runtime array is member {text}", {members.size() - 1});
    c.note({structure.declaration, 0}, "structure declared here");
  } else if (is_untyped && !c.decorations.has(structure.id, Decoration::Block)) {
    c.report(Rule::ArrayLengthBlock, c.at(untyped.structure()), {structure.id});
    c.findings.await_counterpart(missing_decoration(Decoration::Block, structure.id));
    hint_decoration(c, Decoration::Block, structure.id);
    c.note({structure.declaration, 0}, "structure declared here");
  } else if (c.is_vulkan() && pointer.storage == StorageClass::Uniform &&
             c.decorations.has(structure.id, Decoration::Block)) {
    c.report(Rule::ArrayLengthUniform, c.at(pointer_operand), {c.op(), pointer_operand});
    note_pointer(c, pointer_operand);
  }
}

// OpCooperativeMatrixLength returns the number of components that each invocation stores. Its operand is a type.
void check_matrix_length(const InstructionCheck& c) {
  const TypeRow& result = c.types.of(c.type);
  const TypeKind wanted =
      c.op() == OpCooperativeMatrixLengthKHR ? TypeKind::CooperativeMatrix : TypeKind::CooperativeMatrixNV;
  if (!result.is_int(32) || result.is_signed) c.wrong_result("an unsigned integer of 32 bits");
  const AnyOperand type = c.operand(OperandName::type);
  if (!c.types.of(type).is(wanted)) c.wrong_part(type, "the type", "a cooperative matrix");
}

// --- comparisons -----------------------------------------------------------------------------------------------------

// Returns at the first error. Checks the capabilities, the result type, the operand types and then the addressing
// model.
void check_pointer_comparison(const InstructionCheck& c) {
  const AnyOperand operand_1 = c.operand(OperandName::operand_1);
  const AnyOperand operand_2 = c.operand(OperandName::operand_2);
  const TypeRow &result = c.types.of(c.type), &left = c.type_of(operand_1), &right = c.type_of(operand_2);
  // Without variable pointers a logical pointer is a fixed path (2.16.1), so the module's author knows which are equal.
  if (c.is_logical && !c.has(Capability::VariablePointersStorageBuffer)) {
    const Capability missing = left.storage == StorageClass::StorageBuffer ? Capability::VariablePointersStorageBuffer
                                                                           : Capability::VariablePointers;
    c.report_once(Rule::PointerComparison, c.at(), "logical pointers",
                  {c.op(), "logical pointers", missing_text(c, {.capability = missing})});
    c.name_missing(Rule::PointerComparison, missing);
    hint_capability(c, missing);
    return;
  }
  const bool is_difference = c.op() == OpPtrDiff;
  if (is_difference ? !result.is(TypeKind::Int) : !result.is(TypeKind::Bool)) {
    c.wrong_result(is_difference ? "an integer scalar" : "a boolean scalar");
    return;
  }
  if (!left.is_pointer()) {
    c.wrong_operand(operand_1, "operand 1", "a pointer");
    return;
  }
  if (!right.is_pointer()) {
    c.wrong_operand(operand_2, "operand 2", "a pointer");
    return;
  }
  // Untyped pointers may be compared with typed ones of the same storage class.
  const bool may_differ = left.is(TypeKind::UntypedPointer) || right.is(TypeKind::UntypedPointer);
  if (may_differ && !is_difference ? left.storage != right.storage : left.id != right.id) {
    c.mismatch(operand_2, "operand 2", "the type of operand 1", left.id);
    return;
  }
  // Addresses are compared as integers after a conversion (SPV_KHR_physical_storage_buffer).
  if (left.storage == StorageClass::PhysicalStorageBuffer) {
    c.report(Rule::PointerComparison, c.at(operand_1),
             {c.op(), "PhysicalStorageBuffer pointers", "expected integers, which OpConvertPtrToU returns"});
  } else if (c.module_declarations.addressing_model() == AddressingModel::Logical) {
    if (left.storage != StorageClass::Workgroup && left.storage != StorageClass::StorageBuffer) {
      c.report(Rule::PointerComparison, c.at(operand_1),
               {c.op(), fmt::format("{} pointers", enumerant_text(c, left.storage)),
                "expected Workgroup or StorageBuffer pointers"});
    } else if (left.storage == StorageClass::Workgroup && !c.has(Capability::VariablePointers)) {
      c.report_once(Rule::PointerComparison, c.at(operand_1), "pointers of Workgroup",
                    {c.op(), "Workgroup pointers", "this requires capability VariablePointers"});
      c.name_missing(Rule::PointerComparison, Capability::VariablePointers);
      hint_capability(c, Capability::VariablePointers);
    }
  }
}

}  // namespace

std::span<const Check> memory_checks() {
  static constexpr Check checks[] = {
      {stores, check_written_storage},
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
