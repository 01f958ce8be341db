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

#include "spirv/validate/context.h"

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

/// Whether it may be of a member of a structure.
enum class DecoratesMembers : std::uint8_t { Also, Only, Never };

struct DecorationTargetRow {
  Decoration decoration;
  DecorationTarget target;
  DecoratesMembers members;
  /// Also of targets that have it by a group. Of the other decorations old front ends give a group what suits only some.
  bool is_judged_in_groups = false;
};

/// Two decorations that no target has both of.
struct DecorationPair {
  Decoration first, second;
};

/// Storage classes that Vulkan has for what a decoration is about.
struct DecorationStorageRow {
  Decoration decoration;
  Rule rule;
  std::initializer_list<StorageClass> classes;
};

/// One row a decoration; what stands in none is not judged by its target.
std::span<const DecorationTargetRow> decoration_target_rows();
/// What no member has, of decorations without a row.
std::span<const Decoration> decorations_never_of_members();
/// What a target, or a member of it, has as often as one likes. All else is said once (2.16.1).
std::span<const Decoration> repeatable_decorations();
std::span<const DecorationPair> exclusive_decorations();
std::span<const DecorationStorageRow> decoration_storage_rows();

}  // namespace vireo::spirv
