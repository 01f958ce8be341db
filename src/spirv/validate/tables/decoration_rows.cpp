// SPDX-License-Identifier: Apache-2.0
//
// The tables of decoration_rows.h.
#include "spirv/validate/tables/decoration_rows.h"

namespace vireo::spirv {
namespace {

using enum Decoration;
using Members = DecoratesMembers;
using Storage = StorageClass;
using Target = DecorationTarget;
constexpr bool in_groups = true;  // groups are checked as well

// clang-format off
constexpr DecorationTargetRow target_rows[] = {
    {SpecId,               Target::SpecConstant,   Members::Never},
    {Block,                Target::Struct,         Members::Never, in_groups},
    {BufferBlock,          Target::Struct,         Members::Never, in_groups},
    {GLSLShared,           Target::Struct,         Members::Never},
    {GLSLPacked,           Target::Struct,         Members::Never},
    {CPacked,              Target::Struct,         Members::Never},
    {ArrayStride,          Target::ArrayOrPointer, Members::Never},
    {UTFEncodedKHR,        Target::ByteArray,      Members::Never},
    {Decoration::BuiltIn,  Target::BuiltInHolder,  Members::Also},
    {NoPerspective,        Target::MemoryObject,   Members::Also},
    {Flat,                 Target::MemoryObject,   Members::Also},
    {Patch,                Target::MemoryObject,   Members::Also},
    {Centroid,             Target::MemoryObject,   Members::Also},
    {Sample,               Target::MemoryObject,   Members::Also},
    {Restrict,             Target::MemoryObject,   Members::Also},
    {Aliased,              Target::MemoryObject,   Members::Never},
    {Volatile,             Target::MemoryObject,   Members::Also},
    {Coherent,             Target::MemoryObject,   Members::Also},
    {NonWritable,          Target::MemoryObject,   Members::Also, in_groups},
    {NonReadable,          Target::MemoryObject,   Members::Also},
    {XfbBuffer,            Target::MemoryObject,   Members::Also},
    {XfbStride,            Target::MemoryObject,   Members::Also},
    {Component,            Target::MemoryObject,   Members::Also, in_groups},
    {Stream,               Target::MemoryObject,   Members::Also},
    {RestrictPointer,      Target::MemoryObject,   Members::Never},
    {AliasedPointer,       Target::MemoryObject,   Members::Never},
    {PerPrimitiveEXT,      Target::MemoryObject,   Members::Also},
    {Invariant,            Target::Variable,       Members::Also},
    {Decoration::Constant, Target::Variable,       Members::Never},
    {Location,             Target::Variable,       Members::Also, in_groups},
    {Index,                Target::Variable,       Members::Never},
    {Binding,              Target::Variable,       Members::Never},
    {DescriptorSet,        Target::Variable,       Members::Never},
    {InputAttachmentIndex, Target::Variable,       Members::Never},
    {RowMajor,             Target::Struct,         Members::Only},
    {ColMajor,             Target::Struct,         Members::Only},
    {MatrixStride,         Target::Struct,         Members::Only},
    {RelaxedPrecision,     Target::NoType,         Members::Also, in_groups},
    {Uniform,              Target::Object,         Members::Never, in_groups},
    {UniformId,            Target::Object,         Members::Never},
    {NoSignedWrap,         Target::WrappingInt,    Members::Never, in_groups},
    {NoUnsignedWrap,       Target::WrappingInt,    Members::Never, in_groups},
    {CooperativeMatrixTransposeEXT, Target::CooperativeConversion, Members::Never},
    // Decorations of extensions.
    {SaturatedToLargestFloat8NormalConversionEXT, Target::Float8Conversion, Members::Never, in_groups},
    {ExplicitInterpAMD,    Target::MemoryObject,   Members::Also, in_groups},
    {PassthroughNV,        Target::MemoryObject,   Members::Also, in_groups},
    {SecondaryViewportRelativeNV, Target::MemoryObject, Members::Also, in_groups},
    {PerViewNV,            Target::MemoryObject,   Members::Also, in_groups},
    {PerTaskNV,            Target::MemoryObject,   Members::Also, in_groups},
    {BankNV,               Target::Variable,       Members::Never, in_groups},
    {MemberOffsetNV,       Target::Variable,       Members::Never, in_groups},
    {CounterBuffer,        Target::Variable,       Members::Never, in_groups},
    {UserTypeGOOGLE,       Target::VariableOrType, Members::Also, in_groups},
    {CacheControlLoadINTEL, Target::Pointer,       Members::Never, in_groups},
    {CacheControlStoreINTEL, Target::Pointer,      Members::Never, in_groups},
    {HostAccessINTEL,      Target::ModuleVariable, Members::Never, in_groups},
    {InitModeALTERA,       Target::ModuleVariable, Members::Never, in_groups},
    {ImplementInRegisterMapALTERA, Target::ModuleVariable, Members::Never, in_groups},
    {StallEnableALTERA,    Target::Function,       Members::Never, in_groups},
    {StallFreeALTERA,      Target::Function,       Members::Never, in_groups},
    {FuseLoopsInFunctionALTERA, Target::Function,  Members::Never, in_groups},
    {MathOpDSPModeALTERA,  Target::Function,       Members::Never, in_groups},
    {InitiationIntervalALTERA, Target::Function,   Members::Never, in_groups},
    {MaxConcurrencyALTERA, Target::Function,       Members::Never, in_groups},
    {PipelineEnableALTERA, Target::Function,       Members::Never, in_groups},
    {ConduitKernelArgumentALTERA, Target::Parameter, Members::Never, in_groups},
    {RegisterMapKernelArgumentALTERA, Target::Parameter, Members::Never, in_groups},
    {StableKernelArgumentALTERA, Target::Parameter, Members::Never, in_groups},
    {MMHostInterfaceAddressWidthALTERA, Target::PointerParameter, Members::Never, in_groups},
    {MMHostInterfaceDataWidthALTERA, Target::PointerParameter, Members::Never, in_groups},
    {MMHostInterfaceLatencyALTERA, Target::PointerParameter, Members::Never, in_groups},
    {MMHostInterfaceReadWriteModeALTERA, Target::PointerParameter, Members::Never, in_groups},
    {MMHostInterfaceMaxBurstALTERA, Target::PointerParameter, Members::Never, in_groups},
    {MMHostInterfaceWaitRequestALTERA, Target::PointerParameter, Members::Never, in_groups},
    {NodeMaxPayloadsAMDX,  Target::PayloadArray,   Members::Never, in_groups},
    {NodeSharesPayloadLimitsWithAMDX, Target::PayloadArray, Members::Never, in_groups},
    {PayloadNodeNameAMDX,  Target::PayloadArray,   Members::Never, in_groups},
    {PayloadNodeBaseIndexAMDX, Target::PayloadArray, Members::Never, in_groups},
    {PayloadNodeSparseArrayAMDX, Target::PayloadArray, Members::Never, in_groups},
    {PayloadNodeArraySizeAMDX, Target::PayloadArray, Members::Never, in_groups},
    {TrackFinishWritingAMDX, Target::Struct,       Members::Never, in_groups},
    {PayloadDispatchIndirectAMDX, Target::Struct,  Members::Only, in_groups},
};

// Decorations that are not allowed on members. Their other targets are not checked, because existing modules do not
// follow the specification strictly.
constexpr Decoration never_of_members[] = {
    SaturatedConversion, FuncParamAttr, Decoration::FPRoundingMode, Decoration::FPFastMathMode, LinkageAttributes,
    NoContraction, Alignment, MaxByteOffset, AlignmentId, MaxByteOffsetId,
    NonUniform,
};

// Decorations that a target or member may have any number of times. All others may occur once (2.16.1).
constexpr Decoration repeatable[] = {FuncParamAttr, UserSemantic, UserTypeGOOGLE, CounterBuffer};

// A member has one offset and an array one stride (SPV_EXT_descriptor_heap), and a target one condition
// (SPV_INTEL_function_variants).
constexpr Decoration unique_ids[] = {OffsetIdEXT, ArrayStrideIdEXT, ConditionalINTEL};

constexpr DecorationPair exclusive[] = {
    {Block, BufferBlock}, {Restrict, Aliased}, {RestrictPointer, AliasedPointer}, {RowMajor, ColMajor},
    {Offset, OffsetIdEXT}, {ArrayStride, ArrayStrideIdEXT}, {Flat, NoPerspective}, {Patch, Centroid}, {Patch, Sample},
    {Centroid, Sample}, {Decoration::FPFastMathMode, NoContraction},
    {ConduitKernelArgumentALTERA, RegisterMapKernelArgumentALTERA},
};

// Storage classes that Vulkan allows for the target of a decoration.
constexpr DecorationStorageRow storage_rows[] = {
    {Location, Rule::LocationStorage, {Storage::Input, Storage::Output, Storage::RayPayloadKHR, Storage::IncomingRayPayloadKHR,
     Storage::HitAttributeKHR, Storage::CallableDataKHR,
     Storage::IncomingCallableDataKHR, Storage::ShaderRecordBufferKHR,
     Storage::HitObjectAttributeNV, Storage::TileImageEXT}},
    {Component, Rule::LocationStorage, {Storage::Input, Storage::Output}},
    {Index, Rule::IndexStorage, {Storage::Output}},
    {Binding, Rule::BindingStorage, {Storage::StorageBuffer, Storage::Uniform, Storage::UniformConstant,
     Storage::TileAttachmentQCOM}},
    {DescriptorSet, Rule::BindingStorage, {Storage::StorageBuffer, Storage::Uniform, Storage::UniformConstant,
     Storage::TileAttachmentQCOM}},
    {InputAttachmentIndex, Rule::InputAttachmentStorage, {Storage::UniformConstant}},
    {Flat, Rule::InterpolationStorage, {Storage::Input, Storage::Output}},
    {NoPerspective, Rule::InterpolationStorage, {Storage::Input, Storage::Output}},
    {Centroid, Rule::InterpolationStorage, {Storage::Input, Storage::Output}},
    {Sample, Rule::InterpolationStorage, {Storage::Input, Storage::Output}},
    {PerVertexKHR, Rule::PerVertexStorage, {Storage::Input}},
};

// Source: 3.20 for Patch; the extensions that define the other decorations. SPV_GOOGLE_hlsl_functionality1 names only
// Uniform for CounterBuffer, because it is older than the storage class StorageBuffer, which compilers use since SPIR-V
// 1.3.
constexpr DecorationStorageRow universal_rows[] = {
    {Patch, Rule::DecorationStorage, {Storage::Input, Storage::Output}},
    {PassthroughNV, Rule::DecorationStorage, {Storage::Input}},
    {ViewportRelativeNV, Rule::DecorationStorage, {Storage::Output}},
    {SecondaryViewportRelativeNV, Rule::DecorationStorage, {Storage::Output}},
    {PerViewNV, Rule::DecorationStorage, {Storage::Output}},
    {PerTaskNV, Rule::DecorationStorage, {Storage::Input, Storage::Output}},
    {ExplicitInterpAMD, Rule::DecorationStorage, {Storage::Input, Storage::Output}},
    {BankNV, Rule::DecorationStorage, {Storage::PushConstant}},
    {MemberOffsetNV, Rule::DecorationStorage, {Storage::PushConstant}},
    {CounterBuffer, Rule::DecorationStorage, {Storage::Uniform, Storage::StorageBuffer}},
    {CacheControlLoadINTEL, Rule::DecorationStorage,
     {Storage::Function, Storage::UniformConstant, Storage::CrossWorkgroup, Storage::Generic}},
    {CacheControlStoreINTEL, Rule::DecorationStorage, {Storage::Function, Storage::CrossWorkgroup, Storage::Generic}},
};
// clang-format on

}  // namespace

std::span<const DecorationTargetRow> decoration_target_rows() { return target_rows; }
std::span<const Decoration> decorations_never_of_members() { return never_of_members; }
std::span<const Decoration> repeatable_decorations() { return repeatable; }
std::span<const Decoration> unique_id_decorations() { return unique_ids; }
std::span<const DecorationPair> exclusive_decorations() { return exclusive; }
std::span<const DecorationStorageRow> decoration_storage_rows() { return storage_rows; }
std::span<const DecorationStorageRow> universal_storage_rows() { return universal_rows; }

}  // namespace vireo::spirv
