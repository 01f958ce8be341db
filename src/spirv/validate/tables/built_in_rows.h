// SPDX-License-Identifier: Apache-2.0
//
// Tables of the Vulkan rules for built-ins: types, storage classes, stages.
//
// Each built-in has a row. Two short tables list the stages that may only read or only write a built-in,
// and the stages that need a capability for it. built_ins.cpp checks modules against the rows; tests generate modules
// from the rows.
//
// Source: the chapter "Built-In Variables" of the Vulkan specification. The row has the VUID number of each rule, which
// the finding prints.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>

#include "spirv/validate/tables/models.h"

namespace vireo::spirv {

/// Storage classes of a built-in: Input, Output.
enum BuiltInDirections : std::uint8_t { In = 1, Out = 2 };

/// The type of a built-in, parsed from "F32v4", "I32", "U32v2", "B", "F32[4]", "I32[]", "F32[][]", "I32[]?", "U32v2-3":
/// scalar kind (U: unsigned integer), width in bits, components, elements.
struct BuiltInShape {
  TypeKind scalar = TypeKind::None;
  bool is_unsigned = false;
  std::uint32_t width = 0;
  std::uint64_t components = 1;
  std::uint64_t most_components = 1;  ///< more than `components` where the sources disagree
  std::uint64_t columns = 1;          ///< of a matrix
  std::uint32_t arrays = 0;           ///< dimensions of the array; 0: no array
  bool may_nest = false;              ///< one more dimension is accepted
  std::uint64_t elements = 0;         ///< of the outermost array; 0: any number

  // NOLINTNEXTLINE(google-explicit-constructor)
  consteval BuiltInShape(const char* text) {
    const auto number = [&] {
      std::uint64_t value = 0;
      for (; *text >= '0' && *text <= '9'; ++text) value = value * 10 + static_cast<std::uint64_t>(*text - '0');
      return value;
    };
    if (*text == 0) return;
    switch (*text++) {
      case 'F': scalar = TypeKind::Float; break;
      case 'I': scalar = TypeKind::Int; break;
      case 'U': scalar = TypeKind::Int, is_unsigned = true; break;
      case 'B': scalar = TypeKind::Bool; break;
      default: throw "unknown scalar letter";
    }
    width = static_cast<std::uint32_t>(number());
    if (*text == 'm') columns = (++text, number()), ++text, components = number();
    if (*text == 'v') components = (++text, number());
    most_components = *text == '-' ? (++text, number()) : components;
    if (*text == '[') arrays = 1, elements = (++text, number()), ++text;
    if (*text == '[') arrays = 2, text += 2;
    if (*text == '?') may_nest = true, ++text;
    if (*text != 0) throw "unexpected text after the shape";
  }
};

/// A built-in. If its shape has no scalar kind, any type is allowed.
struct BuiltInRow {
  BuiltIn built_in;
  BuiltInShape shape;
  std::uint8_t directions;
  Models models;
  std::uint16_t model_rule, storage_rule, type_rule;  ///< numbers of Vulkan rules; 0: none
  Models arrayed = 0;                                 ///< stages in which it may be an array of the type
};

/// A built-in with another name, and with other rules, in modules that declare the extension.
struct BuiltInAliasRow {
  BuiltIn built_in;
  std::string_view name, extension;
  std::uint16_t model_rule, storage_rule, type_rule;
};

/// A built-in that some stages may only read or only write. The stages of `without` may not use it in `direction`.
struct BuiltInStageRow {
  BuiltIn built_in;
  std::uint8_t direction;  ///< one of BuiltInDirections; 0: other storage classes, only to name the rule
  Models without;
  std::uint16_t rule;
};

/// Stages that need one of these capabilities for a built-in.
struct BuiltInCapabilityRow {
  BuiltIn built_in;
  Models models;
  std::initializer_list<Capability> capabilities;
  std::uint16_t rule;
  std::string_view expected;
};

/// A built-in that another decoration accompanies, on the same variable or member.
struct BuiltInCompanionRow {
  BuiltIn built_in;
  Decoration decoration;
  std::uint16_t rule;  ///< 0: the VUID of the rule built-in-decoration
};

/// An array with rules about its length, its indexes or its values. A rule is 0 if there is none.
struct BuiltInElementRow {
  BuiltIn built_in;
  std::uint64_t most;            ///< elements; 0: any number
  std::uint16_t length_rule;     ///< the array has at most `most` elements
  std::uint16_t constant_rule;   ///< only constants select an element, because each view has one
  std::uint16_t primitive_rule;  ///< the index of an element is less than the number of primitives
  std::uint16_t vertex_rule;     ///< a value is less than the number of vertices
};

/// A built-in that requires an execution mode in the entry points of a model that list it.
struct BuiltInModeRow {
  BuiltIn built_in;
  ExecutionModel model;
  ExecutionMode mode;
  std::uint16_t mode_rule;      ///< 0: the mode is not required
  std::uint16_t size_rule;      ///< of the array's length; 0: any length
  std::uint64_t per_primitive;  ///< elements of the array for each primitive
};

/// A built-in that is an output for each primitive in mesh shaders.
struct BuiltInPrimitiveRow {
  BuiltIn built_in;
  std::uint16_t decoration_rule, array_rule, size_rule, block_size_rule;
};

/// The VUID of the storage class of the Pointer of cooperative matrix loads and stores. Their rule has no VUID else.
inline constexpr std::string_view cooperative_pointer_vuid = "VUID-StandaloneSpirv-Pointer-08973";
/// The VUID of a built-in that Vulkan does not have: its row has no models.
inline constexpr std::string_view unlisted_built_in_vuid = "VUID-StandaloneSpirv-BuiltIn-04668";

/// One row for each built-in; built-ins without a row are not checked.
std::span<const BuiltInRow> built_in_rows();
std::span<const BuiltInAliasRow> built_in_alias_rows();
std::span<const BuiltInStageRow> built_in_stage_rows();
std::span<const BuiltInCapabilityRow> built_in_capability_rows();
std::span<const BuiltInCompanionRow> built_in_companion_rows();
std::span<const BuiltInElementRow> built_in_element_rows();
std::span<const BuiltInModeRow> built_in_mode_rows();
std::span<const BuiltInPrimitiveRow> built_in_primitive_rows();
/// Built-ins that decorate variables only, never members.
std::span<const BuiltIn> built_ins_of_variables();

}  // namespace vireo::spirv
