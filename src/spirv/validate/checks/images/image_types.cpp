// SPDX-License-Identifier: Apache-2.0
//
// OpTypeImage and OpTypeSampledImage (specification 3.42.6), with the requirements of Vulkan and OpenCL.
//
// An image type consists of a few numbers. Their requirements depend only on the dimension and the client
// API.
#include <fmt/format.h>

#include "spirv/validate/checks/images/images.h"
#include "spirv/validate/engine/checks.h"
#include "spirv/validate/engine/fixes.h"
#include "spirv/validate/engine/type_error_reporter.h"
#include "vireo/spirv/views/type_declaration.h"

namespace vireo::spirv {
namespace {

using enum Op;

// Checks each numeric operand separately. `largest` is its largest defined value.
void check_numbers(const DecodedInstruction& visit, Report& report) {
  const auto check = [&](Located<Word> number, std::string_view name, Word largest) {
    if (number <= largest) return;
    report.add(Rule::ImageTypeOperand, visit.at(number),
               {name, std::to_string(number), largest == 1 ? "0 or 1" : "0, 1 or 2"});
  };
  const auto type = visit.as<OpTypeImage>();
  check(type.depth(), "Depth", 2);
  check(type.arrayed(), "Arrayed", 1);
  check(type.ms(), "MS", 1);
  check(type.sampled(), "Sampled", 2);
}

// --- sampled type -------------------------------------------------------------------------------------------------------

// Void means that the accessing instruction determines the texel type. OpenCL requires void; Vulkan forbids it.
void check_sampled_type(const Context& context, const DecodedInstruction& visit, Report& report) {
  const auto sampled_type = visit.as<OpTypeImage>().sampled_type();
  const TypeRow& type = context.types.of(sampled_type);
  const TypeErrorReporter type_errors{context, visit, report};
  if (!type.is(TypeKind::Void) && !type.is_numerical()) {
    type_errors.part(sampled_type, "the sampled type", "a scalar numerical type, or void");
    return;
  }
  if (context.is_opencl() && !type.is(TypeKind::Void)) { type_errors.part(sampled_type, "the sampled type", "void"); }
  if (!context.is_vulkan()) return;
  const bool is_fine = type.is_int(32) || type.is_int(64) || (type.is(TypeKind::Float) && type.width == 32);
  if (is_fine) return;
  report.add(Rule::VulkanSampledType, visit.at(sampled_type), {type_text(context, type.id)});
}

// Compares the kind and width of the format and the sampled type. Signedness is checked at accesses, where image
// operands may change it.
void check_format(const Context& context, const DecodedInstruction& visit, const ImageShape& image, Report& report) {
  const FormatRow format = format_row(image.format);
  const TypeRow& type = context.types.of(image.sampled_type);
  if (!context.is_vulkan() || format.kind == TypeKind::None || !type.is_numerical()) return;
  if (type.kind == format.kind && type.width == format.width) return;
  report.add(Rule::ImageFormatType, visit.at(visit.as<OpTypeImage>().image_format()),
             {enumerant_text(context, image.format),
              fmt::format("{}-bit {}", format.width, format.kind == TypeKind::Float ? "float" : "integer"),
              "Sampled Type " + type_text(context, type.id)});
}

// --- dimensions ---------------------------------------------------------------------------------------------------------

// The render pass sets the format of a subpass attachment, and the attachment is read without a sampler.
void check_subpass(const Context& context, const DecodedInstruction& visit, const ImageShape& image, Report& report) {
  if (image.dim != Dim::SubpassData) return;
  const auto type = visit.as<OpTypeImage>();
  const auto refuse = [&](Place place, std::string_view name, std::string_view found, std::string_view expected) {
    report.add(Rule::SubpassImage, place, {name, found, expected});
  };
  if (image.sampled != 2) refuse(visit.at(type.sampled()), "Sampled", std::to_string(image.sampled), "2");
  if (image.format != ImageFormat::Unknown) {
    refuse(visit.at(type.image_format()), "Image Format", enumerant_text(context, image.format), "Unknown");
  }
  if (context.is_vulkan() && image.arrayed != 0) {
    refuse(visit.at(type.arrayed()), "Arrayed", std::to_string(image.arrayed), "0 in Vulkan");
  }
}

// Tile images have the requirements of subpass attachments. In addition, Depth and Arrayed must be 0, and the sampled
// type must not be void.
void check_tile(const Context& context, const DecodedInstruction& visit, const ImageShape& image, Report& report) {
  if (image.dim != Dim::TileImageDataEXT) return;
  const auto type = visit.as<OpTypeImage>();
  const auto refuse = [&](Place place, std::string_view name, std::string_view found, std::string_view expected) {
    report.add(Rule::TileImage, place, {name, found, expected});
  };
  if (context.types.of(image.sampled_type).is(TypeKind::Void)) {
    refuse(visit.at(type.sampled_type()), "Sampled Type", "void", "an integer or float scalar");
  }
  if (image.sampled != 2) refuse(visit.at(type.sampled()), "Sampled", std::to_string(image.sampled), "2");
  if (image.format != ImageFormat::Unknown) {
    refuse(visit.at(type.image_format()), "Image Format", enumerant_text(context, image.format), "Unknown");
  }
  if (image.depth != 0) refuse(visit.at(type.depth()), "Depth", std::to_string(image.depth), "0");
  if (image.arrayed != 0) refuse(visit.at(type.arrayed()), "Arrayed", std::to_string(image.arrayed), "0");
}

// --- environments -------------------------------------------------------------------------------------------------------

// OpenCL uses access qualifiers instead of Sampled, and has no multisampled images.
void check_opencl(const Context& context, const DecodedInstruction& visit, const ImageShape& image, Report& report) {
  if (!context.is_opencl()) return;
  const auto type = visit.as<OpTypeImage>();
  const auto refuse = [&](Place place, std::string_view found, std::string_view expected) {
    report.add(Rule::OpenClImage, place, {found, expected});
  };
  if (image.arrayed == 1 && image.dim != Dim::Dim1D && image.dim != Dim::Dim2D) {
    refuse(visit.at(type.arrayed()), "Arrayed 1 with Dim " + enumerant_text(context, image.dim), "Dim 1D or 2D");
  }
  if (image.multisampled != 0) refuse(visit.at(type.ms()), fmt::format("MS {}", image.multisampled), "MS 0");
  if (image.sampled != 0) refuse(visit.at(type.sampled()), fmt::format("Sampled {}", image.sampled), "Sampled 0");
  if (!image.access) {
    refuse(visit.at(type.image_format()), "no Access Qualifier", "ReadOnly, WriteOnly or ReadWrite");
  }
}

// In Vulkan a descriptor is either sampled or storage, so Sampled is 1 or 2. Dim Rect is not allowed.
void check_vulkan(const Context& context, const DecodedInstruction& visit, const ImageShape& image, Report& report) {
  if (!context.is_vulkan()) return;
  const auto type = visit.as<OpTypeImage>();
  if (image.sampled == 0) report.add(Rule::VulkanImageUse, visit.at(type.sampled()), {"0"});
  if (image.dim == Dim::Rect) report.add(Rule::VulkanRectangle, visit.at(type.dim()));
}

void check_image(const Context& context, const DecodedInstruction& visit, Report& report) {
  const ImageShape image = context.types.image(context.types.of(visit.result));
  check_numbers(visit, report);
  check_sampled_type(context, visit, report);
  check_format(context, visit, image, report);
  check_subpass(context, visit, image, report);
  check_tile(context, visit, image, report);
  check_opencl(context, visit, image, report);
  check_vulkan(context, visit, image, report);
  // Multisampled input attachments and tile images are not storage images.
  const bool is_storage = image.sampled == 2 && image.dim != Dim::SubpassData && image.dim != Dim::TileImageDataEXT;
  if (is_storage && image.multisampled == 1 && !context.has(Capability::StorageImageMultisample)) {
    report.add(Rule::StorageMultisample, visit.at(visit.as<OpTypeImage>().ms()));
    hint_capability(context, report, Capability::StorageImageMultisample);
  }
}

// --- sampled images -----------------------------------------------------------------------------------------------------

// A storage image cannot be sampled. From SPIR-V 1.6 on, buffer images cannot either.
void check_sampled_image(const Context& context, const DecodedInstruction& visit, Report& report) {
  const auto operand = visit.as<OpTypeSampledImage>().image_type();
  const TypeRow& type = context.types.of(operand);
  if (!type.is(TypeKind::Image)) {
    TypeErrorReporter{context, visit, report}.part(operand, "the image type", "an image type");
    return;
  }
  const ImageShape image = context.types.image(type);
  if (image.sampled == 2) {
    report.add(Rule::SampledImageType, visit.at(operand), {context.is_vulkan() ? "1" : "0 or 1"});
    report.vuid(4657);
    note_image_type(type, OperandName::sampled, report);
  }
  if (image.dim == Dim::Buffer && context.version() >= Version{1, 6}) {
    report.add(Rule::SampledBuffer, visit.at(operand));
    note_image_type(type, OperandName::dim, report);
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
