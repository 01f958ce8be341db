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

#include "spirv/validate/analysis/pointers.h"
#include "spirv/validate/analysis/small_types.h"
#include "spirv/validate/analysis/type_matching.h"
#include "spirv/validate/analysis/type_parts.h"
#include "spirv/validate/checks/memory/memory_access.h"
#include "spirv/validate/checks/tensors/tensor_parts.h"
#include "spirv/validate/engine/checks.h"
#include "spirv/validate/engine/fixes.h"
#include "spirv/validate/engine/type_error_reporter.h"
#include "vireo/spirv/views/memory.h"

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
void check_runtime_array(const Context& context, const DecodedInstruction& visit, Report& report, const TypeRow& type,
                         Place place) {
  if (!type.contains.has_any(TypeTrait::RuntimeArray) || context.has(Feature::BeforeHlslLegalization)) return;
  report.add(Rule::RuntimeArrayValue, place, {op_text(context, visit.op()), type_text(context, type.id)});
}

// Ray queries and hit objects are state of the implementation: only their own instructions access them. The texts of
// their extensions name the pointee itself, not structures that contain one.
void check_ray_object(const Context& context, const DecodedInstruction& visit, Report& report, const TypeRow& type,
                      Place place) {
  if (!is_ray_object(type)) return;
  report.add(Rule::RayObjectAccess, place, {op_text(context, visit.op()), type_text(context, type.id)});
}

// The alignment of an access through the result of OpRawAccessChainNV is at least the size of a component. The text also
// requires that it is stated; recorded modules omit it. memory_access.cpp checks PhysicalStorageBuffer.
void check_raw_access(const Context& context, const DecodedInstruction& visit, Report& report, AnyOperand pointer,
                      const PointerAccess& access) {
  if (!context.has(Capability::RawAccessChainsNV) || context.op_of(pointer) != OpRawAccessChainNV ||
      access.pointer->storage == StorageClass::PhysicalStorageBuffer) {
    return;
  }
  const auto aligned = access.mask.Aligned();
  const std::uint32_t size = context.types.row(access.value->component).width / 8;
  // A value that is no power of two has its own finding.
  if (!aligned || *aligned >= size || !std::has_single_bit(Word{*aligned})) return;
  report.add(Rule::AlignmentSize, visit.at(*aligned),
             {std::to_string(*aligned), std::to_string(size), type_name(context, access.value->id)});
  report.vuid(0);
  report.hint(fmt::format("use an alignment of at least {}", size));
}

// If the pointee type is wrong, the loaded value is not checked.
void check_load(const Context& context, const DecodedInstruction& visit, Report& report) {
  const TypeErrorReporter type_errors{context, visit, report};
  const auto load = visit.as<OpLoad>();
  const TypeRow &result = context.types.of(visit.type), &pointer = context.type_of(load.pointer());
  if (!check_pointer_type(context, visit, report, load.pointer(), "the pointer")) return;
  check_pointer_giver(context, visit, report, load.pointer());
  // An untyped pointer takes the type of the loaded value (SPV_KHR_untyped_pointers), so there is no type to compare.
  if (pointer.is(TypeKind::Pointer) && pointer.element != visit.type) {
    type_errors.result_relation("the pointee type of " + id_text(context, load.pointer()), pointer.element);
    return;
  }
  check_runtime_array(context, visit, report, result, visit.at_type());
  if (is_storage_only(context, result) && !is_loadable_small(result)) {
    report.add(Rule::StorageOnlyType, visit.at_type(), {op_text(context, visit.op()), type_text(context, visit.type)});
  }
  check_ray_object(context, visit, report, result, visit.at_type());
  const PointerAccess access{&pointer, &result, load.memory_access(), AccessKind::Reads};
  check_raw_access(context, visit, report, load.pointer(), access);
  check_memory_access(context, visit, report, access);
}

// Storage classes that shaders can only read, in any environment.
bool is_read_only(StorageClass storage) {
  return storage == StorageClass::UniformConstant || storage == StorageClass::Input ||
         storage == StorageClass::PushConstant || storage == StorageClass::ShaderRecordBufferKHR;
}

