// SPDX-License-Identifier: Apache-2.0
//
// What checks ask of pointers and of what they point to.
//
// The one idea: in the logical addressing model a pointer is a path from a variable, written down by the instructions
// that made it. So which instructions give pointers is a list, and where they come from is read off, step by step.
#pragma once

#include "spirv/validate/engine/context.h"

namespace vireo::spirv {

/// Whether an instruction gives something that may be used as a pointer: in the logical addressing model only some do,
/// and a few more with variable pointers.
bool gives_pointer(const Context& context, Word id);

/// Whether pointers of a type are logical: paths from a variable that the module spells out, and no addresses.
inline bool is_logical_pointer(const Context& context, const TypeRow& type) {
  return type.is_pointer() && context.is_logical && type.storage != StorageClass::PhysicalStorageBuffer;
}

/// What a variable pointer of a storage class lacks: a capability, or another storage class; empty: nothing.
std::string_view missing_for_variable_pointer(const Context& context, StorageClass storage,
                                              std::string_view other_storage = "StorageBuffer or Workgroup");

/// The instructions that origin_of() goes back through.
enum class Through : std::uint8_t {
  Copies,  ///< OpCopyObject alone
  Chains,  ///< access chains of all sorts, and copies
};

/// The variable, parameter or other origin of a pointer (2.16.1: in the logical addressing model each can be traced to a
/// variable). The pointer itself where it is one of these; 0 once the work budget is met.
Word origin_of(const Context& context, Word pointer, Through through = Through::Chains);

/// The type of what a pointer points to, so far as it is said: by the type of the pointer or, of an untyped variable, by
/// its data type. nullptr if no type is stated, if the type or the pointer is unsound, and if the value is no pointer.
const TypeRow* pointee_of(const Context& context, Word pointer);

/// Whether storage is laid out by decorations: what a module shares with others.
bool has_explicit_layout(const Context& context, StorageClass storage);

/// Whether a type is decorated as a block, in the newer way or the older one.
bool is_block(const Context& context, Word type);

/// Whether a type is an array of blocks, each with a descriptor of its own.
bool is_block_array(const Context& context, Word type);

/// Whether a built-in, or a variable that is decorated with it, is a heap of descriptors (SPV_EXT_descriptor_heap).
constexpr bool is_heap(BuiltIn b) { return b == BuiltIn::ResourceHeapEXT || b == BuiltIn::SamplerHeapEXT; }
bool is_heap(const Context& context, Word variable);

/// The type under all arrays.
inline const TypeRow& without_arrays(const Context& context, const TypeRow& type) {
  return context.types.row(type.without_arrays);
}

}  // namespace vireo::spirv
