// SPDX-License-Identifier: Apache-2.0
//
// What decorations are applied to, as rows.
//
// The one idea: a decoration has a row with what it wants of its target, and in Vulkan rows with the storage classes that
// it is about. decoration_checks.cpp compares modules with the rows; tests turn the rows round into modules.
//
// Source: specification 3.20 (decorations), 2.16.1; the Vulkan appendix on SPIR-V for storage classes.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>

#include "spirv/validate/engine/context.h"

namespace vireo::spirv {

/// What a decoration wants of its target.
enum class DecorationTarget : std::uint8_t {
  SpecConstant,  ///< a scalar specialization constant
  Struct,        ///< a structure type
  Array,
  ArrayOrPointer,  ///< a type that has a stride
  Variable,
  MemoryObject,   ///< a variable, or a parameter that is a pointer
  BuiltInHolder,  ///< a variable or a constant
  Object,         ///< a value that is something
  NoType,         ///< anything but a type
  WrappingInt,    ///< integer arithmetic whose result may be out of range
  CooperativeConversion,
};

/// Whether members of a structure may have the decoration.
enum class DecoratesMembers : std::uint8_t { Also, Only, Never };

struct DecorationTargetRow {
  Decoration decoration;
  DecorationTarget target;
  DecoratesMembers members;
  /// Whether targets that have it from a group are judged as well. Old front ends put decorations into one group that
  /// suit only some of its targets, so for most it is false.
  bool is_judged_in_groups = false;
};

/// Two decorations that exclude each other.
struct DecorationPair {
  Decoration first, second;
};

/// The storage classes in which Vulkan allows what a decoration is about.
struct DecorationStorageRow {
  Decoration decoration;
  Rule rule;
  std::initializer_list<StorageClass> classes;
};

/// One row for each decoration; the targets of decorations without a row are not judged.
std::span<const DecorationTargetRow> decoration_target_rows();
/// Decorations without a row that no member may have.
std::span<const Decoration> decorations_never_of_members();
/// Decorations that a target or member may have any number of times. It may have all others once (2.16.1).
std::span<const Decoration> repeatable_decorations();
std::span<const DecorationPair> exclusive_decorations();
std::span<const DecorationStorageRow> decoration_storage_rows();

}  // namespace vireo::spirv
