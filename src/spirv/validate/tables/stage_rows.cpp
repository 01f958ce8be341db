// SPDX-License-Identifier: Apache-2.0
//
// The rows of stages: instructions, operands and storage classes, and the execution models that allow them. Each
// group of rows has one subject.
#include <iterator>

#include "spirv/grammar/opcode_families.h"
#include "spirv/validate/tables/stage_rows.h"
#include "vireo/spirv/binary/views/image.h"

namespace vireo::spirv {
namespace {

using enum Op;
using enum ExecutionModel;
using enum ExecutionMode;

// --- subjects of rows ---------------------------------------------------------------------------------------------------

using Meant = bool (*)(const InstructionCheck&);
constexpr StageSubject instructions(std::initializer_list<Op> opcodes, Meant applies = nullptr) {
  StageSubject subject;
  for (const Op op : opcodes) subject.opcodes[subject.opcode_count++] = op;
  subject.applies = applies;
  return subject;
}
constexpr StageSubject extended(std::string_view set, std::string_view names) {
  StageSubject subject;
  subject.kind = StageSubject::Kind::Extended;
  subject.set = set;
  subject.names = names;
  return subject;
}
constexpr StageSubject storage(StorageClass storage_class) {
  StageSubject subject;
  subject.kind = StageSubject::Kind::Storage;
  subject.storage = storage_class;
  return subject;
}
constexpr StageSubject scope(ScopeRole role, bool (*applies)(Op, Scope)) {
  StageSubject subject;
  subject.kind = StageSubject::Kind::Scope;
  subject.role = role;
  subject.is_scope_meant = applies;
  return subject;
}

// Whether the operand with this name is a pointer of a storage class.
bool is_pointer_to(const InstructionCheck& c, OperandName pointer, StorageClass storage_class) {
  const TypeRow& type = c.type_of(c.operand(pointer));
  return type.is_pointer() && type.storage == storage_class;
}
// The instructions that read or write through pointers. Of the storage classes below, atomic-storage allows atomic
// instructions only on task payloads.
constexpr std::initializer_list<Op> loads = {OpLoad, OpPredicatedLoadINTEL, OpCopyMemory, OpCopyMemorySized};
constexpr std::initializer_list<Op> stores_and_atomics = {
    OpStore,
    OpPredicatedStoreINTEL,
    OpCopyMemory,
    OpCopyMemorySized,
    OpAtomicStore,
    OpAtomicExchange,
    OpAtomicCompareExchange,
    OpAtomicIIncrement,
    OpAtomicIDecrement,
    OpAtomicIAdd,
    OpAtomicISub,
    OpAtomicSMin,
    OpAtomicUMin,
    OpAtomicSMax,
    OpAtomicUMax,
    OpAtomicAnd,
    OpAtomicOr,
    OpAtomicXor,
    OpAtomicFAddEXT,
    OpAtomicFMinEXT,
    OpAtomicFMaxEXT,
};
bool reads_output(const InstructionCheck& c) {
  return is_pointer_to(c, is_memory_copy(c.op()) ? OperandName::source : OperandName::pointer, StorageClass::Output);
}
template <StorageClass storage_class>
bool writes(const InstructionCheck& c) {
  return is_pointer_to(c, is_memory_copy(c.op()) ? OperandName::target : OperandName::pointer, storage_class);
}
bool reads_subpass(const InstructionCheck& c) {
  const TypeRow& image = c.type_of(c.as<OpImageRead>().image());
  return image.is(TypeKind::Image) && c.types.image(image).dim == Dim::SubpassData;
}

// --- conditions of rows -------------------------------------------------------------------------------------------------

bool in_vulkan(const ModuleCheck& c) { return c.is_vulkan(); }
bool in_old_vulkan_model(const ModuleCheck& c) {
  return c.is_vulkan() && c.module_declarations.memory_model() == MemoryModel::GLSL450;
}
bool before_1_3(const ModuleCheck& c) { return c.version() < Version{1, 3}; }

// --- models -------------------------------------------------------------------------------------------------------------

constexpr Models tasks_and_meshes = in(TaskNV, TaskEXT, MeshNV, MeshEXT);
constexpr Models with_workgroup = tasks_and_meshes | in(TessellationControl, GLCompute);
constexpr Models hits = in(AnyHitKHR, ClosestHitKHR);
constexpr Models tracing = in(RayGenerationKHR, ClosestHitKHR, MissKHR);
constexpr Models ray_tracing = tracing | in(IntersectionKHR, AnyHitKHR, CallableKHR);
// Fragment invocations are always in quads. In workgroups, an execution mode arranges the invocations in derivative
// groups.
constexpr Models with_derivatives = in(Fragment, GLCompute, MeshEXT, TaskEXT);
constexpr ModeNeed derivative_groups = {in(GLCompute, MeshEXT, TaskEXT),
                                        {DerivativeGroupQuadsKHR, DerivativeGroupLinearKHR}};
constexpr ModeNeed interlocks = {
    in(Fragment),
    {PixelInterlockOrderedEXT, PixelInterlockUnorderedEXT, SampleInterlockOrderedEXT, SampleInterlockUnorderedEXT,
     ShadingRateInterlockOrderedEXT, ShadingRateInterlockUnorderedEXT}};

// clang-format off
constexpr StageRow rows[] = {
    // --- control flow ---
    {instructions({OpKill, OpTerminateInvocation}), in(Fragment)},
    {instructions({OpDemoteToHelperInvocation, OpIsHelperInvocationEXT}), in(Fragment)},
    {instructions({OpIgnoreIntersectionKHR, OpTerminateRayKHR, OpIgnoreIntersectionNV, OpTerminateRayNV}), in(AnyHitKHR)},
    {instructions({OpBeginInvocationInterlockEXT, OpEndInvocationInterlockEXT}), in(Fragment), Rule::StageInstruction,
     nullptr, interlocks},

    // --- derivatives, explicit and implicit ---
    {instructions(derivatives), with_derivatives, Rule::StageInstruction, nullptr, derivative_groups},
    {instructions({OpImageSampleImplicitLod, OpImageSampleDrefImplicitLod, OpImageSampleProjImplicitLod,
     OpImageSampleProjDrefImplicitLod, OpImageSparseSampleImplicitLod, OpImageSparseSampleDrefImplicitLod,
     OpImageSparseSampleProjImplicitLod, OpImageSparseSampleProjDrefImplicitLod}), with_derivatives,
     Rule::StageInstruction, nullptr, derivative_groups, {}, {},
     "use the ExplicitLod instruction with image operand Lod or Grad"},
    {instructions({OpImageQueryLod}), with_derivatives, Rule::StageInstruction, nullptr, derivative_groups},

    // --- images ---
    {instructions({OpImageRead}, reads_subpass), in(Fragment), Rule::StageInstruction, nullptr, {}, {}, " of a subpass"},
    {instructions({OpColorAttachmentReadEXT, OpDepthAttachmentReadEXT, OpStencilAttachmentReadEXT}), in(Fragment)},

    // --- extended instructions ---
    {extended("GLSL.std.450", "InterpolateAtCentroid InterpolateAtSample InterpolateAtOffset"), in(Fragment)},
    {extended("SPV_AMD_shader_explicit_vertex_parameter", "InterpolateAtVertexAMD"), in(Fragment)},
    {extended("SPV_AMD_gcn_shader", "CubeFaceCoordAMD CubeFaceIndexAMD TimeAMD"),
     in(Vertex, TessellationControl, TessellationEvaluation, Geometry, Fragment, GLCompute)},

    // --- primitives ---
    {instructions({OpEmitVertex, OpEndPrimitive, OpEmitStreamVertex, OpEndStreamPrimitive}), in(Geometry)},
    {instructions({OpEmitMeshTasksEXT}), in(TaskEXT)},
    {instructions({OpSetMeshOutputsEXT}), in(MeshEXT)},
    {instructions({OpSetMeshOutputsEXT}), any_model, Rule::MeshVertexCount, nullptr, {},
     {OperandName::vertex_count, OutputVertices}},
    {instructions({OpSetMeshOutputsEXT}), any_model, Rule::MeshPrimitiveCount, nullptr, {},
     {OperandName::primitive_count, OutputPrimitivesEXT}},
    {instructions(loads, reads_output), any_model & ~in(MeshEXT), Rule::MeshOutputRead, nullptr, {}, {},
     " of an output"},
    {instructions(stores_and_atomics, writes<StorageClass::TaskPayloadWorkgroupEXT>), any_model & ~in(MeshEXT),
     Rule::TaskPayloadWrite, nullptr, {}, {}, " to a task payload"},

    // --- barriers ---
    {instructions({OpControlBarrier}), with_workgroup | in(ExecutionModel::Kernel), Rule::StageInstruction, before_1_3, {}, {},
     " before SPIR-V 1.3"},
    {instructions({OpControlBarrierArriveEXT, OpControlBarrierWaitEXT}), in(GLCompute, ExecutionModel::Kernel),
     Rule::SplitBarrierStage},

    // --- ray tracing ---
    {instructions({OpTraceRayKHR, OpTraceNV, OpTraceMotionNV, OpTraceRayMotionNV}), tracing},
    {instructions({OpReportIntersectionKHR}), in(IntersectionKHR)},
    {instructions({OpExecuteCallableKHR, OpExecuteCallableNV}), tracing | in(CallableKHR)},
    {instructions(stores, writes<StorageClass::HitAttributeKHR>), any_model & ~hits, Rule::HitAttributeWrite, nullptr, {},
     {}, " to a hit attribute"},
    {instructions({OpFetchMicroTriangleVertexPositionNV, OpFetchMicroTriangleVertexBarycentricNV}),
     in(RayGenerationKHR, MeshNV, GLCompute)},

    // --- hit objects ---
    {instructions({OpReorderThreadWithHitObjectNV, OpReorderThreadWithHintNV, OpReorderThreadWithHintEXT,
     OpReorderThreadWithHitObjectEXT, OpHitObjectReorderExecuteShaderEXT, OpHitObjectTraceReorderExecuteEXT,
     OpHitObjectTraceMotionReorderExecuteEXT}), in(RayGenerationKHR)},
    {instructions({OpHitObjectRecordHitMotionNV, OpHitObjectRecordHitWithIndexMotionNV, OpHitObjectRecordMissMotionNV,
     OpHitObjectRecordEmptyNV, OpHitObjectRecordHitNV, OpHitObjectRecordHitWithIndexNV, OpHitObjectRecordMissNV,
     OpHitObjectTraceRayMotionNV, OpHitObjectTraceRayNV, OpHitObjectExecuteShaderNV,
     OpHitObjectIsEmptyNV, OpHitObjectIsHitNV, OpHitObjectIsMissNV, OpHitObjectIsSphereHitNV, OpHitObjectIsLSSHitNV}),
     tracing},
    {instructions({OpHitObjectGetWorldToObjectNV, OpHitObjectGetObjectToWorldNV, OpHitObjectGetObjectRayDirectionNV,
     OpHitObjectGetObjectRayOriginNV, OpHitObjectGetShaderRecordBufferHandleNV,
     OpHitObjectGetShaderBindingTableRecordIndexNV, OpHitObjectGetCurrentTimeNV, OpHitObjectGetAttributesNV,
     OpHitObjectGetHitKindNV, OpHitObjectGetPrimitiveIndexNV, OpHitObjectGetGeometryIndexNV, OpHitObjectGetInstanceIdNV,
     OpHitObjectGetInstanceCustomIndexNV, OpHitObjectGetWorldRayDirectionNV, OpHitObjectGetWorldRayOriginNV,
     OpHitObjectGetRayTMaxNV, OpHitObjectGetRayTMinNV, OpHitObjectGetClusterIdNV, OpHitObjectGetSpherePositionNV,
     OpHitObjectGetSphereRadiusNV, OpHitObjectGetLSSPositionsNV, OpHitObjectGetLSSRadiiNV}), tracing},
    {instructions({OpHitObjectRecordFromQueryEXT, OpHitObjectRecordMissEXT, OpHitObjectRecordMissMotionEXT,
     OpHitObjectRecordEmptyEXT, OpHitObjectTraceRayEXT, OpHitObjectTraceRayMotionEXT, OpHitObjectExecuteShaderEXT,
     OpHitObjectSetShaderBindingTableRecordIndexEXT, OpHitObjectIsEmptyEXT, OpHitObjectIsHitEXT, OpHitObjectIsMissEXT}),
     tracing},
    {instructions({OpHitObjectGetIntersectionTriangleVertexPositionsEXT, OpHitObjectGetRayFlagsEXT,
     OpHitObjectGetCurrentTimeEXT, OpHitObjectGetAttributesEXT, OpHitObjectGetHitKindEXT, OpHitObjectGetPrimitiveIndexEXT,
     OpHitObjectGetGeometryIndexEXT, OpHitObjectGetInstanceIdEXT, OpHitObjectGetInstanceCustomIndexEXT,
     OpHitObjectGetObjectRayOriginEXT, OpHitObjectGetObjectRayDirectionEXT, OpHitObjectGetWorldRayDirectionEXT,
     OpHitObjectGetWorldRayOriginEXT, OpHitObjectGetObjectToWorldEXT, OpHitObjectGetWorldToObjectEXT,
     OpHitObjectGetRayTMaxEXT, OpHitObjectGetRayTMinEXT, OpHitObjectGetShaderBindingTableRecordIndexEXT,
     OpHitObjectGetShaderRecordBufferHandleEXT}), tracing},

    // --- storage classes ---
    {storage(StorageClass::Output), any_model & ~(ray_tracing | in(GLCompute)), Rule::OutputStage, in_vulkan},
    {storage(StorageClass::Workgroup), tasks_and_meshes | in(GLCompute), Rule::WorkgroupStage, in_vulkan},
    {storage(StorageClass::TileImageEXT), in(Fragment), Rule::TileImageStage},
    {storage(StorageClass::TaskPayloadWorkgroupEXT), in(TaskEXT, MeshEXT), Rule::StageStorage},
    {storage(StorageClass::CallableDataKHR), tracing | in(CallableKHR), Rule::CallableDataStage},
    {storage(StorageClass::IncomingCallableDataKHR), in(CallableKHR), Rule::IncomingCallableDataStage},
    {storage(StorageClass::RayPayloadKHR), tracing, Rule::RayPayloadStage},
    {storage(StorageClass::IncomingRayPayloadKHR), hits | in(MissKHR), Rule::IncomingRayPayloadStage},
    {storage(StorageClass::HitAttributeKHR), hits | in(IntersectionKHR), Rule::HitAttributeStage},
    {storage(StorageClass::ShaderRecordBufferKHR), ray_tracing, Rule::ShaderRecordStage},
    {storage(StorageClass::HitObjectAttributeNV), tracing, Rule::StageStorage},
    {storage(StorageClass::HitObjectAttributeEXT), tracing, Rule::StageStorage},

    // --- scopes ---
    {scope(ScopeRole::Execution, [](Op op, Scope s) { return op == OpControlBarrier && s != Scope::Subgroup; }),
     with_workgroup | in(CallableKHR, ExecutionModel::Kernel), Rule::BarrierScopeStage, in_vulkan},
    // The row above accepts CallableKHR, so each barrier has at most one finding of the two rows.
    {scope(ScopeRole::Execution, [](Op op, Scope s) { return op == OpControlBarrier && s == Scope::Workgroup; }),
     any_model & ~in(CallableKHR), Rule::WorkgroupExecutionStage, in_vulkan},
    {scope(ScopeRole::Execution, [](Op op, Scope s) { return op != OpControlBarrier && s == Scope::Workgroup; }),
     with_workgroup, Rule::WorkgroupExecutionStage, in_vulkan},
    {scope(ScopeRole::Memory, [](Op, Scope s) { return s == Scope::ShaderCallKHR; }), ray_tracing, Rule::ShaderCallStage,
     in_vulkan},
    {scope(ScopeRole::Memory, [](Op, Scope s) { return s == Scope::Workgroup; }), with_workgroup,
     Rule::WorkgroupMemoryStage, in_vulkan},
    {scope(ScopeRole::Memory, [](Op, Scope s) { return s == Scope::Workgroup; }), any_model & ~in(TessellationControl),
     Rule::TessellationMemoryScope, in_old_vulkan_model},
};
// clang-format on

// Row numbers are stored in bytes (stages.h).
static_assert(std::size(rows) < 255);

}  // namespace

std::span<const StageRow> stage_rows() { return rows; }

}  // namespace vireo::spirv
