// SPDX-License-Identifier: Apache-2.0
//
// Which capabilities enable scalars of which width (small_types.h).
//
// Source: specification 3.31 (capabilities); SPV_KHR_16bit_storage and SPV_KHR_8bit_storage.
#include "spirv/validate/analysis/small_types.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <string>

#include "spirv/validate/checks/extended_sets/extended_sets.h"
#include "spirv/validate/engine/complaint.h"

namespace vireo::spirv {
namespace {

using enum Capability;

// A capability that lets scalars of a width be declared.
struct Enabler {
  TypeKind kind;
  std::uint32_t width;
  Capability capability;
};

// A width may have several rows: any of their capabilities is enough. 32 bits need none, and stand in none.
constexpr Enabler enablers[] = {
    {TypeKind::Int, 4, Int4TypeINTEL},
    {TypeKind::Int, 8, Int8},
    {TypeKind::Int, 16, Int16},
    {TypeKind::Int, 64, Int64},
    {TypeKind::Float, 16, Float16},
    {TypeKind::Float, 16, Float16Buffer},
    {TypeKind::Float, 64, Float64},
    // For storage alone. The 16-bit ones enable both sorts of scalars.
    {TypeKind::Int, 8, StorageBuffer8BitAccess},
    {TypeKind::Int, 8, UniformAndStorageBuffer8BitAccess},
    {TypeKind::Int, 8, StoragePushConstant8},
    {TypeKind::Int, 8, WorkgroupMemoryExplicitLayout8BitAccessKHR},
    {TypeKind::Int, 16, StorageBuffer16BitAccess},
    {TypeKind::Int, 16, UniformAndStorageBuffer16BitAccess},
    {TypeKind::Int, 16, StoragePushConstant16},
    {TypeKind::Int, 16, StorageInputOutput16},
    {TypeKind::Int, 16, WorkgroupMemoryExplicitLayout16BitAccessKHR},
    {TypeKind::Float, 16, StorageBuffer16BitAccess},
    {TypeKind::Float, 16, UniformAndStorageBuffer16BitAccess},
    {TypeKind::Float, 16, StoragePushConstant16},
    {TypeKind::Float, 16, StorageInputOutput16},
    {TypeKind::Float, 16, WorkgroupMemoryExplicitLayout16BitAccessKHR},
};

// Types are declared once each, so a walk over the table is no matter.
bool is_enabled(const Context& context, TypeKind kind, std::uint32_t width) {
  return std::any_of(std::begin(enablers), std::end(enablers), [&](const Enabler& row) {
    return row.kind == kind && row.width == width && context.has(row.capability);
  });
}

/// Which capability lets a storage class hold scalars that the module cannot compute with.
struct SmallStorageRow {
  StorageClass storage;
  Capability of_16_bits;
  Capability of_8_bits;  ///< the same as for 16 bits: there is none
};
// Interfaces between stages have no 8-bit scalars: their two columns are equal.
constexpr SmallStorageRow small_storage[] = {
    {StorageClass::StorageBuffer, Capability::StorageBuffer16BitAccess, Capability::StorageBuffer8BitAccess},
    {StorageClass::PhysicalStorageBuffer, Capability::StorageBuffer16BitAccess, Capability::StorageBuffer8BitAccess},
    {StorageClass::ShaderRecordBufferKHR, Capability::StorageBuffer16BitAccess, Capability::StorageBuffer8BitAccess},
    {StorageClass::Uniform, Capability::UniformAndStorageBuffer16BitAccess,
     Capability::UniformAndStorageBuffer8BitAccess},
    {StorageClass::PushConstant, Capability::StoragePushConstant16, Capability::StoragePushConstant8},
    {StorageClass::Input, Capability::StorageInputOutput16, Capability::StorageInputOutput16},
    {StorageClass::Output, Capability::StorageInputOutput16, Capability::StorageInputOutput16},
    {StorageClass::Workgroup, Capability::WorkgroupMemoryExplicitLayout16BitAccessKHR,
     Capability::WorkgroupMemoryExplicitLayout8BitAccessKHR},
};

}  // namespace

bool has_small_storage(const Context& context, StorageClass storage, std::uint32_t width) {
  const auto* row = std::find_if(std::begin(small_storage), std::end(small_storage),
                                 [&](const SmallStorageRow& each) { return each.storage == storage; });
  if (row == std::end(small_storage)) return false;
  // Widths are 8 or 16: nobody asks of others.
  if (width == 16) return context.has(row->of_16_bits);
  return row->of_8_bits != row->of_16_bits && context.has(row->of_8_bits);
}

bool may_hold_small(const Context& context, StorageClass storage, std::uint32_t width) {
  // A module that can compute with 16-bit integers or floats may store both: in memory they are the same.
  const bool computes = width == 16 ? context.has(Int16) || context.has(Float16) : context.has(Int8);
  return computes || has_small_storage(context, storage, width);
}

bool may_declare_int(const Context& context, std::uint32_t width) {
  if (width == 32 || is_enabled(context, TypeKind::Int, width)) return true;
  // Integers of reconfigurable hardware may have any number of bits, but for 0 and for widths that have a capability of
  // their own.
  const bool has_own = width == 8 || width == 16 || width == 64;
  return width != 0 && !has_own && context.has(ArbitraryPrecisionIntegersALTERA);
}

bool may_declare_float(const Context& context, std::uint32_t width) {
  if (width == 32 || is_enabled(context, TypeKind::Float, width)) return true;
  // AMD's extensions enable half floats without a capability.
  return width == 16 && (context.preamble.has_extension("SPV_AMD_gpu_shader_half_float") ||
                         context.preamble.has_extension("SPV_AMD_gpu_shader_half_float_fetch"));
}

namespace {

// The capability that a module lacks to compute with such values, of which it may only store some; none: it may compute.
// Traits are of a type and all its parts, so this is three looks, whatever its size.
std::optional<Capability> missing_to_compute(const Context& context, TypeTraits contents) {
  if (!context.is_shader()) return std::nullopt;
  // What may not even be stored was told of its declaration.
  if (contents.has_any(TypeTrait::Int8) && !context.has(Int8) && may_declare_int(context, 8)) return Int8;
  if (contents.has_any(TypeTrait::Int16) && !context.has(Int16) && may_declare_int(context, 16)) return Int16;
  if (contents.has_any(TypeTrait::Float16) && !context.has(Float16) && may_declare_float(context, 16)) return Float16;
  return std::nullopt;
}

}  // namespace

bool is_storage_only(const Context& context, const TypeRow& type) {
  return missing_to_compute(context, type.contains).has_value();
}

bool has_storage_only_types(const Context& context) {
  TypeTraits contents;
  for (const TypeRow& row : context.types.rows()) contents |= row.contains;
  return missing_to_compute(context, contents).has_value();
}

namespace {

using enum Op;

// Instructions that hand a value on as it is, or change its width. Loads and stores say themselves what they take.
constexpr Op takers[] = {OpLoad,     OpStore,      OpCopyObject,      OpUConvert,   OpSConvert,
                         OpFConvert, OpCopyMemory, OpCopyMemorySized, OpReturnValue};
// Instructions that make a value of what is no such value, or of nothing.
constexpr Op makers[] = {OpConstant,       OpSpecConstant, OpConstantNull, OpConstantComposite, OpSpecConstantComposite,
                         OpSpecConstantOp, OpUndef,        OpConvertFToU,  OpConvertFToS,       OpConvertSToF,
                         OpConvertUToF,    OpBitcast};

}  // namespace

void check_storage_only_use(const Context& context, const Visit& visit, Report& report) {
  // True when the type is storage-only. Reported once for each missing capability, however often it is missed.
  const auto is_misused = [&](Word type, Place place) {
    const TypeRow* row = context.types.find(type);
    if (row == nullptr || row->is_pointer()) return false;
    const std::optional<Capability> missing = missing_to_compute(context, row->contains);
    if (!missing) return false;
    const std::string capability = enumerant_text(context, *missing);
    report.add_once(Rule::StorageOnlyType, place, capability, {op_text(context, visit.op()), type_text(context, type)});
    report.hint("OpCapability " + capability);
    return true;
  };
  const Op op = visit.op();
  if (is_one_of(takers, op)) return;
  if (is_one_of(makers, op) && is_misused(visit.type, visit.at_type())) return;
  // Names and decorations are said of a value, not done with it.
  if (visit.function.is_none()) return;
  if (is_non_semantic(context, visit) || is_older_debug_information(context, visit.view)) return;
  for (const Operand& operand : visit.operands) {
    if (operand.shape != OperandShape::IdRef) continue;
    if (is_misused(context.module.type_of(visit.view.word(operand.word)), visit.at(operand))) return;
  }
}

}  // namespace vireo::spirv
