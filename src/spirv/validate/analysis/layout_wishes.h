// SPDX-License-Identifier: Apache-2.0
//
// LayoutWishes: which types have to be laid out by decorations, by which rules, and where they come to lie; and which
// must not be laid out.
//
// The one idea: whatever refers to memory (a variable, a pointer that comes from elsewhere, an access without a type of
// its own) wishes a type to be laid out by some rules. One pass from the last type to the first hands each wish on to
// the parts of the type, together with the places where these come to lie. So a type has a wish for each set of rules at
// most, however many variables there are of it.
//
// Places matter only by the remainder of 16 bytes, and for vectors alone: everything else has to lie at its alignment
// within a type that lies at the largest of them.
//
// Source: specification 2.16.2; Vulkan, "Offset and Stride Assignment" and VUID-StandaloneSpirv-None-10684.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "spirv/validate/analysis/type_layouts.h"
#include "spirv/validate/engine/context.h"

namespace vireo::spirv {

/// Bytes; no short vector lies on both sides of a multiple of this.
inline constexpr std::uint64_t vector_boundary = 16;

/// Where a type comes to lie, and who wishes it laid out.
struct LayoutWish {
  std::uint16_t residues = 0;  ///< a bit for each remainder of `vector_boundary`; none: nobody wants it
  InstructionIndex cause;      ///< of several the first
};

/// Memory that must not be laid out, and the decoration that does.
struct ForbiddenLayout {
  InstructionIndex instruction;  ///< that refers to the memory
  StorageClass storage;
  const DecorationRow* decoration;
};

class LayoutWishes {
 public:
  /// Near-linear in the types and in the uses of pointers.
  LayoutWishes(const Context& context, const TypeLayouts& layouts);

  [[nodiscard]] const LayoutWish& of(TypeIndex type, LayoutRules rules) const {
    return wishes_[type.index()][static_cast<std::size_t>(rules)];
  }
  [[nodiscard]] std::span<const ForbiddenLayout> forbidden() const { return forbidden_; }

 private:
  // What a storage class wants of the types in it: that they are laid out, that no decoration lays them out, or neither.
  enum class Need : std::uint8_t { None, Layout, NoLayout };

  // Memory that an instruction refers to, and its type. Only a variable is itself of that type; anything else sees the
  // memory through a pointer, and there may be many that do.
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
  void hand_on();
  void give(TypeIndex whole, Word part, std::size_t rules, const LayoutWish& wish);

  const Context& context_;
  const TypeLayouts& layouts_;
  // By type: few types are wished for, but each has a place, so the wishes of a part are found by an index.
  std::vector<std::array<LayoutWish, layout_rules_count>> wishes_;
  std::vector<ForbiddenLayout> forbidden_;
};

}  // namespace vireo::spirv