// Checks a type that an instruction stores or copies. Bindless handles are numbers and may be stored, and a tensor with
// a shape is a composite of numbers. HLSL front ends temporarily keep handles in variables.
void check_opaque(const Context& context, Report& report, const TypeRow& type, Place place, const std::string& what) {
  const TypeRow& element = innermost_element(context, type);
  if (!context.is_vulkan() || !is_bound_handle(element) || is_shaped_tensor(context, element) ||
      context.has(Feature::BeforeHlslLegalization) || context.has(Capability::BindlessTextureNV)) {
    return;
  }
  report.add(Rule::OpaqueTypeStore, place, {what, type_name(context, type.id)});
}

// Checks that the memory to which an instruction writes is writable.
void check_written_storage(const Context& context, const DecodedInstruction& visit, Report& report) {
  const bool is_copy = visit.op() == OpCopyMemory || visit.op() == OpCopyMemorySized;
  const AnyOperand pointer = visit.operand(is_copy ? OperandName::target : OperandName::pointer);
  const TypeRow& type = context.type_of(pointer);
  if (!type.is_pointer()) return;
  // Only in Vulkan, where one storage class may hold both kinds of buffers.
  if (context.is_vulkan() && is_uniform_block(context, pointer)) {
    report.add(Rule::UniformBlockStore, visit.at(pointer), {op_text(context, visit.op()), id_text(context, pointer)});
    note_pointer(context, report, pointer);
    report.hint("a writable block is in StorageBuffer");
  }
  if (is_read_only(type.storage)) {
    report.add(Rule::ReadOnlyStorage, visit.at(pointer),
               {op_text(context, visit.op()), id_text(context, pointer), enumerant_text(context, type.storage)});
    note_pointer(context, report, pointer);
  }
}

// The pointer and the object are checked separately: both may be wrong.
void check_store(const Context& context, const DecodedInstruction& visit, Report& report) {
  const TypeErrorReporter type_errors{context, visit, report};
  const auto store = visit.as<OpStore>();
  const TypeRow &object = context.type_of(store.object()), &pointer = context.type_of(store.pointer());
  if (!check_pointer_type(context, visit, report, store.pointer(), "the pointer")) return;
  check_pointer_giver(context, visit, report, store.pointer());
  if (object.is(TypeKind::Void)) {
    type_errors.operand(store.object(), "the object", "a value that is not void");
    return;
  }
  if (pointer.is(TypeKind::Pointer) && pointer.element != object.id) {
    // RelaxStructStore accepts a structure of the same layout.
    const bool is_relaxed = context.has(Feature::RelaxStructStore) && object.is(TypeKind::Struct) &&
                            types_match(context, pointer.element, object.id, MatchLevel::SameLayout);
    if (!is_relaxed) {
      type_errors.relation(store.object(), "the object", "the pointee type of " + id_text(context, store.pointer()),
                           pointer.element);
      return;
    }
  }
  if (is_storage_only(context, object) && !is_loadable_small(object)) {
    report.add(Rule::StorageOnlyType, visit.at(store.object()),
               {op_text(context, visit.op()), type_text(context, object.id)});
  }
  check_opaque(context, report, object, visit.at(store.object()), id_text(context, store.object()));
  check_ray_object(context, visit, report, object, visit.at(store.object()));
  const PointerAccess access{&pointer, &object, store.memory_access(), AccessKind::Writes};
  check_raw_access(context, visit, report, store.pointer(), access);
  check_memory_access(context, visit, report, access);
}

// --- predicated accesses (SPV_INTEL_predicated_io) -------------------------------------------------------------------

void check_predicated_operands(const Context& context, const DecodedInstruction& visit, Report& report,
                               const PointerAccess& access) {
  // A volatile access must happen exactly once, so it cannot be conditional.
  if (access.mask.has(MemoryAccess::Volatile)) {
    report.add(Rule::VolatilePredicated, visit.at(access.mask), {op_text(context, visit.op())});
  }
  check_memory_access(context, visit, report, access);
}

