// SPDX-License-Identifier: Apache-2.0
//
// The facts that the machine-readable grammar does not contain.
//
// The grammar is data, so a newer one adds opcodes, enumerants and sets without changes to C++. The few
// facts that are only in the text of the specification are rows here, each with its reason:
//
//   - which opcodes are permitted in OpSpecConstantOp (specification, OpSpecConstantOp)
//   - which OpType... instructions declare a type that constants and selectors cannot have
//   - the format of literals of a float type with an encoding (extensions SPV_KHR_bfloat16, SPV_EXT_float8, …)
//   - which instructions are debug information or annotations (2.4), for section headings
//   - the common names of variables with built-in decorations
//
// A separate table has the names of extended sets, which their documents do not contain: special_sets.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "vireo/spirv/grammar/grammar.h"
#include "vireo/support/number.h"

namespace vireo::spirv {

/// Whether this opcode is permitted in OpSpecConstantOp.
bool is_permitted_in_spec_constant_op(Op opcode);

/// An opcode's name as written in OpSpecConstantOp: "IAdd". Names of a loaded grammar need not begin with Op.
constexpr std::string_view without_op(std::string_view name) { return name.starts_with("Op") ? name.substr(2) : name; }

/// Whether an instruction with this name declares a type (RowFlags::DeclaresType). Precondition: it has a result
/// without a type.
bool names_type(std::string_view name, Op opcode);

inline constexpr std::uint32_t no_float_encoding = 0xFFFFFFFF;  ///< instead of an FPEncoding, if OpTypeFloat has none

/// The literal format of OpTypeFloat `width` with an FPEncoding, or with no_float_encoding.
/// Nothing if there is no such format: an unknown encoding, or a width that does not match the encoding.
std::optional<FloatFormat> float_format_of(std::uint32_t width, std::uint32_t encoding);

/// The width that an encoding requires; 0 for an unknown one.
std::uint32_t width_of_encoding(std::uint32_t encoding);

/// Whether an opcode is a debug instruction of the logical layout (specification 2.4, section 7), OpLine or OpNoLine.
bool is_debug_instruction(Op opcode);

/// Whether an opcode decorates a target: all annotation instructions except OpDecorationGroup.
bool is_annotation_instruction(Op opcode);

/// The name of a built-in variable in shading languages; empty if it has none. `value` is an enumerant of the kind
/// BuiltIn.
std::string_view friendly_built_in_name(std::uint32_t value);

/// The encoding in the name of a float type: "fp8e4m3"; empty if there is none.
std::string_view friendly_encoding_name(std::uint32_t encoding);

}  // namespace vireo::spirv
