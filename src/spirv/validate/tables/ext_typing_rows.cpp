// SPDX-License-Identifier: Apache-2.0
//
// The typing rows of extended instructions (typing.h defines the format).
//
// The vectors of OpenCL.std have 2, 3, 4, 8 or 16 components. typing.cpp checks this for all rows of the set.
//
// Sources: "SPIR-V Extended Instructions for GLSL", section 2; "OpenCL Extended Instruction Set Specification", section
// 2; SPV_KHR_untyped_pointers, which adds untyped pointers to OpenCL.std only; SPV_NV_cooperative_vector, section
// 3.42.13, which lists the instructions of GLSL.std.450 that take cooperative vectors; the extensions of AMD with the
// names of the sets.
#include "spirv/validate/tables/typing.h"

namespace vireo::spirv {
namespace {

constexpr std::string_view glsl = "GLSL.std.450";
constexpr std::string_view opencl = "OpenCL.std";
constexpr std::string_view gcn = "SPV_AMD_gcn_shader";
constexpr std::string_view ballot = "SPV_AMD_shader_ballot";
constexpr std::string_view vertex = "SPV_AMD_shader_explicit_vertex_parameter";
constexpr std::string_view trinary = "SPV_AMD_shader_trinary_minmax";

// clang-format off
constexpr ExtTypingRow rows[] = {
    {glsl, "Round RoundEven Trunc FAbs FSign Floor Ceil Fract Sqrt InverseSqrt FMix SmoothStep Normalize FaceForward "
           "Reflect",                                              "F* <- =T..."},
    {glsl, "FMin FMax FClamp Step Fma NMin NMax NClamp",           "F*|cvF <- =T..."},
    {glsl, "SAbs SSign",                                           "I* <- I*~n~w..."},
    {glsl, "UMin SMin UMax SMax UClamp SClamp",                    "I*|cvI <- I*|cvI~n~w..."},
    {glsl, "FindILsb FindUMsb FindSMsb",                           "I* <- I32*~n~w"},
    {glsl, "Radians Degrees Sin Cos Tan Asin Acos Sinh Cosh Asinh Acosh Atanh Exp2 Log2 Atan2 Pow",
                                                                   "F16*|F32* <- =T..."},
    {glsl, "Atan Tanh Exp Log",                                    "F16*|F32*|cvF16|cvF32 <- =T..."},
    {glsl, "Determinant",                                          "F <- M~c"},
    {glsl, "MatrixInverse",                                        "M <- =T"},
    {glsl, "Modf",                                                 "F* <- =T ptr>T"},
    {glsl, "Frexp",                                                "F* <- =T ptr>i"},
    {glsl, "ModfStruct FrexpStruct",                               "S <- F*"},
    {glsl, "Ldexp",                                                "F* <- =T I*~n"},
    {glsl, "PackSnorm4x8 PackUnorm4x8",                            "I32 <- F32v4"},
    {glsl, "PackSnorm2x16 PackUnorm2x16 PackHalf2x16",             "I32 <- F32v2"},
    {glsl, "PackDouble2x32",                                       "F64 <- I32v2"},
    {glsl, "UnpackSnorm4x8 UnpackUnorm4x8",                        "F32v4 <- I32"},
    {glsl, "UnpackSnorm2x16 UnpackUnorm2x16 UnpackHalf2x16",       "F32v2 <- I32"},
    {glsl, "UnpackDouble2x32",                                     "I32v2 <- F64"},
    {glsl, "Length",                                               "F <- F*~c"},
    {glsl, "Distance",                                             "F <- F*~c F*~c=1"},
    {glsl, "Cross",                                                "Fv3 <- =T =T"},
    {glsl, "Refract",                                              "F* <- =T =T F"},
    {glsl, "InterpolateAtCentroid",                                "F16*|F32* <- _"},
    {glsl, "InterpolateAtSample",                                  "F16*|F32* <- _ I32"},
    {glsl, "InterpolateAtOffset",                                  "F16*|F32* <- _ F16v2|F32v2"},

    {opencl, "acos acosh acospi asin asinh asinpi atan atan2 atanh atanpi atan2pi cbrt ceil copysign cos cosh cospi "
             "erfc erf exp exp2 exp10 expm1 fabs fdim floor fma fmax fmin fmod hypot log log2 log10 log1p logb mad "
             "maxmag minmag nextafter pow powr remainder rint round rsqrt sin sinh sinpi sqrt tan tanh tanpi tgamma "
             "lgamma trunc half_cos half_divide half_exp half_exp2 half_exp10 half_log half_log2 half_log10 half_powr "
             "half_recip half_rsqrt half_sin half_sqrt half_tan native_cos native_divide native_exp native_exp2 "
             "native_exp10 native_log native_log2 native_log10 native_powr native_recip native_rsqrt native_sin "
             "native_sqrt native_tan fclamp degrees fmax_common fmin_common mix radians step smoothstep sign",
                                                                   "F* <- =T..."},
    {opencl, "s_abs s_abs_diff s_add_sat u_add_sat s_hadd u_hadd s_rhadd u_rhadd s_clamp u_clamp clz ctz s_mad_hi "
             "u_mad_sat s_mad_sat s_max u_max s_min u_min s_mul_hi rotate s_sub_sat u_sub_sat popcount u_abs u_abs_diff "
             "u_mul_hi u_mad_hi",                                  "I* <- =T..."},
    {opencl, "s_mad24 u_mad24 s_mul24 u_mul24",                    "I32* <- =T..."},
    {opencl, "fract modf sincos",                                  "F* <- =T ptr|uptr>T"},
    {opencl, "frexp lgamma_r",                                     "F* <- =T ptr|uptr>i"},
    {opencl, "remquo",                                             "F* <- =T =T ptr|uptr>i"},
    {opencl, "ilogb",                                              "I32* <- F*~n"},
    {opencl, "ldexp pown rootn",                                   "F* <- =T I32*~n"},
    {opencl, "nan",                                                "F* <- I*~n~w"},
    {opencl, "length fast_length",                                 "F <- F|Fv2|Fv3|Fv4~c"},
    {opencl, "distance fast_distance",                             "F <- F|Fv2|Fv3|Fv4~c =1"},
    {opencl, "cross",                                              "Fv3|Fv4 <- =T =T"},
    {opencl, "normalize fast_normalize",                           "F|Fv2|Fv3|Fv4 <- =T"},
    {opencl, "u_upsample s_upsample",                              "I16*|I32*|I64* <- I*~n~h =1"},
    {opencl, "bitselect",                                          "I*|F* <- =T..."},
    {opencl, "select",                                             "I*|F* <- =T =T I*~n~w"},
    {opencl, "shuffle",                                            "Iv|Fv <- Iv|Fv~c Iv~n~w"},
    {opencl, "shuffle2",                                           "Iv|Fv <- Iv|Fv~c =1 Iv~n~w"},
    {opencl, "vloadn",                                             "Iv|Fv <- I ptr|uptr"},
    {opencl, "vload_half",                                         "F <- I ptr|uptr"},
    {opencl, "vload_halfn vloada_halfn",                           "Fv <- I ptr|uptr"},
    {opencl, "vstoren",                                            "void <- Iv|Fv I ptr|uptr"},
    {opencl, "vstore_half vstore_half_r",                          "void <- F32|F64 I ptr|uptr"},
    {opencl, "vstore_halfn vstore_halfn_r vstorea_halfn vstorea_halfn_r", "void <- F32v|F64v I ptr|uptr"},
    {opencl, "printf",                                             "I32 <- ptr|uptr"},
    {opencl, "prefetch",                                           "void <- ptr I"},

    // The text of CubeFaceCoordAMD names a pointer to a vector; compilers pass the vector, as for CubeFaceIndexAMD.
    {gcn, "CubeFaceCoordAMD",                                      "F32v2 <- F32v3|ptr"},
    {gcn, "CubeFaceIndexAMD",                                      "F32 <- F32v3"},
    {gcn, "TimeAMD",                                               "U64 <-"},
    {ballot, "SwizzleInvocationsAMD",                              "B*|N* <- =T #Uv4"},
    {ballot, "SwizzleInvocationsMaskedAMD",                        "B*|N* <- =T #Uv3"},
    {ballot, "WriteInvocationAMD",                                 "B*|N* <- =T =T U32"},
    // The text names a mask of 32 bits; compilers pass 64 bits, one for each invocation (GL_AMD_shader_ballot).
    {ballot, "MbcntAMD",                                           "U32 <- U32|U64"},
    // The text names a pointer; front ends with inline SPIR-V also pass the loaded value.
    {vertex, "InterpolateAtVertexAMD",                             "N* <- ptr|N* #I"},
    {trinary, "FMin3AMD FMax3AMD FMid3AMD",                        "F* <- =T..."},
    {trinary, "UMin3AMD UMax3AMD UMid3AMD",                        "U* <- =T..."},
    {trinary, "SMin3AMD SMax3AMD SMid3AMD",                        "D* <- =T..."},
};
// clang-format on

}  // namespace

std::span<const ExtTypingRow> ext_typing_rows() { return rows; }

}  // namespace vireo::spirv