// Typing rows check the types of the predicate and the default value.
void check_predicated_load(const Context& context, const DecodedInstruction& visit, Report& report) {
  const auto load = visit.as<OpPredicatedLoadINTEL>();
  if (!check_pointer_operand(context, visit, report, load.pointer(), "the pointer")) return;
  check_predicated_operands(
      context, visit, report,
      {&context.type_of(load.pointer()), &context.types.of(visit.type), load.memory_access(), AccessKind::Reads});
}

void check_predicated_store(const Context& context, const DecodedInstruction& visit, Report& report) {
  const auto store = visit.as<OpPredicatedStoreINTEL>();
  if (!check_pointer_operand(context, visit, report, store.pointer(), "the pointer")) return;
  const TypeRow &pointer = context.type_of(store.pointer()), &object = context.type_of(store.object());
  if (pointer.is(TypeKind::Pointer) && pointer.element != object.id) {
    TypeErrorReporter{context, visit, report}.relation(
        store.object(), "the object", "the pointee type of " + id_text(context, store.pointer()), pointer.element);
  }
  check_predicated_operands(context, visit, report, {&pointer, &object, store.memory_access(), AccessKind::Writes});
}

// --- copies ----------------------------------------------------------------------------------------------------------

// A single mask applies to both pointers. If there are two masks, the first applies to the target and the second to the
// source.
void check_copy_access(const Context& context, const DecodedInstruction& visit, Report& report, MemoryAccessView first,
                       MemoryAccessView second) {
  const TypeRow* target = &context.type_of(visit.operand(OperandName::target));
  const TypeRow* source = &context.type_of(visit.operand(OperandName::source));
  // The pointee of an untyped pointer is unknown; then alignment and other operands are checked without it.
  const auto value = [&](const TypeRow* pointer) {
    return pointer->is(TypeKind::Pointer) ? context.types.find(pointer->element) : nullptr;
  };
  if (!second.is_present()) {
    // The mask applies to both pointers. An error that concerns both is reported once.
    const bool is_physical = source->storage == StorageClass::PhysicalStorageBuffer;
    const TypeRow* checked = is_physical ? source : target;
    check_memory_access(context, visit, report,
                        {checked, value(checked), first, AccessKind::ReadsAndWrites, is_physical ? target : source});
    return;
  }
  if (context.version() < Version{1, 4}) {
    report.add(Rule::SecondMemoryOperands, visit.at(second),
               {op_text(context, visit.op()), fmt::format("{}.{}", context.version().major, context.version().minor)});
    return;
  }
  check_memory_access(context, visit, report, {target, value(target), first, AccessKind::Writes});
  check_memory_access(context, visit, report, {source, value(source), second, AccessKind::Reads});
}

// Copies are stricter than loads and stores: they do not accept any storage-only type, not even scalars, vectors and
// matrices.
void check_copied_type(const Context& context, const DecodedInstruction& visit, Report& report,
                       const TypeRow& pointer) {
  const TypeRow* value = context.types.find(pointer.element);
  if (value == nullptr || !is_storage_only(context, *value)) return;
  report.add(Rule::StorageOnlyType, visit.at(), {op_text(context, visit.op()), type_text(context, value->id)});
}

