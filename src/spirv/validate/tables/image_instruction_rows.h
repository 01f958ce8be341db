// SPDX-License-Identifier: Apache-2.0
//
// The table of image instructions.
//
// Instructions that sample, fetch, read and write images differ in a few properties, such as image operand, texel,
// coordinate and dimensions. Each instruction has a row of these properties. A requirement is one function of the row
// and the image type, so few checks test the opcode.
//
// Source: specification 3.42.10 (image instructions), 3.8 (dimensions).
#pragma once

#include <concepts>
#include <cstdint>

#include "vireo/spirv/grammar/enums.h"
#include "vireo/spirv/word.h"

namespace vireo::spirv {

// --- dimensions ---------------------------------------------------------------------------------------------------------

/// A set of image dimensions.
struct DimSet {
  std::uint8_t bits = 0;

  constexpr DimSet() = default;
  constexpr explicit DimSet(std::same_as<Dim> auto... dims) : bits(static_cast<std::uint8_t>((bit(dims) | ...))) {}
  [[nodiscard]] constexpr bool has(Dim dim) const { return (bits & bit(dim)) != 0; }

 private:
  // The core enumerants are 0 to 6. TileImageDataEXT has a high value and takes the last bit. Unknown values are in no
  // set.
  static constexpr unsigned bit(Dim dim) {
    const auto number = static_cast<Word>(dim);
    if (dim == Dim::TileImageDataEXT) return 0x80;
    return number < 7 ? 1u << number : 0;
  }
};

// Sets that several rows use.
inline constexpr DimSet any_dim(Dim::Dim1D, Dim::Dim2D, Dim::Dim3D, Dim::Cube, Dim::Rect, Dim::Buffer, Dim::SubpassData,
                                Dim::TileImageDataEXT);
inline constexpr DimSet mipmapped_dims(Dim::Dim1D, Dim::Dim2D, Dim::Dim3D, Dim::Cube);
inline constexpr DimSet flat_dims(Dim::Dim1D, Dim::Dim2D, Dim::Dim3D, Dim::Rect);
inline constexpr DimSet all_but_cube(Dim::Dim1D, Dim::Dim2D, Dim::Dim3D, Dim::Rect, Dim::Buffer, Dim::SubpassData,
                                     Dim::TileImageDataEXT);

// --- instructions -------------------------------------------------------------------------------------------------------

enum class ImageSource : std::uint8_t { Image, SampledImage };
enum class TexelForm : std::uint8_t {
  None,    ///< the instruction returns no texel
  Scalar,  ///< the result of a depth comparison
  Vector,  ///< of four components
  Any,     ///< a scalar or a vector
};
enum class CoordinateKind : std::uint8_t {
  Float,
  Integer,
  FloatOrInteger,
  FloatUnlessKernel,  ///< kernels also allow integers
};

/// Further properties of an instruction, as bits.
enum ImageTrait : std::uint16_t {
  ImplicitLod = 1u << 0,  ///< the level of detail is computed from implicit derivatives
  ExplicitLod = 1u << 1,  ///< image operands give the level of detail
  Projective = 1u << 2,   ///< the last component of the coordinate divides the others
  Compares = 1u << 3,     ///< has a depth reference operand after the coordinate
  Gathers = 1u << 4,
  Fetches = 1u << 5,
  Reads = 1u << 6,
  Writes = 1u << 7,
  Sparse = 1u << 8,
};

/// A row of the table.
struct ImageInstruction {
  Op opcode;
  ImageSource source;
  TexelForm texel;
  CoordinateKind coordinate;
  DimSet dims;  ///< allowed dimensions of the image
  std::uint16_t traits;

  [[nodiscard]] constexpr bool is(std::uint16_t any_of) const { return (traits & any_of) != 0; }
};

/// nullptr if the opcode has no row.
const ImageInstruction* find_image_instruction(Op op);
/// Whether the instruction takes a sampled image (the result of OpSampledImage).
bool takes_sampled_image(Op op);

}  // namespace vireo::spirv
