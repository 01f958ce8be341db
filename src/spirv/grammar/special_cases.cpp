// SPDX-License-Identifier: Apache-2.0
//
// The tables of special_cases.h. Sorted by number for binary search; a test compares every name with the grammar.
#include "spirv/grammar/special_cases.h"

#include <algorithm>
#include <array>

#include "spirv/grammar/opcode_families.h"
#include "vireo/spirv/grammar/enums.h"

namespace vireo::spirv {
namespace {

// Binary search; an assertion after each list checks that it is sorted.
template <std::size_t N>
constexpr bool contains(const Op (&sorted)[N], Op opcode) {
  return std::ranges::binary_search(sorted, opcode);
}

// clang-format off: lists of opcodes read as lists

// Specification, OpSpecConstantOp: "Opcode must be one of the following opcodes", for shaders and for kernels, with the
// additions of SPV_KHR_untyped_pointers and of the cooperative matrix extensions.
constexpr Op spec_constant_opcodes[] = {
    Op::OpAccessChain,
    Op::OpInBoundsAccessChain,
    Op::OpPtrAccessChain,
    Op::OpInBoundsPtrAccessChain,
    Op::OpVectorShuffle,
    Op::OpCompositeExtract,
    Op::OpCompositeInsert,
    Op::OpConvertFToU,
    Op::OpConvertFToS,
    Op::OpConvertSToF,
    Op::OpConvertUToF,
    Op::OpUConvert,
    Op::OpSConvert,
    Op::OpFConvert,
    Op::OpQuantizeToF16,
    Op::OpConvertPtrToU,
    Op::OpConvertUToPtr,
    Op::OpPtrCastToGeneric,
    Op::OpGenericCastToPtr,
    Op::OpBitcast,
    Op::OpSNegate,
    Op::OpFNegate,
    Op::OpIAdd,
    Op::OpFAdd,
    Op::OpISub,
    Op::OpFSub,
    Op::OpIMul,
    Op::OpFMul,
    Op::OpUDiv,
    Op::OpSDiv,
    Op::OpFDiv,
    Op::OpUMod,
    Op::OpSRem,
    Op::OpSMod,
    Op::OpFRem,
    Op::OpFMod,
    Op::OpLogicalEqual,
    Op::OpLogicalNotEqual,
    Op::OpLogicalOr,
    Op::OpLogicalAnd,
    Op::OpLogicalNot,
    Op::OpSelect,
    Op::OpIEqual,
    Op::OpINotEqual,
    Op::OpUGreaterThan,
    Op::OpSGreaterThan,
    Op::OpUGreaterThanEqual,
    Op::OpSGreaterThanEqual,
    Op::OpULessThan,
    Op::OpSLessThan,
    Op::OpULessThanEqual,
    Op::OpSLessThanEqual,
    Op::OpShiftRightLogical,
    Op::OpShiftRightArithmetic,
    Op::OpShiftLeftLogical,
    Op::OpBitwiseOr,
    Op::OpBitwiseXor,
    Op::OpBitwiseAnd,
    Op::OpNot,
    Op::OpUntypedAccessChainKHR,
    Op::OpUntypedInBoundsAccessChainKHR,
    Op::OpUntypedPtrAccessChainKHR,
    Op::OpUntypedInBoundsPtrAccessChainKHR,
    Op::OpCooperativeMatrixLengthKHR,
    Op::OpCooperativeMatrixLengthNV,
};
static_assert(std::ranges::is_sorted(spec_constant_opcodes));

// Instructions named OpType... whose result cannot be the type of a constant or selector. These are the
// motion-estimation types and the buffer surface; only instructions of their own extensions use them.
constexpr Op types_without_constants[] = {
    Op::OpTypeVmeImageINTEL,
    Op::OpTypeAvcImePayloadINTEL,
    Op::OpTypeAvcRefPayloadINTEL,
    Op::OpTypeAvcSicPayloadINTEL,
    Op::OpTypeAvcMcePayloadINTEL,
    Op::OpTypeAvcMceResultINTEL,
    Op::OpTypeAvcImeResultINTEL,
    Op::OpTypeAvcImeResultSingleReferenceStreamoutINTEL,
    Op::OpTypeAvcImeResultDualReferenceStreamoutINTEL,
    Op::OpTypeAvcImeSingleReferenceStreaminINTEL,
    Op::OpTypeAvcImeDualReferenceStreaminINTEL,
    Op::OpTypeAvcRefResultINTEL,
    Op::OpTypeAvcSicResultINTEL,
    Op::OpTypeBufferSurfaceINTEL,
};
static_assert(std::ranges::is_sorted(types_without_constants));

// clang-format on

// Kind FPEncoding: the grammar contains names and numbers. The widths and formats are only in the text of the
// extensions (SPV_KHR_bfloat16, SPV_EXT_float8) and of the OCP microscaling specification.
struct EncodingRow {
  FPEncoding encoding;
  std::uint32_t width;  // bits; an encoding has exactly one width
  FloatFormat format;
  std::string_view friendly_name;
};

constexpr EncodingRow encodings[] = {
    {FPEncoding::BFloat16KHR, 16, FloatFormat::BFloat16, "bfloat16"},
    {FPEncoding::Float8E4M3EXT, 8, FloatFormat::Float8E4M3, "fp8e4m3"},
    {FPEncoding::Float8E5M2EXT, 8, FloatFormat::Float8E5M2, "fp8e5m2"},
    {FPEncoding::Float6E2M3EXT, 6, FloatFormat::Float6E2M3, "fp6e2m3"},
    {FPEncoding::Float6E3M2EXT, 6, FloatFormat::Float6E3M2, "fp6e3m2"},
    {FPEncoding::Float4E2M1EXT, 4, FloatFormat::Float4E2M1, "fp4e2m1"},
    {FPEncoding::Float8UnsignedE8M0EXT, 8, FloatFormat::Float8UnsignedE8M0, "fp8e8m0"},
    {FPEncoding::MXInt8EXT, 8, FloatFormat::MXInt8, "mxint8"},
};

// A linear search over eight rows. The number comes from a module, so it can have any value.
const EncodingRow* find_encoding(std::uint32_t encoding) {
  const auto* row = std::ranges::find(encodings, encoding,
                                      [](const EncodingRow& r) { return static_cast<std::uint32_t>(r.encoding); });
  return row == std::end(encodings) ? nullptr : row;
}

struct BuiltInName {
  BuiltIn built_in;
  std::string_view name;
};

// Built-in variables of shaders have the spelling of GLSL; those of kernels have the name of the enumerant.
constexpr BuiltInName built_in_names[] = {
    {BuiltIn::Position, "gl_Position"},
    {BuiltIn::PointSize, "gl_PointSize"},
    {BuiltIn::ClipDistance, "gl_ClipDistance"},
    {BuiltIn::CullDistance, "gl_CullDistance"},
    {BuiltIn::VertexId, "gl_VertexID"},
    {BuiltIn::InstanceId, "gl_InstanceID"},
    {BuiltIn::PrimitiveId, "gl_PrimitiveID"},
    {BuiltIn::InvocationId, "gl_InvocationID"},
    {BuiltIn::Layer, "gl_Layer"},
    {BuiltIn::ViewportIndex, "gl_ViewportIndex"},
    {BuiltIn::TessLevelOuter, "gl_TessLevelOuter"},
    {BuiltIn::TessLevelInner, "gl_TessLevelInner"},
    {BuiltIn::TessCoord, "gl_TessCoord"},
    {BuiltIn::PatchVertices, "gl_PatchVertices"},
    {BuiltIn::FragCoord, "gl_FragCoord"},
    {BuiltIn::PointCoord, "gl_PointCoord"},
    {BuiltIn::FrontFacing, "gl_FrontFacing"},
    {BuiltIn::SampleId, "gl_SampleID"},
    {BuiltIn::SamplePosition, "gl_SamplePosition"},
    {BuiltIn::SampleMask, "gl_SampleMask"},
    {BuiltIn::FragDepth, "gl_FragDepth"},
    {BuiltIn::HelperInvocation, "gl_HelperInvocation"},
    {BuiltIn::NumWorkgroups, "gl_NumWorkGroups"},
    {BuiltIn::WorkgroupSize, "gl_WorkGroupSize"},
    {BuiltIn::WorkgroupId, "gl_WorkGroupID"},
    {BuiltIn::LocalInvocationId, "gl_LocalInvocationID"},
    {BuiltIn::GlobalInvocationId, "gl_GlobalInvocationID"},
    {BuiltIn::LocalInvocationIndex, "gl_LocalInvocationIndex"},
    {BuiltIn::WorkDim, "WorkDim"},
    {BuiltIn::GlobalSize, "GlobalSize"},
    {BuiltIn::EnqueuedWorkgroupSize, "EnqueuedWorkgroupSize"},
    {BuiltIn::GlobalOffset, "GlobalOffset"},
    {BuiltIn::GlobalLinearId, "GlobalLinearId"},
    {BuiltIn::SubgroupSize, "SubgroupSize"},
    {BuiltIn::SubgroupMaxSize, "SubgroupMaxSize"},
    {BuiltIn::NumSubgroups, "NumSubgroups"},
    {BuiltIn::NumEnqueuedSubgroups, "NumEnqueuedSubgroups"},
    {BuiltIn::SubgroupId, "SubgroupId"},
    {BuiltIn::SubgroupLocalInvocationId, "SubgroupLocalInvocationId"},
    {BuiltIn::VertexIndex, "gl_VertexIndex"},
    {BuiltIn::InstanceIndex, "gl_InstanceIndex"},
    // SPIRV-Tools uses the names of the extension (SPV_KHR_shader_ballot) for these.
    {BuiltIn::SubgroupEqMask, "SubgroupEqMaskKHR"},
    {BuiltIn::SubgroupGeMask, "SubgroupGeMaskKHR"},
    {BuiltIn::SubgroupGtMask, "SubgroupGtMaskKHR"},
    {BuiltIn::SubgroupLeMask, "SubgroupLeMaskKHR"},
    {BuiltIn::SubgroupLtMask, "SubgroupLtMaskKHR"},
    {BuiltIn::BaseInstance, "gl_BaseInstance"},
};
static_assert(std::ranges::is_sorted(built_in_names, {},
                                     [](const BuiltInName& r) { return static_cast<std::uint32_t>(r.built_in); }));

}  // namespace

bool is_permitted_in_spec_constant_op(Op opcode) { return contains(spec_constant_opcodes, opcode); }

bool names_type(std::string_view name, Op opcode) {
  // The prefix of the name identifies types, as in the specification (3, type-declaration instructions). So a type of a
  // newer grammar needs no row here.
  return name.starts_with("OpType") && !contains(types_without_constants, opcode);
}

std::optional<FloatFormat> float_format_of(std::uint32_t width, std::uint32_t encoding) {
  // Width and encoding together determine the format: an encoding has one width, and a width without an encoding has
  // one format.
  if (encoding == no_float_encoding) {
    // Specification, OpTypeFloat: without an encoding, the IEEE 754 format of that width.
    switch (width) {
      case 16: return FloatFormat::Half;
      case 32: return FloatFormat::Single;
      case 64: return FloatFormat::Double;
      default: return std::nullopt;
    }
  }
  const EncodingRow* row = find_encoding(encoding);
  if (row == nullptr || row->width != width) return std::nullopt;
  return row->format;
}

std::uint32_t width_of_encoding(std::uint32_t encoding) {
  const EncodingRow* row = find_encoding(encoding);
  return row == nullptr ? 0 : row->width;
}

// Specification 2.4, logical layout, section 7. OpLine and OpNoLine, which are permitted anywhere, are included for the
// section headings, as in spirv-dis.
bool is_debug_instruction(Op opcode) { return is_one_of(source_information, opcode) || gives_name(opcode); }

// Specification 2.4, section 8. OpDecorationGroup has a result and is not included, as in spirv-dis.
bool is_annotation_instruction(Op opcode) { return is_decoration(opcode) || applies_group(opcode); }

// Called for each OpDecorate BuiltIn: a binary search over about fifty rows.
std::string_view friendly_built_in_name(std::uint32_t value) {
  const auto value_of = [](const BuiltInName& r) { return static_cast<std::uint32_t>(r.built_in); };
  const auto* row = std::ranges::lower_bound(built_in_names, value, {}, value_of);
  return row != std::end(built_in_names) && value_of(*row) == value ? row->name : std::string_view{};
}

std::string_view friendly_encoding_name(std::uint32_t encoding) {
  const EncodingRow* row = find_encoding(encoding);
  return row == nullptr ? std::string_view{} : row->friendly_name;
}

}  // namespace vireo::spirv