// Returns at the first error, in this order: both operands are pointers, one of them is typed, and the pointee types
// are equal.
void check_copy(const Context& context, const DecodedInstruction& visit, Report& report) {
  const auto copy = visit.as<OpCopyMemory>();
  // A copy accepts the result of any instruction as a pointer, so only the type is checked.
  if (!check_pointer_type(context, visit, report, copy.target(), "the target") ||
      !check_pointer_type(context, visit, report, copy.source(), "the source")) {
    return;
  }
  const TypeErrorReporter type_errors{context, visit, report};
  const TypeRow &target = context.type_of(copy.target()), &source = context.type_of(copy.source());
  const bool has_types = target.is(TypeKind::Pointer) && source.is(TypeKind::Pointer);
  // The pointee type determines the size of the copy, so one of the two pointers must be typed. (OpCopyMemorySized has
  // a size operand.)
  if (target.is(TypeKind::UntypedPointer) && source.is(TypeKind::UntypedPointer)) {
    type_errors.operand(copy.target(), "the target", "a typed pointer, or one as the source");
    return;
  }
  const TypeRow& typed = target.is(TypeKind::Pointer) ? target : source;
  if (context.types.of(typed.element).is(TypeKind::Void)) {
    type_errors.operand(&typed == &target ? copy.target() : copy.source(), "the pointer",
                        "a pointer to a value that is not void");
    return;
  }
  if (has_types && target.element != source.element) {
    type_errors.relation(copy.source(), "the source", "the pointee type of " + id_text(context, copy.target()),
                         target.element);
    return;
  }
  check_copied_type(context, visit, report, typed);
  const TypeRow& copied = context.types.of(typed.element);
  check_runtime_array(context, visit, report, copied, visit.at(copy.source()));
  check_opaque(context, report, copied, visit.at(copy.source()), "the content of " + id_text(context, copy.source()));
  check_ray_object(context, visit, report, copied, visit.at(copy.source()));
  check_copy_access(context, visit, report, copy.memory_access(), copy.memory_access_2());
}

// The size must be a multiple of the smallest scalar (1, 2 or 4 bytes) that both storage classes may contain.
void check_copy_multiple(const Context& context, const DecodedInstruction& visit, Report& report, std::uint64_t size) {
  if (!context.is_shader()) return;
  const auto copy = visit.as<OpCopyMemorySized>();
  const StorageClass target = context.type_of(copy.target()).storage, source = context.type_of(copy.source()).storage;
  const auto both_hold = [&](std::uint32_t width) {
    return may_hold_small(context, target, width) && may_hold_small(context, source, width);
  };
  if (both_hold(8)) return;
  const std::uint64_t multiple = both_hold(16) ? 2 : 4;
  if (size % multiple == 0) return;
  report.add(Rule::CopyMultiple, visit.at(copy.size()),
             {std::to_string(size), enumerant_text(context, source), enumerant_text(context, target),
              std::to_string(multiple)});
}

// The size is an operand, so pointee types may be absent or differ.
void check_copy_sized(const Context& context, const DecodedInstruction& visit, Report& report) {
  const auto copy = visit.as<OpCopyMemorySized>();
  // A copy accepts the result of any instruction as a pointer, so only the type is checked.
  if (!check_pointer_type(context, visit, report, copy.target(), "the target") ||
      !check_pointer_type(context, visit, report, copy.source(), "the source")) {
    return;
  }
  const TypeRow& size = context.type_of(copy.size());
  if (!size.is(TypeKind::Int)) {
    TypeErrorReporter{context, visit, report}.operand(copy.size(), "the size", "an integer scalar");
    return;
  }
  // The size may have a signed type. It is read as unsigned and as signed, because only the signed value can be
  // negative.
  const auto value = context.constants.as_u64(copy.size());
  const auto negative = context.constants.as_i64(copy.size());
  if ((value && *value == 0) || (negative && *negative < 0)) {
    report.add(Rule::CopySize, visit.at(copy.size()), {std::to_string(negative.value_or(0))});
  } else if (value) {
    check_copy_multiple(context, visit, report, *value);
  }
  const TypeRow *target = &context.type_of(copy.target()), *source = &context.type_of(copy.source());
  for (const TypeRow* pointer : {target, source}) {
    if (pointer->is(TypeKind::Pointer)) {
      check_copied_type(context, visit, report, *pointer);
      check_ray_object(context, visit, report, context.types.of(pointer->element),
                       visit.at(pointer == target ? copy.target() : copy.source()));
    }
    // If both pointers have the same pointee type, one finding is enough.
    if (target->element == source->element) break;
  }
  check_copy_access(context, visit, report, copy.memory_access(), copy.memory_access_2());
}

