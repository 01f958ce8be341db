// SPDX-License-Identifier: Apache-2.0
//
// Image instructions that access no texel: OpSampledImage, OpImage, queries and texel pointers. Also reads of tile
// images, which take no coordinate (specification 3.42.10, 3.42.8, SPV_EXT_shader_tile_image).
//
// Each query has a row with the image operand that it takes and its requirements on the image. The uses
// of a sampled image are checked at the OpSampledImage that creates it.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "spirv/validate/analysis/decoration_places.h"
#include "spirv/validate/analysis/pointers.h"
#include "spirv/validate/checks/checks.h"
#include "spirv/validate/checks/images/images.h"
#include "spirv/validate/core/by_opcode.h"
#include "spirv/validate/tables/bits.h"
#include "vireo/spirv/binary/views/image.h"
#include "vireo/spirv/binary/views/memory.h"

namespace vireo::spirv {
namespace {

using enum Op;

// --- queries ------------------------------------------------------------------------------------------------------------

// The required number of samples per texel.
enum class Samples : std::uint8_t { Any, One, Many };
// Whether the result is a size. Typing rows check all other results.
enum class SizeForm : std::uint8_t { None, Size };

struct QueryRow {
  Op opcode;
  ImageSource source;
  DimSet dims;
  Samples samples;
  bool needs_sampler;  ///< Vulkan requires an image that is used with a sampler
  SizeForm size;       ///< Size: the result has a component for each dimension
};
// Subpass attachments have no size query; only 2D images may be multisampled.
constexpr DimSet sized_dims(Dim::Dim1D, Dim::Dim2D, Dim::Dim3D, Dim::Cube, Dim::Rect, Dim::Buffer);
constexpr DimSet known_dims(Dim::Dim1D, Dim::Dim2D, Dim::Dim3D, Dim::Cube, Dim::Rect, Dim::Buffer, Dim::SubpassData);
constexpr DimSet flat(Dim::Dim2D);
// clang-format off
constexpr QueryRow query_rows[] = {
    {OpImageQueryFormat,  ImageSource::Image,        known_dims,     Samples::Any,  false, SizeForm::None},
    {OpImageQueryOrder,   ImageSource::Image,        known_dims,     Samples::Any,  false, SizeForm::None},
    {OpImageQuerySizeLod, ImageSource::Image,        mipmapped_dims, Samples::One,  true,  SizeForm::Size},
    {OpImageQuerySize,    ImageSource::Image,        sized_dims,     Samples::Any,  false, SizeForm::Size},
    {OpImageQueryLod,     ImageSource::SampledImage, mipmapped_dims, Samples::Any,  false, SizeForm::None},
    {OpImageQueryLevels,  ImageSource::Image,        mipmapped_dims, Samples::Any,  true,  SizeForm::None},
    {OpImageQuerySamples, ImageSource::Image,        flat,           Samples::Many, false, SizeForm::None},
};
constexpr auto queries = by_opcode(query_rows);
// clang-format on

// A size has a component for each dimension and, in arrayed images, one for the number of layers.
void check_size_count(const InstructionCheck& c, const TypeRow& image_type) {
  const ImageShape image = c.types.image(image_type);
  const TypeRow& type = c.types.of(c.type);
  if (!type.component().is(TypeKind::Int)) return;  // reported by the typing row
  // The layer count of a cube array counts whole cubes (3.42.10, OpImageQuerySizeLod), so it adds one component. A face
  // is a square, but its size has a width and a height: two components.
  const std::uint32_t dims = image.dim == Dim::Cube ? 2 : component_count(image.dim);
  const std::uint64_t expected = std::uint64_t{dims} + (image.arrayed == 1 ? 1u : 0u);
  if (count_of(type) == expected) return;
  c.report(Rule::QuerySizeCount, c.at_type(), {c.op(), count_of(type), expected, image_type.id});
  note_image_type(c, image_type, OperandName::dim);
}

// The coordinate of OpImageQueryLod has no layer.
void check_query_coordinate(const InstructionCheck& c, const TypeRow& image_type) {
  const ImageShape image = c.types.image(image_type);
  const auto coordinate = c.as<OpImageQueryLod>().coordinate();
  const TypeRow& type = c.type_of(coordinate);
  if (!is_float32(c, type)) {
    c.wrong_operand(coordinate, "the coordinate", "a scalar or vector of 32-bit floats");
    // As for sampling, extra components are allowed.
  } else if (count_of(type) < component_count(image.dim)) {
    c.report(Rule::CoordinateCount, c.at(coordinate),
             {c.op(), count_of(type), fmt::format("at least {}", component_count(image.dim)), image_type.id});
  }
}

// Queries of tile attachments are not allowed (SPV_QCOM_tile_shading).
void check_tile_query(const InstructionCheck& c, AnyOperand image) {
  if (!c.has(Capability::TileShadingQCOM)) return;
  // The pointer that the image is loaded from has the storage class. OpImage, OpSampledImage and copies pass it on.
  const auto source_of = [&](Word id) { return c.module.find(origin_of(c, id, Through::Copies)); };
  InstructionView source = source_of(image);
  if (const auto part = as<OpImage>(source)) source = source_of(part->sampled_image());
  if (const auto combined = as<OpSampledImage>(source)) source = source_of(combined->image());
  const auto load = as<OpLoad>(source);
  if (!load) return;
  const TypeRow& pointer = c.type_of(load->pointer());
  if (!pointer.is_pointer() || pointer.storage != StorageClass::TileAttachmentQCOM) return;
  c.report(Rule::TileAttachmentQuery, c.at(image), {c.op(), image});
  c.note({c.module.definition(load->result()), 0}, "loaded here");
}

// If the operand has no valid image type, the checks that read the type are skipped.
void check_query(const InstructionCheck& c) {
  // The row exists: the table of checks below registers only opcodes that have one.
  const QueryRow* row = find_row(queries, c.op());
  const AnyOperand operand = image_operand(c, row->source);
  check_tile_query(c, operand);
  const TypeRow* type = check_image_type(c, row->source);
  if (type == nullptr) return;
  const ImageShape image = c.types.image(*type);
  const Op op = row->opcode;
  if (any_dim.has(image.dim) && !row->dims.has(image.dim)) {
    c.report(Rule::ImageDim, c.at(operand), {op, image.dim, dims_text(c, row->dims)});
    note_image_type(c, *type, OperandName::dim);
    return;  // the checks below depend on the dimension
  }
  if (row->samples == Samples::One && image.multisampled != 0) {
    c.report(Rule::ImageSamples, c.at(operand), {op, "single-sampled image (MS 0)", image.multisampled});
    note_image_type(c, *type, OperandName::ms);
  }
  if (row->samples == Samples::Many && image.multisampled != 1) {
    c.report(Rule::ImageSamples, c.at(operand), {op, "multisampled image (MS 1)", image.multisampled});
    note_image_type(c, *type, OperandName::ms);
  }
  if (row->needs_sampler && c.is_vulkan() && image.sampled != 1) {
    c.report(Rule::VulkanQueriedImage, c.at(operand), {op, image.sampled});
    note_image_type(c, *type, OperandName::sampled);
  }
  // The size of a mipmapped image depends on the level, so OpImageQuerySizeLod is needed.
  if (row->opcode == OpImageQuerySize && mipmapped_dims.has(image.dim) && image.multisampled != 1 &&
      image.sampled == 1) {
    const bool is_first =
        report_sampling(c, c.at(operand), *type, c.is_vulkan() ? "Sampled 2 or MS 1" : "Sampled 0 or 2, or MS 1");
    if (is_first) c.hint("query the size of a level with OpImageQuerySizeLod");
  }
  if (row->size == SizeForm::Size) check_size_count(c, *type);
  if (row->opcode == OpImageQueryLod) check_query_coordinate(c, *type);
}

// --- sampled images -----------------------------------------------------------------------------------------------------

// Whether two image types are equal apart from Depth.
bool differ_in_depth_only(const ImageShape& a, const ImageShape& b) {
  return a.sampled_type == b.sampled_type && a.dim == b.dim && a.arrayed == b.arrayed &&
         a.multisampled == b.multisampled && a.sampled == b.sampled && a.format == b.format && a.access == b.access;
}

// Checks the result, image and sampler types, then compares the image type with that of the result.
void check_combined_types(const InstructionCheck& c) {
  const auto combination = c.as<OpSampledImage>();
  const Place at_image = c.at(combination.image());
  const TypeRow& result = c.types.of(c.type);
  const TypeRow& type = c.type_of(combination.image());
  const TypeRow& sampler = c.type_of(combination.sampler());
  if (!result.is(TypeKind::SampledImage)) c.wrong_result("a sampled image");
  if (!sampler.is(TypeKind::Sampler)) { c.wrong_operand(combination.sampler(), "the sampler", "a sampler"); }
  if (!type.is(TypeKind::Image)) {
    c.wrong_operand(combination.image(), "the image", "an image");
    return;
  }
  const ImageShape image = c.types.image(type);
  if (result.is(TypeKind::SampledImage)) {
    const TypeRow& wanted = result.element_type();
    // Depth is a hint that front ends set by use, so types of one image may differ in it.
    if (wanted.is(TypeKind::Image) && wanted.id != type.id && !differ_in_depth_only(image, c.types.image(wanted))) {
      c.report(Rule::SampledImageMatch, at_image, {combination.image(), type.id, wanted.id});
    }
  }
  // Sampled needs no check: it is that of the result type, whose declaration has its own rule (sampled-image-type).
  if (image.dim == Dim::SubpassData) {
    c.report(Rule::ImageDim, at_image, {"OpSampledImage", "SubpassData", dims_text(c, sized_dims)});
    note_image_type(c, type, OperandName::dim);
  }
}

// A sampled image may only be used in the block that creates it, by instructions that take sampled images. The same
// applies to its copies.
void check_combined_uses(const InstructionCheck& c) {
  if (c.flow == nullptr || c.block.is_none()) return;
  // A block is a range of instructions, so the test for "in this block" is two comparisons for each use.
  const InstructionRange block = c.flow->block(c.block).all;
  std::vector<Word> copies;
  const auto check = [&](Word image, const Use& use) {
    if (use.kind != UseKind::Operand) return;
    const InstructionView view = c.module.instruction(use.instruction);
    const Op user = view.opcode;
    const Place place{use.instruction, use.word};
    // Bindless handles may be stored. In shaders, OpPhi and OpSelect have their own rules for their operands. The
    // checks of extended sets cover OpExtInst.
    const bool is_chosen = (user == OpPhi || user == OpSelect) && c.is_shader();
    const bool is_stored = user == OpStore && c.has(Capability::BindlessTextureNV);
    const bool is_excused = is_chosen || is_stored || user == OpExtInst;
    if (is_excused) return;
    if (!takes_sampled_image(user)) {
      c.report(Rule::SampledImageUse, place, {user, image});
      c.note(c.at(), "sampled image created here");
    } else if (use.instruction.raw < block.first || use.instruction.raw >= block.end) {
      c.report(Rule::SampledImageBlock, place, {image});
      c.hint("repeat OpSampledImage in this block");
      c.note(c.at(), "sampled image created here");
    } else if (user == OpCopyObject && use.instruction > c.module.definition(image)) {
      copies.push_back(c.module.result_of(view));  // each copy follows its operand, so this ends
    }
  };
  for (const Use& use : c.facts.some_uses().of(c.result)) check(c.result, use);
  while (!copies.empty()) {
    const Word copy = copies.back();
    copies.pop_back();
    for (const Use& use : c.facts.uses().of(copy)) check(copy, use);
  }
}

// Findings about types are at OpSampledImage; findings about uses are at the instruction with the use.
void check_combination(const InstructionCheck& c) {
  check_combined_types(c);
  check_combined_uses(c);
}

// Checks OpImage, which extracts the image of a sampled image.
void check_image_of_combination(const InstructionCheck& c) {
  const auto combination = c.as<OpImage>().sampled_image();
  const TypeRow& result = c.types.of(c.type);
  const TypeRow& type = c.type_of(combination);
  if (!result.is(TypeKind::Image)) {
    c.wrong_result("an image");
    return;
  }
  if (!type.is(TypeKind::SampledImage)) {
    c.wrong_operand(combination, "the sampled image", "a sampled image");
  } else if (type.element != result.id) {
    c.mismatch(combination, "the sampled image", "the image type of the result", result.id);
  }
}

// --- pointers to texels -------------------------------------------------------------------------------------------------

// The image type to which the pointer `image` points. If it does not point to an image, reports it and returns nullptr.
const TypeRow* pointed_image_type(const InstructionCheck& c, AnyOperand image) {
  const TypeRow& pointer = c.type_of(image);
  const bool is_untyped = c.op() == OpUntypedImageTexelPointerEXT;
  // An untyped pointer has no pointee type, so the image type is an operand (SPV_EXT_descriptor_heap).
  const TypeRow& type =
      is_untyped ? c.types.of(c.as<OpUntypedImageTexelPointerEXT>().image_type()) : pointer.element_type();
  if (pointer.is_pointer() && type.is(TypeKind::Image)) return &type;
  c.wrong_operand(image, "the image", "a pointer to an image");
  return nullptr;
}

// SPV_NV_shader_atomic_fp16_vector allows pointers to vectors of 16-bit floats.
bool is_half_vector(const ModuleCheck& c, const TypeRow& type) {
  const TypeRow& scalar = type.component();
  return c.has(Capability::AtomicFloat16VectorNV) && type.is(TypeKind::Vector) &&
         (type.count == 2 || type.count == 4) && scalar.is(TypeKind::Float) && scalar.width == 16;
}

// The result must be a pointer of storage class Image to the sampled type of the image. An untyped pointer has no
// pointee type to check.
void check_texel_result(const InstructionCheck& c, const ImageShape* image) {
  const TypeRow& result = c.types.of(c.type);
  // All three requirements concern the result type, so they share a rule and a place; the first violation is reported.
  const auto refuse = [&](std::string_view expected) {
    c.report(Rule::TexelPointerType, c.at_type(), {c.op(), result.id, expected});
  };
  const bool is_untyped = c.op() == OpUntypedImageTexelPointerEXT;
  const bool is_right_kind = result.is(is_untyped ? TypeKind::UntypedPointer : TypeKind::Pointer);
  if (!is_right_kind || result.storage != StorageClass::Image) {
    return refuse(is_untyped ? "an untyped pointer in storage class Image" : "a pointer in storage class Image");
  }
  if (is_untyped) return;
  // The pointer is typed. Void is for images whose texels have no fixed type (kernels).
  const TypeRow& pointee = result.element_type();
  if (is_half_vector(c, pointee)) return;
  if (!pointee.is_numerical() && !pointee.is(TypeKind::Void)) return refuse("a pointer to an integer, a float or void");
  if (image != nullptr && pointee.id != image->sampled_type) {
    refuse("a pointer to the Sampled Type of the image, " + type_text(c, image->sampled_type));
  }
}

// The exact number of coordinate components. For a cube image, the third component counts the faces of all layers.
std::uint64_t texel_coordinate_count(const ImageShape& image) {
  if (image.dim == Dim::Cube) return 3;
  return std::uint64_t{component_count(image.dim)} + (image.arrayed == 1 ? 1u : 0u);
}

// Checks the coordinate. Unlike other coordinates, it must not have extra components.
void check_texel_coordinate(const InstructionCheck& c, const TypeRow& image_type) {
  const AnyOperand coordinate = c.operand(OperandName::coordinate);
  const TypeRow& type = c.type_of(coordinate);
  if (!is_int32(c, type)) {
    c.wrong_operand(coordinate, "the coordinate", "a scalar or vector of 32-bit integers");
    return;
  }
  const std::uint64_t expected = texel_coordinate_count(c.types.image(image_type));
  if (count_of(type) == expected) return;
  c.report(Rule::CoordinateCount, c.at(coordinate), {c.op(), count_of(type), expected, image_type.id});
}

// The sample operand is mandatory. For images with one sample it must be 0.
void check_texel_sample(const InstructionCheck& c, const ImageShape& image) {
  const AnyOperand sample = c.operand(OperandName::sample);
  const TypeRow& type = c.type_of(sample);
  if (!type.is(TypeKind::Int)) {
    c.wrong_operand(sample, "the sample", "an integer scalar");
    return;
  }
  const std::optional<std::uint64_t> value = c.constants.as_u64(sample, ValueUse::OrDefault);
  if (image.multisampled != 0 || value == std::uint64_t{0}) return;
  c.report(Rule::TexelPointerSample, c.at(sample), {value ? std::to_string(*value) : id_text(c, sample)});
}

// Formats with one component of a width that memory atomics support.
constexpr ImageFormat atomic_formats[] = {ImageFormat::R64i, ImageFormat::R64ui, ImageFormat::R32f, ImageFormat::R32i,
                                          ImageFormat::R32ui};
constexpr ImageFormat half_formats[] = {ImageFormat::Rg16f, ImageFormat::Rgba16f};

// Whether Vulkan allows atomics on a format. Other environments have no such rule.
bool takes_atomics(const ModuleCheck& c, ImageFormat format) {
  const auto is_in = [&](const auto& formats) {
    return std::find(std::begin(formats), std::end(formats), format) != std::end(formats);
  };
  return is_in(atomic_formats) || (c.has(Capability::AtomicFloat16VectorNV) && is_in(half_formats));
}

// If the operand has no valid image type, only the result is checked.
void check_texel_pointer(const InstructionCheck& c) {
  const bool is_untyped = c.op() == OpUntypedImageTexelPointerEXT;
  const AnyOperand operand = c.operand(OperandName::image);
  const TypeRow* type = pointed_image_type(c, operand);
  if (type == nullptr) return check_texel_result(c, nullptr);
  const ImageShape image = c.types.image(*type);
  check_texel_result(c, &image);
  if (any_dim.has(image.dim) && !sized_dims.has(image.dim)) {
    c.report(Rule::ImageDim, c.at(operand), {c.op(), image.dim, dims_text(c, sized_dims)});
    note_image_type(c, *type, OperandName::dim);
  }
  check_texel_coordinate(c, *type);
  check_texel_sample(c, image);
  if (c.is_vulkan() && !takes_atomics(c, image.format)) {
    c.report(is_untyped ? Rule::UntypedTexelFormat : Rule::TexelPointerFormat, c.at(operand),
             {enumerant_text(c, image.format), c.has(Capability::AtomicFloat16VectorNV)
                                                   ? "R32f, R32i, R32ui, R64i, R64ui, Rg16f or Rgba16f"
                                                   : "R32f, R32i, R32ui, R64i or R64ui"});
    note_image_type(c, *type, OperandName::image_format);
  }
}

// --- tile images --------------------------------------------------------------------------------------------------------

// Depth and stencil reads have no attachment operand; their typing rows check everything.
void check_color_read(const InstructionCheck& c) {
  const auto attachment = c.as<OpColorAttachmentReadEXT>().attachment();
  const TypeRow& found = c.type_of(attachment);
  if (!found.is(TypeKind::Image)) {
    c.wrong_operand(attachment, "the attachment", "an image");
    return;
  }
  // The result is a scalar or a vector whose component type is the sampled type of the image.
  const ImageShape image = c.types.image(found);
  const TypeRow& result = c.types.of(c.type);
  if (result.has_known_size() && result.component().id != image.sampled_type) {
    c.report(Rule::TexelType, c.at_type(), {c.op(), result.id, image.sampled_type});
    note_image_type(c, found, OperandName::sampled_type);
  }
  if (image.dim == Dim::TileImageDataEXT) return;
  c.report(Rule::ImageDim, c.at(attachment), {c.op(), image.dim, "TileImageDataEXT"});
  note_image_type(c, found, OperandName::dim);
}

// Checks variables of storage class TileAttachmentQCOM (SPV_QCOM_tile_shading).
void check_tile_variable(const InstructionCheck& c) {
  const TypeRow& pointer = c.types.of(c.type);
  if (!pointer.is_pointer() || pointer.storage != StorageClass::TileAttachmentQCOM) return;
  // An untyped variable without a data type has no image type to check.
  const TypeRow* type = pointee_of(c, c.result);
  const TypeRow* held = type == nullptr ? nullptr : &type->innermost();
  if (held != nullptr && held->is(TypeKind::SampledImage)) held = &held->element_type();
  if (held != nullptr && held->is(TypeKind::Image)) {
    const TypeRow& image_type = *held;
    const ImageShape image = c.types.image(image_type);
    if (image.dim != Dim::Dim2D) {
      c.report(Rule::TileAttachmentDim, c.at_type(), {c.result, image.dim});
      note_image_type(c, image_type, OperandName::dim);
    }
    if (image.sampled != 1 && image.sampled != 2) {
      c.report(Rule::TileAttachmentSampled, c.at_type(), {c.result, image.sampled});
      note_image_type(c, image_type, OperandName::sampled);
    }
  }
  const Place at_result = c.at(c.operand(OperandName::result));
  // Tile attachments are bound like descriptors, not by location and component.
  for (const Decoration needed : {Decoration::DescriptorSet, Decoration::Binding}) {
    if (c.decorations.has(c.result, needed)) continue;
    report_missing(c, {missing_decoration(needed, c.result)}, Rule::TileAttachmentBinding, at_result,
                   {c.result, needed});
  }
  if (const DecorationRow* component = c.decorations.find(c.result, Decoration::Component)) {
    c.report(Rule::TileAttachmentComponent, at_result, {c.result});
    c.note({component->instruction, 0}, "decorated here");
  }
}

// --- footprints (SPV_NV_shader_image_footprint) -------------------------------------------------------------------------

// The extension lists the supported combinations of image operands: at most one of Bias, Lod and Grad; MinLod without
// Lod; and Grad only for 2D images.
void check_footprint(const InstructionCheck& c) {
  using Bit = ImageOperands;
  const AnyOperand operand = c.operand(OperandName::image_operands);
  const Word mask = c.view.word(operand.word);  // 0 if the operand is absent
  const TypeRow& sampled = c.type_of(c.operand(OperandName::sampled_image));
  const TypeRow& image = sampled.element_type();
  const bool is_3d = image.is(TypeKind::Image) && c.types.image(image).dim == Dim::Dim3D;
  const Word allowed = bits(Bit::Bias, Bit::Lod, Bit::MinLod) | (is_3d ? 0 : bits(Bit::Grad));
  Word wrong = mask & ~allowed;
  const Word levels = mask & allowed & bits(Bit::Bias, Bit::Lod, Bit::Grad);
  if (std::popcount(levels) > 1) wrong |= levels;
  if ((levels & bits(Bit::Lod)) != 0 && (mask & bits(Bit::MinLod)) != 0) wrong |= bits(Bit::Lod, Bit::MinLod);
  if (wrong == 0) return;
  std::string names;
  for (Word rest = wrong; rest != 0; rest &= rest - 1) {
    names.append(names.empty() ? "" : "|").append(enumerant_text(c, "ImageOperands", rest & (~rest + 1)));
  }
  c.report(
      Rule::UnsupportedImageOperand, c.at(operand),
      {names, c.op(), is_3d ? "Bias or Lod, and MinLod without Lod" : "Bias, Lod or Grad, and MinLod without Lod"});
}

}  // namespace

std::span<const Check> image_query_checks() {
  static constexpr Check checks[] = {
      {{OpVariable, OpUntypedVariableKHR}, check_tile_variable},
      {{OpSampledImage}, check_combination},
      {{OpImage}, check_image_of_combination},
      {{OpImageQueryFormat, OpImageQueryOrder, OpImageQuerySizeLod, OpImageQuerySize, OpImageQueryLod,
        OpImageQueryLevels, OpImageQuerySamples},
       check_query},
      {{OpImageTexelPointer, OpUntypedImageTexelPointerEXT}, check_texel_pointer},
      {{OpColorAttachmentReadEXT}, check_color_read},
      {{OpImageSampleFootprintNV}, check_footprint},
  };
  return checks;
}

}  // namespace vireo::spirv
