// SPDX-License-Identifier: Apache-2.0
//
// Checks each bit of memory operands (memory_access.h).
//
// Source: specification 3.26; SPV_KHR_vulkan_memory_model; SPV_KHR_physical_storage_buffer for alignment.
#include "spirv/validate/checks/memory/memory_access.h"

#include <fmt/format.h>

#include "spirv/validate/analysis/fixes.h"
#include "spirv/validate/analysis/pointers.h"

namespace vireo::spirv {
namespace {

// Storage classes that invocations share. Only accesses to these may have NonPrivatePointer.
bool is_shared(StorageClass storage) {
  switch (storage) {
    case StorageClass::Uniform:
    case StorageClass::Workgroup:
    case StorageClass::CrossWorkgroup:
    case StorageClass::Generic:
    case StorageClass::Image:
    case StorageClass::StorageBuffer:
    case StorageClass::PhysicalStorageBuffer: return true;
    default: return false;
  }
}

// Returns the size in bytes of the largest scalar in a type; 0 if it is unknown.
std::uint32_t largest_scalar(const TypeRow& type) {
  if (type.contains.has_any(TypeTrait::Int64 | TypeTrait::Float64 | TypeTrait::PhysicalPointer)) return 8;
  if (type.contains.has_any(TypeTrait::Int32 | TypeTrait::Float32)) return 4;
  if (type.contains.has_any(TypeTrait::Int16 | TypeTrait::Float16 | TypeTrait::BFloat16)) return 2;
  return 0;
}

void check_alignment(const InstructionCheck& c, const PointerAccess& access) {
  const auto aligned = access.mask.Aligned();
  if (!aligned) return;
  const Word alignment = *aligned;
  // (std::has_single_bit would add a function call to each load and store.)
  if (alignment == 0 || (alignment & (alignment - 1)) != 0) {
    c.report(Rule::AlignmentPower, c.at(*aligned), {alignment});
  } else if (access.pointer->storage == StorageClass::PhysicalStorageBuffer && access.value != nullptr &&
             alignment < largest_scalar(*access.value)) {
    const std::string size = std::to_string(largest_scalar(*access.value));
    c.report(Rule::AlignmentSize, c.at(*aligned), {alignment, size, access.value->id});
    c.hint("use an alignment of at least " + size);
  }
}

// The operand that a mask applies to. A copy with two masks has one for each side.
std::string_view operand_of(const DecodedInstruction& inst, AccessKind kind) {
  const bool is_copy = is_memory_copy(inst.op());
  return !is_copy ? "the pointer" : kind == AccessKind::Reads ? "the source" : "the target";
}

void report_direction(const InstructionCheck& c, const PointerAccess& access, std::string_view bit) {
  c.report(Rule::AccessDirection, c.at(access.mask),
           {bit, operand_of(c, access.kind), c.op(), access.kind == AccessKind::Reads ? "read" : "written"});
}

}  // namespace

void check_memory_access(const InstructionCheck& c, const PointerAccess& access) {
  const bool is_physical = access.pointer->storage == StorageClass::PhysicalStorageBuffer;
  // Fast path: nearly all masks are empty or only Aligned.
  if (!access.mask.has(~MemoryAccess::Aligned) && !is_physical) {
    check_alignment(c, access);
    return;
  }
  // If there is no mask, all bits are clear and findings point at the instruction.
  const Place place = access.mask.is_present() ? c.at(access.mask) : c.at();
  const bool makes_available = access.mask.has(MemoryAccess::MakePointerAvailable);
  const bool makes_visible = access.mask.has(MemoryAccess::MakePointerVisible);
  const bool is_non_private = access.mask.has(MemoryAccess::NonPrivatePointer);
  if (access.mask.has(MemoryAccess::Aligned)) {
    check_alignment(c, access);
  } else if (is_physical) {
    // The alignment of an arbitrary address is unknown, so each access must state it.
    c.report(Rule::PhysicalAlignment, place, {c.op()});
    if (const std::uint32_t size = access.value == nullptr ? 0 : largest_scalar(*access.value); size != 0) {
      c.hint("add the memory operand Aligned {text}, or a larger power of two", {size});
    }
  }
  // A write makes memory available, a read makes it visible (SPV_KHR_vulkan_memory_model).
  if (makes_available && access.kind == AccessKind::Reads) { report_direction(c, access, "MakePointerAvailable"); }
  if (makes_visible && access.kind == AccessKind::Writes) { report_direction(c, access, "MakePointerVisible"); }
  // Availability and visibility have no effect on private accesses, so they require NonPrivatePointer.
  if ((makes_available || makes_visible) && !is_non_private) {
    c.report(Rule::NonPrivateMissing, place, {makes_available ? "MakePointerAvailable" : "MakePointerVisible"});
    c.hint("add NonPrivatePointer to the memory operands");
    fix_word(c, place, static_cast<Word>(access.mask.value() | MemoryAccess::NonPrivatePointer));
  }
  // Both pointers of a copy share the mask, so only one finding is reported.
  for (const TypeRow* pointer : {access.pointer, access.other}) {
    if (!is_non_private || pointer == nullptr || is_shared(pointer->storage)) continue;
    c.report(Rule::NonPrivateStorage, place, {pointer->storage});
    break;
  }
}

bool check_pointer_type(const InstructionCheck& c, AnyOperand pointer, const TypeRow& type, std::string_view name) {
  if (type.is_pointer()) return true;
  c.wrong_operand(pointer, name, "a pointer");
  return false;
}

bool check_pointer_type(const InstructionCheck& c, AnyOperand pointer, std::string_view name) {
  return check_pointer_type(c, pointer, c.type_of(pointer), name);
}

bool check_pointer_giver(const InstructionCheck& c, AnyOperand pointer) {
  if (gives_pointer(c, pointer)) return true;
  const Op op = c.op_of(pointer);
  c.report(Rule::LogicalPointer, c.at(pointer), {c.name(), pointer, op});
  note_pointer(c, pointer);
  // Variable pointers are allowed in two storage classes.
  if (makes_variable_pointer(op)) hint_variable_pointers(c, c.type_of(pointer).storage);
  return false;
}

bool check_pointer_operand(const InstructionCheck& c, AnyOperand pointer, std::string_view name) {
  return check_pointer_type(c, pointer, name) && check_pointer_giver(c, pointer);
}

void check_null_access(const InstructionCheck& c, AnyOperand pointer) {
  // Most modules have no null pointers, so no pointer needs to be traced.
  if (!c.has_null_pointers || !c.is_reachable()) return;
  const Word origin = origin_of(c, pointer, Through::Casts);
  if (c.constants.of(origin).kind != ConstantKind::Null) return;
  if (!c.type_of(pointer).is_pointer() || !c.type_of(origin).is_pointer()) return;
  c.report(Rule::NullAccess, c.at(pointer), {c.name(), origin});
}

}  // namespace vireo::spirv
