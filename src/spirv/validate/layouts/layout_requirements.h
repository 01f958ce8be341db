// SPDX-License-Identifier: Apache-2.0
//
// LayoutRequirements: the types that need layout decorations, with the rules and the possible offsets of each, and the
// types that must not have layout decorations.
//
// Each reference to memory requires a layout of its type under some rules. A reference is a variable, a
// pointer from an address or descriptor, or an untyped access. One pass from the last type to the first propagates each
// requirement, with the offsets, to the parts of the type. So a type has at most one requirement for each set of rules,
// however many variables use it.
//
// Only the remainder of an offset modulo 16 is stored, and only vectors need it. For other types, the alignment within
// the enclosing type is enough, because that type has the largest alignment of its members.
//
// Source: specification 2.16.2; Vulkan, "Offset and Stride Assignment" and VUID-StandaloneSpirv-None-10684.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "spirv/module/layouts/type_layouts.h"
#include "spirv/validate/core/check.h"

namespace vireo::spirv {

/// The layouts that decorations state, with the descriptors of the options.
[[nodiscard]] TypeLayouts explicit_layouts(const ModuleCheck& c);

/// The place of an offset or stride in its decoration.
[[nodiscard]] constexpr Place decoration_place(const LayoutNumber& number) { return {number.decoration, number.word}; }

/// Size in bytes. A vector of at most this size must not cross a multiple of it.
inline constexpr std::uint64_t vector_boundary = 16;

/// The possible offsets of a type, and the instruction that requires its layout.
struct LayoutRequirement {
  std::uint16_t residues = 0;  ///< a bit for each remainder modulo `vector_boundary`; 0: no layout is required
  InstructionIndex cause;      ///< the first such instruction in the module
};

/// A type that must not have an explicit layout, and the decoration that gives it one.
struct ForbiddenLayout {
  InstructionIndex instruction;  ///< the instruction that refers to the memory
  StorageClass storage;
  const DecorationRow* decoration;
};

class LayoutRequirements {
 public:
  /// Near-linear in the types and in the uses of pointers.
  LayoutRequirements(const ModuleCheck& c, const TypeLayouts& layouts);

  [[nodiscard]] const LayoutRequirement& of(TypeIndex type, LayoutRules rules) const {
    return requirements_[type.index()][static_cast<std::size_t>(rules)];
  }
  [[nodiscard]] std::span<const ForbiddenLayout> forbidden() const { return forbidden_; }

 private:
  // The requirement of a storage class on its types: an explicit layout, no explicit layout, or neither.
  enum class Need : std::uint8_t { None, Layout, NoLayout };

  // A reference of an instruction to memory, and the type of the memory. Several instructions may refer to the same
  // memory through pointers.
  struct Reference {
    InstructionIndex instruction;
    StorageClass storage;
    Word type;
    bool is_variable;
  };

  void gather();
  void gather_typed(const TypeRow& pointer, InstructionView view, InstructionIndex index);
  void gather_untyped(const TypeRow& pointer, InstructionView view, InstructionIndex index);
  void add(const Reference& reference);
  [[nodiscard]] Need need_of(const Reference& reference, const TypeRow& block) const;
  [[nodiscard]] LayoutRules rules_of(StorageClass storage, const TypeRow& block) const;
  void propagate();
  void add_to_part(TypeIndex whole, Word part, std::size_t rules, const LayoutRequirement& requirement);

  const ModuleCheck& c_;
  const TypeLayouts& layouts_;
  // Requirements by type. Few types have any, but an index lookup is fast.
  std::vector<std::array<LayoutRequirement, layout_rules_count>> requirements_;
  std::vector<ForbiddenLayout> forbidden_;
};

}  // namespace vireo::spirv
