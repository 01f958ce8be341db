// SPDX-License-Identifier: Apache-2.0
//
// Table of image operands: the instructions and images that allow each bit of the mask, and its parameters.
//
// Each bit has a row. image_operands.cpp checks modules against the rows; tests generate modules from the
// rows.
//
// Source: specification 3.14 (image operands); SPV_AMD_texture_gather_bias_lod, SPV_AMD_shader_image_load_store_lod.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "spirv/validate/tables/image_instruction_rows.h"

namespace vireo::spirv {

/// The required type of a parameter after the mask.
enum class ImageOperandValue : std::uint8_t {
  None,         ///< no parameter
  Scope,        ///< check_scopes checks it
  Float,        ///< a 32-bit float scalar
  Lod,          ///< a 32-bit float scalar with a sampler, otherwise a 32-bit integer scalar
  Integer,      ///< a 32-bit integer scalar
  Derivatives,  ///< floats, one for each dimension of the image; two parameters
  Offset,       ///< integers, one for each dimension of the image
  Offsets,      ///< an array of four two-component integer vectors
};

/// One bit of the mask.
struct ImageOperandRow {
  ImageOperands bit;
  ImageOperandValue value;
  bool is_constant;
  bool one_sample;          ///< only with single-sampled images
  std::uint16_t where;      ///< instructions that allow the bit: any of these ImageTraits
  DimSet dims;              ///< image dimensions that allow the bit
  std::string_view places;  ///< `where`, for messages: "in OpImageWrite"
};
/// A capability that allows a bit in further instructions.
struct ImageOperandPlace {
  ImageOperands bit;
  std::uint16_t where, but;  ///< instructions with any trait of `where` and none of `but` (ImageTrait)
  Capability capability;
};

/// In ascending order of bits. The parameters after the mask have the same order.
std::span<const ImageOperandRow> image_operand_rows();
std::span<const ImageOperandPlace> further_image_operand_places();

}  // namespace vireo::spirv
