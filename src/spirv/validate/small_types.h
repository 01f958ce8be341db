// SPDX-License-Identifier: Apache-2.0
//
// Scalar types, and what a module may do with the small ones.
//
// The one idea: a shader may declare 8- and 16-bit types for its buffers alone (the storage capabilities), without being
// able to compute with them. So two questions have two answers: may such a type be declared, and may a value of it be
// made of anything but a load or a conversion.
#pragma once

#include "spirv/validate/context.h"

namespace vireo::spirv {

/// Whether a value of the type holds 8- or 16-bit scalars that the module may store, not compute with. Kernels may always.
bool is_storage_only(const Context& context, const TypeRow& type);

/// Whether the module may declare integers of a width; floats of IEEE 754 of a width.
bool may_declare_int(const Context& context, std::uint32_t width);
bool may_declare_float(const Context& context, std::uint32_t width);

/// Whether a capability lets a storage class hold scalars of 8 or 16 bits that the module cannot compute with; and
/// whether it holds such scalars at all, since the module computes with them or so.
bool has_small_storage(const Context& context, StorageClass storage, std::uint32_t width);
bool may_hold_small(const Context& context, StorageClass storage, std::uint32_t width);

/// Whether any type of the module is one: then each instruction is asked.
bool has_storage_only_types(const Context& context);
/// Reports an instruction that makes a value of such a type, or takes one, and is no load, store or conversion in width.
void check_storage_only_use(const Context& context, const Visit& visit, Report& report);

}  // namespace vireo::spirv
