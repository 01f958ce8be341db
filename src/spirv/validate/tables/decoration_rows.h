// SPDX-License-Identifier: Apache-2.0
//
// Tables of decorations and their targets.
//
// A decoration has a row with its required target, and for Vulkan rows with the allowed storage classes.
// decoration_checks.cpp checks modules against the rows; tests generate modules from the rows.
//
// Source: specification 3.20 (decorations), 2.16.1; the Vulkan appendix on SPIR-V for storage classes.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>

#include "spirv/validate/core/check.h"

namespace vireo::spirv {

/// The required target of a decoration.
enum class DecorationTarget : std::uint8_t {
  SpecConstant,    ///< a scalar specialization constant
  Struct,          ///< a structure type
  ByteArray,       ///< an array of 8-bit integers
  ArrayOrPointer,  ///< a type that has a stride
  Variable,
  MemoryObject,   ///< a variable, or a parameter that is a pointer
  BuiltInHolder,  ///< a variable or a constant
  Object,         ///< a value that is not void
  NoType,         ///< any id that is not a type
  WrappingInt,    ///< integer arithmetic whose result may be out of range
  CooperativeConversion,
  Float8Conversion,  ///< a conversion to 8-bit floats
  Function,
  ModuleVariable,    ///< a variable outside functions
  Parameter,         ///< of a function
  PointerParameter,  ///< of a function
  Pointer,           ///< a value that is a pointer
  VariableOrType,
  PayloadArray,  ///< OpTypeNodePayloadArrayAMDX
};

/// Whether members of a structure may have the decoration.
enum class DecoratesMembers : std::uint8_t { Also, Only, Never };

struct DecorationTargetRow {
  Decoration decoration;
  DecorationTarget target;
  DecoratesMembers members;
  /// Whether the kind of target is also checked if a group applies the decoration. Old front ends group decorations
  /// that are valid for only some targets of the group, so this is false for most decorations.
  bool is_checked_in_groups = false;
};

/// Two decorations that exclude each other.
struct DecorationPair {
  Decoration first, second;
};

/// The storage classes that a decoration allows for its target: in Vulkan, or in all environments.
struct DecorationStorageRow {
  Decoration decoration;
  Rule rule;
  std::initializer_list<StorageClass> classes;
};

/// One row for each decoration; the targets of decorations without a row are not checked.
std::span<const DecorationTargetRow> decoration_target_rows();
/// Decorations without a row that are not allowed on members.
std::span<const Decoration> decorations_never_of_members();
/// Decorations that a target or member may have any number of times. All others may occur once (2.16.1).
std::span<const Decoration> repeatable_decorations();
/// Decorations with an id operand that a target or member may have once. Others may repeat with different ids.
std::span<const Decoration> unique_id_decorations();
std::span<const DecorationPair> exclusive_decorations();
std::span<const DecorationStorageRow> decoration_storage_rows();
/// Rows of Patch and of extensions, for all environments. Their rule is Rule::DecorationStorage. They also apply to the
/// variables of a structure whose member has the decoration.
std::span<const DecorationStorageRow> universal_storage_rows();

}  // namespace vireo::spirv
