// SPDX-License-Identifier: Apache-2.0
//
// Names of the grammar as names of C++.
//
// The one idea: a name stays what it is wherever C++ allows it; what is generated can be found with the specification in
// the other window.
#pragma once

#include <string>
#include <string_view>

namespace vireo::spirv {

/// An enumerant's name as an enumerator. One that is no identifier has its kind's name in front (Dim: 1D, 2D, 3D).
std::string cpp_identifier(std::string_view kind, std::string_view name);

/// Whether a parameter takes one operand, or any number of them.
enum class ParameterForm : bool { One, List };
/// An operand's name as that of a parameter: "Merge Block" → `merge_block`. As a List, the name of the first of many
/// ("Operand 1, Operand 2, ...") becomes that of all of them: `operands`.
std::string parameter_name(std::string_view name, ParameterForm form);

/// The name of an extended set as that of its enumeration: "GLSL.std.450" → `GLSL_std_450`.
std::string ext_set_identifier(std::string_view set);

}  // namespace vireo::spirv
