// SPDX-License-Identifier: Apache-2.0
//
// What the machine-readable grammar does not say, in one place.
//
// The one idea: everything else is data. A newer grammar brings new opcodes, enumerants and sets without touching C++;
// the few facts that only the specification's prose states stand here as rows, each with its reason:
//
//   - which opcodes OpSpecConstantOp may hold        (specification, OpSpecConstantOp)
//   - which OpType... instructions declare no type that a literal or a selector could have
//   - which bits a float type's encoding gives its literals (extensions SPV_KHR_bfloat16, SPV_EXT_float8, …)
//   - which instructions are debug information or annotations (2.4), for section headings
//   - the names under which variables with built-in decorations are commonly known
//
// Extended sets (whose documents do not even carry their name) have a table of their own: special_sets.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "vireo/spirv/grammar.h"
#include "vireo/support/number.h"

namespace vireo::spirv {

/// Whether OpSpecConstantOp may hold this opcode.
bool is_permitted_in_spec_constant_op(Op opcode);

/// An opcode's name as OpSpecConstantOp has it: "IAdd". Names of a loaded grammar need not begin with Op.
constexpr std::string_view without_op(std::string_view name) { return name.starts_with("Op") ? name.substr(2) : name; }

/// Whether an instruction of this name, with a result that has no type, declares one (RowFlags::DeclaresType).
bool names_type(std::string_view name, Op opcode);

inline constexpr std::uint32_t no_float_encoding = 0xFFFFFFFF;  ///< in place of an FPEncoding: OpTypeFloat has none

/// The literal format of OpTypeFloat `width` with an FPEncoding, or with no_float_encoding.
/// Nothing when there is no such format: an unknown encoding, or a width that the encoding does not have.
std::optional<FloatFormat> float_format_of(std::uint32_t width, std::uint32_t encoding);

/// The width that an encoding demands; 0 for an unknown one.
std::uint32_t width_of_encoding(std::uint32_t encoding);

/// OpName to OpModuleProcessed: the debug instructions of the logical layout.
bool is_debug_instruction(Op opcode);

/// The OpDecorate and OpMemberDecorate families and the group forms; not OpDecorationGroup.
bool is_annotation_instruction(Op opcode);

/// Names of built-in variables as shading languages spell them; empty for built-ins without one.
/// `value` is an enumerant of the kind BuiltIn.
std::string_view friendly_built_in_name(std::uint32_t value);

/// Part of the name of a float type by encoding: "fp8e4m3"; empty when there is none.
std::string_view friendly_encoding_name(std::uint32_t encoding);

}  // namespace vireo::spirv
