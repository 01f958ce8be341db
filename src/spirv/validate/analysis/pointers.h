// SPDX-License-Identifier: Apache-2.0
//
// Queries about pointers and their pointees.
//
// In the logical addressing model, a pointer is derived from a variable by a sequence of instructions. So
// a list contains all instructions that produce pointers, and tracing these instructions back finds the variable.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "spirv/validate/core/check.h"

namespace vireo::spirv {

/// Whether the instruction that defines an id may produce a pointer. In the logical addressing model, only some
/// instructions may; variable pointers add a few.
bool gives_pointer(const ModuleCheck& c, Word id);

/// Whether an instruction may produce a pointer only if the module has variable pointers.
bool makes_variable_pointer(Op op);

/// Whether a pointer type is logical: its pointers are derived from variables and are not addresses.
inline bool is_logical_pointer(const ModuleCheck& c, const TypeRow& type) {
  return type.is_pointer() && c.is_logical && type.storage != StorageClass::PhysicalStorageBuffer;
}

/// The requirement that a logical pointer does not meet.
struct MissingRequirement {
  std::optional<Capability> capability;  ///< the capability that the module would have to declare
  std::string_view expected = {};        ///< without a capability, the accepted values: "StorageBuffer or Workgroup"
};
/// Returns the missing requirement of a variable pointer in a storage class. Nothing if none is missing.
/// `other_storage` lists the accepted storage classes for the message.
std::optional<MissingRequirement> missing_for_variable_pointer(
    const ModuleCheck& c, StorageClass storage, std::string_view other_storage = "StorageBuffer or Workgroup");
/// The end of a message about a missing requirement: "this requires capability VariablePointers", or "expected
/// StorageBuffer or Workgroup".
std::string missing_text(const ModuleCheck& c, const MissingRequirement& missing);
/// Adds a hint to the last finding if the missing requirement is a capability.
void hint_missing(const ModuleCheck& c, const MissingRequirement& missing);

/// The capability that permits variable pointers in a storage class. Nothing if there is none.
constexpr std::optional<Capability> variable_pointer_capability(StorageClass storage) {
  if (storage == StorageClass::StorageBuffer) return Capability::VariablePointersStorageBuffer;
  if (storage == StorageClass::Workgroup) return Capability::VariablePointers;
  return std::nullopt;
}
/// The end of a message about such a pointer: " without capability VariablePointers", or the storage classes that may
/// have variable pointers.
std::string variable_pointer_text(const ModuleCheck& c, StorageClass storage);
/// Adds a hint to the last finding: the capability that permits variable pointers in the storage class.
void hint_variable_pointers(const ModuleCheck& c, StorageClass storage);

/// The instructions that origin_of() traces through.
enum class Through : std::uint8_t {
  Copies,  ///< OpCopyObject alone
  Chains,  ///< access chains of all kinds, texel pointers, and copies
  Casts,   ///< also OpBitcast and conversions to and from Generic pointers
};

/// The variable, parameter or other origin of a pointer (2.16.1: in the logical addressing model each pointer can be
/// traced to a variable). Returns the pointer itself if it is an origin, and 0 once the work budget is exceeded.
Word origin_of(const ModuleCheck& c, Word pointer, Through through = Through::Chains);

/// Adds a note to the last finding: the declaration of the variable or parameter that a pointer is derived from, or the
/// definition of the pointer if it has another origin.
void note_pointer(const ModuleCheck& c, Word pointer);

/// The pointee type of a pointer, from the pointer type or from the Data Type of an untyped variable. nullptr if there
/// is none, if the pointer or the type is unsound, or if the value is not a pointer.
const TypeRow* pointee_of(const ModuleCheck& c, Word pointer);

/// Whether a storage class has an explicit layout, because code outside the module can access it.
bool has_explicit_layout(const ModuleCheck& c, StorageClass storage);

/// Whether a type is decorated with Block or the older BufferBlock.
bool is_block(const ModuleCheck& c, Word type);

/// Whether a pointer is derived from a Uniform variable whose structure is decorated Block, so its memory is read-only.
/// In older modules, writable storage buffers are also in Uniform, decorated with BufferBlock.
bool is_uniform_block(const ModuleCheck& c, Word pointer);

/// Whether a type is an array of blocks, where each block has its own descriptor.
bool is_block_array(const ModuleCheck& c, Word type);
/// The same, also for arrays of such arrays.
bool contains_block_array(const ModuleCheck& c, Word type);

/// Whether a built-in, or a variable with that BuiltIn decoration, is a descriptor heap (SPV_EXT_descriptor_heap).
constexpr bool is_heap(BuiltIn b) { return b == BuiltIn::ResourceHeapEXT || b == BuiltIn::SamplerHeapEXT; }
bool is_heap(const ModuleCheck& c, Word variable);

}  // namespace vireo::spirv
