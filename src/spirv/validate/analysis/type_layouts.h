// SPDX-License-Identifier: Apache-2.0
//
// TypeLayouts: how much memory each type takes, and where its parts may lie.
//
// The one idea: a type is declared before it is used, so one pass in the order of declaration gives each type its size
// and its three alignments from those of its parts. Nothing walks a type afterwards, however deep it is. Only a matrix
// does not know its own layout: the member that holds it says how its columns or rows are strewn; so what an array of
// matrices needs of that is kept aside (ArrayLayout), and a member's extent is asked of the member.
//
//   const TypeLayouts layouts(context);
//   for (const MemberLayout& member : layouts.members(type)) … layouts.extent(member).alignment[…] …
//
// Numbers are bytes, saturated at TypeLayouts::most. What cannot be known (specialization, types without a size) says so.
//
// Source: Vulkan, "Offset and Stride Assignment"; specification 2.18.1 (memory layout), 3.20 (Offset, ArrayStride, …);
// SPV_EXT_descriptor_heap for descriptors.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "spirv/validate/engine/context.h"

namespace vireo::spirv {

/// By which rule types are aligned. GLSL's names for the first two are std140 and std430.
enum class LayoutRules : std::uint8_t {
  Extended,  ///< as Base, but structures, arrays and matrices at multiples of 16 bytes
  Base,      ///< vectors at multiples of two or four components
  Scalar,    ///< everything where its scalars may be
};
inline constexpr std::size_t layout_rules_count = 3;

/// A number that a decoration gives.
struct LayoutNumber {
  enum class State : std::uint8_t {
    Missing,  ///< no decoration does
    Unknown,  ///< specialization, or a descriptor's size
    Known,
  };
  State state = State::Missing;
  std::uint64_t value = 0;
  InstructionIndex decoration;  ///< none when missing

  [[nodiscard]] bool is_missing() const { return state == State::Missing; }
  [[nodiscard]] bool is_known() const { return state == State::Known; }
};

/// What a structure says of a member.
struct MemberLayout {
  Word type = 0;
  LayoutNumber offset, matrix_stride;
  bool has_majorness = false;
  bool is_row_major = false;
};

/// The memory that a type takes.
struct Extent {
  bool is_known = false;  ///< else the numbers mean nothing
  std::uint64_t size = 0;
  std::array<std::uint64_t, layout_rules_count> alignment{1, 1, 1};

  [[nodiscard]] std::uint64_t aligned(LayoutRules rules) const { return alignment[static_cast<std::size_t>(rules)]; }
};

/// An array, down to what is no array.
struct ArrayLayout {
  LayoutNumber stride;
  TypeIndex inner;         ///< what is no array
  std::uint64_t last = 0;  ///< bytes before the last one of it
};

class TypeLayouts {
 public:
  static constexpr std::uint64_t most = std::uint64_t{1} << 62;

  /// Reads all types. Near-linear in the words of types and their decorations.
  explicit TypeLayouts(const Context& context);

  [[nodiscard]] const Extent& extent(TypeIndex type) const { return extents_[type.index()]; }
  /// Of what an array is made of, which may be a pointer that is declared later, or never. Only of arrays that are known.
  [[nodiscard]] Extent element_extent(const TypeRow& array) const;
  /// Of a member, matrices included.
  [[nodiscard]] Extent extent(const MemberLayout& member) const;
  /// The members of a structure; none of other types.
  [[nodiscard]] std::span<const MemberLayout> members(TypeIndex type) const;
  /// What is known of an array; an empty one of other types.
  [[nodiscard]] const ArrayLayout& array(TypeIndex type) const;
  /// The matrix that a member holds, itself or in arrays; nullptr when it holds none.
  [[nodiscard]] const TypeRow* matrix(const MemberLayout& member) const;
  /// The decoration that lays a type or a part of it out; nullptr when there is none.
  [[nodiscard]] const DecorationRow* first_layout(TypeIndex type) const { return first_layouts_[type.index()]; }

 private:
  void read(TypeIndex index);
  void read_array(TypeIndex index, const TypeRow& type);
  void read_struct(TypeIndex index, const TypeRow& type);
  [[nodiscard]] LayoutNumber number(const DecorationRow& row, TypeIndex user) const;
  [[nodiscard]] Extent descriptor(const TypeRow& type) const;
  [[nodiscard]] TypeIndex before(TypeIndex index, Word type) const;
  [[nodiscard]] bool is_announced(Word type) const;

  struct Parts {
    std::uint32_t first = 0, count = 0;
  };
  const Context& context_;
  std::uint64_t bindless_ = 0;                       // bytes of a handle that is a number; 0: handles are none
  std::vector<Extent> extents_;                      // by type
  std::vector<Parts> parts_;                         // by type: in members_, or in arrays_ with a count of one
  std::vector<const DecorationRow*> first_layouts_;  // by type
  std::vector<MemberLayout> members_;
  std::vector<ArrayLayout> arrays_;
};

/// The least multiple of `unit` that is not below `number`.
constexpr std::uint64_t round_up(std::uint64_t number, std::uint64_t unit) {
  return unit < 2 || number >= TypeLayouts::most ? number : (number + unit - 1) / unit * unit;
}

}  // namespace vireo::spirv
