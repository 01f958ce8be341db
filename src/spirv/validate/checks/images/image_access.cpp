// SPDX-License-Identifier: Apache-2.0
//
// Sampling, gathering, fetching, reading and writing (specification 3.42.10): requirements on results, images and
// coordinates.
//
// The row of the instruction (images.h) and the image type determine every requirement. So each
// requirement is a function of an ImageCheck. These functions do not depend on each other.
#include <fmt/format.h>

#include <optional>

#include "spirv/validate/analysis/fixes.h"
#include "spirv/validate/checks/checks.h"
#include "spirv/validate/checks/images/images.h"
#include "vireo/spirv/binary/views/image.h"

namespace vireo::spirv {
namespace {

using enum Op;

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
const TypeRow* texel_in_result(const InstructionCheck& c, const ImageInstruction& row) {
  const TypeRow& type = c.types.of(c.type);
  if (!row.is(Sparse)) return &type;
  // The residency code is the first of two members, an integer for OpImageSparseTexelsResident.
  const Words members = type.is(TypeKind::Struct) ? c.types.members(type) : Words{};
  if (members.size() == 2 && c.types.of(members[0]).is(TypeKind::Int)) return c.types.find(members[1]);
  c.report(Rule::SparseResult, c.at_type(), {c.op(), type.id});
  return nullptr;
}

// The texel type. OpImageWrite takes the texel as an operand, in the same forms as the result of OpImageRead.
const TypeRow* texel_of(const InstructionCheck& c, const ImageInstruction& row) {
  const bool writes = row.is(Writes);
  const AnyOperand texel = c.operand(OperandName::texel);
  const TypeRow* type = writes ? &c.type_of(texel) : texel_in_result(c, row);
  if (type == nullptr) return nullptr;
  const TexelForm form = writes ? TexelForm::Any : row.texel;
  // has_form accepts a vector of booleans, which is not a texel.
  const bool is_numerical = type->component().is_numerical();
  if (has_form(*type, form) && is_numerical) return type;
  if (writes) {
    c.wrong_operand(texel, "the texel", form_text(form));
  } else {
    c.wrong_result(form_text(form));
  }
  return nullptr;
}

// The component type of the texel must be the sampled type. If the sampled type is void, any component type is valid,
// except for depth comparisons.
void check_texel_type(const ImageCheck& c) {
  if (c.texel == nullptr) return;
  const TypeRow& sampled = c.types.of(c.image.sampled_type);
  const TypeRow& component = c.texel->component();
  // In kernels, the sampled type is void, and the instruction determines the texel type.
  const bool is_open = sampled.is(TypeKind::Void) && !c.row.is(Compares);
  if (is_open || sampled.is(TypeKind::None) || component.id == sampled.id) return;
  const Place place = c.row.is(Writes) ? c.at(c.operand(OperandName::texel)) : c.at_type();
  c.report(Rule::TexelType, place, {c.op(), c.texel->id, sampled.id});
  c.note_type(OperandName::sampled_type);
}

// In Vulkan, an image read must return four components. The core specification allows any number.
void check_vulkan_texel(const ImageCheck& c) {
  if (!c.is_vulkan() || !c.row.is(Reads) || c.texel == nullptr) return;
  if (count_of(*c.texel) == 4) return;
  c.report(Rule::VulkanReadTexel, c.at_type(), {c.op(), c.texel->id});
}

// The number of components of a format, by its name: "Rgba8", "Rgb10A2", "R11fG11fB10f", "Rg8", "R8". 0: unknown.
std::uint64_t format_components(std::string_view name) {
  if (name.starts_with("Rgb")) return 4;
  if (name.starts_with("R11f")) return 3;
  return name.starts_with("Rg") ? 2 : name.starts_with("R") ? 1 : 0;
}

// In Vulkan, a write states each component of a known format.
void check_written_components(const ImageCheck& c) {
  if (!c.is_vulkan() || !c.row.is(Writes) || c.texel == nullptr || c.image.format == ImageFormat::Unknown) return;
  const std::uint64_t count = count_of(*c.texel), expected = format_components(enumerant_text(c, c.image.format));
  if (count >= expected) return;
  c.report(Rule::WrittenComponents, c.at(c.operand(OperandName::texel)), {count, expected, c.image.format});
  c.note_type(OperandName::image_format);
}

// In OpenCL, a read returns a float for depth images, and four components for all other images.
void check_opencl_texel(const ImageCheck& c) {
  if (!c.is_opencl() || !c.row.is(Reads) || c.texel == nullptr) return;
  const bool is_depth = c.image.depth == 1;
  const bool is_fine = is_depth ? c.texel->is(TypeKind::Float) : count_of(*c.texel) == 4;
  if (is_fine) return;
  c.report(Rule::OpenClTexel, c.at_type(),
           {c.op(), c.texel->id, is_depth ? "a float scalar for a depth image" : "a vector of 4 components"});
  if (is_depth) c.note_type(OperandName::depth);
}

// --- images -------------------------------------------------------------------------------------------------------------

// An unknown dimension is not checked here: it has its own finding.
void check_dim(const ImageCheck& c) {
  const Dim dim = c.image.dim;
  const Place place = c.at_image();
  if (any_dim.has(dim) && !c.row.dims.has(dim)) {
    c.report(Rule::ImageDim, place, {c.op(), dim, dims_text(c, c.row.dims)});
    c.note_type(OperandName::dim);
  }
  // Only Vulkan has this rule.
  if (c.is_vulkan() && c.row.is(Compares) && dim == Dim::Dim3D) {
    c.report(Rule::DepthCompare3D, place, {c.op()});
    c.note_type(OperandName::dim);
  }
  // The last component of a projective coordinate divides the others. A layer cannot be divided, so the image cannot be
  // arrayed.
  if (c.row.is(Projective) && c.image.arrayed != 0) {
    c.report(Rule::ImageLayers, place, {c.op()});
    c.note_type(OperandName::arrayed);
  }
}

// Only instructions without filtering (fetch, read, write) take multisampled images.
void check_samples(const ImageCheck& c) {
  if (c.image.multisampled == 0 || c.row.is(Fetches | Reads | Writes)) return;
  c.report(Rule::ImageSamples, c.at_image(), {c.op(), "single-sampled image (MS 0)", c.image.multisampled});
  c.note_type(OperandName::ms);
}

// The Sampled operand of the image type states whether the image is used with a sampler. For sampling instructions, the
// check of OpTypeSampledImage covers this.
void check_sampling(const ImageCheck& c) {
  const Word sampled = c.image.sampled;
  const auto refuse = [&](std::string_view expected) { report_sampling(c, c.at_image(), c.image_type, expected); };
  // 1: with a sampler; 2: without a sampler (storage image); 0: known only at run time, as in kernels.
  if (c.row.is(Fetches) && sampled != 1) refuse("Sampled 1");
  // In Vulkan, an image type cannot have Sampled 0.
  if (c.row.is(Reads | Writes) && sampled == 1) refuse(c.is_vulkan() ? "Sampled 2" : "Sampled 0 or 2");
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
void check_storage(const ImageCheck& c) {
  const ImageShape& image = c.image;
  if (!c.row.is(Reads | Writes) || image.sampled != 2) return;
  // The rows have different dimensions, so an image has at most one finding.
  for (const StorageDimRow& row : storage_dims) {
    const bool applies =
        row.dim == image.dim && (!row.arrayed || image.arrayed == 1) && (!row.multisampled || image.multisampled == 1);
    if (!applies || c.has(row.capability)) continue;
    const std::string capability = enumerant_text(c, row.capability);
    c.report_once(Rule::StorageImageCapability, c.at_image(), capability, {c.op(), row.text, capability});
    // It implies the capability of a sampled image, which the type of the image may lack: Image1D implies Sampled1D.
    if (c.findings.keeps_last())
      c.findings.name_cause(Rule::StorageImageCapability,
                            "Sampled" + capability.substr(std::string_view("Image").size()));
    hint_capability(c, capability);
    c.note_type(OperandName::dim);
  }
}

// Checks accesses to images of unknown format. Only Vulkan requires a capability for them.
void check_format(const ImageCheck& c) {
  const bool reads = c.row.is(Reads);
  // If the image is not a storage image, only check_sampling() reports the access.
  if (!c.is_vulkan() || (!reads && !c.row.is(Writes)) || c.image.sampled != 2) return;
  // The render pass sets the format of an attachment, so it is unknown in every module.
  if (c.image.format != ImageFormat::Unknown || c.image.dim == Dim::SubpassData) return;
  // Reading and writing need separate capabilities: a device may support only one of them.
  const Capability needed =
      reads ? Capability::StorageImageReadWithoutFormat : Capability::StorageImageWriteWithoutFormat;
  if (c.has(needed)) return;
  const std::string capability = enumerant_text(c, needed);
  const std::string other =
      enumerant_text(c, reads ? Capability::StorageImageWriteWithoutFormat : Capability::StorageImageReadWithoutFormat);
  // The format of a type is one cause, even if it needs both capabilities. Then the first finding names both.
  const std::string type = std::to_string(c.image_type.id);
  if (c.findings.join(Rule::StorageFormatCapability, type + capability, type + other, Rule::StorageFormatCapability)) {
    c.note(c.at_image(), std::string(c.name()) + " requires capability " + capability);
    hint_capability(c, capability);
    c.hint("add OpCapability " + other + " and OpCapability " + capability);
    return;
  }
  c.report_once(Rule::StorageFormatCapability, c.at_image(), type + capability, {c.op(), capability});
  hint_capability(c, capability);
  c.note_type(OperandName::image_format);
}

// --- coordinates --------------------------------------------------------------------------------------------------------

// The number of components that a coordinate needs.
std::uint64_t coordinate_count(const ImageCheck& c) {
  // The components are x, y and the face. The layers of a cube array count as further faces.
  if (c.image.dim == Dim::Cube && c.row.is(Reads | Writes)) return 3;
  return std::uint64_t{component_count(c.image.dim)} + (c.image.arrayed == 1 ? 1u : 0u) +
         (c.row.is(Projective) ? 1u : 0u);
}

// Whether the type is valid for the coordinate of the instruction. Sampling takes floats; in kernels, it may also take
// integers.
bool is_coordinate(const ImageCheck& c, const TypeRow& type) {
  // SPV_AMD_gpu_shader_half_float_fetch allows 16-bit floats.
  const TypeRow& scalar = type.component();
  const bool is_half = scalar.is(TypeKind::Float) && scalar.width == 16 && c.has(Capability::Float16ImageAMD);
  switch (c.row.coordinate) {
    case CoordinateKind::Float: return is_float32(c, type) || is_half;
    case CoordinateKind::Integer: return is_int32(c, type);
    case CoordinateKind::FloatOrInteger: return is_float32(c, type) || is_int32(c, type);
    case CoordinateKind::FloatUnlessKernel:
      return is_float32(c, type) || is_half || (c.has(Capability::Kernel) && is_int32(c, type));
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
void check_subpass_coordinate(const ImageCheck& c) {
  // check_dim reports instructions that cannot read attachments.
  if (c.image.dim != Dim::SubpassData || !c.row.dims.has(Dim::SubpassData)) return;
  const AnyOperand coordinate = c.operand(OperandName::coordinate);
  const Constants& constants = c.constants;
  const ConstantRow& constant = constants.of(coordinate);
  // A computed value or a specialization constant is not allowed.
  bool is_zero = !constant.is_spec && (constant.kind == ConstantKind::Null || constant.has_parts());
  for (const ConstantIndex part : constants.parts(constant)) is_zero = is_zero && constants.row(part).bits == 0;
  if (is_zero) return;
  c.report(Rule::SubpassCoordinate, c.at(coordinate), {c.op(), coordinate});
}

// The coordinate may have more components than needed; the extra ones are not used.
void check_coordinate(const ImageCheck& c) {
  const AnyOperand coordinate = c.operand(OperandName::coordinate);
  const TypeRow& type = c.type_of(coordinate);
  if (!is_coordinate(c, type)) {
    c.wrong_operand(coordinate, "the coordinate", coordinate_text(c.row.coordinate));
    return;
  }
  const std::uint64_t expected = coordinate_count(c);
  if (count_of(type) < expected) {
    c.report(Rule::CoordinateCount, c.at(coordinate),
             {c.op(), count_of(type), fmt::format("at least {}", expected), c.image_type.id});
    return;
  }
  check_subpass_coordinate(c);
}

// --- after the coordinate -----------------------------------------------------------------------------------------------

// The depth reference is a 32-bit float, whatever the format of the image.
void check_depth(const ImageCheck& c) {
  if (!c.row.is(Compares)) return;
  const AnyOperand depth = c.operand(OperandName::d_ref);
  const TypeRow& type = c.type_of(depth);
  if (type.is(TypeKind::Float) && type.width == 32) return;
  c.wrong_operand(depth, "the depth", "a 32-bit float scalar");
}

// A gather returns one component of each of four texels. A gather with a depth comparison has no component operand.
void check_component(const ImageCheck& c) {
  if (!c.row.is(Gathers) || c.row.is(Compares)) return;
  const AnyOperand component = c.operand(OperandName::component);
  const TypeRow& type = c.type_of(component);
  if (!type.is_int(32)) {
    c.wrong_operand(component, "the component", "a 32-bit integer scalar");
    return;
  }
  // Vulkan requires a constant; a specialization constant is allowed.
  if (c.is_vulkan() && !c.is_constant(component)) {
    c.report(Rule::VulkanGatherComponent, c.at(component), {component, c.op_of(component)});
  }
  // Outside Vulkan the component may be computed; then there is no value to compare.
  const auto number = c.constants.as_i64(component);
  if (number && (*number < 0 || *number > 3)) { c.report(Rule::GatherComponent, c.at(component), {*number}); }
}

// The modes of OpImageGatherQCOM (SPV_QCOM_image_processing3): 0 is linear, 1 to 3 are extended modes.
void check_mode(const ImageCheck& c) {
  if (c.row.opcode != OpImageGatherQCOM) return;
  const auto mode = c.as<OpImageGatherQCOM>().mode();
  const TypeRow& type = c.type_of(mode);
  if (!type.is_int(32)) {
    c.wrong_operand(mode, "the mode", "a 32-bit integer scalar");
    return;
  }
  const auto number = c.constants.as_i64(mode);
  if (!number) return;
  const auto refuse = [&](std::string_view fault) { c.report(Rule::GatherMode, c.at(mode), {*number, fault}); };
  if (*number < 0 || *number > 3) return refuse("is not defined; expected 0 to 3");
  const Capability needed = *number == 0 ? Capability::ImageGatherLinearQCOM : Capability::ImageGatherExtendedModesQCOM;
  if (c.has(needed)) return;
  const std::string capability = enumerant_text(c, needed);
  refuse("requires capability " + capability);
  c.name_missing(Rule::GatherMode, needed);
  hint_capability(c, capability);
}

// --- all requirements ---------------------------------------------------------------------------------------------------

// The order does not matter: findings are sorted by place.
constexpr void (*requirements[])(const ImageCheck&) = {
    check_texel_type, check_written_components, check_vulkan_texel, check_opencl_texel,  check_dim,
    check_samples,    check_sampling,           check_storage,      check_format,        check_coordinate,
    check_depth,      check_component,          check_mode,         check_image_operands};

// If the image type is invalid, only the texel is checked. If the texel type is invalid, the texel checks are skipped.
void check_access(const InstructionCheck& c) {
  const ImageInstruction* row = find_image_instruction(c.op());
  if (row == nullptr) return;
  // texel_of() does not need the image type, so it runs first.
  const TypeRow* texel = texel_of(c, *row);
  const TypeRow* type = check_image_type(c, row->source);
  if (type == nullptr) return;
  const ImageCheck access(c, *row, *type, texel);
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
