// SPDX-License-Identifier: Apache-2.0
//
// The table of image instructions and the helpers that the image checks share.
//
// Instructions that sample, fetch, read and write images differ in a few properties, such as image
// operand, texel, coordinate and dimensions. Each instruction has a row of these properties. A requirement is one
// function of the row and the image type, so few checks test the opcode.
//
// Source: specification 3.42.10 (image instructions), 3.14 (image operands), 3.8 (dimensions).
#pragma once

#include <concepts>
#include <string>

#include "spirv/validate/engine/check.h"

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

/// "1D, 2D or Cube". Omits Rect in Vulkan, which does not support it.
std::string dims_text(const ModuleCheck& c, DimSet dims);
/// The number of coordinate components, without layer and projective divisor; 0 for an unknown dimension.
std::uint32_t component_count(Dim dim);

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

// --- a single access ----------------------------------------------------------------------------------------------------

/// The image operand or sampled image operand.
AnyOperand image_operand(const DecodedInstruction& inst, ImageSource source);
/// The type of the image, or of the image in the sampled image. If the operand has another type, reports it and returns
/// nullptr.
const TypeRow* check_image_type(const InstructionCheck& c, ImageSource source);

/// Adds a note to the last finding: the declaration of an image type, at one of its operands.
void note_image_type(const ModuleCheck& c, const TypeRow& image, OperandName operand);

/// The cause of image-sampling findings about an image type (Report::add_once).
inline std::string sampling_cause(const TypeRow& image) { return std::to_string(image.id); }
/// Reports an instruction that does not support the Sampled operand of an image type. Further instructions with this
/// type are notes of the first finding, because the type is their common cause. Returns whether this is the first one.
bool report_sampling(const InstructionCheck& c, Place place, const TypeRow& image, std::string_view expected);

/// The check of an instruction that accesses an image of sound type.
struct ImageCheck : InstructionCheck {
  ImageCheck(const InstructionCheck& c, const ImageInstruction& instruction, const TypeRow& type_of_image,
             const TypeRow* type_of_texel)
      : InstructionCheck(c),
        row(instruction),
        image_type(type_of_image),
        image(c.types.image(type_of_image)),
        texel(type_of_texel) {}
  const ImageInstruction& row;
  const TypeRow& image_type;
  ImageShape image;
  const TypeRow* texel;  ///< type of the texel; nullptr if the texel is ill-typed

  [[nodiscard]] Place at_image() const { return at(image_operand(*this, row.source)); }
  /// Adds a note to the last finding: an operand of the image type.
  void note_type(OperandName operand) const { note_image_type(*this, image_type, operand); }
};

/// Checks the mask of image operands and its parameters.
void check_image_operands(const ImageCheck& c);

/// Whether a type is a scalar or vector of 32-bit floats, or of 32-bit integers.
bool is_float32(const ModuleCheck& c, const TypeRow& type);
bool is_int32(const ModuleCheck& c, const TypeRow& type);
/// The number of components of a scalar (1) or vector.
std::uint64_t count_of(const TypeRow& type);

/// The scalar type that a format has in a shader.
struct FormatRow {
  TypeKind kind = TypeKind::None;  ///< Int or Float; None if the format is unknown
  std::uint32_t width = 0;         ///< width of this scalar type in bits
  bool is_signed = false;
};
FormatRow format_row(ImageFormat format);

}  // namespace vireo::spirv
