// SPDX-License-Identifier: Apache-2.0
//
// The helpers that the image checks share.
//
// Source: specification 3.42.10 (image instructions), 3.14 (image operands), 3.8 (dimensions).
#pragma once

#include <string>

#include "spirv/validate/core/check.h"
#include "spirv/validate/tables/image_instruction_rows.h"

namespace vireo::spirv {

// --- dimensions ---------------------------------------------------------------------------------------------------------

/// "1D, 2D or Cube". Omits Rect in Vulkan, which does not support it.
std::string dims_text(const ModuleCheck& c, DimSet dims);
/// The number of coordinate components, without layer and projective divisor; 0 for an unknown dimension.
std::uint32_t component_count(Dim dim);

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
