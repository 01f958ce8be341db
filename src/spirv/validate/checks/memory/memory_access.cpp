// SPDX-License-Identifier: Apache-2.0
//
// Memory operands, bit by bit (memory_access.h).
//
// Source: specification 3.26; SPV_KHR_vulkan_memory_model; SPV_KHR_physical_storage_buffer for alignment.
#include "spirv/validate/checks/memory/memory_access.h"

#include <bit>

#include "spirv/validate/analysis/pointers.h"
#include "spirv/validate/engine/complaint.h"

namespace vireo::spirv {
namespace {

// Bits of the mask (3.26); each of the ones with an operand has one word behind the mask, lowest bit first.
constexpr Word aligned = 0x2, make_available = 0x8, make_visible = 0x10, non_private = 0x20;
// The last two are AliasScopeINTELMask and NoAliasINTELMask.
constexpr Word with_operand = aligned | make_available | make_visible | 0x10000 | 0x20000;

// Storage that invocations share: only that can be other than private.
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

// Bytes of the widest scalar within; 0: not to be known.
std::uint32_t largest_scalar(const TypeRow& type) {
  if (type.contains.has_any(TypeTrait::Int64 | TypeTrait::Float64 | TypeTrait::PhysicalPointer)) return 8;
  if (type.contains.has_any(TypeTrait::Int32 | TypeTrait::Float32)) return 4;
  if (type.contains.has_any(TypeTrait::Int16 | TypeTrait::Float16 | TypeTrait::BFloat16)) return 2;
  return 0;
}

void check_alignment(const Visit& visit, Report& report, const PointerAccess& access) {
  const std::size_t word = access.mask_word + 1;
  const Word alignment = visit.word(word);
  // (std::has_single_bit would be a call here, at each load and store.)
  if (alignment == 0 || (alignment & (alignment - 1)) != 0) {
    report.add(Rule::AlignmentPower, visit.at(word), {std::to_string(alignment)});
  } else if (access.pointer->storage == StorageClass::PhysicalStorageBuffer && access.value != nullptr &&
             alignment < largest_scalar(*access.value)) {
    report.add(Rule::AlignmentSize, visit.at(word),
               {std::to_string(alignment), std::to_string(largest_scalar(*access.value))});
  }
}

}  // namespace

void check_memory_access(const Context& context, const Visit& visit, Report& report, const PointerAccess& access) {
  // A mask that is left out reads as 0, which is what leaving it out means; findings then point at the instruction.
  const Word mask = visit.word(access.mask_word);
  const bool is_physical = access.pointer->storage == StorageClass::PhysicalStorageBuffer;
  // Nearly all masks are empty, or Aligned alone.
  if ((mask & ~aligned) == 0 && !is_physical) {
    if (mask != 0) check_alignment(visit, report, access);
    return;
  }
  const Place place = visit.at(visit.has_word(access.mask_word) ? access.mask_word : 0);
  if ((mask & aligned) != 0) {
    check_alignment(visit, report, access);
  } else if (is_physical) {
    // An address may be any number: nobody but this access says how it is aligned.
    report.add(Rule::PhysicalAlignment, place, {op_text(context, visit.op())});
  }
  // Available is what a write gives to others, visible what a read takes from them (SPV_KHR_vulkan_memory_model).
  if ((mask & make_available) != 0 && access.kind == AccessKind::Reads) {
    report.add(Rule::AccessDirection, place, {"MakePointerAvailable", op_text(context, visit.op()), "writes"});
  }
  if ((mask & make_visible) != 0 && access.kind == AccessKind::Writes) {
    report.add(Rule::AccessDirection, place, {"MakePointerVisible", op_text(context, visit.op()), "reads"});
  }
  // What is private to an invocation has nobody to be made available to.
  if ((mask & (make_available | make_visible)) != 0 && (mask & non_private) == 0) {
    report.add(Rule::NonPrivateMissing, place,
               {(mask & make_available) != 0 ? "MakePointerAvailable" : "MakePointerVisible"});
  }
  // The two sides of a copy share the mask: one finding, whichever of them it is about.
  for (const TypeRow* pointer : {access.pointer, access.other}) {
    if ((mask & non_private) == 0 || pointer == nullptr || is_shared(pointer->storage)) continue;
    report.add(Rule::NonPrivateStorage, place, {enumerant_text(context, pointer->storage)});
    break;
  }
}

std::size_t behind_mask(const Visit& visit, std::size_t mask_word) {
  return mask_word + 1 + static_cast<std::size_t>(std::popcount(visit.word(mask_word) & with_operand));
}

bool check_pointer_type(const Context& context, const Visit& visit, Report& report, std::size_t word,
                        std::string_view name) {
  const TypeRow* type = context.type_of(visit.word(word));
  if (type == nullptr) return false;
  if (type->is_pointer()) return true;
  Complaint{context, visit, report}.operand(word, name, "a pointer");
  return false;
}

bool check_pointer_giver(const Context& context, const Visit& visit, Report& report, std::size_t word,
                         std::string_view name) {
  if (gives_pointer(context, visit.word(word))) return true;
  report.add(Rule::LogicalPointer, visit.at(word),
             {Complaint{context, visit, report}.named(word, name), op_text(context, context.op_of(visit.word(word)))});
  return false;
}

bool check_pointer_operand(const Context& context, const Visit& visit, Report& report, AnyOperand pointer,
                           std::string_view name) {
  return check_pointer_operand(context, visit, report, std::size_t{pointer.word}, name);
}

bool check_pointer_operand(const Context& context, const Visit& visit, Report& report, std::size_t word,
                           std::string_view name) {
  return check_pointer_type(context, visit, report, word, name) &&
         check_pointer_giver(context, visit, report, word, name);
}

}  // namespace vireo::spirv
