// SPDX-License-Identifier: Apache-2.0
//
// Scalar types, and what a module may do with the small ones.
//
// The one idea: a shader may declare 8- and 16-bit types for its buffers alone (the storage capabilities), without being
// able to compute with them. So two questions have two answers: may such a type be declared, and may a value of it be
// made of anything but a load or a conversion.
#pragma once

#include "spirv/validate/engine/context.h"

namespace vireo::spirv {

/// Whether values of the type hold 8- or 16-bit scalars that the module may store but not compute with. Kernels have
/// none.
bool is_storage_only(const Context& context, const TypeRow& type);

/// Whether the module may declare integers of a width; floats of IEEE 754 of a width.
bool may_declare_int(const Context& context, std::uint32_t width);
bool may_declare_float(const Context& context, std::uint32_t width);

/// Whether a storage class may hold scalars of 8 or 16 bits: because a capability allows it to modules that cannot
/// compute with them (has_small_storage), or also because the module can compute with them (may_hold_small).
bool has_small_storage(const Context& context, StorageClass storage, std::uint32_t width);
bool may_hold_small(const Context& context, StorageClass storage, std::uint32_t width);

/// Whether any type of the module is storage-only. Where none is, no instruction has to be checked.
bool has_storage_only_types(const Context& context);
/// Reports an instruction that makes or takes a value of such a type, other than loads, stores and conversions of its
/// width.
void check_storage_only_use(const Context& context, const Visit& visit, Report& report);

}  // namespace vireo::spirv
