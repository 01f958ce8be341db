// SPDX-License-Identifier: Apache-2.0
//
// TypeLayouts: size and alignment of each type in memory, and the layout of its parts.
//
// A type is declared before its uses. So one pass in declaration order computes the size and the three
// alignments of each type from its parts. No query walks a type, however deep it is. A matrix is the exception: its
// stride and majorness are decorations of the member that contains it. So ArrayLayout stores the size data of an array
// of matrices, and extent(MemberLayout) computes the extent of a member.
//
//   const TypeLayouts layouts(facts, LayoutKind::Exact);
//   for (const MemberLayout& member : layouts.members(type)) … layouts.extent(member).alignment[…] …
//
// Numbers are in bytes, saturated at TypeLayouts::most. A value is marked as unknown if specialization determines it,
// or if a type has no size.
//
// Source: Vulkan, "Offset and Stride Assignment", "Shader Resource Interface" (workgroup memory); specification 2.18.1
// (memory layout), 3.20 (Offset, ArrayStride, …); SPV_EXT_descriptor_heap for descriptors.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "vireo/spirv/module/constants.h"
#include "vireo/spirv/module/decorations.h"
#include "vireo/spirv/module/facts.h"
#include "vireo/spirv/module/types.h"

namespace vireo::spirv {

/// The alignment rules. GLSL calls the first two std140 and std430.
enum class LayoutRules : std::uint8_t {
  Extended,  ///< as Base, but structures, arrays and matrices are aligned to 16 bytes
  Base,      ///< vectors are aligned to two or four components
  Scalar,    ///< every type has the alignment of its scalars
};
inline constexpr std::size_t layout_rules_count = 3;

/// How offsets, strides and sizes are determined.
enum class LayoutKind : std::uint8_t {
  /// By decorations; a size ends with the last byte of the last part. If a stride is missing, only the first element
  /// counts. If specialization can change a number, it is unknown.
  Exact,
  /// By decorations; a size contains the padding after the last element of an array and the last vector of a matrix. It
  /// is unknown if an offset or the stride of an array is missing. Numbers have their defaults.
  Padded,
  /// By the Base rules, in memory without decorations, such as workgroup memory. Vulkan defines an upper bound for such
  /// memory: as for storage buffers, with booleans of 32 bits. Types without a size take no bytes. Sizes contain
  /// padding; numbers have their defaults.
  Implicit,
};

/// An offset or a stride.
struct LayoutNumber {
  enum class State : std::uint8_t {
    Missing,  ///< no decoration states it
    Unknown,  ///< determined by specialization or by the size of a descriptor
    Known,
  };
  State state = State::Missing;
  std::uint64_t value = 0;
  InstructionIndex decoration;  ///< none when missing
  std::uint16_t word = 0;       ///< of the number in the decoration

  [[nodiscard]] bool is_missing() const { return state == State::Missing; }
  [[nodiscard]] bool is_known() const { return state == State::Known; }
};

/// The layout of a member.
struct MemberLayout {
  Word type = 0;
  LayoutNumber offset, matrix_stride;
  bool has_majorness = false;
  bool is_row_major = false;
};

/// The size and alignment of a type in memory.
struct Extent {
  bool is_known = false;  ///< if false, the numbers are meaningless, except for LayoutKind::Implicit
  std::uint64_t size = 0;
  std::array<std::uint64_t, layout_rules_count> alignment{1, 1, 1};

  [[nodiscard]] std::uint64_t aligned(LayoutRules rules) const { return alignment[static_cast<std::size_t>(rules)]; }
};
/// A scalar is aligned to its size under all rules.
constexpr Extent scalar_extent(std::uint64_t bytes) {
  const std::uint64_t unit = std::max<std::uint64_t>(bytes, 1);
  return {true, bytes, {unit, unit, unit}};
}

/// The descriptors in a descriptor heap, or the handles that represent them. They depend on the device.
struct DescriptorExtents {
  Extent image, sampler, tensor, buffer;
};

/// The layout of an array, including nested arrays.
struct ArrayLayout {
  LayoutNumber stride;
  std::uint64_t count = 0;  ///< elements; 0 if it is unknown, as for runtime arrays
  TypeIndex inner;          ///< the innermost element type
  std::uint64_t last = 0;   ///< bytes before the last innermost element
};

class TypeLayouts {
 public:
  static constexpr std::uint64_t most = std::uint64_t{1} << 62;

  /// Reads all types. Near-linear in the words of types and their decorations. The facts are borrowed.
  TypeLayouts(const Facts& facts, LayoutKind kind, const DescriptorExtents& descriptors = {});

  [[nodiscard]] const Extent& extent(TypeIndex type) const { return extents_[type.index()]; }
  /// The bytes of a type; 0 if the id is not one, or if it has no size.
  [[nodiscard]] std::uint64_t size_of(Word type) const {
    const TypeIndex index = types_.index_of(type);
    return index.is_none() ? 0 : extent(index).size;
  }
  /// The extent of the element of an array, whose extent must be known. The element may be a pointer that is declared
  /// later or never.
  [[nodiscard]] Extent element_extent(const TypeRow& array) const;
  /// The extent of a member, including matrices.
  [[nodiscard]] Extent extent(const MemberLayout& member) const;
  /// The members of a structure; empty for other types.
  [[nodiscard]] std::span<const MemberLayout> members(TypeIndex type) const;
  /// The layout of an array; a default one for other types.
  [[nodiscard]] const ArrayLayout& array(TypeIndex type) const;
  /// The matrix type of a member that is a matrix or an array of matrices; nullptr for other members.
  [[nodiscard]] const TypeRow* matrix(const MemberLayout& member) const;
  /// The first layout decoration of a type or of its parts; nullptr if there is none.
  [[nodiscard]] const DecorationRow* first_layout(TypeIndex type) const { return first_layouts_[type.index()]; }

 private:
  void read(TypeIndex index);
  void read_array(TypeIndex index, const TypeRow& type);
  void read_struct(TypeIndex index, const TypeRow& type);
  void read_decorations(TypeIndex index, std::span<MemberLayout> members);
  [[nodiscard]] LayoutNumber number(const DecorationRow& row, TypeIndex user) const;
  [[nodiscard]] Extent matrix_extent(const TypeRow& matrix, const MemberLayout& member) const;
  [[nodiscard]] TypeIndex before(TypeIndex index, Word type) const;
  [[nodiscard]] bool is_announced(Word type) const;
  [[nodiscard]] std::optional<std::uint64_t> constant(Word id) const;

  struct Parts {
    std::uint32_t first = 0, count = 0;
  };
  const Facts& facts_;
  const Types& types_;
  const Decorations& decorations_;
  LayoutKind kind_;
  DescriptorExtents descriptors_;
  std::vector<Extent> extents_;                      // by type
  std::vector<Parts> parts_;                         // by type: range in members_, or in arrays_ with a count of one
  std::vector<const DecorationRow*> first_layouts_;  // by type
  std::vector<MemberLayout> members_;
  std::vector<ArrayLayout> arrays_;
};

/// Rounds `number` up to a multiple of `unit`.
constexpr std::uint64_t round_up(std::uint64_t number, std::uint64_t unit) {
  return unit < 2 || number >= TypeLayouts::most ? number : (number + unit - 1) / unit * unit;
}

/// The product, saturated at TypeLayouts::most. The division avoids an overflow of 64 bits.
constexpr std::uint64_t bounded_product(std::uint64_t a, std::uint64_t b) {
  return a != 0 && b > TypeLayouts::most / a ? TypeLayouts::most : a * b;
}

}  // namespace vireo::spirv
