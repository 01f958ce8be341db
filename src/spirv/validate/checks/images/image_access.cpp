// SPDX-License-Identifier: Apache-2.0
//
// Sampling, gathering, fetching, reading and writing (specification 3.42.10): requirements on results, images and
// coordinates.
//
// The row of the instruction (images.h) and the image type determine every requirement. So each
// requirement is a function of an ImageAccess. These functions do not depend on each other.
#include <fmt/format.h>

#include <optional>

#include "spirv/validate/checks/images/images.h"
#include "spirv/validate/engine/checks.h"
#include "spirv/validate/engine/fixes.h"
#include "spirv/validate/engine/type_error_reporter.h"
#include "vireo/spirv/views/image.h"

namespace vireo::spirv {
namespace {

using enum Op;

TypeErrorReporter type_errors(const ImageAccess& access) { return {access.context, access.visit, access.report}; }

// --- texels -------------------------------------------------------------------------------------------------------------

// Whether a type has the form of the texel. Sampling returns four components, whatever the image format. Sampling with
// a depth comparison returns a scalar.
bool has_form(const TypeRow& type, TexelForm form) {
  switch (form) {
    case TexelForm::None: return true;
    case TexelForm::Scalar: return type.is_numerical();
    case TexelForm::Vector: return type.is(TypeKind::Vector) && type.count == 4;
    case TexelForm::Any: return type.is_numerical() || type.is(TypeKind::Vector);
  }
  return true;
}

std::string_view form_text(TexelForm form) {
  switch (form) {
    case TexelForm::None: return "nothing";
    case TexelForm::Scalar: return "an integer or float scalar";
    case TexelForm::Vector: return "a vector of four integers or floats";
    case TexelForm::Any: return "an integer or float scalar or vector";
  }
  return "";
}

// The texel type in a result type. The result of a sparse instruction is a structure of a residency code and the texel.
const TypeRow* texel_in_result(const Context& context, const DecodedInstruction& visit, const ImageInstruction& row,
                               Report& report) {
  const TypeRow& type = context.types.of(visit.type);
  if (!row.is(Sparse)) return &type;
  // The residency code is the first of two members, an integer for OpImageSparseTexelsResident.
  const Words members = type.is(TypeKind::Struct) ? context.types.members(type) : Words{};
  if (members.size() == 2 && context.types.of(members[0]).is(TypeKind::Int)) return context.types.find(members[1]);
  report.add(Rule::SparseResult, visit.at_type(), {op_text(context, visit.op()), type_text(context, type.id)});
  return nullptr;
}

// The texel type. OpImageWrite takes the texel as an operand, in the same forms as the result of OpImageRead.
const TypeRow* texel_of(const Context& context, const DecodedInstruction& visit, const ImageInstruction& row,
                        Report& report) {
  const bool writes = row.is(Writes);
  const AnyOperand texel = visit.operand(OperandName::texel);
  const TypeRow* type = writes ? &context.type_of(texel) : texel_in_result(context, visit, row, report);
  if (type == nullptr) return nullptr;
  const TexelForm form = writes ? TexelForm::Any : row.texel;
  // has_form accepts a vector of booleans, which is not a texel.
  const bool is_numerical = context.types.row(type->component).is_numerical();
  if (has_form(*type, form) && is_numerical) return type;
  const TypeErrorReporter type_errors{context, visit, report};
  if (writes) {
    type_errors.operand(texel, "the texel", form_text(form));
  } else {
    type_errors.result(form_text(form));
  }
  return nullptr;
}

// The component type of the texel must be the sampled type. If the sampled type is void, any component type is valid,
// except for depth comparisons.
void check_texel_type(const ImageAccess& access) {
  if (access.texel == nullptr) return;
  const TypeRow& sampled = access.context.types.of(access.image.sampled_type);
  const TypeRow& component = access.context.types.row(access.texel->component);
  // In kernels, the sampled type is void, and the instruction determines the texel type.
  const bool is_open = sampled.is(TypeKind::Void) && !access.row.is(Compares);
  if (is_open || sampled.is(TypeKind::None) || component.id == sampled.id) return;
  const DecodedInstruction& visit = access.visit;
  const Place place = access.row.is(Writes) ? visit.at(visit.operand(OperandName::texel)) : visit.at_type();
  access.report.add(Rule::TexelType, place,
                    {access.op(), type_text(access.context, access.texel->id), type_text(access.context, sampled.id)});
  access.note_type(OperandName::sampled_type);
}

// In Vulkan, an image read must return four components. The core specification allows any number.
void check_vulkan_texel(const ImageAccess& access) {
  if (!access.context.is_vulkan() || !access.row.is(Reads) || access.texel == nullptr) return;
  if (count_of(*access.texel) == 4) return;
  access.report.add(Rule::VulkanReadTexel, access.visit.at_type(),
                    {access.op(), type_text(access.context, access.texel->id)});
}

// In OpenCL, a read returns a float for depth images, and four components for all other images.
void check_opencl_texel(const ImageAccess& access) {
  if (!access.context.is_opencl() || !access.row.is(Reads) || access.texel == nullptr) return;
  const bool is_depth = access.image.depth == 1;
  const bool is_fine = is_depth ? access.texel->is(TypeKind::Float) : count_of(*access.texel) == 4;
  if (is_fine) return;
  access.report.add(Rule::OpenClTexel, access.visit.at_type(),
                    {access.op(), type_text(access.context, access.texel->id),
                     is_depth ? "a float scalar for a depth image" : "a vector of 4 components"});
  if (is_depth) access.note_type(OperandName::depth);
}

// --- images -------------------------------------------------------------------------------------------------------------

// An unknown dimension is not checked here: it has its own finding.
void check_dim(const ImageAccess& access) {
  const Dim dim = access.image.dim;
  const Place place = access.at_image();
  if (any_dim.has(dim) && !access.row.dims.has(dim)) {
    access.report.add(Rule::ImageDim, place,
                      {access.op(), enumerant_text(access.context, dim), dims_text(access.context, access.row.dims)});
    access.note_type(OperandName::dim);
  }
  // Only Vulkan has this rule.
  if (access.context.is_vulkan() && access.row.is(Compares) && dim == Dim::Dim3D) {
    access.report.add(Rule::DepthCompare3D, place, {access.op()});
    access.note_type(OperandName::dim);
  }
  // The last component of a projective coordinate divides the others. A layer cannot be divided, so the image cannot be
  // arrayed.
  if (access.row.is(Projective) && access.image.arrayed != 0) {
    access.report.add(Rule::ImageLayers, place, {access.op()});
    access.note_type(OperandName::arrayed);
  }
}

// Only instructions without filtering (fetch, read, write) take multisampled images.
void check_samples(const ImageAccess& access) {
  if (access.image.multisampled == 0 || access.row.is(Fetches | Reads | Writes)) return;
  access.report.add(Rule::ImageSamples, access.at_image(),
                    {access.op(), "single-sampled image (MS 0)", std::to_string(access.image.multisampled)});
  access.note_type(OperandName::ms);
}

// The Sampled operand of the image type states whether the image is used with a sampler. For sampling instructions, the
// check of OpTypeSampledImage covers this.
void check_sampling(const ImageAccess& access) {
  const Word sampled = access.image.sampled;
  const auto refuse = [&](std::string_view expected) {
    report_sampling(access.context, access.visit, access.at_image(), access.type, expected, access.report);
  };
  // 1: with a sampler; 2: without a sampler (storage image); 0: known only at run time, as in kernels.
  if (access.row.is(Fetches) && sampled != 1) refuse("Sampled 1");
  // In Vulkan, an image type cannot have Sampled 0.
  if (access.row.is(Reads | Writes) && sampled == 1)
    refuse(access.context.is_vulkan() ? "Sampled 2" : "Sampled 0 or 2");
}

// Capabilities for reading and writing storage images. Sampling an image of the same dimension needs a weaker
// capability.
struct StorageDimRow {
  Dim dim;
  bool arrayed, multisampled;  ///< the row applies only to arrayed (multisampled) images
  Capability capability;
  std::string_view text;
};
constexpr StorageDimRow storage_dims[] = {
    {Dim::Dim1D, false, false, Capability::Image1D, "Dim 1D"},
    {Dim::Rect, false, false, Capability::ImageRect, "Dim Rect"},
    {Dim::Buffer, false, false, Capability::ImageBuffer, "Dim Buffer"},
    {Dim::Cube, true, false, Capability::ImageCubeArray, "Dim Cube and Arrayed 1"},
    {Dim::Dim2D, true, true, Capability::ImageMSArray, "Dim 2D, Arrayed 1 and MS 1"},
};

// Checks the capability for reading or writing a storage image.
void check_storage(const ImageAccess& access) {
  const ImageShape& image = access.image;
  if (!access.row.is(Reads | Writes) || image.sampled != 2) return;
  // The rows have different dimensions, so an image has at most one finding.
  for (const StorageDimRow& row : storage_dims) {
    const bool applies =
        row.dim == image.dim && (!row.arrayed || image.arrayed == 1) && (!row.multisampled || image.multisampled == 1);
    if (!applies || access.context.has(row.capability)) continue;
    const std::string capability = enumerant_text(access.context, row.capability);
    access.report.add_once(Rule::StorageImageCapability, access.at_image(), capability,
                           {access.op(), row.text, capability});
    hint_capability(access.context, access.report, capability);
    access.note_type(OperandName::dim);
  }
}

// Checks accesses to images of unknown format. Only Vulkan requires a capability for them.
void check_format(const ImageAccess& access) {
  const bool reads = access.row.is(Reads);
  // If the image is not a storage image, only check_sampling() reports the access.
  if (!access.context.is_vulkan() || (!reads && !access.row.is(Writes)) || access.image.sampled != 2) return;
  // The render pass sets the format of an attachment, so it is unknown in every module.
  if (access.image.format != ImageFormat::Unknown || access.image.dim == Dim::SubpassData) return;
  // Reading and writing need separate capabilities: a device may support only one of them.
  const Capability needed =
      reads ? Capability::StorageImageReadWithoutFormat : Capability::StorageImageWriteWithoutFormat;
  if (access.context.has(needed)) return;
  const std::string capability = enumerant_text(access.context, needed);
  const std::string other = enumerant_text(
      access.context, reads ? Capability::StorageImageWriteWithoutFormat : Capability::StorageImageReadWithoutFormat);
  // The format of a type is one cause, even if it needs both capabilities. Then the first finding names both.
  const std::string type = std::to_string(access.type.id);
  if (access.report.join(Rule::StorageFormatCapability, type + capability, type + other)) {
    access.report.note(access.at_image(), access.op() + " requires capability " + capability);
    hint_capability(access.context, access.report, capability);
    access.report.hint("add OpCapability " + other + " and OpCapability " + capability);
    return;
  }
  access.report.add_once(Rule::StorageFormatCapability, access.at_image(), type + capability,
                         {access.op(), capability});
  hint_capability(access.context, access.report, capability);
  access.note_type(OperandName::image_format);
}

// --- coordinates --------------------------------------------------------------------------------------------------------

// The number of components that a coordinate needs.
std::uint64_t coordinate_count(const ImageAccess& access) {
  // The components are x, y and the face. The layers of a cube array count as further faces.
  if (access.image.dim == Dim::Cube && access.row.is(Reads | Writes)) return 3;
  return std::uint64_t{component_count(access.image.dim)} + (access.image.arrayed == 1 ? 1u : 0u) +
         (access.row.is(Projective) ? 1u : 0u);
}

// Whether the type is valid for the coordinate of the instruction. Sampling takes floats; in kernels, it may also take
// integers.
bool is_coordinate(const ImageAccess& access, const TypeRow& type) {
  // SPV_AMD_gpu_shader_half_float_fetch allows 16-bit floats.
  const TypeRow& scalar = access.context.types.row(type.component);
  const bool is_half =
      scalar.is(TypeKind::Float) && scalar.width == 16 && access.context.has(Capability::Float16ImageAMD);
  switch (access.row.coordinate) {
    case CoordinateKind::Float: return is_float32(access.context, type) || is_half;
    case CoordinateKind::Integer: return is_int32(access.context, type);
    case CoordinateKind::FloatOrInteger: return is_float32(access.context, type) || is_int32(access.context, type);
    case CoordinateKind::FloatUnlessKernel:
      return is_float32(access.context, type) || is_half ||
             (access.context.has(Capability::Kernel) && is_int32(access.context, type));
  }
  return true;
}

std::string_view coordinate_text(CoordinateKind kind) {
  switch (kind) {
    case CoordinateKind::Integer: return "a scalar or vector of 32-bit integers";
    case CoordinateKind::FloatOrInteger: return "a scalar or vector of 32-bit integers or floats";
    default: return "a scalar or vector of 32-bit floats";
  }
}

// A subpass attachment can only be read at the current fragment, so the coordinate must be a constant 0.
void check_subpass_coordinate(const ImageAccess& access) {
  // check_dim reports instructions that cannot read attachments.
  if (access.image.dim != Dim::SubpassData || !access.row.dims.has(Dim::SubpassData)) return;
  const AnyOperand coordinate = access.visit.operand(OperandName::coordinate);
  const Constants& constants = access.context.constants;
  const ConstantRow& constant = constants.of(coordinate);
  // A computed value or a specialization constant is not allowed.
  bool is_zero = !constant.is_spec && (constant.kind == ConstantKind::Null || constant.has_parts());
  for (const ConstantIndex part : constants.parts(constant)) is_zero = is_zero && constants.row(part).bits == 0;
  if (is_zero) return;
  access.report.add(Rule::SubpassCoordinate, access.visit.at(coordinate),
                    {access.op(), id_text(access.context, coordinate)});
}

// The coordinate may have more components than needed; the extra ones are not used.
void check_coordinate(const ImageAccess& access) {
  const AnyOperand coordinate = access.visit.operand(OperandName::coordinate);
  const TypeRow& type = access.context.type_of(coordinate);
  if (!is_coordinate(access, type)) {
    type_errors(access).operand(coordinate, "the coordinate", coordinate_text(access.row.coordinate));
    return;
  }
  const std::uint64_t expected = coordinate_count(access);
  if (count_of(type) < expected) {
    access.report.add(Rule::CoordinateCount, access.visit.at(coordinate),
                      {access.op(), std::to_string(count_of(type)), fmt::format("at least {}", expected),
                       type_name(access.context, access.type.id)});
    return;
  }
  check_subpass_coordinate(access);
}

// --- after the coordinate -----------------------------------------------------------------------------------------------

// The depth reference is a 32-bit float, whatever the format of the image.
void check_depth(const ImageAccess& access) {
  if (!access.row.is(Compares)) return;
  const AnyOperand depth = access.visit.operand(OperandName::d_ref);
  const TypeRow& type = access.context.type_of(depth);
  if (type.is(TypeKind::Float) && type.width == 32) return;
  type_errors(access).operand(depth, "the depth", "a 32-bit float scalar");
}

// A gather returns one component of each of four texels. A gather with a depth comparison has no component operand.
void check_component(const ImageAccess& access) {
  if (!access.row.is(Gathers) || access.row.is(Compares)) return;
  const AnyOperand component = access.visit.operand(OperandName::component);
  const TypeRow& type = access.context.type_of(component);
  if (!type.is_int(32)) {
    type_errors(access).operand(component, "the component", "a 32-bit integer scalar");
    return;
  }
  // Vulkan requires a constant; a specialization constant is allowed.
  if (access.context.is_vulkan() && !access.context.is_constant(component)) {
    access.report.add(Rule::VulkanGatherComponent, access.visit.at(component),
                      {id_text(access.context, component), op_text(access.context, access.context.op_of(component))});
  }
  // Outside Vulkan the component may be computed; then there is no value to compare.
  const auto number = access.context.constants.as_i64(component);
  if (number && (*number < 0 || *number > 3)) {
    access.report.add(Rule::GatherComponent, access.visit.at(component), {std::to_string(*number)});
  }
}

// The modes of OpImageGatherQCOM (SPV_QCOM_image_processing3): 0 is linear, 1 to 3 are extended modes.
void check_mode(const ImageAccess& access) {
  if (access.row.opcode != OpImageGatherQCOM) return;
  const auto mode = access.visit.as<OpImageGatherQCOM>().mode();
  const TypeRow& type = access.context.type_of(mode);
  if (!type.is_int(32)) {
    type_errors(access).operand(mode, "the mode", "a 32-bit integer scalar");
    return;
  }
  const auto number = access.context.constants.as_i64(mode);
  if (!number) return;
  const auto refuse = [&](std::string_view fault) {
    access.report.add(Rule::GatherMode, access.visit.at(mode), {std::to_string(*number), fault});
  };
  if (*number < 0 || *number > 3) return refuse("is not defined; expected 0 to 3");
  const Capability needed = *number == 0 ? Capability::ImageGatherLinearQCOM : Capability::ImageGatherExtendedModesQCOM;
  if (access.context.has(needed)) return;
  const std::string capability = enumerant_text(access.context, needed);
  refuse("requires capability " + capability);
  hint_capability(access.context, access.report, capability);
}

// --- all requirements ---------------------------------------------------------------------------------------------------

// The order does not matter: findings are sorted by place.
constexpr void (*requirements[])(const ImageAccess&) = {
    check_texel_type, check_vulkan_texel, check_opencl_texel,  check_dim,        check_samples,
    check_sampling,   check_storage,      check_format,        check_coordinate, check_depth,
    check_component,  check_mode,         check_image_operands};

// If the image type is invalid, only the texel is checked. If the texel type is invalid, the texel checks are skipped.
void check_access(const Context& context, const DecodedInstruction& visit, Report& report) {
  const ImageInstruction* row = find_image_instruction(visit.op());
  if (row == nullptr) return;
  // texel_of() does not need the image type, so it runs first.
  const TypeRow* texel = texel_of(context, visit, *row, report);
  const TypeRow* type = check_image_type(context, visit, report, row->source);
  if (type == nullptr) return;
  const ImageAccess access{context, visit, report, *row, *type, context.types.image(*type), texel};
  for (const auto requirement : requirements) requirement(access);
}

}  // namespace

std::span<const Check> image_access_checks() {
  // clang-format off
  static constexpr Check checks[] = {
      {{OpImageSampleImplicitLod, OpImageSampleExplicitLod, OpImageSampleDrefImplicitLod, OpImageSampleDrefExplicitLod,
        OpImageSampleProjImplicitLod, OpImageSampleProjExplicitLod, OpImageSampleProjDrefImplicitLod,
        OpImageSampleProjDrefExplicitLod, OpImageSparseSampleImplicitLod, OpImageSparseSampleExplicitLod,
        OpImageSparseSampleDrefImplicitLod, OpImageSparseSampleDrefExplicitLod, OpImageGather, OpImageDrefGather,
        OpImageSparseGather, OpImageSparseDrefGather, OpImageGatherQCOM, OpImageFetch, OpImageSparseFetch, OpImageRead,
        OpImageSparseRead, OpImageWrite}, check_access},
  };
  // clang-format on
  return checks;
}

}  // namespace vireo::spirv
