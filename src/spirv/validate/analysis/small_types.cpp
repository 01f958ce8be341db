// SPDX-License-Identifier: Apache-2.0
//
// Capabilities that enable scalars of each width (small_types.h).
//
// Source: specification 3.31 (capabilities); SPV_KHR_16bit_storage and SPV_KHR_8bit_storage.
#include "spirv/validate/analysis/small_types.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <string>

#include "spirv/validate/analysis/extended_sets.h"
#include "spirv/validate/analysis/fixes.h"

namespace vireo::spirv {
namespace {

using enum Capability;

// A capability that allows a module to declare scalars of a width.
struct Enabler {
  TypeKind kind;
  std::uint32_t width;
  Capability capability;
};

// A width may have several rows; one of their capabilities is enough. Scalars of 32 bits need no capability, so they
// have no row.
constexpr Enabler enablers[] = {
    {TypeKind::Int, 4, Int4TypeINTEL},
    {TypeKind::Int, 8, Int8},
    {TypeKind::Int, 16, Int16},
    {TypeKind::Int, 64, Int64},
    {TypeKind::Float, 16, Float16},
    {TypeKind::Float, 16, Float16Buffer},
    {TypeKind::Float, 64, Float64},
    // Capabilities for storage without arithmetic. The 16-bit capabilities enable both integers and floats.
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

// Each type is declared once, so a linear search is fast enough.
bool is_enabled(const ModuleCheck& c, TypeKind kind, std::uint32_t width) {
  return std::any_of(std::begin(enablers), std::end(enablers), [&](const Enabler& row) {
    return row.kind == kind && row.width == width && c.has(row.capability);
  });
}

/// The capability that allows a storage class to contain small scalars, even if the module has no arithmetic on them.
struct SmallStorageRow {
  StorageClass storage;
  Capability of_16_bits;
  Capability of_8_bits;  ///< equal to of_16_bits if no such capability exists
};
// Interfaces between stages may not have 8-bit scalars, so the two columns of their row are equal.
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

std::optional<Capability> small_storage_capability(StorageClass storage, std::uint32_t width) {
  const auto* row = std::find_if(std::begin(small_storage), std::end(small_storage),
                                 [&](const SmallStorageRow& each) { return each.storage == storage; });
  if (row == std::end(small_storage)) return std::nullopt;
  // The width is always 8 or 16.
  if (width == 16) return row->of_16_bits;
  return row->of_8_bits != row->of_16_bits ? std::optional(row->of_8_bits) : std::nullopt;
}

bool has_small_storage(const ModuleCheck& c, StorageClass storage, std::uint32_t width) {
  const std::optional<Capability> capability = small_storage_capability(storage, width);
  return capability && c.has(*capability);
}

bool may_hold_small(const ModuleCheck& c, StorageClass storage, std::uint32_t width) {
  // A module with 16-bit integer or float arithmetic may store both kinds, because they have the same size in memory.
  const bool computes = width == 16 ? c.has(Int16) || c.has(Float16) : c.has(Int8);
  return computes || has_small_storage(c, storage, width);
}

bool may_declare_int(const ModuleCheck& c, std::uint32_t width) {
  if (width == 32 || is_enabled(c, TypeKind::Int, width)) return true;
  // FPGA integers may have any positive width. A width that has a capability still needs it.
  const bool has_own = width == 8 || width == 16 || width == 64;
  return width != 0 && !has_own && c.has(ArbitraryPrecisionIntegersALTERA);
}

bool may_declare_float(const ModuleCheck& c, std::uint32_t width) {
  if (width == 32 || is_enabled(c, TypeKind::Float, width)) return true;
  // AMD's extensions enable half floats without a capability.
  return width == 16 && (c.module_declarations.has_extension("SPV_AMD_gpu_shader_half_float") ||
                         c.module_declarations.has_extension("SPV_AMD_gpu_shader_half_float_fetch"));
}

namespace {

// Returns the capability that is missing for arithmetic on values of these traits, if the module may only store them.
// Returns nothing if no capability is missing. Traits cover a type and all its parts, so any type takes three lookups.
std::optional<Capability> missing_to_compute(const ModuleCheck& c, TypeTraits contents) {
  if (!c.is_shader()) return std::nullopt;
  // If the module may not declare the type either, only the declaration is reported.
  if (contents.has_any(TypeTrait::Int8) && !c.has(Int8) && may_declare_int(c, 8)) return Int8;
  if (contents.has_any(TypeTrait::Int16) && !c.has(Int16) && may_declare_int(c, 16)) return Int16;
  if (contents.has_any(TypeTrait::Float16) && !c.has(Float16) && may_declare_float(c, 16)) return Float16;
  return std::nullopt;
}

}  // namespace

bool is_storage_only(const ModuleCheck& c, const TypeRow& type) {
  return missing_to_compute(c, type.contains).has_value();
}

bool has_storage_only_types(const ModuleCheck& c) {
  TypeTraits contents;
  for (const TypeRow& row : c.types.rows()) contents |= row.contains;
  return missing_to_compute(c, contents).has_value();
}

namespace {

using enum Op;

// Instructions that pass a value unchanged or change its width. The checks of loads and stores cover their operands.
constexpr Op takers[] = {OpLoad,     OpStore,      OpCopyObject,      OpUConvert,   OpSConvert,
                         OpFConvert, OpCopyMemory, OpCopyMemorySized, OpReturnValue};
// Instructions whose result is storage-only although no operand is.
constexpr Op makers[] = {OpConstant,       OpSpecConstant, OpConstantNull, OpConstantComposite, OpSpecConstantComposite,
                         OpSpecConstantOp, OpUndef,        OpPoisonKHR,    OpConvertFToU,       OpConvertFToS,
                         OpConvertSToF,    OpConvertUToF,  OpBitcast};

}  // namespace

void check_storage_only_use(const InstructionCheck& c) {
  // Reports a storage-only type, once for each missing capability. True if the type is storage-only.
  const auto is_misused = [&](Word type, Place place) {
    const TypeRow* row = c.types.find(type);
    if (row == nullptr || row->is_pointer()) return false;
    const std::optional<Capability> missing = missing_to_compute(c, row->contains);
    if (!missing) return false;
    const std::string capability = enumerant_text(c, *missing);
    if (c.findings.join(Rule::VariableType, "uses without " + capability, capability, Rule::StorageOnlyType)) {
      c.note(place, "{op} also requires capability {text}", {c.op(), capability});
      return true;
    }
    c.report_once(Rule::StorageOnlyType, place, capability, {c.op(), type_name(c, type)});
    hint_capability(c, capability);
    return true;
  };
  const Op op = c.op();
  if (is_one_of(takers, op)) return;
  if (is_one_of(makers, op) && is_misused(c.type, c.at_type())) return;
  // Names and decorations refer to a value without computing with it.
  if (c.function.is_none()) return;
  if (is_non_semantic(c) || is_older_debug_information(c, c.view)) return;
  for (const Operand& operand : c.operands) {
    if (operand.shape != OperandShape::IdRef) continue;
    if (is_misused(c.module.type_of(c.view.word(operand.word)), c.at(operand))) return;
  }
}

}  // namespace vireo::spirv
