// SPDX-License-Identifier: Apache-2.0
//
// The capabilities that a module may declare in a Vulkan or OpenCL environment.
//
// A row states the first client API version in which a module may declare a capability. From that version
// on, the API either requires the capability or offers it as a feature. Any other capability needs an extension that
// the module declares and the grammar lists for the capability.
//
// Source: the appendix on the SPIR-V environment of the Vulkan specification; the OpenCL SPIR-V environment
// specification, "Required Capabilities".
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <span>
#include <string>

#include "spirv/validate/analysis/fixes.h"
#include "spirv/validate/checks/checks.h"
#include "spirv/validate/tables/vulkan_extensions.h"

namespace vireo::spirv {
namespace {

using enum Capability;

struct Allowed {
  Capability capability;
  Version since;
};

// clang-format off
constexpr Allowed vulkan[] = {
    {Matrix, {1, 0}}, {Shader, {1, 0}}, {InputAttachment, {1, 0}}, {Sampled1D, {1, 0}}, {Image1D, {1, 0}},
    {SampledBuffer, {1, 0}}, {ImageBuffer, {1, 0}}, {ImageQuery, {1, 0}}, {DerivativeControl, {1, 0}},
    {Geometry, {1, 0}}, {Tessellation, {1, 0}}, {Float64, {1, 0}}, {Int64, {1, 0}}, {Int16, {1, 0}},
    {TessellationPointSize, {1, 0}}, {GeometryPointSize, {1, 0}}, {ImageGatherExtended, {1, 0}},
    {StorageImageMultisample, {1, 0}}, {UniformBufferArrayDynamicIndexing, {1, 0}},
    {SampledImageArrayDynamicIndexing, {1, 0}}, {StorageBufferArrayDynamicIndexing, {1, 0}},
    {StorageImageArrayDynamicIndexing, {1, 0}}, {ClipDistance, {1, 0}}, {CullDistance, {1, 0}},
    {ImageCubeArray, {1, 0}}, {SampleRateShading, {1, 0}}, {SparseResidency, {1, 0}}, {MinLod, {1, 0}},
    {SampledCubeArray, {1, 0}}, {ImageMSArray, {1, 0}}, {StorageImageExtendedFormats, {1, 0}},
    {InterpolationFunction, {1, 0}}, {StorageImageReadWithoutFormat, {1, 0}},
    {StorageImageWriteWithoutFormat, {1, 0}}, {MultiViewport, {1, 0}}, {Int64Atomics, {1, 0}},
    {TransformFeedback, {1, 0}}, {GeometryStreams, {1, 0}}, {Float16, {1, 0}}, {Int8, {1, 0}},

    {GroupNonUniform, {1, 1}}, {GroupNonUniformVote, {1, 1}}, {GroupNonUniformArithmetic, {1, 1}},
    {GroupNonUniformBallot, {1, 1}}, {GroupNonUniformShuffle, {1, 1}}, {GroupNonUniformShuffleRelative, {1, 1}},
    {GroupNonUniformClustered, {1, 1}}, {GroupNonUniformQuad, {1, 1}}, {DeviceGroup, {1, 1}}, {MultiView, {1, 1}},
    {DrawParameters, {1, 1}}, {StorageBuffer16BitAccess, {1, 1}}, {UniformAndStorageBuffer16BitAccess, {1, 1}},
    {StoragePushConstant16, {1, 1}}, {StorageInputOutput16, {1, 1}}, {VariablePointersStorageBuffer, {1, 1}},
    {VariablePointers, {1, 1}},

    {DenormPreserve, {1, 2}}, {DenormFlushToZero, {1, 2}}, {SignedZeroInfNanPreserve, {1, 2}},
    {RoundingModeRTE, {1, 2}}, {RoundingModeRTZ, {1, 2}}, {VulkanMemoryModel, {1, 2}},
    {VulkanMemoryModelDeviceScope, {1, 2}}, {StorageBuffer8BitAccess, {1, 2}},
    {UniformAndStorageBuffer8BitAccess, {1, 2}}, {StoragePushConstant8, {1, 2}}, {ShaderViewportIndex, {1, 2}},
    {ShaderLayer, {1, 2}}, {PhysicalStorageBufferAddresses, {1, 2}}, {RuntimeDescriptorArray, {1, 2}},
    {ShaderNonUniform, {1, 2}}, {InputAttachmentArrayDynamicIndexing, {1, 2}},
    {UniformTexelBufferArrayDynamicIndexing, {1, 2}}, {StorageTexelBufferArrayDynamicIndexing, {1, 2}},
    {UniformBufferArrayNonUniformIndexing, {1, 2}}, {SampledImageArrayNonUniformIndexing, {1, 2}},
    {StorageBufferArrayNonUniformIndexing, {1, 2}}, {StorageImageArrayNonUniformIndexing, {1, 2}},
    {InputAttachmentArrayNonUniformIndexing, {1, 2}}, {UniformTexelBufferArrayNonUniformIndexing, {1, 2}},
    {StorageTexelBufferArrayNonUniformIndexing, {1, 2}},

    {DotProduct, {1, 3}}, {DotProductInputAll, {1, 3}}, {DotProductInput4x8Bit, {1, 3}},
    {DotProductInput4x8BitPacked, {1, 3}}, {DemoteToHelperInvocation, {1, 3}},

    {FloatControls2, {1, 4}}, {GroupNonUniformRotateKHR, {1, 4}}, {ExpectAssumeKHR, {1, 4}},
};

constexpr Allowed opencl[] = {
    {Addresses, {1, 2}}, {Float16Buffer, {1, 2}}, {Int16, {1, 2}}, {Int8, {1, 2}}, {Kernel, {1, 2}},
    {Linkage, {1, 2}}, {Vector16, {1, 2}}, {ImageBasic, {1, 2}}, {Float16, {1, 2}}, {Float64, {1, 2}},
    {DeviceEnqueue, {2, 0}}, {GenericPointer, {2, 0}}, {Groups, {2, 0}}, {Pipes, {2, 0}},
    {SubgroupDispatch, {2, 2}}, {PipeStorage, {2, 2}},
};

// Capabilities that OpenCL allows only together with ImageBasic.
constexpr Allowed opencl_images[] = {
    {LiteralSampler, {1, 2}}, {Sampled1D, {1, 2}}, {Image1D, {1, 2}}, {SampledBuffer, {1, 2}}, {ImageBuffer, {1, 2}},
    {ImageReadWrite, {2, 0}},
};
// clang-format on

bool is_in(std::span<const Allowed> rows, Capability capability, Version version) {
  return std::any_of(rows.begin(), rows.end(),
                     [&](const Allowed& row) { return row.capability == capability && row.since <= version; });
}

// The extensions that the grammar lists for a capability.
std::span<const StringRef> extensions_for(const ModuleCheck& c, Capability capability) {
  const Grammar& grammar = c.grammar();
  const EnumerantRow* row = grammar.find_value(grammar.capability_kind, static_cast<Word>(capability));
  return row == nullptr ? std::span<const StringRef>() : grammar.strings(row->extensions);
}

bool has_extension_for(const ModuleCheck& c, Capability capability) {
  const Grammar& grammar = c.grammar();
  // The decoder reports unknown capabilities.
  if (grammar.find_value(grammar.capability_kind, static_cast<Word>(capability)) == nullptr) return true;
  const auto names = extensions_for(c, capability);
  return std::any_of(names.begin(), names.end(),
                     [&](StringRef name) { return c.module_declarations.has_extension(grammar.text(name)); });
}

// Whether the module's version has the capability only through an extension. RequirementCheck reports a missing
// extension.
bool needs_extension(const ModuleCheck& c, Capability capability) {
  const Grammar& grammar = c.grammar();
  const EnumerantRow* row = grammar.find_value(grammar.capability_kind, static_cast<Word>(capability));
  return row != nullptr && row->extensions.count != 0 && (row->since.is_none() || c.version() < row->since);
}

// Whether the module's version of SPIR-V contains the capability, but no version that the environment supports.
bool is_too_new(const ModuleCheck& c, Capability capability) {
  const Grammar& grammar = c.grammar();
  const EnumerantRow* row = grammar.find_value(grammar.capability_kind, static_cast<Word>(capability));
  return row != nullptr && !row->since.is_none() && row->since > c.environment.version && row->since <= c.version();
}

bool is_allowed(const ModuleCheck& c, Capability capability) {
  const Environment& environment = c.environment;
  const Version version = environment.client_version;
  if (environment.client == Client::Vulkan) return is_in(vulkan, capability, version);
  if (is_in(opencl, capability, version)) return true;
  if (capability == Int64 && !environment.is_embedded) return true;
  return c.has(ImageBasic) && is_in(opencl_images, capability, version);
}

// "; expected Vulkan 1.2 or later, or the extension SPV_EXT_descriptor_indexing": what allows a capability. Empty if no
// version and no extension does.
std::string remedy_text(const ModuleCheck& c, Capability capability) {
  std::string text;
  const auto* const row = std::ranges::find(vulkan, capability, &Allowed::capability);
  if (c.is_vulkan() && row != std::end(vulkan))
    text = fmt::format("Vulkan {}.{} or later", row->since.major, row->since.minor);
  std::string_view before = text.empty() ? "the extension " : ", or the extension ";
  for (const StringRef name : extensions_for(c, capability)) {
    text.append(before).append(c.grammar().text(name));
    before = " or ";
  }
  return text.empty() ? text : "; expected " + text;
}

// A device profile that lists extensions replaces the list of Vulkan (device.cpp).
void check_extensions(const ModuleCheck& c) {
  if (!c.is_vulkan() || (c.options.device != nullptr && c.options.device->extensions)) return;
  for (const ExtensionRow& row : c.module_declarations.extensions()) {
    if (is_vulkan_extension(row.name)) continue;
    c.report(Rule::EnvironmentExtension, place_of(c, row.instruction, OperandName::name), {row.name});
  }
}

}  // namespace

void check_capabilities(const ModuleCheck& c) {
  if (!c.is_vulkan() && !c.is_opencl()) return;
  check_extensions(c);
  // If a device profile lists capabilities, that list replaces the list of the environment (device.cpp).
  if (c.options.device != nullptr && c.options.device->capabilities) return;
  for (const CapabilityRow& row : c.module_declarations.capabilities()) {
    if (is_allowed(c, row.capability) || has_extension_for(c, row.capability)) continue;
    if (needs_extension(c, row.capability)) continue;
    // The module's version has its own finding, target-version.
    if (is_too_new(c, row.capability)) continue;
    c.report(Rule::EnvironmentCapability, place_of(c, row.instruction, OperandName::capability),
             {row.capability, c.environment.description, remedy_text(c, row.capability)});
    const auto names = extensions_for(c, row.capability);
    if (names.size() == 1) hint_extension(c, c.grammar().text(names[0]));
  }
}

}  // namespace vireo::spirv
