// SPDX-License-Identifier: Apache-2.0
//
// The typing rows: the type rules of the specification, one line for each instruction (typing.h defines the format).
// Each group of rows is one subsection of 3.42 ("Instructions").
#include <array>
#include <utility>

#include "spirv/grammar/opcode_families.h"
#include "spirv/validate/tables/typing.h"

namespace vireo::spirv {
namespace {

using enum Op;

// Two tables, because clang limits the steps that compute one constant.

// clang-format off
constexpr TypingRow first_rows[] = {
    // --- image instructions without a row in images.h ---
    {{OpImageQueryFormat, OpImageQueryOrder, OpImageQueryLevels, OpImageQuerySamples}, "I <- _"},
    {{OpImageQuerySize},                           "I|Iv2|Iv3|Iv4 <- _"},
    {{OpImageQuerySizeLod},                        "I|Iv2|Iv3|Iv4 <- _ I32"},
    {{OpImageQueryLod},                            "Fv2 <- _ _"},
    {{OpImageSparseTexelsResident},                "B <- I"},
    {{OpColorAttachmentReadEXT},                   "I*|F* <- _ I32"},
    {{OpDepthAttachmentReadEXT},                   "F32 <- I32"},
    {{OpStencilAttachmentReadEXT},                 "I32 <- I32"},

    // --- arithmetic instructions ---
    {{OpFAdd, OpFSub, OpFDiv, OpFNegate},          "F*|cmX|cvX <- =T..."},
    {{OpFMul},                                     "F*|ckX|cvX <- =T..."},
    {{OpFRem, OpFMod, OpFmaKHR},                   "F* <- =T..."},
    {{OpUDiv},                                     "U*|cmU|cvU <- =T..."},
    {{OpUMod},                                     "U* <- =T..."},
    {{OpIAdd, OpISub, OpSDiv, OpSNegate},          "I*|cmI|cvI <- I*|cmI|cvI~n~w..."},
    {{OpSRem, OpSMod},                             "I* <- I*~n~w..."},
    {{OpIMul},                                     "I*|ckI|cvI <- I*|ckI|cvI~n~w..."},
    {{OpDot},                                      "X <- Xv~cT =1"},
    {{OpVectorTimesScalar},                        "Fv|cvX <- =T @T"},
    {{OpMatrixTimesScalar},                        "M|cmX|cmI <- =T @T"},

    // --- bit instructions ---
    {{OpShiftRightLogical, OpShiftRightArithmetic, OpShiftLeftLogical}, "I*|cvI <- I*|cvI~n~w I*|cvI~n"},
    {{OpBitwiseOr, OpBitwiseXor, OpBitwiseAnd, OpNot}, "I*|cvI <- I*|cvI~n~w..."},
    {{OpBitFieldInsert},                           "I* <- =T =T I I"},
    {{OpBitFieldSExtract, OpBitFieldUExtract},     "I* <- =T I I"},
    {{OpBitReverse},                               "I* <- =T"},
    {{OpBitCount},                                 "I* <- I*~n"},

    // --- relational and logical instructions ---
    {{OpAny, OpAll},                               "B <- Bv"},
    {{OpIsNan, OpIsInf, OpIsFinite, OpIsNormal, OpSignBitSet}, "B* <- F*|cvX~n"},
    {{OpFOrdEqual, OpFUnordEqual, OpFOrdNotEqual, OpFUnordNotEqual, OpFOrdLessThan, OpFUnordLessThan, OpFOrdGreaterThan,
      OpFUnordGreaterThan, OpFOrdLessThanEqual, OpFUnordLessThanEqual, OpFOrdGreaterThanEqual, OpFUnordGreaterThanEqual,
      OpLessOrGreater, OpOrdered, OpUnordered},    "B* <- F*|cvX~n =1"},
    {{OpIEqual, OpINotEqual, OpUGreaterThan, OpSGreaterThan, OpUGreaterThanEqual, OpSGreaterThanEqual, OpULessThan,
      OpSLessThan, OpULessThanEqual, OpSLessThanEqual}, "B* <- I*|cvI~n I*|cvI~n~w1"},
    {{OpLogicalEqual, OpLogicalNotEqual, OpLogicalOr, OpLogicalAnd}, "B* <- =T =T"},
    {{OpLogicalNot},                               "B* <- =T"},

    // --- conversion instructions ---
    {{OpConvertFToU},                              "U*|cmU|cvU <- X*|cmX|cvX~n"},
    {{OpConvertFToS},                              "I*|cmI|cvI <- X*|cmX|cvX~n"},
    {{OpConvertSToF, OpConvertUToF},               "X*|cmX|cvX <- I*|cmI|cvI~n"},
    {{OpUConvert},                                 "U*|cmU|cvU <- I*|cmI|cvI~n!w"},
    {{OpSConvert},                                 "I*|cmI|cvI <- I*|cmI|cvI~n!w"},
    {{OpFConvert},                                 "X*|cmX|cvX <- X*|cmX|cvX~n!c"},
    {{OpQuantizeToF16},                            "F32* <- =T"},
    {{OpSatConvertSToU, OpSatConvertUToS},         "I* <- I*~n"},

    // --- composite instructions ---
    {{OpVectorExtractDynamic},                     "B|N <- Bv|Nv|cvB|cvN~cT I"},
    {{OpVectorInsertDynamic},                      "Bv|Nv|cvB|cvN <- =T @T I"},
    {{OpCopyObject},                               "V <- =T"},
    {{OpTranspose},                                "M <- M~c"},

    // --- miscellaneous instructions ---
    {{OpSizeOf},                                   "U32 <- _"},
    {{OpUndef, OpPoisonKHR},                       "V <-"},
    {{OpAssumeTrueKHR},                            " <- B"},
    {{OpExpectKHR},                                "B*|I* <- =T =T"},
    {{OpIsHelperInvocationEXT},                    "B <-"},

    // --- primitive instructions ---
    {{OpEmitStreamVertex, OpEndStreamPrimitive},   " <- #I"},

    // --- atomic instructions ---
    {{OpAtomicLoad},                               "I|F <- ptr|uptr>T _ _"},
    {{OpAtomicStore},                              " <- ptr|uptr _ _ I|F|F16v2|F16v4"},
    {{OpAtomicExchange},                           "I|F|F16v2|F16v4 <- ptr|uptr>T _ _ =T"},
    {{OpAtomicCompareExchange, OpAtomicCompareExchangeWeak}, "I <- ptr|uptr>T _ _ _ =T =T"},
    {{OpAtomicIIncrement, OpAtomicIDecrement},     "I <- ptr|uptr>T _ _"},
    {{OpAtomicIAdd, OpAtomicISub, OpAtomicSMin, OpAtomicUMin, OpAtomicSMax, OpAtomicUMax, OpAtomicAnd, OpAtomicOr,
      OpAtomicXor},                                "I <- ptr|uptr>T _ _ =T"},
    {{OpAtomicFAddEXT, OpAtomicFMinEXT, OpAtomicFMaxEXT}, "F|F16v2|F16v4 <- ptr|uptr>T _ _ =T"},
    {{OpAtomicFlagTestAndSet},                     "B <- ptr _ _"},
    {{OpAtomicFlagClear},                          " <- ptr _ _"},

    // --- group and subgroup instructions ---
    {{OpGroupAll, OpGroupAny},                     "B <- _ B"},
    {{OpGroupBroadcast},                           "B*|N* <- _ =T I|Iv2|Iv3"},
    {{OpGroupFAdd, OpGroupFMin, OpGroupFMax},      "F* <- _ _ =T"},
    {{OpGroupIAdd, OpGroupUMin, OpGroupSMin, OpGroupUMax, OpGroupSMax}, "I* <- _ _ =T"},
    {{OpGroupIAddNonUniformAMD, OpGroupUMinNonUniformAMD, OpGroupSMinNonUniformAMD, OpGroupUMaxNonUniformAMD,
      OpGroupSMaxNonUniformAMD},                   "I <- _ _ =T"},
    {{OpGroupFAddNonUniformAMD, OpGroupFMinNonUniformAMD, OpGroupFMaxNonUniformAMD}, "F <- _ _ =T"},
    {{OpGroupNonUniformPartitionEXT},              "I32v4 <- B*|N*"},
    {{OpGroupIMulKHR, OpGroupBitwiseAndKHR, OpGroupBitwiseOrKHR, OpGroupBitwiseXorKHR}, "I* <- _ _ =T"},
    {{OpGroupFMulKHR},                             "F* <- _ _ =T"},
    {{OpGroupLogicalAndKHR, OpGroupLogicalOrKHR, OpGroupLogicalXorKHR}, "B* <- _ _ =T"},
    {{OpSubgroupAllKHR, OpSubgroupAnyKHR, OpSubgroupAllEqualKHR}, "B <- B"},
    {{OpSubgroupBallotKHR},                        "U32v4 <- B"},

    // --- non-uniform instructions ---
    {{OpGroupNonUniformElect},                     "B <- _"},
    {{OpGroupNonUniformAll, OpGroupNonUniformAny}, "B <- _ B"},
    {{OpGroupNonUniformAllEqual},                  "B <- _ B*|N*"},
    {{OpGroupNonUniformBroadcast, OpGroupNonUniformShuffle, OpGroupNonUniformShuffleXor, OpGroupNonUniformShuffleUp,
      OpGroupNonUniformShuffleDown, OpGroupNonUniformQuadBroadcast}, "B*|N* <- _ =T U"},
    {{OpGroupNonUniformQuadSwap},                  "B*|N* <- _ =T #U"},
    {{OpGroupNonUniformBroadcastFirst},            "B*|N* <- _ =T"},
    {{OpGroupNonUniformBallot},                    "Uv4 <- _ B"},
    {{OpGroupNonUniformInverseBallot},             "B <- _ Uv4"},
    {{OpGroupNonUniformBallotBitExtract},          "B <- _ Uv4 U"},
    {{OpGroupNonUniformBallotBitCount},            "U <- _ _ Uv4"},
    {{OpGroupNonUniformBallotFindLSB, OpGroupNonUniformBallotFindMSB}, "U <- _ Uv4"},
    {{OpGroupNonUniformIAdd, OpGroupNonUniformIMul, OpGroupNonUniformSMin, OpGroupNonUniformSMax,
      OpGroupNonUniformBitwiseAnd, OpGroupNonUniformBitwiseOr, OpGroupNonUniformBitwiseXor}, "I* <- _ _ =T"},
    {{OpGroupNonUniformUMin, OpGroupNonUniformUMax}, "U* <- _ _ =T"},
    {{OpGroupNonUniformFAdd, OpGroupNonUniformFMul, OpGroupNonUniformFMin, OpGroupNonUniformFMax}, "F* <- _ _ =T"},
    {{OpGroupNonUniformLogicalAnd, OpGroupNonUniformLogicalOr, OpGroupNonUniformLogicalXor}, "B* <- _ _ =T"},
    {{OpGroupNonUniformRotateKHR},                 "B*|N* <- _ =T U #U"},
    {{OpGroupNonUniformQuadAllKHR, OpGroupNonUniformQuadAnyKHR}, "B <- B"},

    // --- predicated memory and hints to compilers ---
    {{OpPredicatedLoadINTEL},                      "N* <- ptr>T B =T"},
    {{OpPredicatedStoreINTEL},                     " <- ptr N* B"},

    // --- derivative instructions ---
    {derivatives,                                  "F16*|F32* <- =T"},

    // --- barriers ---
    {{OpNamedBarrierInitialize},                   "barrier <- I32"},
    {{OpMemoryNamedBarrier},                       " <- barrier _ _"},
};

constexpr TypingRow second_rows[] = {
    // --- mesh shading (SPV_EXT_mesh_shader) ---
    {{OpEmitMeshTasksEXT},                         " <- U32 U32 U32 $task"},
    {{OpSetMeshOutputsEXT},                        " <- U32 U32"},
    {{OpWritePackedPrimitiveIndices4x8NV},         " <- U32 U32"},

    // --- ray tracing (SPV_KHR_ray_tracing, SPV_NV_ray_tracing_motion_blur) ---
    {{OpTraceRayKHR},                              " <- accel I32 I32 I32 I32 I32 F32v3 F32 F32v3 F32 $payload"},
    {{OpTraceRayMotionNV},                         " <- accel I32 I32 I32 I32 I32 F32v3 F32 F32v3 F32 F32 $payload"},
    {{OpTraceNV},                                  " <- accel I32 I32 I32 I32 I32 F32v3 F32 F32v3 F32 #I32"},
    {{OpTraceMotionNV},                            " <- accel I32 I32 I32 I32 I32 F32v3 F32 F32v3 F32 F32 #I32"},
    {{OpReportIntersectionKHR},                    "B <- F32 U32"},
    {{OpExecuteCallableKHR},                       " <- U32 $callable"},
    {{OpFetchMicroTriangleVertexPositionNV},       "F32v3 <- accel I32 I32 I32 Iv2"},
    {{OpFetchMicroTriangleVertexBarycentricNV},    "F32v2 <- accel I32 I32 I32 Iv2"},

    // --- ray queries (SPV_KHR_ray_query) ---
    {{OpRayQueryInitializeKHR},                    " <- &query accel I32 I32 F32v3 F32 F32v3 F32"},
    {{OpRayQueryTerminateKHR, OpRayQueryConfirmIntersectionKHR}, " <- &query"},
    {{OpRayQueryGenerateIntersectionKHR},          " <- &query F32"},
    {{OpRayQueryProceedKHR, OpRayQueryGetIntersectionCandidateAABBOpaqueKHR}, "B <- &query"},
    {{OpRayQueryGetRayTMinKHR},                    "F32 <- &query"},
    {{OpRayQueryGetRayFlagsKHR},                   "I32 <- &query"},
    {{OpRayQueryGetWorldRayDirectionKHR, OpRayQueryGetWorldRayOriginKHR}, "F32v3 <- &query"},
    {{OpRayQueryGetIntersectionFrontFaceKHR, OpRayQueryIsSphereHitNV, OpRayQueryIsLSSHitNV}, "B <- &query #I32"},
    {{OpRayQueryGetIntersectionTKHR, OpRayQueryGetIntersectionSphereRadiusNV, OpRayQueryGetIntersectionLSSHitValueNV},
                                                   "F32 <- &query #I32"},
    {{OpRayQueryGetIntersectionTypeKHR, OpRayQueryGetIntersectionInstanceCustomIndexKHR,
      OpRayQueryGetIntersectionInstanceIdKHR, OpRayQueryGetIntersectionInstanceShaderBindingTableRecordOffsetKHR,
      OpRayQueryGetIntersectionGeometryIndexKHR, OpRayQueryGetIntersectionPrimitiveIndexKHR,
      OpRayQueryGetIntersectionClusterIdNV},       "I32 <- &query #I32"},
    {{OpRayQueryGetIntersectionBarycentricsKHR},   "F32v2 <- &query #I32"},
    {{OpRayQueryGetIntersectionObjectRayDirectionKHR, OpRayQueryGetIntersectionObjectRayOriginKHR,
      OpRayQueryGetIntersectionSpherePositionNV},  "F32v3 <- &query #I32"},
    {{OpRayQueryGetIntersectionObjectToWorldKHR, OpRayQueryGetIntersectionWorldToObjectKHR}, "M4x3 <- &query #I32"},
    {{OpRayQueryGetIntersectionTriangleVertexPositionsKHR}, "F32v3[3] <- &query #I32"},
    {{OpRayQueryGetIntersectionLSSPositionsNV},    "F32v3[2] <- &query #I32"},
    {{OpRayQueryGetIntersectionLSSRadiiNV},        "F32[2] <- &query #I32"},

    // --- hit objects (SPV_NV_shader_invocation_reorder) ---
    {{OpHitObjectIsEmptyNV, OpHitObjectIsHitNV, OpHitObjectIsMissNV, OpHitObjectIsSphereHitNV, OpHitObjectIsLSSHitNV},
     "B <- hitnv"},
    {{OpHitObjectGetHitKindNV, OpHitObjectGetPrimitiveIndexNV, OpHitObjectGetGeometryIndexNV,
      OpHitObjectGetInstanceIdNV, OpHitObjectGetInstanceCustomIndexNV, OpHitObjectGetShaderBindingTableRecordIndexNV,
      OpHitObjectGetClusterIdNV},
     "I32 <- hitnv"},
    {{OpHitObjectGetShaderRecordBufferHandleNV}, "I32v2 <- hitnv"},
    {{OpHitObjectGetCurrentTimeNV, OpHitObjectGetRayTMaxNV, OpHitObjectGetRayTMinNV, OpHitObjectGetSphereRadiusNV},
     "F32 <- hitnv"},
    {{OpHitObjectGetObjectRayOriginNV, OpHitObjectGetObjectRayDirectionNV, OpHitObjectGetWorldRayOriginNV,
      OpHitObjectGetWorldRayDirectionNV, OpHitObjectGetSpherePositionNV},
     "F32v3 <- hitnv"},
    {{OpHitObjectGetObjectToWorldNV, OpHitObjectGetWorldToObjectNV}, "M4x3 <- hitnv"},
    {{OpHitObjectGetAttributesNV},                 " <- hitnv $attrnv"},
    {{OpHitObjectExecuteShaderNV},                 " <- hitnv $payload"},
    {{OpHitObjectRecordEmptyNV},                   " <- hitnv"},
    {{OpHitObjectTraceRayNV},                      " <- hitnv accel I32 U32 U32 U32 U32 F32v3 F32 F32v3 F32 $payload"},
    {{OpHitObjectTraceRayMotionNV},                " <- hitnv accel I32 U32 U32 U32 U32 F32v3 F32 F32v3 F32 F32 $payload"},
    {{OpReorderThreadWithHitObjectNV},             " <- hitnv I32 I32"},
    {{OpReorderThreadWithHintNV},                  " <- I32 I32"},
    {{OpHitObjectGetLSSPositionsNV},               "F32v3[2] <- hitnv"},
    {{OpHitObjectGetLSSRadiiNV},                   "F32[2] <- hitnv"},
    {{OpHitObjectRecordHitNV},                     " <- hitnv accel I32 I32 I32 U32 U32 U32 F32v3 F32 F32v3 F32 $attrnv"},
    {{OpHitObjectRecordHitMotionNV},               " <- hitnv accel I32 I32 I32 U32 U32 U32 F32v3 F32 F32v3 F32 F32 $attrnv"},
    {{OpHitObjectRecordHitWithIndexNV},            " <- hitnv accel I32 I32 I32 U32 U32 F32v3 F32 F32v3 F32 $attrnv"},
    {{OpHitObjectRecordHitWithIndexMotionNV},      " <- hitnv accel I32 I32 I32 U32 U32 F32v3 F32 F32v3 F32 F32 $attrnv"},
    {{OpHitObjectRecordMissNV},                    " <- hitnv U32 F32v3 F32 F32v3 F32"},
    {{OpHitObjectRecordMissMotionNV},              " <- hitnv U32 F32v3 F32 F32v3 F32 F32"},

    // --- hit objects (SPV_EXT_shader_invocation_reorder) ---
    {{OpHitObjectIsEmptyEXT, OpHitObjectIsHitEXT, OpHitObjectIsMissEXT}, "B <- hitext"},
    {{OpHitObjectGetHitKindEXT, OpHitObjectGetPrimitiveIndexEXT, OpHitObjectGetGeometryIndexEXT,
      OpHitObjectGetInstanceIdEXT, OpHitObjectGetInstanceCustomIndexEXT,
      OpHitObjectGetShaderBindingTableRecordIndexEXT, OpHitObjectGetRayFlagsEXT},
     "I32 <- hitext"},
    {{OpHitObjectGetShaderRecordBufferHandleEXT}, "I32v2 <- hitext"},
    {{OpHitObjectGetCurrentTimeEXT, OpHitObjectGetRayTMaxEXT, OpHitObjectGetRayTMinEXT}, "F32 <- hitext"},
    {{OpHitObjectGetObjectRayOriginEXT, OpHitObjectGetObjectRayDirectionEXT, OpHitObjectGetWorldRayOriginEXT,
      OpHitObjectGetWorldRayDirectionEXT},
     "F32v3 <- hitext"},
    {{OpHitObjectGetObjectToWorldEXT, OpHitObjectGetWorldToObjectEXT}, "M4x3 <- hitext"},
    {{OpHitObjectGetAttributesEXT},                " <- hitext $attrext"},
    {{OpHitObjectExecuteShaderEXT},                " <- hitext $payload"},
    {{OpHitObjectRecordEmptyEXT},                  " <- hitext"},
    {{OpHitObjectTraceRayEXT},                     " <- hitext accel I32 U32 U32 U32 U32 F32v3 F32 F32v3 F32 $payload"},
    {{OpHitObjectTraceRayMotionEXT},               " <- hitext accel I32 U32 U32 U32 U32 F32v3 F32 F32v3 F32 F32 $payload"},
    {{OpReorderThreadWithHitObjectEXT},            " <- hitext I32 I32"},
    {{OpReorderThreadWithHintEXT},                 " <- I32 I32"},
    {{OpHitObjectGetIntersectionTriangleVertexPositionsEXT}, "F32v3[3] <- hitext"},
    {{OpHitObjectSetShaderBindingTableRecordIndexEXT}, " <- hitext I32"},
    {{OpHitObjectRecordFromQueryEXT},              " <- hitext query I32 $attrext U32"},
    {{OpHitObjectRecordMissEXT},                   " <- hitext I32 U32 F32v3 F32 F32v3 F32"},
    {{OpHitObjectRecordMissMotionEXT},             " <- hitext I32 U32 F32v3 F32 F32v3 F32 F32"},
    {{OpHitObjectReorderExecuteShaderEXT},         " <- hitext $payload I32 I32"},
    {{OpHitObjectTraceReorderExecuteEXT},
     " <- hitext accel I32 U32 U32 U32 U32 F32v3 F32 F32v3 F32 $payload I32 I32"},
    {{OpHitObjectTraceMotionReorderExecuteEXT},
     " <- hitext accel I32 U32 U32 U32 U32 F32v3 F32 F32v3 F32 F32 $payload I32 I32"},

    // --- instructions of extensions ---
    {{OpSubgroupFirstInvocationKHR},               "I32|F32 <- =T"},
    {{OpSubgroupReadInvocationKHR},                "I32|F32 <- =T _"},
    {{OpFreezeKHR},                                "V <- =T"},
    {{OpSubgroupShuffleINTEL, OpSubgroupShuffleXorINTEL}, "B*|N* <- =T I32"},
    {{OpSubgroupShuffleDownINTEL, OpSubgroupShuffleUpINTEL}, "B*|N* <- =T =T I32"},
    {{OpUCountLeadingZerosINTEL, OpUCountTrailingZerosINTEL}, "U32* <- =T"},
    {{OpAbsISubINTEL},                             "U* <- I*~n~w..."},
    {{OpAbsUSubINTEL, OpUAddSatINTEL, OpUAverageINTEL, OpUAverageRoundedINTEL, OpUSubSatINTEL}, "U* <- =T..."},
    {{OpIAddSatINTEL, OpIAverageINTEL, OpIAverageRoundedINTEL, OpISubSatINTEL}, "I* <- =T..."},
    {{OpIMul32x16INTEL},                           "I32* <- =T..."},
    {{OpUMul32x16INTEL},                           "U32* <- =T..."},
    {{OpArbitraryFloatGTALTERA, OpArbitraryFloatGEALTERA, OpArbitraryFloatLTALTERA, OpArbitraryFloatLEALTERA,
      OpArbitraryFloatEQALTERA},                   "B <- I _ I _"},
    {{OpArbitraryFloatCastALTERA, OpArbitraryFloatCastFromIntALTERA, OpArbitraryFloatCastToIntALTERA,
      OpArbitraryFloatRecipALTERA, OpArbitraryFloatRSqrtALTERA, OpArbitraryFloatCbrtALTERA,
      OpArbitraryFloatSqrtALTERA, OpArbitraryFloatLogINTEL, OpArbitraryFloatLog2INTEL,
      OpArbitraryFloatLog10INTEL, OpArbitraryFloatLog1pINTEL, OpArbitraryFloatExpINTEL,
      OpArbitraryFloatExp2INTEL, OpArbitraryFloatExp10INTEL, OpArbitraryFloatExpm1INTEL,
      OpArbitraryFloatSinINTEL},                   "I <- I"},
    {{OpArbitraryFloatCosINTEL, OpArbitraryFloatSinPiINTEL, OpArbitraryFloatCosPiINTEL,
      OpArbitraryFloatASinINTEL, OpArbitraryFloatASinPiINTEL, OpArbitraryFloatACosINTEL,
      OpArbitraryFloatACosPiINTEL, OpArbitraryFloatATanINTEL, OpArbitraryFloatATanPiINTEL}, "I <- I"},
    {{OpArbitraryFloatSinCosPiALTERA, OpArbitraryFloatSinCosINTEL}, "I|Iv2 <- I"},
    {{OpArbitraryFloatAddALTERA, OpArbitraryFloatSubALTERA, OpArbitraryFloatMulALTERA,
      OpArbitraryFloatDivALTERA, OpArbitraryFloatHypotALTERA, OpArbitraryFloatATan2INTEL,
      OpArbitraryFloatPowINTEL, OpArbitraryFloatPowRINTEL, OpArbitraryFloatPowNINTEL}, "I <- I _ I"},
    {{OpFixedSqrtALTERA, OpFixedRecipALTERA, OpFixedRsqrtALTERA, OpFixedSinALTERA, OpFixedCosALTERA,
      OpFixedSinPiALTERA, OpFixedCosPiALTERA, OpFixedLogALTERA, OpFixedExpALTERA}, "I <- I"},
    {{OpFixedSinCosALTERA, OpFixedSinCosPiALTERA}, "I|Iv2 <- I"},
    {{OpFPGARegALTERA},                            "V <- =T"},
    {{OpConvertFToBF16INTEL},                      "I16* <- F32*~n"},
    {{OpConvertBF16ToFINTEL},                      "F32* <- I16*~n"},
    {{OpArithmeticFenceEXT},                       "X* <- =T"},
    {{OpBitwiseFunctionINTEL},                     "I* <- =T =T =T #I32"},
    {{OpRoundFToTF32INTEL},                        "F32* <- =T"},
    {{OpFragmentMaskFetchAMD},                     "U32 <- image I*"},
    {{OpFragmentFetchAMD},                         "Iv4|Fv4 <- image I* I"},
    {{OpUntypedPrefetchKHR},                       " <- global I #I #I #I"},
    {{OpSubgroupImageBlockReadINTEL},              "B*|N* <- image I*"},
    {{OpSubgroupImageBlockWriteINTEL},             " <- image I* B*|N*"},
    {{OpSubgroupImageMediaBlockReadINTEL},         "B*|N* <- image Iv I I"},
    {{OpSubgroupImageMediaBlockWriteINTEL},        " <- image Iv I I B*|N*"},
    {{OpSubgroup2DBlockLoadINTEL, OpSubgroup2DBlockLoadTransformINTEL, OpSubgroup2DBlockLoadTransposeINTEL},
                                                   " <- #I32 #I32 #I32 #I32 global I I I Iv2 local"},
    {{OpSubgroup2DBlockPrefetchINTEL},             " <- #I32 #I32 #I32 #I32 global I I I Iv2"},
    {{OpSubgroup2DBlockStoreINTEL},                " <- #I32 #I32 #I32 #I32 local global I I I Iv2"},
    {{OpSubgroupMatrixMultiplyAccumulateINTEL},    "I*|X* <- #I32 I*|X* I*|X* I*|X*"},
    {{OpVariableLengthArrayINTEL},                 "local <- I"},
    {{OpSaveMemoryINTEL},                          "local <-"},
    {{OpRestoreMemoryINTEL},                       " <- local"},
};
// clang-format on

template <std::size_t... first, std::size_t... second>
consteval auto joined(std::index_sequence<first...>, std::index_sequence<second...>) {
  return std::array{first_rows[first]..., second_rows[second]...};
}
constexpr auto rows =
    joined(std::make_index_sequence<std::size(first_rows)>(), std::make_index_sequence<std::size(second_rows)>());

// Maps an opcode to its row + 1; built at compile time. An opcode cannot have two rows, because the second would have
// no effect.
constexpr std::size_t opcode_limit = 8192;
constexpr auto row_of_opcode = [] {
  std::array<std::uint8_t, opcode_limit> table{};
  std::uint8_t number = 0;
  for (const TypingRow& row : rows) {
    ++number;
    for (std::size_t i = 0; i < row.opcode_count; ++i) {
      std::uint8_t& entry = table[static_cast<std::size_t>(row.opcodes[i])];
      if (entry != 0) throw "an opcode has two rows";
      entry = number;
    }
  }
  return table;
}();
static_assert(std::size(rows) < 255);

}  // namespace

std::span<const TypingRow> typing_rows() { return rows; }

const TypingPattern* find_typing(Op op) {
  const auto opcode = static_cast<std::size_t>(op);
  if (opcode >= opcode_limit || row_of_opcode[opcode] == 0) return nullptr;
  return &rows[row_of_opcode[opcode] - 1].pattern;
}

}  // namespace vireo::spirv
