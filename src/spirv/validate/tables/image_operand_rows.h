// SPDX-License-Identifier: Apache-2.0
//
// Image operands, as rows: where each bit of the mask may stand, and what follows it.
//
// The one idea: a bit is a row: at which instructions it may stand, with which images, and what follows it.
// image_operands.cpp compares modules with the rows; tests turn the rows round into modules.
//
// Source: specification 3.14 (image operands); SPV_AMD_texture_gather_bias_lod, SPV_AMD_shader_image_load_store_lod.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "spirv/validate/checks/images/images.h"

namespace vireo::spirv {

/// What an id behind the mask has to be.
enum class ImageOperandValue : std::uint8_t {
  None,         ///< no id
  Scope,        ///< judged with all scopes
  Float,        ///< a 32-bit float scalar
  Lod,          ///< the same for a sampler, a 32-bit integer elsewhere
  Integer,      ///< a 32-bit integer scalar
  Derivatives,  ///< floats, as many as the image has dimensions; two ids
  Offset,       ///< integers, as many as the image has dimensions
  Offsets,      ///< an array of four pairs of integers
};

/// One bit of the mask.
struct ImageOperandRow {
  ImageOperands bit;
  ImageOperandValue value;
  bool is_constant;
  bool one_sample;          ///< with images of one sample a texel only
  std::uint16_t where;      ///< at instructions that are any of these: ImageTrait
  DimSet dims;              ///< with images of these dimensions
  std::string_view places;  ///< for messages
};
/// A capability that lets a bit stand at further instructions.
struct ImageOperandPlace {
  ImageOperands bit;
  std::uint16_t where, but;  ///< at instructions that are any of the former, and none of the latter: ImageTrait
  Capability capability;
};

/// Ascending by bit: so are the ids behind the mask.
std::span<const ImageOperandRow> image_operand_rows();
std::span<const ImageOperandPlace> further_image_operand_places();

}  // namespace vireo::spirv
