// SPDX-License-Identifier: Apache-2.0
//
// What modules may need of a Vulkan device: rows of features, of numbers and of stages (device_rows.def).
// device_limits.def has the limits of entry points.
#pragma once

#include <cstdint>
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

/// A number in a module that a limit bounds.
enum class DeviceNumber : std::uint8_t {
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
};

enum class Comparison : std::uint8_t { AtMost, Below, MultipleOf };

struct DeviceBound {
  DeviceNumber number;
  std::string_view limit;
  Comparison comparison;
  std::string_view only_with;
  std::string_view vuid;
  std::string_view meaning;
};
std::span<const DeviceBound> device_bounds();

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

/// The whole id for the VUID of a row.
std::string runtime_vuid(std::string_view vuid);

}  // namespace vireo::spirv
