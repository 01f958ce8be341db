// SPDX-License-Identifier: Apache-2.0
//
// Sizes of types in memory with an explicit layout.
//
// Source: Vulkan specification, "Offset and Stride Assignment"; specification 3.31 (ArrayStride, MatrixStride, Offset).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>

#include "vireo/spirv/module/constants.h"
#include "vireo/spirv/module/decorations.h"
#include "vireo/spirv/module/facts.h"
#include "vireo/spirv/module/types.h"

namespace vireo::spirv {

/// The layout that decorations of a member state.
struct DecoratedLayout {
  std::optional<std::uint32_t> offset;
  std::uint32_t matrix_stride = 0;
  bool is_row_major = false;
};

/// The decorations of the members of a structure, one member after the other. So a structure is read in one pass,
/// without a search for each decoration.
class MemberDecorations {
 public:
  MemberDecorations(const Decorations& decorations, Word structure);
  /// The rows of a member. The numbers of successive calls must ascend.
  [[nodiscard]] std::span<const DecorationRow> of(std::uint32_t member);

 private:
  std::span<const DecorationRow> rest_;
};

class TypeSizes {
 public:
  /// Computes the sizes of all structures, in the order of declaration. The facts are borrowed.
  explicit TypeSizes(const Facts& facts);

  /// The size of a member in bytes, of a run-time array 0; none if its type has no size.
  [[nodiscard]] std::optional<std::uint64_t> size_of_member(Word type, const DecoratedLayout& layout) const {
    return size_of(types_.of(type), layout.matrix_stride, layout.is_row_major);
  }
  [[nodiscard]] DecoratedLayout layout_of(std::span<const DecorationRow> member) const;
  /// The end of the last byte of a structure; a run-time array counts 0 bytes.
  [[nodiscard]] std::optional<std::uint64_t> size_of_structure(Word structure) const;
  /// The length of an array, 0 for a run-time array; if specialization can change it, the default.
  [[nodiscard]] std::uint64_t length_of(const TypeRow& array) const;
  [[nodiscard]] std::uint32_t operand(Word target, Word member, Decoration decoration, std::uint32_t otherwise) const;

 private:
  [[nodiscard]] std::optional<std::uint64_t> size_of(const TypeRow& type, std::uint32_t matrix_stride,
                                                     bool is_row_major) const;

  const Types& types_;
  const Constants& constants_;
  const Decorations& decorations_;
  std::unordered_map<Word, std::uint64_t> sizes_;  // of structures that have a size
};

}  // namespace vireo::spirv
