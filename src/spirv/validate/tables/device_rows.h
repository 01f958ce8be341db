// SPDX-License-Identifier: Apache-2.0
//
// What modules may need of a Vulkan device: rows of features, of numbers and of stages (device_rows.def).
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "spirv/validate/tables/models.h"

namespace vireo::spirv {

/// What a module does, for which a device may need features.
enum class DeviceUse : std::uint8_t {
  DeviceMemoryScope,
  QueueFamilyMemoryScope,
  SubgroupClock,
  DeviceClock,
  WorkgroupMatrix,
  ExtendedSubgroupType,
  QuadOperation,
  ClusteredRotate,
  DynamicQuadIndex,
  DynamicBroadcastId,
  Atomic,
  BufferInt64Atomic,
  SharedInt64Atomic,
  ImageInt64Atomic,
  VectorAtomic,
  BufferFloatAtomic,
  SharedFloatAtomic,
  ImageFloatAtomic,
  Float16Atomic,
  Float32Atomic,
  Float64Atomic,
  ForwardReferences,
  Fma16,
  Fma32,
  Fma64,
  SeveralStreams,
  ReduceSum16,
  ReduceSum32,
  OuterProduct16,
  OuterProduct32,
  TileTexelPointer,
  TileImageProcessing,
  SubgroupUniformFlow,
  EarlyAndLateTests,
  UnchangedFront,
  UnchangedBack,
  GreaterFront,
  GreaterBack,
  LessFront,
  LessBack,
  MissingPointSize,
  IsoLines,
  PointMode,
  DerivativeGroup,
  PreserveNan16,
  PreserveNan32,
  PreserveNan64,
  PreserveDenorm16,
  PreserveDenorm32,
  PreserveDenorm64,
  FlushDenorm16,
  FlushDenorm32,
  FlushDenorm64,
  RoundToEven16,
  RoundToEven32,
  RoundToEven64,
  RoundToZero16,
  RoundToZero32,
  RoundToZero64,
  DefaultMath16,
  DefaultMath32,
  DefaultMath64,
  DecoratedMath16,
  DecoratedMath32,
  DecoratedMath64,
  CoverageAfterTests,
  MeshShadingRate,
  InterpolationFunctions,
  TileShading,
  WorkgroupInitializer,
  InputWithoutIndex,
  WritableWithoutFormat,
  ReadableWithoutFormat,
  WritableResource,
  UnsizedUniform,
  StorageBuffer8,
  Uniform8,
  PushConstant8,
  WorkgroupBlock8,
  StorageBuffer16,
  Uniform16,
  PushConstant16,
  WorkgroupBlock16,
  InputOutput16,
};

struct DeviceNeed {
  DeviceUse use;
  Models models;
  std::string_view one_of;     ///< separated by commas
  std::string_view only_with;  ///< empty: none
  std::string_view vuid;       ///< see runtime_vuid()
  std::string_view subject;
};
/// The rows of a use are contiguous.
std::span<const DeviceNeed> device_needs();

/// A number that a limit bounds.
enum class DeviceNumber : std::uint8_t {
  None,
  // Of a module.
  EmittedStream,
  DecoratedStream,
  CaptureStride,
  MatrixDimension,
  CooperativeComponents,
  VectorComponents,
  TensorElements,
  TensorBytes,
  NodePayloadBytes,
  OutputPayloadBytes,
  SamplerOffset,
  ImageOffset,
  BufferOffset,
  AccelerationOffset,
  TensorOffset,
  LoadedSamplerOffset,
  LoadedImageOffset,
  LoadedBufferOffset,
  LoadedAccelerationOffset,
  LoadedTensorOffset,
  TexelPointerOffset,
  WaitQueues,
  TileRateX,
  TileRateY,
  MeshGroupsX,
  MeshGroupsY,
  MeshGroupsZ,
  MeshGroups,
  RecordIndex,
  MatchWidth,
  MatchHeight,
  WindowWidth,
  WindowHeight,
  BoxHeight,
  // Of an entry point.
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
  AllOutputPayloadBytes,  ///< of the output payloads of an execution graph
  NodePayloads,
  OutputNodes,
  CapturedBytes,  ///< of transform feedback, in one buffer
  StreamBytes,    ///< in all buffers of a stream
  OutputVertices,
  OutputPrimitives,
  ShaderInvocations,  ///< execution mode Invocations
  InputLocations,     ///< one more than the largest location
  OutputLocations,
  InputComponents,  ///< four for each location
  OutputComponents,
  PatchOutputComponents,
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

enum class Comparison : std::uint8_t { AtMost, Below, MultipleOf };

struct DeviceBound {
  DeviceNumber number;
  std::string_view limits;  ///< separated by commas: the largest one applies if the first one is stated
  Comparison comparison;
  Models models;
  std::string_view only_with;
  std::string_view vuid;
  std::string_view meaning;
  bool is_of_entry_point;
};
std::span<const DeviceBound> device_bounds();

/// Calls `use` for each name of a list that is separated by commas.
template <typename Use>
void for_each_name(std::string_view list, Use use) {
  while (!list.empty()) {
    const std::string_view name = list.substr(0, list.find(','));
    use(name);
    list.remove_prefix(std::min(list.size(), name.size() + 1));
  }
}

/// Instructions that a device may support in some stages only.
enum class StagedUse : std::uint8_t {
  SubgroupOperation,
  SubgroupUniformFlow,
  CooperativeMatrixNV,
  CooperativeMatrix,
  CooperativeVector,
  Tensor,
};

struct DeviceStages {
  StagedUse use;
  std::string_view property;
  std::string_view vuid;
  std::string_view subject;
};
std::span<const DeviceStages> device_stages();

/// The bit of VkShaderStageFlagBits for an execution model; 0 if it is not one of Vulkan.
std::uint32_t stage_bit(ExecutionModel model);

/// A number in the units of DeviceLimit::fraction_unit. Nothing for NaN, and for numbers larger than any limit, for which
/// the units have no room.
std::optional<std::int64_t> to_fraction_units(double number);

/// The whole id for the VUID of a row.
std::string runtime_vuid(std::string_view vuid);

}  // namespace vireo::spirv
