// SPDX-License-Identifier: Apache-2.0
//
// The tables of built_in_rows.h. BuiltInShape parses "F32v4" and the like.
#include "spirv/validate/tables/built_in_rows.h"

namespace vireo::spirv {
namespace {

using enum ExecutionModel;

constexpr Models mesh = in(MeshNV, MeshEXT);
constexpr Models tessellation = in(TessellationControl, TessellationEvaluation);
constexpr Models before_raster = in(Vertex, Geometry) | tessellation | mesh;
constexpr Models workgroups = in(GLCompute, TaskNV, TaskEXT) | mesh;
constexpr Models per_view = before_raster & ~in(MeshEXT);
constexpr Models viewed = in(Vertex, Geometry, Fragment, MeshEXT) | tessellation;
constexpr Models layered = in(Vertex, TessellationEvaluation, Geometry, Fragment) | mesh;
constexpr Models hits = in(AnyHitKHR, ClosestHitKHR);
constexpr Models intersections = hits | in(IntersectionKHR);
constexpr Models primitives = in(Fragment, Geometry) | tessellation | mesh | intersections;
constexpr Models rays = intersections | in(MissKHR);
constexpr Models launched = rays | in(RayGenerationKHR, CallableKHR);
// Stages with several vertices, or with several output primitives, have arrays of per-vertex or per-primitive
// built-ins.
constexpr Models per_vertex = tessellation | in(Geometry) | mesh;
constexpr Models per_primitive = mesh;

// clang-format off
constexpr BuiltInRow rows[] = {
    {BuiltIn::FragCoord,                "F32v4",   In,  in(Fragment), 4210, 4211, 4212},
    {BuiltIn::FragDepth,                "F32",     Out, in(Fragment), 4213, 4214, 4215},
    {BuiltIn::FrontFacing,              "B",       In,  in(Fragment), 4229, 4230, 4231},
    {BuiltIn::HelperInvocation,         "B",       In,  in(Fragment), 4239, 4240, 4241},
    {BuiltIn::PointCoord,               "F32v2",   In,  in(Fragment), 4311, 4312, 4313},
    {BuiltIn::SampleId,                 "I32",     In,  in(Fragment), 4354, 4355, 4356},
    {BuiltIn::SampleMask,               "I32[]",   In | Out, in(Fragment), 4357, 4358, 4359},
    {BuiltIn::SamplePosition,           "F32v2",   In,  in(Fragment), 4360, 4361, 4362},
    {BuiltIn::FragInvocationCountEXT,   "I32",     In,  in(Fragment), 4217, 4218, 4219},
    {BuiltIn::FragSizeEXT,              "I32v2",   In,  in(Fragment), 4220, 4221, 4222},
    {BuiltIn::FragStencilRefEXT,        "I",       Out, in(Fragment), 4223, 4224, 4225},
    {BuiltIn::FullyCoveredEXT,          "B",       In,  in(Fragment), 4232, 4233, 4234},
    {BuiltIn::BaryCoordKHR,             "F32v3",   In,  in(Fragment), 4154, 4155, 4156},
    {BuiltIn::BaryCoordNoPerspKHR,      "F32v3",   In,  in(Fragment), 4160, 4161, 4162},
    {BuiltIn::BaryCoordNoPerspAMD,      "F32v2",   In,  in(Fragment), 4157, 4158, 4159},
    // Vulkan states three components; compilers give it two, as the other coordinates of this extension.
    {BuiltIn::BaryCoordNoPerspCentroidAMD, "F32v2-3", In, in(Fragment), 4163, 4164, 4165},
    {BuiltIn::BaryCoordNoPerspSampleAMD, "F32v2",  In,  in(Fragment), 4166, 4167, 4168},
    {BuiltIn::BaryCoordPullModelAMD,    "F32v3",   In,  in(Fragment), 4169, 4170, 4171},
    {BuiltIn::BaryCoordSmoothAMD,       "F32v2",   In,  in(Fragment), 4172, 4173, 4174},
    {BuiltIn::BaryCoordSmoothCentroidAMD, "F32v2", In,  in(Fragment), 4175, 4176, 4177},
    {BuiltIn::BaryCoordSmoothSampleAMD, "F32v2",   In,  in(Fragment), 4178, 4179, 4180},
    {BuiltIn::ShadingRateKHR,           "I32",     In,  in(Fragment), 4490, 4491, 4492},
    {BuiltIn::PrimitiveShadingRateKHR,  "I32",     Out, in(Vertex, Geometry) | mesh, 4484, 4485, 4486, per_primitive},
    {BuiltIn::VertexIndex,              "I32",     In,  in(Vertex), 4398, 4399, 4400},
    {BuiltIn::InstanceIndex,            "I32",     In,  in(Vertex), 4263, 4264, 4265},
    {BuiltIn::VertexId,                 "",        In,  0, 0, 0, 0},
    {BuiltIn::BaseInstance,             "I32",     In,  in(Vertex), 4181, 4182, 4183},
    {BuiltIn::BaseVertex,               "I32",     In,  in(Vertex), 4184, 4185, 4186},
    {BuiltIn::DrawIndex,                "I32",     In,  in(Vertex, TaskNV, TaskEXT) | mesh, 4207, 4208, 4209},
    {BuiltIn::ViewIndex,                "I32",     In,  viewed, 4401, 4402, 4403},
    {BuiltIn::DeviceIndex,              "I32",     In,  any_model, 0, 4205, 4206},
    {BuiltIn::Position,                 "F32v4",   In | Out, before_raster, 4318, 4320, 4321, per_vertex},
    {BuiltIn::PointSize,                "F32",     In | Out, before_raster, 4314, 4316, 4317, per_vertex},
    {BuiltIn::ClipDistance,             "F32[]",   In | Out, before_raster | in(Fragment), 4187, 4190, 4191, per_vertex},
    {BuiltIn::CullDistance,             "F32[]",   In | Out, before_raster | in(Fragment), 4196, 4199, 4200, per_vertex},
    {BuiltIn::PrimitiveId,              "I32",     In | Out, primitives, 4330, 0, 4337, per_primitive},
    {BuiltIn::Layer,                    "I32",     In | Out, layered, 4272, 0, 4276, per_primitive},
    {BuiltIn::ViewportIndex,            "I32",     In | Out, layered, 4404, 0, 4408, per_primitive},
    {BuiltIn::PositionPerViewNV,        "F32v4[]", In | Out, per_view, 4322, 4324, 4325, per_vertex},
    {BuiltIn::ClipDistancePerViewNV,    "F32[][]", Out, in(MeshNV), 4192, 4193, 4195, per_vertex},
    {BuiltIn::CullDistancePerViewNV,    "F32[][]", Out, in(MeshNV), 4201, 4202, 4204, per_vertex},
    {BuiltIn::LayerPerViewNV,           "I32[]",   Out, in(MeshNV), 4277, 4278, 4280, per_primitive},
    {BuiltIn::ViewportMaskNV,           "I32[]",   Out, in(Vertex, TessellationEvaluation, Geometry, MeshNV), 4409, 4410,
     4411, per_primitive},
    // SPV_NV_mesh_shader has an array of masks for each view.
    {BuiltIn::ViewportMaskPerViewNV,    "I32[]?",  Out, per_view, 4412, 4413, 4414, per_vertex},
    {BuiltIn::InvocationId,             "I32",     In,  in(TessellationControl, Geometry), 4257, 4258, 4259},
    {BuiltIn::PatchVertices,            "I32",     In,  tessellation, 4308, 4309, 4310},
    {BuiltIn::TessCoord,                "F32v3",   In,  in(TessellationEvaluation), 4387, 4388, 4389},
    {BuiltIn::TessLevelOuter,           "F32[4]",  In | Out, tessellation, 4390, 0, 4393},
    {BuiltIn::TessLevelInner,           "F32[2]",  In | Out, tessellation, 4394, 0, 4397},
    {BuiltIn::GlobalInvocationId,       "I32v3",   In,  workgroups, 4236, 4237, 4238},
    {BuiltIn::LocalInvocationId,        "I32v3",   In,  workgroups, 4281, 4282, 4283},
    {BuiltIn::NumWorkgroups,            "I32v3",   In,  in(GLCompute, TaskEXT, MeshEXT), 4296, 4297, 4298},
    {BuiltIn::WorkgroupId,              "I32v3",   In,  workgroups, 4422, 4423, 4424},
    {BuiltIn::LocalInvocationIndex,     "I32",     In,  workgroups, 4284, 4285, 4286},
    {BuiltIn::NumSubgroups,             "I32",     In,  workgroups, 4293, 4294, 4295},
    {BuiltIn::SubgroupId,               "I32",     In,  workgroups, 4367, 4368, 4369},
    {BuiltIn::MeshViewCountNV,          "I32",     In,  in(TaskNV, MeshNV), 4287, 4288, 4289},
    {BuiltIn::MeshViewIndicesNV,        "I32[]",   In,  in(TaskNV, MeshNV), 4290, 4291, 4292},
    {BuiltIn::TaskCountNV,              "I32",     Out, in(TaskNV), 4384, 4385, 4386},
    {BuiltIn::PrimitiveCountNV,         "I32",     Out, in(MeshNV), 4327, 4328, 4329},
    {BuiltIn::PrimitiveIndicesNV,       "I32[]",   Out, in(MeshNV), 4338, 4339, 4340},
    {BuiltIn::ShaderIndexAMDX,          "I32",     In,  any_model, 0, 9175, 9176},
    {BuiltIn::SubgroupLocalInvocationId, "I32",    In,  any_model, 0, 4380, 4381},
    {BuiltIn::SubgroupSize,             "I32",     In,  any_model, 0, 4382, 4383},
    {BuiltIn::SubgroupEqMask,           "I32v4",   In,  any_model, 0, 4370, 4371},
    {BuiltIn::SubgroupGeMask,           "I32v4",   In,  any_model, 0, 4372, 4373},
    {BuiltIn::SubgroupGtMask,           "I32v4",   In,  any_model, 0, 4374, 4375},
    {BuiltIn::SubgroupLeMask,           "I32v4",   In,  any_model, 0, 4376, 4377},
    {BuiltIn::SubgroupLtMask,           "I32v4",   In,  any_model, 0, 4378, 4379},
    {BuiltIn::HitKindKHR,               "I32",     In,  hits, 4242, 4243, 4244},
    {BuiltIn::HitTNV,                   "F32",     In,  hits, 4245, 4246, 4247},
    {BuiltIn::HitTriangleVertexPositionsKHR, "F32v3[3]", In, hits, 8747, 8748, 8749},
    {BuiltIn::HitIsSphereNV,            "B",       In,  hits, 10513, 10514, 10515},
    {BuiltIn::HitIsLSSNV,               "B",       In,  hits, 10516, 10517, 10518},
    {BuiltIn::HitSpherePositionNV,      "F32v3",   In,  hits, 10519, 10520, 10521},
    {BuiltIn::HitSphereRadiusNV,        "F32",     In,  hits, 10522, 10523, 10524},
    {BuiltIn::HitLSSPositionsNV,        "F32v3[2]", In, hits, 10525, 10526, 10527},
    {BuiltIn::HitLSSRadiiNV,            "F32[2]",  In,  hits, 10528, 10529, 10530},
    {BuiltIn::ClusterIDNV,              "I32",     In,  hits, 10531, 10532, 10533},
    {BuiltIn::InstanceCustomIndexKHR,   "I32",     In,  intersections, 4251, 4252, 4253},
    {BuiltIn::InstanceId,               "I32",     In,  intersections, 4254, 4255, 4256},
    {BuiltIn::RayGeometryIndexKHR,      "I32",     In,  intersections, 4345, 4346, 4347},
    {BuiltIn::ObjectRayDirectionKHR,    "F32v3",   In,  intersections, 4299, 4300, 4301},
    {BuiltIn::ObjectRayOriginKHR,       "F32v3",   In,  intersections, 4302, 4303, 4304},
    {BuiltIn::ObjectToWorldKHR,         "F32m4x3", In,  intersections, 4305, 4306, 4307},
    {BuiltIn::WorldToObjectKHR,         "F32m4x3", In,  intersections, 4434, 4435, 4436},
    {BuiltIn::IncomingRayFlagsKHR,      "I32",     In,  rays, 4248, 4249, 4250},
    {BuiltIn::CurrentRayTimeNV,         "F32",     In,  rays, 4942, 4943, 4944},
    {BuiltIn::RayTminKHR,               "F32",     In,  rays, 4351, 4352, 4353},
    {BuiltIn::RayTmaxKHR,               "F32",     In,  rays, 4348, 4349, 4350},
    {BuiltIn::WorldRayDirectionKHR,     "F32v3",   In,  rays, 4428, 4429, 4430},
    {BuiltIn::WorldRayOriginKHR,        "F32v3",   In,  rays, 4431, 4432, 4433},
    {BuiltIn::CullMaskKHR,              "I32",     In,  rays, 6735, 6736, 6737},
    {BuiltIn::LaunchIdKHR,              "I32v3",   In,  launched, 4266, 4267, 4268},
    {BuiltIn::LaunchSizeKHR,            "I32v3",   In,  launched, 4269, 4270, 4271},
    {BuiltIn::PrimitivePointIndicesEXT, "I32[]",   Out, in(MeshEXT), 7041, 7043, 7044},
    {BuiltIn::PrimitiveLineIndicesEXT,  "I32v2[]", Out, in(MeshEXT), 7047, 7049, 7050},
    {BuiltIn::PrimitiveTriangleIndicesEXT, "I32v3[]", Out, in(MeshEXT), 7053, 7055, 7056},
    {BuiltIn::CullPrimitiveEXT,         "B",       Out, in(MeshEXT), 7034, 7035, 7036, per_primitive},
    {BuiltIn::TileOffsetQCOM,           "U32v2",   In,  in(Fragment, GLCompute), 10626, 10627, 10628},
    // Vulkan states two components, SPV_QCOM_tile_shading three.
    {BuiltIn::TileDimensionQCOM,        "U32v2-3",  In,  in(Fragment, GLCompute), 10629, 10630, 10631},
    {BuiltIn::TileApronSizeQCOM,        "U32v2",   In,  in(Fragment, GLCompute), 10632, 10633, 10634},
    {BuiltIn::CoreIDARM,                "I32",     In,  any_model, 0, 7599, 7600},
    {BuiltIn::CoreCountARM,             "I32",     In,  any_model, 0, 7595, 7596},
    {BuiltIn::CoreMaxIDARM,             "I32",     In,  any_model, 0, 7597, 7598},
    {BuiltIn::WarpIDARM,                "I32",     In,  any_model, 0, 7603, 7604},
    {BuiltIn::WarpMaxIDARM,             "I32",     In,  any_model, 0, 7601, 7602},
    {BuiltIn::WarpsPerSMNV,             "I32",     In,  any_model, 0, 4418, 4419},
    {BuiltIn::SMCountNV,                "I32",     In,  any_model, 0, 4363, 4364},
    {BuiltIn::WarpIDNV,                 "I32",     In,  any_model, 0, 4420, 4421},
    {BuiltIn::SMIDNV,                   "I32",     In,  any_model, 0, 4365, 4366},
};

constexpr BuiltInAliasRow alias_rows[] = {
    {BuiltIn::FragSizeEXT,            "FragmentSizeNV",        "SPV_NV_shading_rate", 4226, 4227, 4228},
    {BuiltIn::FragInvocationCountEXT, "InvocationsPerPixelNV", "SPV_NV_shading_rate", 4260, 4261, 4262},
};

constexpr BuiltInStageRow stage_rows[] = {
    {BuiltIn::Position,       In,  in(Vertex) | mesh, 4319},
    {BuiltIn::PositionPerViewNV, In, in(Vertex, MeshNV), 4323},
    {BuiltIn::PointSize,      In,  in(Vertex) | mesh, 4315},
    {BuiltIn::ClipDistance,   In,  in(Vertex) | mesh, 4188},
    {BuiltIn::ClipDistance,   Out, in(Fragment), 4189},
    {BuiltIn::CullDistance,   In,  in(Vertex) | mesh, 4197},
    {BuiltIn::CullDistance,   Out, in(Fragment), 4198},
    {BuiltIn::PrimitiveId,    In,  mesh, 4336},
    {BuiltIn::PrimitiveId,    0,   in(Geometry), 4335},
    {BuiltIn::PrimitiveId,    Out, tessellation | in(Fragment) | intersections, 4334},
    {BuiltIn::Layer,          In,  any_model & ~in(Fragment), 4274},
    {BuiltIn::Layer,          Out, in(Fragment), 4275},
    {BuiltIn::ViewportIndex,  In,  any_model & ~in(Fragment), 4406},
    {BuiltIn::ViewportIndex,  Out, in(Fragment), 4407},
    {BuiltIn::TessLevelOuter, In,  in(TessellationControl), 4391},
    {BuiltIn::TessLevelOuter, Out, in(TessellationEvaluation), 4392},
    {BuiltIn::TessLevelInner, In,  in(TessellationControl), 4395},
    {BuiltIn::TessLevelInner, Out, in(TessellationEvaluation), 4396},
};

constexpr BuiltInCapabilityRow capability_rows[] = {
    {BuiltIn::Layer, in(Vertex, TessellationEvaluation), {Capability::ShaderLayer, Capability::ShaderViewportIndexLayerEXT},
     4273, "capability ShaderLayer or ShaderViewportIndexLayerEXT"},
    {BuiltIn::ViewportIndex, in(Vertex, TessellationEvaluation), {Capability::ShaderViewportIndex,
     Capability::ShaderViewportIndexLayerEXT}, 4405, "capability ShaderViewportIndex or ShaderViewportIndexLayerEXT"},
    {BuiltIn::PrimitiveId, in(Fragment), {Capability::Geometry, Capability::Tessellation, Capability::MeshShadingNV,
     Capability::MeshShadingEXT}, 4333, "capability Geometry, Tessellation or MeshShadingEXT"},
};

constexpr BuiltInCompanionRow companion_rows[] = {
    {BuiltIn::TessLevelOuter,        Decoration::Patch,     0},
    {BuiltIn::TessLevelInner,        Decoration::Patch,     0},
    {BuiltIn::ClipDistancePerViewNV, Decoration::PerViewNV, 4194},
    {BuiltIn::CullDistancePerViewNV, Decoration::PerViewNV, 4203},
    {BuiltIn::LayerPerViewNV,        Decoration::PerViewNV, 4279},
};

constexpr BuiltInElementRow element_rows[] = {
    {BuiltIn::PositionPerViewNV,           0,  0,    4326, 0,    0},
    {BuiltIn::ViewportMaskPerViewNV,       32, 4415, 4417, 0,    0},
    {BuiltIn::PrimitivePointIndicesEXT,    0,  0,    0,    7045, 12335},
    {BuiltIn::PrimitiveLineIndicesEXT,     0,  0,    0,    7051, 12336},
    {BuiltIn::PrimitiveTriangleIndicesEXT, 0,  0,    0,    7057, 12337},
    {BuiltIn::PrimitiveIndicesNV,          0,  0,    0,    0,    4341},
};

constexpr BuiltInModeRow mode_rows[] = {
    {BuiltIn::FragDepth,                   Fragment, ExecutionMode::DepthReplacing,     4216, 0, 0},
    {BuiltIn::PrimitivePointIndicesEXT,    MeshEXT,  ExecutionMode::OutputPoints,       7042, 7046, 1},
    {BuiltIn::PrimitiveLineIndicesEXT,     MeshEXT,  ExecutionMode::OutputLinesEXT,     7048, 7052, 1},
    {BuiltIn::PrimitiveTriangleIndicesEXT, MeshEXT,  ExecutionMode::OutputTrianglesEXT, 7054, 7058, 1},
    {BuiltIn::PrimitiveIndicesNV,          MeshNV,   ExecutionMode::OutputPoints,       0, 4342, 1},
    {BuiltIn::PrimitiveIndicesNV,          MeshNV,   ExecutionMode::OutputLinesEXT,     0, 4343, 2},
    {BuiltIn::PrimitiveIndicesNV,          MeshNV,   ExecutionMode::OutputTrianglesEXT, 0, 4344, 3},
};

constexpr BuiltInPrimitiveRow primitive_rows[] = {
    {BuiltIn::PrimitiveId,             7040, 10595, 10596, 10597},
    {BuiltIn::Layer,                   7039, 10592, 10593, 10594},
    {BuiltIn::ViewportIndex,           7060, 10601, 10602, 10603},
    {BuiltIn::CullPrimitiveEXT,        7038,  7036, 10589, 10590},
    {BuiltIn::PrimitiveShadingRateKHR, 7059, 10598, 10599, 10600},
};

constexpr BuiltIn never_members[] = {
    BuiltIn::NumSubgroups, BuiltIn::SubgroupId, BuiltIn::SubgroupLocalInvocationId, BuiltIn::SubgroupSize,
    BuiltIn::SubgroupEqMask, BuiltIn::SubgroupGeMask, BuiltIn::SubgroupGtMask, BuiltIn::SubgroupLeMask,
    BuiltIn::SubgroupLtMask,
};
// clang-format on

}  // namespace

std::span<const BuiltInRow> built_in_rows() { return rows; }
std::span<const BuiltInAliasRow> built_in_alias_rows() { return alias_rows; }
std::span<const BuiltInStageRow> built_in_stage_rows() { return stage_rows; }
std::span<const BuiltInCapabilityRow> built_in_capability_rows() { return capability_rows; }
std::span<const BuiltInCompanionRow> built_in_companion_rows() { return companion_rows; }
std::span<const BuiltInElementRow> built_in_element_rows() { return element_rows; }
std::span<const BuiltInModeRow> built_in_mode_rows() { return mode_rows; }
std::span<const BuiltInPrimitiveRow> built_in_primitive_rows() { return primitive_rows; }
std::span<const BuiltIn> built_ins_of_variables() { return never_members; }

}  // namespace vireo::spirv