// --- lengths ---------------------------------------------------------------------------------------------------------

// OpArrayLength returns the length of the runtime array at the end of a structure. The structure is checked before the
// member.
void check_array_length(const Context& context, const DecodedInstruction& visit, Report& report) {
  const TypeErrorReporter type_errors{context, visit, report};
  const TypeRow& result = context.types.of(visit.type);
  const bool may_be_long = context.module_declarations.has_extension("SPV_EXT_shader_64bit_indexing");
  if (!result.is(TypeKind::Int) || result.is_signed || (result.width != 32 && !(may_be_long && result.width == 64))) {
    type_errors.result(may_be_long ? "an unsigned integer of 32 or 64 bits" : "an unsigned integer of 32 bits");
    if (!may_be_long && result.is_int(64) && !result.is_signed) {
      hint_extension(context, report, "SPV_EXT_shader_64bit_indexing");
    }
    return;
  }
  // OpUntypedArrayLengthKHR has the structure type as an operand before the pointer.
  const bool is_untyped = visit.op() == OpUntypedArrayLengthKHR;
  const auto typed = visit.as<OpArrayLength>();
  const auto untyped = visit.as<OpUntypedArrayLengthKHR>();
  const AnyOperand pointer_operand = is_untyped ? untyped.pointer() : typed.structure();
  const Located<Word> member = is_untyped ? untyped.array_member() : typed.array_member();
  const TypeRow& pointer = context.type_of(pointer_operand);
  if (!pointer.is(is_untyped ? TypeKind::UntypedPointer : TypeKind::Pointer)) {
    type_errors.operand(pointer_operand, is_untyped ? "the pointer" : "the structure",
                        is_untyped ? "an untyped pointer" : "a pointer to a structure");
    return;
  }
  const TypeRow& structure = context.types.of(is_untyped ? Word{untyped.structure()} : pointer.element);
  if (!structure.is(TypeKind::Struct)) {
    if (is_untyped) {
      type_errors.part(untyped.structure(), "the type", "a structure");
    } else {
      type_errors.operand(typed.structure(), "the structure", "a pointer to a structure");
    }
    return;
  }
  const Words members = context.types.members(structure);
  // Only the last member of a structure may be a runtime array.
  if (members.empty() || !context.types.of(members.back()).is(TypeKind::RuntimeArray) ||
      member + std::size_t{1} != members.size()) {
    const bool has_array = !members.empty() && context.types.of(members.back()).is(TypeKind::RuntimeArray);
    std::string found = member_text(context, structure.id, member);
    if (member >= members.size()) {
      found += fmt::format(", which has {} member{}", members.size(), members.size() == 1 ? "" : "s");
    } else if (member + std::size_t{1} != members.size()) {
      found += ", which is not its last member";
    } else {
      found += fmt::format(" of type {}", type_name(context, members[member]));
    }
    report.add(Rule::ArrayLengthMember, visit.at(member), {op_text(context, visit.op()), found});
    if (has_array) report.hint(fmt::format("the runtime array is member {}", members.size() - 1));
    report.note({structure.declaration, 0}, "structure declared here");
  } else if (is_untyped && !context.decorations.has(structure.id, Decoration::Block)) {
    report.add(Rule::ArrayLengthBlock, visit.at(untyped.structure()), {type_text(context, structure.id)});
    hint_decoration(context, report, Decoration::Block, structure.id);
    report.note({structure.declaration, 0}, "structure declared here");
  } else if (context.is_vulkan() && pointer.storage == StorageClass::Uniform &&
             context.decorations.has(structure.id, Decoration::Block)) {
    report.add(Rule::ArrayLengthUniform, visit.at(pointer_operand),
               {op_text(context, visit.op()), id_text(context, pointer_operand)});
    note_pointer(context, report, pointer_operand);
  }
}

