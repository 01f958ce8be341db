// SPDX-License-Identifier: Apache-2.0
//
// SmithTypes: the types of a random module, each declared once.
//
// Types nest at most five deep (a structure of arrays of matrices), so functions on them may recurse.
#pragma once

#include <cstdint>
#include <vector>

#include "vireo/spirv/build/builder.h"

namespace vireo::spirv {

/// An index into SmithTypes.
using TypeRef = std::uint32_t;

struct SmithType {
  enum class Kind : std::uint8_t { Bool, Int, Float, Vector, Matrix, Array, Struct };
  Kind kind = Kind::Bool;
  bool is_signed = false;      ///< of an integer
  std::uint32_t width = 0;     ///< of a scalar, in bits
  std::uint32_t count = 1;     ///< components, columns, elements or members
  std::vector<TypeRef> parts;  ///< the type of components, columns or elements; the types of members
  std::uint32_t scalars = 1;   ///< in a value
  ValueId length = {};         ///< of an array
  TypeId id;

  [[nodiscard]] bool is_scalar() const { return kind < Kind::Vector; }
  [[nodiscard]] TypeRef part(std::uint32_t i) const { return parts.size() == 1 ? parts[0] : parts[i]; }
};

class SmithTypes {
 public:
  explicit SmithTypes(Builder& builder);

  const SmithType& operator[](TypeRef type) const { return types_[type]; }

  [[nodiscard]] TypeRef boolean() const { return 0; }
  [[nodiscard]] TypeRef integer(std::uint32_t width, bool is_signed) const;
  [[nodiscard]] TypeRef floating(std::uint32_t width) const;
  /// `component` itself if `count` is 1.
  TypeRef vector(TypeRef component, std::uint32_t count);
  TypeRef matrix(TypeRef column, std::uint32_t count);
  /// An array whose length is a constant with this value (by default: of a specialization constant).
  TypeRef array(TypeRef element, ValueId length, std::uint32_t count);
  TypeRef structure(std::vector<TypeRef> members);

  /// The type of the components of a vector; a scalar type itself.
  [[nodiscard]] TypeRef scalar_of(TypeRef type) const;
  [[nodiscard]] std::uint32_t components_of(TypeRef type) const;
  /// The type with the components of `type` replaced by another scalar type.
  TypeRef with_scalar(TypeRef type, TypeRef scalar) { return vector(scalar, components_of(type)); }
  /// Whether a value of a type has parts of another one, or is one.
  [[nodiscard]] bool contains(TypeRef whole, TypeRef part) const;

 private:
  TypeRef add(SmithType type);
  TypeRef of_parts(SmithType::Kind kind, TypeRef part, std::uint32_t count);

  Builder& b_;
  std::vector<SmithType> types_;
};

}  // namespace vireo::spirv
