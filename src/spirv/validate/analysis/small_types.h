// SPDX-License-Identifier: Apache-2.0
//
// Capabilities for 8- and 16-bit scalar types.
//
// With the storage capabilities, a shader may declare 8- and 16-bit types for its buffers, but has no
// arithmetic on them. So there are two questions. May the module declare such a type? May instructions other than loads
// and conversions produce a value of it?
#pragma once

#include <optional>

#include "spirv/validate/core/check.h"

namespace vireo::spirv {

/// Whether values of the type contain 8- or 16-bit scalars that the module may store, but without arithmetic on them.
/// Always false for kernels.
bool is_storage_only(const ModuleCheck& c, const TypeRow& type);

/// Whether the module may declare integers, or IEEE 754 floats, of a width.
bool may_declare_int(const ModuleCheck& c, std::uint32_t width);
bool may_declare_float(const ModuleCheck& c, std::uint32_t width);

/// Whether a storage class may contain scalars of 8 or 16 bits. has_small_storage() tests only the storage
/// capabilities. may_hold_small() is also true if the module has arithmetic on such scalars.
bool has_small_storage(const ModuleCheck& c, StorageClass storage, std::uint32_t width);
bool may_hold_small(const ModuleCheck& c, StorageClass storage, std::uint32_t width);
/// The capability of has_small_storage(); nothing if the storage class has none for this width.
std::optional<Capability> small_storage_capability(StorageClass storage, std::uint32_t width);

/// Whether any type of the module is storage-only. If not, instructions need no check.
bool has_storage_only_types(const ModuleCheck& c);
/// Reports an instruction that produces or uses a value of a storage-only type. Loads, stores and width conversions are
/// allowed.
void check_storage_only_use(const InstructionCheck& c);

}  // namespace vireo::spirv
