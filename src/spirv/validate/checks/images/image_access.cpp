// SPDX-License-Identifier: Apache-2.0
//
// Sampling, gathering, fetching, reading and writing (specification 3.42.10): what their results, images and coordinates
// have to be.
//
// The one idea: the row of the instruction (images.h) and the image's type say everything, so each requirement is a
// function of an ImageAccess, and all of them run one after the other; none relies on another one.
#include <fmt/format.h>

#include <optional>

#include "spirv/validate/checks/images/images.h"
#include "spirv/validate/engine/checks.h"
#include "spirv/validate/engine/complaint.h"
#include "vireo/spirv/views/image.h"

namespace vireo::spirv {
namespace {

using enum Op;

Complaint complain(const ImageAccess& access) { return {access.context, access.visit, access.report}; }

// --- texels -------------------------------------------------------------------------------------------------------------

// Samplers always fill four components, whatever the format has; a comparison gives one number.
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

// The texel's type in a result type. Of sparse images it stands behind a residency code.
const TypeRow* texel_in_result(const Context& context, const Visit& visit, const ImageInstruction& row,
                               Report& report) {
  const TypeRow* type = context.types.find(visit.type);
  if (type == nullptr || !row.is(Sparse)) return type;
  // The code is an integer that OpImageSparseTexelsResident reads, and is the first of two members.
  const Words members = type->is(TypeKind::Struct) ? context.types.members(*type) : Words{};
  if (members.size() == 2 && context.types.of(members[0]).is(TypeKind::Int)) return context.types.find(members[1]);
  report.add(Rule::SparseResult, visit.at_type(), {op_text(context, visit.op()), type_text(context, type->id)});
  return nullptr;
}

// A texel that is written has the same forms as one that is read, but is an operand and not the result.
const TypeRow* texel_of(const Context& context, const Visit& visit, const ImageInstruction& row, Report& report) {
  const bool writes = row.is(Writes);
  const AnyOperand texel = visit.operand(OperandName::texel);
  const TypeRow* type = writes ? context.type_of(texel) : texel_in_result(context, visit, row, report);
  if (type == nullptr) return nullptr;
  const TexelForm form = writes ? TexelForm::Any : row.texel;
  // A vector of booleans has the form of a texel, and is none.
  const bool is_numerical = context.types.row(type->component).is_numerical();
  if (has_form(*type, form) && is_numerical) return type;
  const Complaint complain{context, visit, report};
  if (writes) {
    complain.operand(texel, "the texel", form_text(form));
  } else {
    complain.result(form_text(form));
  }
  return nullptr;
}

// Where depth is compared, the sampled type cannot be left open.
void check_texel_type(const ImageAccess& access) {
  if (access.texel == nullptr) return;
  const TypeRow& sampled = access.context.types.of(access.image.sampled_type);
  const TypeRow& component = access.context.types.row(access.texel->component);
  // In kernels the sampled type is void: the instruction says what is read. An unknown type was reported before.
  const bool is_open = sampled.is(TypeKind::Void) && !access.row.is(Compares);
  if (is_open || sampled.is(TypeKind::None) || component.id == sampled.id) return;
  const Visit& visit = access.visit;
  const Place place = access.row.is(Writes) ? visit.at(visit.operand(OperandName::texel)) : visit.at_type();
  access.report.add(Rule::TexelType, place,
                    {access.op(), type_text(access.context, access.texel->id), type_text(access.context, sampled.id)});
}

// The core takes any number of components; Vulkan's formats are all seen as four.
void check_vulkan_texel(const ImageAccess& access) {
  if (!access.context.is_vulkan() || !access.row.is(Reads) || access.texel == nullptr) return;
  if (count_of(*access.texel) == 4) return;
  access.report.add(Rule::VulkanReadTexel, access.visit.at_type(),
                    {access.op(), type_text(access.context, access.texel->id)});
}

// OpenCL C has one function for depth images, which gives a float, and others that give vectors.
void check_opencl_texel(const ImageAccess& access) {
  if (!access.context.is_opencl() || !access.row.is(Reads) || access.texel == nullptr) return;
  const bool is_depth = access.image.depth == 1;
  const bool is_fine = is_depth ? access.texel->is(TypeKind::Float) : count_of(*access.texel) == 4;
  if (is_fine) return;
  access.report.add(Rule::OpenClTexel, access.visit.at_type(),
                    {access.op(), type_text(access.context, access.texel->id),
                     is_depth ? "a float scalar of a depth image" : "four components"});
}

// --- images -------------------------------------------------------------------------------------------------------------

// A dimension that the grammar does not know is reported with the type, and not again here.
void check_dim(const ImageAccess& access) {
  const std::string_view kind = "Dim";
  const Dim dim = access.image.dim;
  const Place place = access.at_image();
  if (any_dim.has(dim) && !access.row.dims.has(dim)) {
    access.report.add(Rule::ImageDim, place,
                      {access.op(), enumerant_text(access.context, kind, static_cast<Word>(dim)),
                       dims_text(access.context, access.row.dims)});
  }
  // The core leaves this open.
  if (access.context.is_vulkan() && access.row.is(Compares) && dim == Dim::Dim3D) {
    access.report.add(Rule::DepthCompare3D, place, {access.op()});
  }
  // The last component divides the others, and a layer is nothing to be divided.
  if (access.row.is(Projective) && access.image.arrayed != 0) {
    access.report.add(Rule::ImageLayers, place, {access.op()});
  }
}

// Only what needs no filter takes one sample of many.
void check_samples(const ImageAccess& access) {
  if (access.image.multisampled == 0 || access.row.is(Fetches | Reads | Writes)) return;
  access.report.add(Rule::ImageSamples, access.at_image(), {access.op(), "a multisampled", "one sample a texel"});
}

// The type says whether a sampler comes along. The check of OpTypeSampledImage covers instructions that sample.
void check_sampling(const ImageAccess& access) {
  const Word sampled = access.image.sampled;
  const auto refuse = [&](std::string_view expected) {
    access.report.add(Rule::ImageSampling, access.at_image(), {access.op(), std::to_string(sampled), expected});
  };
  // 1: with a sampler; 2: without one, a storage image; 0: known only when the program runs, as in kernels.
  if (access.row.is(Fetches) && sampled != 1) refuse("1");
  if (access.row.is(Reads | Writes) && sampled == 1) refuse("0 or 2");
}

// Reading and writing storage images of these needs more than what sampling them needs.
struct StorageDimRow {
  Dim dim;
  bool arrayed, multisampled;  ///< only those that are
  Capability capability;
  std::string_view text;
};
constexpr StorageDimRow storage_dims[] = {
    {Dim::Dim1D, false, false, Capability::Image1D, "one dimension"},
    {Dim::Rect, false, false, Capability::ImageRect, "dimension Rect"},
    {Dim::Buffer, false, false, Capability::ImageBuffer, "dimension Buffer"},
    {Dim::Cube, true, false, Capability::ImageCubeArray, "cubes in layers"},
    {Dim::Dim2D, true, true, Capability::ImageMSArray, "samples in layers"},
};

// The type alone needs less: it may be one for sampling, for which other capabilities stand.
void check_storage(const ImageAccess& access) {
  const ImageShape& image = access.image;
  if (!access.row.is(Reads | Writes) || image.sampled != 2) return;
  // Each row has another dimension: at most one finding for an image.
  for (const StorageDimRow& row : storage_dims) {
    const bool applies =
        row.dim == image.dim && (!row.arrayed || image.arrayed == 1) && (!row.multisampled || image.multisampled == 1);
    if (!applies || access.context.has(row.capability)) continue;
    const std::string capability = enumerant_text(access.context, row.capability);
    access.report.add_once(Rule::StorageImageCapability, access.at_image(), capability,
                           {access.op(), row.text, capability});
  }
}

// Elsewhere the client's interface says whether formats may be left open.
void check_format(const ImageAccess& access) {
  const bool reads = access.row.is(Reads);
  if (!access.context.is_vulkan() || (!reads && !access.row.is(Writes))) return;
  // The format of an attachment is that of the render pass, so it is open in each module.
  if (access.image.format != ImageFormat::Unknown || access.image.dim == Dim::SubpassData) return;
  // Reading and writing are asked for apart: a device may do one without the other.
  const Capability needed =
      reads ? Capability::StorageImageReadWithoutFormat : Capability::StorageImageWriteWithoutFormat;
  if (access.context.has(needed)) return;
  access.report.add(Rule::StorageFormatCapability, access.at_image(),
                    {access.op(), enumerant_text(access.context, needed)});
}

// --- coordinates --------------------------------------------------------------------------------------------------------

// Components that a coordinate needs. A storage cube is its six faces, which count with the layers.
std::uint64_t coordinate_count(const ImageAccess& access) {
  // x, y, and the face: a layer of a cube is six more faces, not a component more.
  if (access.image.dim == Dim::Cube && access.row.is(Reads | Writes)) return 3;
  return std::uint64_t{component_count(access.image.dim)} + (access.image.arrayed == 1 ? 1u : 0u) +
         (access.row.is(Projective) ? 1u : 0u);
}

// Integers count texels, floats are fractions of the image; which of them a sampler takes is the kernel's choice alone.
bool is_coordinate(const ImageAccess& access, const TypeRow& type) {
  // Half a float is enough to sample at where SPV_AMD_gpu_shader_half_float_fetch is used.
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

// The attachment is read at the current fragment: there is no other place to go to.
void check_subpass_coordinate(const ImageAccess& access) {
  // check_dim() reports an instruction that takes no attachments at all.
  if (access.image.dim != Dim::SubpassData || !access.row.dims.has(Dim::SubpassData)) return;
  const AnyOperand coordinate = access.visit.operand(OperandName::coordinate);
  const Constants& constants = access.context.constants;
  const ConstantRow& constant = constants.of(coordinate);
  // A value that is computed, or that specialization decides to be something else, is no such constant.
  bool is_zero = !constant.is_spec && (constant.kind == ConstantKind::Null || constant.kind == ConstantKind::Composite);
  for (const ConstantIndex part : constants.parts(constant)) is_zero = is_zero && constants.row(part).bits == 0;
  if (is_zero) return;
  access.report.add(Rule::SubpassCoordinate, access.visit.at(coordinate),
                    {access.op(), id_text(access.context, coordinate)});
}

// More components than needed are fine: compilers keep coordinates of many images in one vector.
void check_coordinate(const ImageAccess& access) {
  const AnyOperand coordinate = access.visit.operand(OperandName::coordinate);
  const TypeRow* type = access.context.type_of(coordinate);
  if (type == nullptr) return;
  if (!is_coordinate(access, *type)) {
    complain(access).operand(coordinate, "the coordinate", coordinate_text(access.row.coordinate));
    return;
  }
  const std::uint64_t expected = coordinate_count(access);
  if (count_of(*type) < expected) {
    access.report.add(Rule::CoordinateCount, access.visit.at(coordinate),
                      {access.op(), std::to_string(count_of(*type)), fmt::format("at least {}", expected)});
    return;
  }
  check_subpass_coordinate(access);
}

// --- after the coordinate -----------------------------------------------------------------------------------------------

// Depth is compared as it is stored, or as it would be if it were a float.
void check_depth(const ImageAccess& access) {
  if (!access.row.is(Compares)) return;
  const AnyOperand depth = access.visit.operand(OperandName::d_ref);
  const TypeRow* type = access.context.type_of(depth);
  if (type == nullptr || (type->is(TypeKind::Float) && type->width == 32)) return;
  complain(access).operand(depth, "the depth", "a 32-bit float scalar");
}

// One component of each of four texels is gathered; where depth is compared there is but one.
void check_component(const ImageAccess& access) {
  if (!access.row.is(Gathers) || access.row.is(Compares)) return;
  const AnyOperand component = access.visit.operand(OperandName::component);
  const TypeRow* type = access.context.type_of(component);
  if (type == nullptr) return;
  if (!type->is_int(32)) {
    complain(access).operand(component, "the component", "a 32-bit integer scalar");
    return;
  }
  // Vulkan needs to know it when it compiles; specialization is early enough for that.
  if (access.context.is_vulkan() && !access.context.is_constant(component)) {
    access.report.add(Rule::VulkanGatherComponent, access.visit.at(component),
                      {id_text(access.context, component), op_text(access.context, access.context.op_of(component))});
  }
  // Elsewhere it may be computed, and then there is no number to compare.
  const auto number = access.context.constants.as_i64(component);
  if (number && (*number < 0 || *number > 3)) {
    access.report.add(Rule::GatherComponent, access.visit.at(component), {std::to_string(*number)});
  }
}

// The modes of OpImageGatherQCOM (SPV_QCOM_image_processing3): the first is linear, the others are extended ones.
void check_mode(const ImageAccess& access) {
  if (access.row.opcode != OpImageGatherQCOM) return;
  const auto mode = access.visit.as<OpImageGatherQCOM>().mode();
  const TypeRow* type = access.context.type_of(mode);
  if (type == nullptr) return;
  if (!type->is_int(32)) {
    complain(access).operand(mode, "the mode", "a 32-bit integer scalar");
    return;
  }
  const auto number = access.context.constants.as_i64(mode);
  if (!number) return;
  const auto refuse = [&](std::string_view expected) {
    access.report.add(Rule::GatherMode, access.visit.at(mode), {std::to_string(*number), expected});
  };
  if (*number < 0 || *number > 3) {
    refuse("0 to 3");
  } else if (*number == 0 && !access.context.has(Capability::ImageGatherLinearQCOM)) {
    refuse("the capability ImageGatherLinearQCOM");
  } else if (*number != 0 && !access.context.has(Capability::ImageGatherExtendedModesQCOM)) {
    refuse("the capability ImageGatherExtendedModesQCOM");
  }
}

// --- all of it ----------------------------------------------------------------------------------------------------------

// In any order: findings are sorted by place.
constexpr void (*requirements[])(const ImageAccess&) = {
    check_texel_type, check_vulkan_texel, check_opencl_texel,  check_dim,        check_samples,
    check_sampling,   check_storage,      check_format,        check_coordinate, check_depth,
    check_component,  check_mode,         check_image_operands};

// Without an image nothing is left to check; without a texel the requirements of texels are left out.
void check_access(const Context& context, const Visit& visit, Report& report) {
  const ImageInstruction* row = find_image_instruction(visit.op());
  if (row == nullptr) return;
  // The texel is checked even where the image is none: one does not depend on the other.
  const TypeRow* texel = texel_of(context, visit, *row, report);
  const TypeRow* type = check_image_type(context, visit, report, row->source);
  if (type == nullptr) return;
  const ImageAccess access{context, visit, report, *row, context.types.image(*type), texel};
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
