// SPDX-License-Identifier: Apache-2.0
//
// Images of vendors' instructions: fragment masks (SPV_AMD_shader_fragment_mask), handles of bindless textures
// (SPV_NV_bindless_texture), and block accesses of subgroups (SPV_INTEL_subgroups, SPV_INTEL_media_block_io).
//
// Typing rows check the types of operands; the checks here look into the image type.
#include <string>

#include "spirv/validate/checks/checks.h"
#include "spirv/validate/checks/images/images.h"
#include "vireo/spirv/binary/views/reserved.h"

namespace vireo::spirv {
namespace {

using enum Op;

// The image type of the operand; nullptr if it has another type, which the typing row reports.
const TypeRow* image_type_of(const InstructionCheck& c) {
  const TypeRow& type = c.type_of(c.operand(OperandName::image));
  return type.is(TypeKind::Image) ? &type : nullptr;
}

// --- fragment masks ------------------------------------------------------------------------------------------------------

// A fragment mask belongs to a compressed multisampled surface.
void check_fragment_fetch(const InstructionCheck& c) {
  constexpr DimSet surfaces(Dim::Dim2D, Dim::SubpassData);
  const TypeRow* type = image_type_of(c);
  if (type == nullptr) return;
  const ImageShape image = c.types.image(*type);
  const AnyOperand operand = c.operand(OperandName::image);
  if (any_dim.has(image.dim) && !surfaces.has(image.dim)) {
    c.report(Rule::ImageDim, c.at(operand), {c.op(), image.dim, dims_text(c, surfaces)});
    note_image_type(c, *type, OperandName::dim);
  }
  if (image.multisampled != 1) {
    c.report(Rule::ImageSamples, c.at(operand), {c.op(), "multisampled image (MS 1)", image.multisampled});
    note_image_type(c, *type, OperandName::ms);
  }
  const TypeRow& result = c.types.of(c.type);
  const TypeRow& sampled = c.types.of(image.sampled_type);
  if (c.op() != OpFragmentFetchAMD || sampled.is(TypeKind::Void) || !result.has_known_size()) return;
  if (result.component().id == image.sampled_type) return;
  c.report(Rule::TexelType, c.at_type(), {c.op(), result.id, image.sampled_type});
  note_image_type(c, *type, OperandName::sampled_type);
}

// --- handles -------------------------------------------------------------------------------------------------------------

// The width of handles in bits; 0 if the module does not state it, which has its own finding.
std::uint32_t handle_width(const ModuleCheck& c) {
  for (const InstructionView view : c.module.views(c.module.section(Section::MemoryModel))) {
    if (const auto mode = as<OpSamplerImageAddressingModeNV>(view)) return mode->bit_width();
  }
  return 0;
}

// A 64-bit handle may also be a vector of two words.
bool is_handle(const TypeRow& type, std::uint32_t width) {
  if (type.is(TypeKind::Vector)) {
    const TypeRow& part = type.component();
    return width == 64 && type.count == 2 && part.is_int(32) && !part.is_signed;
  }
  return type.is_int(width) && !type.is_signed;
}

std::string_view handle_text(std::uint32_t width) {
  return width == 64 ? "a 64-bit unsigned integer, or a vector of two 32-bit unsigned integers"
                     : "a 32-bit unsigned integer";
}

struct HandleRow {
  Op opcode;
  TypeKind kind;  ///< of the object
  std::string_view text;
  bool makes_object;  ///< the instruction converts an integer to the object
};
constexpr HandleRow handle_rows[] = {
    {OpConvertUToImageNV, TypeKind::Image, "an image", true},
    {OpConvertUToSamplerNV, TypeKind::Sampler, "a sampler", true},
    {OpConvertUToSampledImageNV, TypeKind::SampledImage, "a sampled image", true},
    {OpConvertImageToUNV, TypeKind::Image, "an image", false},
    {OpConvertSamplerToUNV, TypeKind::Sampler, "a sampler", false},
    {OpConvertSampledImageToUNV, TypeKind::SampledImage, "a sampled image", false},
};

void check_handle(const InstructionCheck& c) {
  const AnyOperand operand = c.operand(OperandName::operand);
  const TypeRow &result = c.types.of(c.type), &given = c.type_of(operand);
  const std::uint32_t width = handle_width(c);
  for (const HandleRow& row : handle_rows) {
    if (row.opcode != c.op()) continue;
    const TypeRow &object = row.makes_object ? result : given, &handle = row.makes_object ? given : result;
    // The result is checked first; without it, nothing is known about the operand.
    const bool is_object = object.is(row.kind), is_number = width == 0 || is_handle(handle, width);
    if (row.makes_object ? !is_object : !is_number) {
      c.wrong_result(row.makes_object ? row.text : handle_text(width));
    } else if (row.makes_object ? !is_number : !is_object) {
      c.wrong_operand(operand, "the operand", row.makes_object ? handle_text(width) : row.text);
    }
  }
}

// --- block accesses ------------------------------------------------------------------------------------------------------

void check_block_access(const InstructionCheck& c) {
  const TypeRow* type = image_type_of(c);
  if (type == nullptr || c.types.image(*type).sampled != 1) return;
  c.report(Rule::ImageSampling, c.at(c.operand(OperandName::image)), {c.op(), "Sampled 0 or 2", "1"});
  note_image_type(c, *type, OperandName::sampled);
}

}  // namespace

std::span<const Check> vendor_image_checks() {
  static constexpr Check checks[] = {
      {{OpFragmentMaskFetchAMD, OpFragmentFetchAMD}, check_fragment_fetch},
      {{OpConvertUToImageNV, OpConvertUToSamplerNV, OpConvertUToSampledImageNV, OpConvertImageToUNV,
        OpConvertSamplerToUNV, OpConvertSampledImageToUNV},
       check_handle},
      {{OpSubgroupImageBlockReadINTEL, OpSubgroupImageBlockWriteINTEL, OpSubgroupImageMediaBlockReadINTEL,
        OpSubgroupImageMediaBlockWriteINTEL},
       check_block_access},
  };
  return checks;
}

}  // namespace vireo::spirv
