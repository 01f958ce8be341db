// SPDX-License-Identifier: Apache-2.0
//
// ValueLayout: where the scalars of a block are in memory, and how they are named.
//
// Inputs are read, outputs are printed and expectations are compared by one layout: that of a block in a module, or that
// of the elements of a buffer in a job. Scalars never overlap, so there are at most as many as bytes. A block without
// such a layout is an array of bytes.
//
// Source: specification 2.18.1 (memory layout); Vulkan, "Offset and Stride Assignment".
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "vireo/spirv/module/facts.h"
#include "vireo/spirv/word.h"
#include "vireo/support/number.h"

namespace vireo::cli {

/// The type of a scalar in memory: whole bytes, at most eight.
struct ScalarType {
  bool is_float = false, is_signed = false;
  std::uint32_t width = 8;                   ///< in bits
  FloatFormat format = FloatFormat::Single;  ///< of a float

  [[nodiscard]] std::uint64_t bytes() const { return width / 8; }
  friend bool operator==(const ScalarType&, const ScalarType&) = default;
};
/// "u32", "i8", "f16", "bf16".
std::string name_of(const ScalarType& type);
/// The type with such a name of an integer or a float of IEEE 754.
std::optional<ScalarType> find_scalar_type(std::string_view name);

/// A value in memory.
struct LayoutPart {
  enum class Kind : std::uint8_t {
    Scalar,
    List,    ///< an array, vector, matrix (of columns), or column
    Record,  ///< a structure
  };
  struct Member {
    std::string name;  ///< empty: has none
    std::uint64_t offset = 0;
    std::uint32_t part = 0;
  };

  Kind kind = Kind::Scalar;
  ScalarType scalar;                 // of a Scalar
  bool is_open = false;              // List: the buffer determines the number of elements
  std::uint64_t count = 0;           // List: elements; 0 if it is open
  std::uint64_t stride = 0;          // List: bytes between elements
  std::uint32_t element = 0;         // List
  std::vector<Member> members = {};  // Record: in the order of the type
  std::uint64_t size = 0;            // bytes up to the end of the last scalar; an open list has none
};

class ValueLayout {
 public:
  /// Bytes without a structure.
  ValueLayout();
  /// Elements of a pattern: scalars at offsets, repeated with a stride.
  ValueLayout(std::uint64_t stride, std::span<const std::pair<std::uint64_t, ScalarType>> components);
  /// The layout of a type in a module, by its decorations.
  static ValueLayout of_type(const spirv::Facts& facts, spirv::Word type);

  [[nodiscard]] const LayoutPart& root() const { return parts_.back(); }
  [[nodiscard]] const LayoutPart& part(std::uint32_t index) const { return parts_[index]; }

  /// The bytes without the open list.
  [[nodiscard]] std::uint64_t fixed_size() const { return root().size; }
  /// The open list, which is the last member of the block or the block itself; nullptr if there is none.
  [[nodiscard]] const LayoutPart* open_list() const;
  /// The offset of the open list.
  [[nodiscard]] std::uint64_t open_offset() const;
  /// The bytes with some elements of the open list, at most 2^62.
  [[nodiscard]] std::uint64_t size_with(std::uint64_t elements) const;

  /// The elements of a list that begins at an offset of a buffer with some bytes.
  [[nodiscard]] std::uint64_t count_of(const LayoutPart& list, std::uint64_t offset, std::uint64_t bytes) const;

  /// The scalars of a part, without an open list.
  [[nodiscard]] std::uint64_t scalars_of(const LayoutPart& part) const;

  /// The scalar at an offset of a buffer: "NAME.data[3].x".
  [[nodiscard]] std::string place_of(std::uint64_t offset, std::string_view name) const;
  /// The type of a part, as in C: "{u32 n, f32[] data}".
  [[nodiscard]] std::string type_text(const LayoutPart& part) const;

  /// Calls `use(offset, type)` for each scalar that ends within some bytes, in the order of the type, until it returns
  /// false.
  template <typename Use>
  void for_each_scalar(std::uint64_t bytes, Use use) const {
    visit(root(), 0, bytes, use);
  }

 private:
  friend class LayoutReader;
  explicit ValueLayout(std::vector<LayoutPart> parts) : parts_(std::move(parts)) {}

  // The depth of a layout is bounded (LayoutReader).
  template <typename Use>
  bool visit(const LayoutPart& part, std::uint64_t offset, std::uint64_t bytes, Use& use) const {
    if (part.kind == LayoutPart::Kind::Scalar)
      return part.size > bytes || offset > bytes - part.size || use(offset, part.scalar);
    if (part.kind == LayoutPart::Kind::Record) {
      for (const LayoutPart::Member& member : part.members) {
        if (!visit(parts_[member.part], offset + member.offset, bytes, use)) return false;
      }
      return true;
    }
    const std::uint64_t count = count_of(part, offset, bytes);
    for (std::uint64_t i = 0; i < count; ++i) {
      if (!visit(parts_[part.element], offset + i * part.stride, bytes, use)) return false;
    }
    return true;
  }

  std::vector<LayoutPart> parts_;  // never empty; the root is the last one
};

}  // namespace vireo::cli
