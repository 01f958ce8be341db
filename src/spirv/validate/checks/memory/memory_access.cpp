// SPDX-License-Identifier: Apache-2.0
//
// Checks each bit of memory operands (memory_access.h).
//
// Source: specification 3.26; SPV_KHR_vulkan_memory_model; SPV_KHR_physical_storage_buffer for alignment.
#include "spirv/validate/checks/memory/memory_access.h"

#include <fmt/format.h>

#include "spirv/validate/analysis/pointers.h"
#include "spirv/validate/engine/fixes.h"
#include "spirv/validate/engine/type_error_reporter.h"

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

void check_alignment(const Context& context, const DecodedInstruction& visit, Report& report,
                     const PointerAccess& access) {
  const auto aligned = access.mask.Aligned();
  if (!aligned) return;
  const Word alignment = *aligned;
  // (std::has_single_bit would add a function call to each load and store.)
  if (alignment == 0 || (alignment & (alignment - 1)) != 0) {
    report.add(Rule::AlignmentPower, visit.at(*aligned), {std::to_string(alignment)});
  } else if (access.pointer->storage == StorageClass::PhysicalStorageBuffer && access.value != nullptr &&
             alignment < largest_scalar(*access.value)) {
    const std::string size = std::to_string(largest_scalar(*access.value));
    report.add(Rule::AlignmentSize, visit.at(*aligned),
               {std::to_string(alignment), size, type_name(context, access.value->id)});
    report.hint("use an alignment of at least " + size);
  }
}

// The operand that a mask applies to. A copy with two masks has one for each side.
std::string_view operand_of(const DecodedInstruction& visit, AccessKind kind) {
  const bool is_copy = visit.op() == Op::OpCopyMemory || visit.op() == Op::OpCopyMemorySized;
  return !is_copy ? "the pointer" : kind == AccessKind::Reads ? "the source" : "the target";
}

void report_direction(const Context& context, const DecodedInstruction& visit, Report& report,
                      const PointerAccess& access, std::string_view bit) {
  report.add(Rule::AccessDirection, visit.at(access.mask),
             {bit, operand_of(visit, access.kind), op_text(context, visit.op()),
              access.kind == AccessKind::Reads ? "read" : "written"});
}

}  // namespace

void check_memory_access(const Context& context, const DecodedInstruction& visit, Report& report,
                         const PointerAccess& access) {
  const bool is_physical = access.pointer->storage == StorageClass::PhysicalStorageBuffer;
  // Fast path: nearly all masks are empty or only Aligned.
  if (!access.mask.has(~MemoryAccess::Aligned) && !is_physical) {
    check_alignment(context, visit, report, access);
    return;
  }
  // If there is no mask, all bits are clear and findings point at the instruction.
  const Place place = access.mask.is_present() ? visit.at(access.mask) : visit.at();
  const bool makes_available = access.mask.has(MemoryAccess::MakePointerAvailable);
  const bool makes_visible = access.mask.has(MemoryAccess::MakePointerVisible);
  const bool is_non_private = access.mask.has(MemoryAccess::NonPrivatePointer);
  if (access.mask.has(MemoryAccess::Aligned)) {
    check_alignment(context, visit, report, access);
  } else if (is_physical) {
    // The alignment of an arbitrary address is unknown, so each access must state it.
    report.add(Rule::PhysicalAlignment, place, {op_text(context, visit.op())});
    if (const std::uint32_t size = access.value == nullptr ? 0 : largest_scalar(*access.value); size != 0) {
      report.hint(fmt::format("add the memory operand Aligned {}, or a larger power of two", size));
    }
  }
  // A write makes memory available, a read makes it visible (SPV_KHR_vulkan_memory_model).
  if (makes_available && access.kind == AccessKind::Reads) {
    report_direction(context, visit, report, access, "MakePointerAvailable");
  }
  if (makes_visible && access.kind == AccessKind::Writes) {
    report_direction(context, visit, report, access, "MakePointerVisible");
  }
  // Availability and visibility have no effect on private accesses, so they require NonPrivatePointer.
  if ((makes_available || makes_visible) && !is_non_private) {
    report.add(Rule::NonPrivateMissing, place, {makes_available ? "MakePointerAvailable" : "MakePointerVisible"});
    report.hint("add NonPrivatePointer to the memory operands");
    fix_word(context, report, place, static_cast<Word>(access.mask.value() | MemoryAccess::NonPrivatePointer));
  }
  // Both pointers of a copy share the mask, so only one finding is reported.
  for (const TypeRow* pointer : {access.pointer, access.other}) {
    if (!is_non_private || pointer == nullptr || is_shared(pointer->storage)) continue;
    report.add(Rule::NonPrivateStorage, place, {enumerant_text(context, pointer->storage)});
    break;
  }
}

bool check_pointer_type(const Context& context, const DecodedInstruction& visit, Report& report, AnyOperand pointer,
                        std::string_view name) {
  const TypeRow& type = context.type_of(pointer);
  if (type.is_pointer()) return true;
  TypeErrorReporter{context, visit, report}.operand(pointer, name, "a pointer");
  return false;
}

bool check_pointer_giver(const Context& context, const DecodedInstruction& visit, Report& report, AnyOperand pointer) {
  if (gives_pointer(context, pointer)) return true;
  const Op op = context.op_of(pointer);
  report.add(Rule::LogicalPointer, visit.at(pointer),
             {instruction_text(context, visit), id_text(context, pointer), op_text(context, op)});
  note_pointer(context, report, pointer);
  // Variable pointers are allowed in two storage classes.
  if (makes_variable_pointer(op)) hint_variable_pointers(context, report, context.type_of(pointer).storage);
  return false;
}

bool check_pointer_operand(const Context& context, const DecodedInstruction& visit, Report& report, AnyOperand pointer,
                           std::string_view name) {
  return check_pointer_type(context, visit, report, pointer, name) &&
         check_pointer_giver(context, visit, report, pointer);
}

void check_null_access(const Context& context, const DecodedInstruction& visit, AnyOperand pointer, Report& report) {
  // Most modules have no null pointers, so no pointer needs to be traced.
  if (!context.has_null_pointers || !context.type_of(pointer).is_pointer() || !visit.is_reachable()) return;
  const Word origin = origin_of(context, pointer, Through::Casts);
  if (context.constants.of(origin).kind != ConstantKind::Null || !context.type_of(origin).is_pointer()) return;
  report.add(Rule::NullAccess, visit.at(pointer), {instruction_text(context, visit), id_text(context, origin)});
}

}  // namespace vireo::spirv
