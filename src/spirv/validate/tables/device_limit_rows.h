// SPDX-License-Identifier: Apache-2.0
//
// Limits of Vulkan devices: the number of a module that each limit bounds (device_limits.def).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "spirv/validate/tables/models.h"

namespace vireo::spirv {

/// A number of an entry point.
enum class Quantity : std::uint8_t {
  None,
  SizeX,  ///< of the workgroup
  SizeY,
  SizeZ,
  Invocations,           ///< of the workgroup
  WorkgroupBytes,        ///< of the variables in Workgroup
  MatrixWorkgroupBytes,  ///< with the memory that cooperative matrices reserve
  SplitWorkgroupBytes,   ///< with the memory that split barriers reserve
  PayloadBytes,          ///< of the variables in TaskPayloadWorkgroupEXT
  PayloadAndWorkgroupBytes,
  MeshOutputBytes,
  PayloadAndOutputBytes,
  NodePayloadBytes,  ///< of the output payloads of an execution graph
  NodePayloads,
  OutputNodes,
  CapturedBytes,  ///< of transform feedback, in one buffer
  StreamBytes,    ///< in all buffers of a stream
  OutputVertices,
  OutputPrimitives,
  ShaderInvocations,  ///< execution mode Invocations
  InputLocations,     ///< one more than the largest location
  OutputLocations,
  PatchOutputLocations,
  ClipDistances,
  CullDistances,
  ClipAndCullDistances,
  AccessedClipDistances,  ///< of a device without ClipDistance, on which only accesses count
  AccessedCullDistances,
  SampleMaskWords,
  FragmentResources,  ///< storage buffers, storage images and output locations
  PushConstantBytes,
  HeapPushConstantBytes,  ///< of a module with descriptor heaps
  DescriptorSets,         ///< one more than the largest number of a set
  // Descriptors. A combined image sampler counts as a sampler and as a sampled image.
  Samplers,
  UniformBuffers,
  StorageBuffers,
  SampledImages,
  StorageImages,
  InputAttachments,
  AccelerationStructures,
  Resources,  ///< descriptors except samplers
};

struct DeviceLimitCheck {
  Quantity quantity;
  Models models;
  std::uint8_t factor;
  std::string_view raised_by;
  std::string_view vuid;
};
/// A row for each row of device_limits(), in the same order.
std::span<const DeviceLimitCheck> device_limit_checks();

}  // namespace vireo::spirv
