// SPDX-License-Identifier: Apache-2.0
//
// The helpers of all image checks (images.h).
//
// Source: specification 3.42.10 (image instructions), 3.8 (dimensions), 3.11 (formats).
#include "spirv/validate/checks/images/images.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "spirv/validate/analysis/type_parts.h"

namespace vireo::spirv {

using enum Op;

// --- dimensions ---------------------------------------------------------------------------------------------------------

std::string dims_text(const ModuleCheck& c, DimSet dims) {
  constexpr Dim all[] = {Dim::Dim1D, Dim::Dim2D,  Dim::Dim3D,       Dim::Cube,
                         Dim::Rect,  Dim::Buffer, Dim::SubpassData, Dim::TileImageDataEXT};
  std::string text;
  std::size_t last = 0;  // offset of the last name
  for (const Dim dim : all) {
    if (!dims.has(dim) || (dim == Dim::Rect && c.is_vulkan())) continue;
    if (!text.empty()) text += ", ";
    last = text.size();
    text += enumerant_text(c, dim);
  }
  constexpr std::string_view comma = ", ";
  if (last != 0) text.replace(last - comma.size(), comma.size(), " or ");
  return text;
}

std::uint32_t component_count(Dim dim) {
  switch (dim) {
    case Dim::Dim1D:
    case Dim::Buffer: return 1;
    case Dim::Dim2D:
    case Dim::Rect:
    case Dim::SubpassData:
    case Dim::TileImageDataEXT: return 2;
    case Dim::Dim3D:
    case Dim::Cube: return 3;  // the coordinate of a cube is a direction
    default: return 0;
  }
}

// --- types --------------------------------------------------------------------------------------------------------------

AnyOperand image_operand(const DecodedInstruction& inst, ImageSource source) {
  return inst.operand(source == ImageSource::Image ? OperandName::image : OperandName::sampled_image);
}

const TypeRow* check_image_type(const InstructionCheck& c, ImageSource source) {
  const AnyOperand operand = image_operand(c, source);
  const TypeRow& type = c.type_of(operand);
  const bool is_image = source == ImageSource::Image;
  if (is_image && type.is(TypeKind::Image)) return &type;
  if (!is_image && type.is(TypeKind::SampledImage)) {
    const TypeRow& image = type.element_type();
    return image.is(TypeKind::Image) ? &image : nullptr;
  }
  c.wrong_operand(operand, is_image ? "the image" : "the sampled image", is_image ? "an image" : "a sampled image");
  return nullptr;
}

void note_image_type(const ModuleCheck& c, const TypeRow& image, OperandName operand) {
  c.note({image.declaration, word_of(Op::OpTypeImage, operand)}, "image type declared here");
}

bool report_sampling(const InstructionCheck& c, Place place, const TypeRow& image, std::string_view expected) {
  const std::string op = op_text(c, c.op()), type = sampling_cause(image), own = type + op;
  if (c.findings.join(Rule::ImageSampling, own, type, Rule::ImageSampling)) {
    c.note(place, "{text} needs an image with {text}", {op, expected});
    return false;
  }
  c.report_once(Rule::ImageSampling, place, type, {op, expected, c.types.image(image).sampled});
  note_image_type(c, image, OperandName::sampled);
  c.findings.join(Rule::ImageSampling, own, type,
                  Rule::ImageSampling);  // the same opcode again is no further consequence
  return true;
}

namespace {

// A vector whose length is a specialization constant has no count to compare, so it is no coordinate.
bool is_scalar_or_vector(const ModuleCheck& c, const TypeRow& type) {
  return type.is_scalar() || (is_vector_of_any_count(c, type) && type.count != 0);
}

}  // namespace

bool is_float32(const ModuleCheck& c, const TypeRow& type) {
  const TypeRow& scalar = type.component();
  return is_scalar_or_vector(c, type) && scalar.is(TypeKind::Float) && scalar.width == 32;
}

bool is_int32(const ModuleCheck& c, const TypeRow& type) {
  return is_scalar_or_vector(c, type) && type.component().is_int(32);
}

std::uint64_t count_of(const TypeRow& type) { return type.is_vector() ? type.count : 1; }

FormatRow format_row(ImageFormat format) {
  // The enumeration is ordered: float formats, signed and unsigned integers of up to 32 bits, then the two 64-bit
  // formats. Normalized formats read as floats.
  const auto number = static_cast<Word>(format);
  if (number == 0) return {};
  if (number < static_cast<Word>(ImageFormat::Rgba32i)) return {TypeKind::Float, 32, false};
  if (number < static_cast<Word>(ImageFormat::Rgba32ui)) return {TypeKind::Int, 32, true};
  if (number < static_cast<Word>(ImageFormat::R64ui)) return {TypeKind::Int, 32, false};
  if (number <= static_cast<Word>(ImageFormat::R64i)) return {TypeKind::Int, 64, format == ImageFormat::R64i};
  return {};
}

}  // namespace vireo::spirv
