// SPDX-License-Identifier: Apache-2.0
//
// C++ identifiers for the names of the grammar.
//
// A name is unchanged if C++ permits it, so generated names can be found in the specification.
#pragma once

#include <string>
#include <string_view>

namespace vireo::spirv {

/// An enumerant's name as an enumerator. If it is not an identifier, the kind's name precedes it (Dim: 1D, 2D, 3D).
std::string cpp_identifier(std::string_view kind, std::string_view name);

/// Whether a parameter takes one operand or any number of them.
enum class ParameterForm : bool { One, List };
/// An operand's name as a parameter name: "Merge Block" → `merge_block`. For a List, a numbered name ("Operand 1,
/// Operand 2, ...") becomes a plural: `operands`.
std::string parameter_name(std::string_view name, ParameterForm form);

/// The name of the enumeration for an extended set: "GLSL.std.450" → `GLSL_std_450`.
std::string ext_set_identifier(std::string_view set);

}  // namespace vireo::spirv
