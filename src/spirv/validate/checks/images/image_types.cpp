// SPDX-License-Identifier: Apache-2.0
//
// OpTypeImage and OpTypeSampledImage (specification 3.42.6), with the requirements of Vulkan and OpenCL.
//
// An image type consists of a few numbers. Their requirements depend only on the dimension and the client
// API.
#include <fmt/format.h>

#include "spirv/validate/analysis/fixes.h"
#include "spirv/validate/checks/checks.h"
#include "spirv/validate/checks/images/images.h"
#include "vireo/spirv/binary/views/type_declaration.h"

namespace vireo::spirv {
namespace {

using enum Op;

// Checks each numeric operand separately. `largest` is its largest defined value.
void check_numbers(const InstructionCheck& c) {
  const auto check = [&](Located<Word> number, std::string_view name, Word largest) {
    if (number <= largest) return;
    c.report(Rule::ImageTypeOperand, c.at(number), {name, number, largest == 1 ? "0 or 1" : "0, 1 or 2"});
  };
  const auto type = c.as<OpTypeImage>();
  check(type.depth(), "Depth", 2);
  check(type.arrayed(), "Arrayed", 1);
  check(type.ms(), "MS", 1);
  check(type.sampled(), "Sampled", 2);
}

// --- sampled type -------------------------------------------------------------------------------------------------------

// Void means that the accessing instruction determines the texel type. OpenCL requires void; Vulkan forbids it.
void check_sampled_type(const InstructionCheck& c) {
  const auto sampled_type = c.as<OpTypeImage>().sampled_type();
  const TypeRow& type = c.types.of(sampled_type);
  if (!type.is(TypeKind::Void) && !type.is_numerical()) {
    c.wrong_part(sampled_type, "the sampled type", "a scalar numerical type, or void");
    return;
  }
  if (c.is_opencl() && !type.is(TypeKind::Void)) { c.wrong_part(sampled_type, "the sampled type", "void"); }
  if (!c.is_vulkan()) return;
  const bool is_fine = type.is_int(32) || type.is_int(64) || (type.is(TypeKind::Float) && type.width == 32);
  if (is_fine) return;
  c.report(Rule::VulkanSampledType, c.at(sampled_type), {type.id});
}

// Compares the kind and width of the format and the sampled type. Signedness is checked at accesses, where image
// operands may change it.
void check_format(const InstructionCheck& c, const ImageShape& image) {
  const FormatRow format = format_row(image.format);
  const TypeRow& type = c.types.of(image.sampled_type);
  if (!c.is_vulkan() || format.kind == TypeKind::None || !type.is_numerical()) return;
  if (type.kind == format.kind && type.width == format.width) return;
  c.report(Rule::ImageFormatType, c.at(c.as<OpTypeImage>().image_format()),
           {image.format, fmt::format("{}-bit {}", format.width, format.kind == TypeKind::Float ? "float" : "integer"),
            "Sampled Type " + type_text(c, type.id)});
}

// --- dimensions ---------------------------------------------------------------------------------------------------------

// The render pass sets the format of a subpass attachment, and the attachment is read without a sampler.
void check_subpass(const InstructionCheck& c, const ImageShape& image) {
  if (image.dim != Dim::SubpassData) return;
  const auto type = c.as<OpTypeImage>();
  const auto refuse = [&](Place place, std::string_view name, std::string_view found, std::string_view expected) {
    c.report(Rule::SubpassImage, place, {name, found, expected});
  };
  if (image.sampled != 2) refuse(c.at(type.sampled()), "Sampled", std::to_string(image.sampled), "2");
  if (image.format != ImageFormat::Unknown) {
    refuse(c.at(type.image_format()), "Image Format", enumerant_text(c, image.format), "Unknown");
  }
  if (c.is_vulkan() && image.arrayed != 0) {
    refuse(c.at(type.arrayed()), "Arrayed", std::to_string(image.arrayed), "0 in Vulkan");
  }
}

// Tile images have the requirements of subpass attachments. In addition, Depth and Arrayed must be 0, and the sampled
// type must not be void.
void check_tile(const InstructionCheck& c, const ImageShape& image) {
  if (image.dim != Dim::TileImageDataEXT) return;
  const auto type = c.as<OpTypeImage>();
  const auto refuse = [&](Place place, std::string_view name, std::string_view found, std::string_view expected) {
    c.report(Rule::TileImage, place, {name, found, expected});
  };
  if (c.types.of(image.sampled_type).is(TypeKind::Void)) {
    refuse(c.at(type.sampled_type()), "Sampled Type", "void", "an integer or float scalar");
  }
  if (image.sampled != 2) refuse(c.at(type.sampled()), "Sampled", std::to_string(image.sampled), "2");
  if (image.format != ImageFormat::Unknown) {
    refuse(c.at(type.image_format()), "Image Format", enumerant_text(c, image.format), "Unknown");
  }
  if (image.depth != 0) refuse(c.at(type.depth()), "Depth", std::to_string(image.depth), "0");
  if (image.arrayed != 0) refuse(c.at(type.arrayed()), "Arrayed", std::to_string(image.arrayed), "0");
}

// --- environments -------------------------------------------------------------------------------------------------------

// OpenCL uses access qualifiers instead of Sampled, and has no multisampled images.
void check_opencl(const InstructionCheck& c, const ImageShape& image) {
  if (!c.is_opencl()) return;
  const auto type = c.as<OpTypeImage>();
  const auto refuse = [&](Place place, std::string_view found, std::string_view expected) {
    c.report(Rule::OpenClImage, place, {found, expected});
  };
  if (image.arrayed == 1 && image.dim != Dim::Dim1D && image.dim != Dim::Dim2D) {
    refuse(c.at(type.arrayed()), "Arrayed 1 with Dim " + enumerant_text(c, image.dim), "Dim 1D or 2D");
  }
  if (image.multisampled != 0) refuse(c.at(type.ms()), fmt::format("MS {}", image.multisampled), "MS 0");
  if (image.sampled != 0) refuse(c.at(type.sampled()), fmt::format("Sampled {}", image.sampled), "Sampled 0");
  if (!image.access) { refuse(c.at(type.image_format()), "no Access Qualifier", "ReadOnly, WriteOnly or ReadWrite"); }
}

// In Vulkan a descriptor is either sampled or storage, so Sampled is 1 or 2. Dim Rect is not allowed.
void check_vulkan(const InstructionCheck& c, const ImageShape& image) {
  if (!c.is_vulkan()) return;
  const auto type = c.as<OpTypeImage>();
  if (image.sampled == 0) c.report(Rule::VulkanImageUse, c.at(type.sampled()), {"0"});
  if (image.dim == Dim::Rect) c.report(Rule::VulkanRectangle, c.at(type.dim()));
}

void check_image(const InstructionCheck& c) {
  const ImageShape image = c.types.image(c.types.of(c.result));
  check_numbers(c);
  check_sampled_type(c);
  check_format(c, image);
  check_subpass(c, image);
  check_tile(c, image);
  check_opencl(c, image);
  check_vulkan(c, image);
  // Multisampled input attachments and tile images are not storage images.
  const bool is_storage = image.sampled == 2 && image.dim != Dim::SubpassData && image.dim != Dim::TileImageDataEXT;
  if (is_storage && image.multisampled == 1 && !c.has(Capability::StorageImageMultisample)) {
    c.report(Rule::StorageMultisample, c.at(c.as<OpTypeImage>().ms()));
    hint_capability(c, Capability::StorageImageMultisample);
  }
}

// --- sampled images -----------------------------------------------------------------------------------------------------

// A storage image cannot be sampled. From SPIR-V 1.6 on, buffer images cannot either.
void check_sampled_image(const InstructionCheck& c) {
  const auto operand = c.as<OpTypeSampledImage>().image_type();
  const TypeRow& type = c.types.of(operand);
  if (!type.is(TypeKind::Image)) {
    c.wrong_part(operand, "the image type", "an image type");
    return;
  }
  const ImageShape image = c.types.image(type);
  if (image.sampled == 2) {
    c.report(Rule::SampledImageType, c.at(operand), {c.is_vulkan() ? "1" : "0 or 1"});
    c.vuid(4657);
    note_image_type(c, type, OperandName::sampled);
  }
  if (image.dim == Dim::Buffer && c.version() >= Version{1, 6}) {
    c.report(Rule::SampledBuffer, c.at(operand));
    note_image_type(c, type, OperandName::dim);
  }
}

}  // namespace

std::span<const Check> image_type_checks() {
  static constexpr Check checks[] = {
      {{OpTypeImage}, check_image},
      {{OpTypeSampledImage}, check_sampled_image},
  };
  return checks;
}

}  // namespace vireo::spirv
