// SPDX-License-Identifier: Apache-2.0
//
// The tables of mode_rows.h.
#include "spirv/validate/tables/mode_rows.h"

namespace vireo::spirv {
namespace {

using enum ExecutionModel;
using enum ExecutionMode;

constexpr Models fragment = in(Fragment);
constexpr Models geometry = in(Geometry);
constexpr Models tessellation = in(TessellationControl, TessellationEvaluation);
constexpr Models compute = in(GLCompute);
constexpr Models kernel = in(ExecutionModel::Kernel);
constexpr Models mesh = in(MeshNV, MeshEXT);
constexpr Models enqueued = in(GLCompute, MeshEXT);  // SPV_AMDX_shader_enqueue
constexpr Models with_workgroup = kernel | compute | mesh | in(TaskNV, TaskEXT);

// clang-format off
constexpr ModeModels models_of_modes[] = {
    {Invocations, geometry}, {InputPoints, geometry}, {InputLines, geometry}, {InputLinesAdjacency, geometry},
    {InputTrianglesAdjacency, geometry}, {OutputLineStrip, geometry}, {OutputTriangleStrip, geometry},
    {OutputPoints, geometry | mesh},
    {SpacingEqual, tessellation}, {SpacingFractionalEven, tessellation}, {SpacingFractionalOdd, tessellation},
    {VertexOrderCw, tessellation}, {VertexOrderCcw, tessellation}, {PointMode, tessellation},
    {Quads, tessellation}, {Isolines, tessellation},
    {Triangles, geometry | tessellation}, {OutputVertices, geometry | tessellation | mesh},
    {OutputLinesEXT, mesh}, {OutputTrianglesEXT, mesh}, {OutputPrimitivesEXT, mesh},
    {PixelCenterInteger, fragment}, {OriginUpperLeft, fragment}, {OriginLowerLeft, fragment},
    {EarlyFragmentTests, fragment}, {DepthReplacing, fragment}, {DepthGreater, fragment},
    {DepthLess, fragment}, {DepthUnchanged, fragment}, {PostDepthCoverage, fragment},
    {StencilRefReplacingEXT, fragment}, {EarlyAndLateFragmentTestsAMD, fragment},
    {StencilRefUnchangedFrontAMD, fragment}, {StencilRefGreaterFrontAMD, fragment},
    {StencilRefLessFrontAMD, fragment}, {StencilRefUnchangedBackAMD, fragment},
    {StencilRefGreaterBackAMD, fragment}, {StencilRefLessBackAMD, fragment},
    {PixelInterlockOrderedEXT, fragment}, {PixelInterlockUnorderedEXT, fragment},
    {SampleInterlockOrderedEXT, fragment}, {SampleInterlockUnorderedEXT, fragment},
    {ShadingRateInterlockOrderedEXT, fragment}, {ShadingRateInterlockUnorderedEXT, fragment},
    {NonCoherentColorAttachmentReadEXT, fragment}, {NonCoherentDepthAttachmentReadEXT, fragment},
    {NonCoherentStencilAttachmentReadEXT, fragment}, {NonCoherentTileAttachmentReadQCOM, fragment},
    {RequireFullQuadsKHR, fragment}, {QuadDerivativesKHR, fragment | compute},
    {TileShadingRateQCOM, compute}, {CoalescingAMDX, compute},
    {IsApiEntryAMDX, enqueued}, {StaticNumWorkgroupsAMDX, enqueued}, {MaxNumWorkgroupsAMDX, enqueued},
    {ShaderIndexAMDX, enqueued},
    {LocalSizeHint, kernel}, {LocalSizeHintId, kernel}, {VecTypeHint, kernel}, {ContractionOff, kernel},
    {LocalSize, with_workgroup}, {LocalSizeId, with_workgroup},
    {DerivativeGroupQuadsKHR, with_workgroup}, {DerivativeGroupLinearKHR, with_workgroup},
    {MaxWorkgroupSizeINTEL, kernel}, {MaxWorkDimINTEL, kernel}, {NoGlobalOffsetINTEL, kernel},
    {NumSIMDWorkitemsINTEL, kernel}, {SchedulerTargetFmaxMhzINTEL, kernel},
};

constexpr ModeGroup groups[] = {
    {fragment, HowMany::ExactlyOne, {OriginUpperLeft, OriginLowerLeft}},
    {fragment, HowMany::AtMostOne, {DepthGreater, DepthLess, DepthUnchanged}},
    {fragment, HowMany::AtMostOne, {PixelInterlockOrderedEXT, PixelInterlockUnorderedEXT, SampleInterlockOrderedEXT,
     SampleInterlockUnorderedEXT, ShadingRateInterlockOrderedEXT, ShadingRateInterlockUnorderedEXT}},
    {fragment, HowMany::AtMostOne, {StencilRefUnchangedFrontAMD, StencilRefLessFrontAMD, StencilRefGreaterFrontAMD}},
    {fragment, HowMany::AtMostOne, {StencilRefUnchangedBackAMD, StencilRefLessBackAMD, StencilRefGreaterBackAMD}},
    {tessellation, HowMany::AtMostOne, {SpacingEqual, SpacingFractionalOdd, SpacingFractionalEven}},
    {tessellation, HowMany::AtMostOne, {Triangles, Quads, Isolines}},
    {tessellation, HowMany::AtMostOne, {VertexOrderCw, VertexOrderCcw}},
    {geometry, HowMany::ExactlyOne, {InputPoints, InputLines, InputLinesAdjacency, Triangles, InputTrianglesAdjacency}},
    {geometry, HowMany::ExactlyOne, {OutputPoints, OutputLineStrip, OutputTriangleStrip}},
    {in(MeshEXT), HowMany::ExactlyOne, {OutputPoints, OutputLinesEXT, OutputTrianglesEXT}},
    {in(MeshEXT), HowMany::All, {OutputPrimitivesEXT, OutputVertices}},
    // SPV_NV_mesh_shader requires the same, but existing modules omit the modes.
    {in(MeshNV), HowMany::AtMostOne, {OutputPoints, OutputLinesEXT, OutputTrianglesEXT}},
    {with_workgroup, HowMany::AtMostOne, {DerivativeGroupQuadsKHR, DerivativeGroupLinearKHR}},
    {any_model, HowMany::AtMostOne, {StreamingInterfaceINTEL, RegisterMapInterfaceINTEL}},
    {any_model, HowMany::AtMostOne, {MaximumRegistersINTEL, MaximumRegistersIdINTEL, NamedMaximumRegistersINTEL}},
    {any_model, HowMany::AtMostOne, {SubgroupSizeHalfQCOM, SubgroupSizeFullQCOM}},
    {any_model, HowMany::AtMostOne, {CoalescingAMDX, StaticNumWorkgroupsAMDX, MaxNumWorkgroupsAMDX}},
    {any_model, HowMany::AtMostOneOfWidth, {DenormPreserve, DenormFlushToZero}},
    {any_model, HowMany::AtMostOneOfWidth, {RoundingModeRTE, RoundingModeRTZ}},
};

// SPV_KHR_post_depth_coverage; SPV_AMD_shader_early_and_late_fragment_tests.
constexpr ModeDemand demands[] = {
    {PostDepthCoverage, PostDepthCoverage, {EarlyFragmentTests}},
    {EarlyAndLateFragmentTestsAMD, DepthReplacing, {DepthGreater, DepthLess, DepthUnchanged}},
    {EarlyAndLateFragmentTestsAMD, StencilRefReplacingEXT,
     {StencilRefUnchangedFrontAMD, StencilRefGreaterFrontAMD, StencilRefLessFrontAMD, StencilRefUnchangedBackAMD,
      StencilRefGreaterBackAMD, StencilRefLessBackAMD}},
};

constexpr ExecutionMode of_operand[] = {
    DenormPreserve, DenormFlushToZero, SignedZeroInfNanPreserve, RoundingModeRTE, RoundingModeRTZ, RoundingModeRTPINTEL,
    RoundingModeRTNINTEL, FloatingPointModeALTINTEL, FloatingPointModeIEEEINTEL, FPFastMathDefault,
};
// clang-format on

}  // namespace

std::span<const ModeModels> mode_models() { return models_of_modes; }
std::span<const ModeGroup> mode_groups() { return groups; }
std::span<const ModeDemand> mode_demands() { return demands; }
std::span<const ExecutionMode> modes_of_operand() { return of_operand; }

}  // namespace vireo::spirv