// OpCooperativeMatrixLength returns the number of components that each invocation stores. Its operand is a type.
void check_matrix_length(const Context& context, const DecodedInstruction& visit, Report& report) {
  const TypeErrorReporter type_errors{context, visit, report};
  const TypeRow& result = context.types.of(visit.type);
  const TypeKind wanted =
      visit.op() == OpCooperativeMatrixLengthKHR ? TypeKind::CooperativeMatrix : TypeKind::CooperativeMatrixNV;
  if (!result.is_int(32) || result.is_signed) type_errors.result("an unsigned integer of 32 bits");
  const AnyOperand type = visit.operand(OperandName::type);
  if (!context.types.of(type).is(wanted)) type_errors.part(type, "the type", "a cooperative matrix");
}

// --- comparisons -----------------------------------------------------------------------------------------------------

// Returns at the first error. Checks the capabilities, the result type, the operand types and then the addressing
// model.
void check_pointer_comparison(const Context& context, const DecodedInstruction& visit, Report& report) {
  const TypeErrorReporter type_errors{context, visit, report};
  const AnyOperand operand_1 = visit.operand(OperandName::operand_1);
  const AnyOperand operand_2 = visit.operand(OperandName::operand_2);
  const TypeRow &result = context.types.of(visit.type), &left = context.type_of(operand_1),
                &right = context.type_of(operand_2);
  // Without variable pointers a logical pointer is a fixed path (2.16.1), so the module's author knows which are equal.
  if (context.is_logical && !context.has(Capability::VariablePointersStorageBuffer)) {
    const Capability missing = left.storage == StorageClass::StorageBuffer ? Capability::VariablePointersStorageBuffer
                                                                           : Capability::VariablePointers;
    report.add_once(Rule::PointerComparison, visit.at(), "logical pointers",
                    {op_text(context, visit.op()), "logical pointers", missing_text(context, {.capability = missing})});
    hint_capability(context, report, missing);
    return;
  }
  const bool is_difference = visit.op() == OpPtrDiff;
  if (is_difference ? !result.is(TypeKind::Int) : !result.is(TypeKind::Bool)) {
    type_errors.result(is_difference ? "an integer scalar" : "a boolean scalar");
    return;
  }
  if (!left.is_pointer()) {
    type_errors.operand(operand_1, "operand 1", "a pointer");
    return;
  }
  if (!right.is_pointer()) {
    type_errors.operand(operand_2, "operand 2", "a pointer");
    return;
  }
  // Untyped pointers may be compared with typed ones of the same storage class.
  const bool may_differ = left.is(TypeKind::UntypedPointer) || right.is(TypeKind::UntypedPointer);
  if (may_differ && !is_difference ? left.storage != right.storage : left.id != right.id) {
    type_errors.relation(operand_2, "operand 2", "the type of operand 1", left.id);
    return;
  }
  // Addresses are compared as integers after a conversion (SPV_KHR_physical_storage_buffer).
  if (left.storage == StorageClass::PhysicalStorageBuffer) {
    report.add(Rule::PointerComparison, visit.at(operand_1),
               {op_text(context, visit.op()), "PhysicalStorageBuffer pointers",
                "expected integers, which OpConvertPtrToU returns"});
  } else if (context.module_declarations.addressing_model() == AddressingModel::Logical) {
    if (left.storage != StorageClass::Workgroup && left.storage != StorageClass::StorageBuffer) {
      report.add(Rule::PointerComparison, visit.at(operand_1),
                 {op_text(context, visit.op()), fmt::format("{} pointers", enumerant_text(context, left.storage)),
                  "expected Workgroup or StorageBuffer pointers"});
    } else if (left.storage == StorageClass::Workgroup && !context.has(Capability::VariablePointers)) {
      report.add_once(
          Rule::PointerComparison, visit.at(operand_1), "pointers of Workgroup",
          {op_text(context, visit.op()), "Workgroup pointers", "this requires capability VariablePointers"});
      hint_capability(context, report, Capability::VariablePointers);
    }
  }
}

}  // namespace

std::span<const Check> memory_checks() {
  static constexpr Check checks[] = {
      {{OpStore, OpPredicatedStoreINTEL, OpCopyMemory, OpCopyMemorySized}, check_written_storage},
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
