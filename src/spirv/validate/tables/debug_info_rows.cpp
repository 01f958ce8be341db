// SPDX-License-Identifier: Apache-2.0
//
// The operands of debug information instructions (non_semantic.h defines the row format).
//
// The one idea: OpenCL.DebugInfo.100 and NonSemantic.Shader.DebugInfo are nearly the same set. Instructions have the
// same numbers, but a literal in the first is the id of a constant in the second. One row is valid for both, because a
// requirement on ids ignores literals. Only a few instructions have different operands.
//
// Sources: "OpenCL.DebugInfo.100", section 3; "NonSemantic.Shader.DebugInfo", section 4; "NonSemantic.Graph.DebugInfo".
#include "spirv/validate/engine/non_semantic.h"
#include "vireo/spirv/ext_insts.h"

namespace vireo::spirv {
namespace {

using D = NonSemantic_Shader_DebugInfo;
using G = NonSemantic_Graph_DebugInfo;

static_assert(static_cast<std::uint32_t>(D::DebugSource) ==
              static_cast<std::uint32_t>(OpenCL_DebugInfo_100::DebugSource));

// --- operand classes ----------------------------------------------------------------------------------------------------

constexpr std::uint16_t any_int = Unsigned32Thing | Signed32Thing | Int64Thing;
constexpr std::uint16_t any_constant = any_int | SpecIntThing | BoolThing | ConstantThing;

constexpr std::uint64_t template_arguments =
    own_bits(D::DebugTypeTemplateParameter, D::DebugTypeTemplateTemplateParameter, D::DebugTypeTemplateParameterPack);
constexpr std::uint64_t types =
    own_bits(D::DebugTypeBasic, D::DebugTypePointer, D::DebugTypeQualifier, D::DebugTypeArray, D::DebugTypeVector,
             D::DebugTypedef, D::DebugTypeFunction, D::DebugTypeEnum, D::DebugTypeComposite, D::DebugTypeMember,
             D::DebugTypeInheritance, D::DebugTypePtrToMember, D::DebugTypeTemplate, D::DebugTypeMatrix,
             D::DebugTypeVectorIdEXT, D::DebugTypeCooperativeMatrixKHR) |
    template_arguments;

// DebugInfoNone represents unknown or absent information, and is allowed in place of any type.
constexpr std::uint64_t none = own_bits(D::DebugInfoNone);

// clang-format off
constexpr OperandRequirement anything{"anything", 0, AnyThing};
constexpr OperandRequirement string{"an OpString", 0, StringThing};
constexpr OperandRequirement number{"an OpConstant of a 32-bit unsigned integer type", 0, Unsigned32Thing};
constexpr OperandRequirement size{"an OpConstant of an integer type", 0, any_int};
constexpr OperandRequirement size_or_none{"an OpConstant of an integer type or DebugInfoNone", none, any_int};
constexpr OperandRequirement variable_number{"a 32-bit integer constant", 0, Unsigned32Thing | Signed32Thing | SpecIntThing};
constexpr OperandRequirement constant{"a constant", 0, any_constant};
constexpr OperandRequirement source{"DebugSource", own_bits(D::DebugSource), 0, Role::Source};
constexpr OperandRequirement line = number.as(Role::Line);
constexpr OperandRequirement column = number.as(Role::Column);
constexpr OperandRequirement type{"a debug type", types | none};
constexpr OperandRequirement basic_type{"DebugTypeBasic", own_bits(D::DebugTypeBasic)};
constexpr OperandRequirement vector_type{"DebugTypeVector", own_bits(D::DebugTypeVector)};
constexpr OperandRequirement function_type{"DebugTypeFunction", own_bits(D::DebugTypeFunction)};
constexpr OperandRequirement composite{"DebugTypeComposite", own_bits(D::DebugTypeComposite)};
constexpr OperandRequirement record = composite.as(Role::Record);
constexpr OperandRequirement result_type{"a debug type or OpTypeVoid", types | none, VoidThing};
// A function template or an inlined function has its own scopes; DebugModuleINTEL exists only in the OpenCL set.
constexpr OperandRequirement scope{"a lexical scope",
    own_bits(D::DebugCompilationUnit, D::DebugFunction, D::DebugLexicalBlock, D::DebugTypeComposite,
             D::DebugLexicalBlockDiscriminator, OpenCL_DebugInfo_100::DebugModuleINTEL)};
constexpr OperandRequirement unit{"DebugCompilationUnit", own_bits(D::DebugCompilationUnit)};
constexpr OperandRequirement function{"DebugFunction", own_bits(D::DebugFunction)};
constexpr OperandRequirement declaration{"DebugFunctionDeclaration", own_bits(D::DebugFunctionDeclaration)};
constexpr OperandRequirement member{"DebugTypeMember, DebugTypeInheritance or DebugFunction",
    own_bits(D::DebugTypeMember, D::DebugTypeInheritance, D::DebugFunction)};
constexpr OperandRequirement static_member{"DebugTypeMember", own_bits(D::DebugTypeMember)};
constexpr std::uint64_t variables = own_bits(D::DebugLocalVariable, D::DebugGlobalVariable);
constexpr OperandRequirement length{"an OpConstant of an integer type, a DebugLocalVariable or a DebugGlobalVariable",
    variables, any_int, Role::Length};
constexpr OperandRequirement variable_length{"an integer constant, a DebugLocalVariable or a DebugGlobalVariable", variables,
    any_int | SpecIntThing, Role::Length};
constexpr OperandRequirement template_target{"DebugTypeComposite or DebugFunction",
    own_bits(D::DebugTypeComposite, D::DebugFunction)};
constexpr OperandRequirement template_argument{"a template parameter", template_arguments};
constexpr OperandRequirement argument_value{"a constant or DebugInfoNone", none, any_constant};
constexpr OperandRequirement global{"a variable, a constant or DebugInfoNone", none,
    VariableThing | any_constant};
constexpr OperandRequirement inlined{"DebugInlinedAt", own_bits(D::DebugInlinedAt)};
constexpr OperandRequirement local{"DebugLocalVariable", own_bits(D::DebugLocalVariable)};
constexpr OperandRequirement storage{"a variable or a function parameter", 0, VariableThing | ParameterThing};
constexpr OperandRequirement expression{"DebugExpression", own_bits(D::DebugExpression)};
constexpr OperandRequirement operation{"DebugOperation", own_bits(D::DebugOperation)};
constexpr OperandRequirement value_index = length.as(Role::None);
constexpr OperandRequirement index{"an integer scalar", 0,
    any_constant | ValueThing | ParameterThing, Role::Index};
constexpr OperandRequirement macro{"DebugMacroDef", own_bits(D::DebugMacroDef)};
constexpr OperandRequirement truth{"OpConstantTrue or OpConstantFalse", 0, BoolThing};
constexpr OperandRequirement op_graph{"OpGraphARM", 0, GraphThing};
constexpr OperandRequirement graph{"DebugGraph", own_bits(G::DebugGraph)};
constexpr OperandRequirement op_function{"OpFunction", 0, FunctionThing};
constexpr OperandRequirement op_function_or_none{"OpFunction or DebugInfoNone", none, FunctionThing};

// --- instructions, ascending by number ----------------------------------------------------------------------------------

constexpr NonSemanticRow shared_rows[] = {
    {D::DebugInfoNone, {}},
    {D::DebugCompilationUnit, {number, number, source, number}},
    {D::DebugTypePointer, {type, number, number}},
    {D::DebugTypeQualifier, {type, number}},
    {D::DebugTypeVector, {basic_type, number.as(Role::Count)}},
    {D::DebugTypedef, {string, type, source, line, column, scope}},
    {D::DebugTypeFunction, {number, result_type, type.repeated()}},
    {D::DebugTypeEnum, {string, type, source, line, column, scope, size.as(Role::Positive), number,
                        constant.repeated(), string}},
    {D::DebugTypeTemplate, {template_target, template_argument.repeated()}},
    {D::DebugTypeTemplateParameter, {string, type, argument_value, source, line, column}},
    {D::DebugTypeTemplateTemplateParameter, {string, string, source, line, column}},
    {D::DebugTypeTemplateParameterPack, {string, source, line, column, template_argument.repeated()}},
    {D::DebugGlobalVariable, {string, type, source, line, column, scope, string, global, number, static_member}},
    {D::DebugFunctionDeclaration, {string, function_type, source, line, column, scope, string, number}},
    {D::DebugLexicalBlock, {source, line, column, scope, string}},
    {D::DebugLexicalBlockDiscriminator, {source, number, scope}},
    {D::DebugScope, {scope, inlined}},
    {D::DebugNoScope, {}},
    {D::DebugInlinedAt, {number, scope, inlined}},
    {D::DebugLocalVariable, {string, type, source, line, column, scope, number, number}},
    {D::DebugInlinedVariable, {local, inlined}},
    {D::DebugDeclare, {local, storage, expression, index.repeated()}},
    {D::DebugValue, {local, anything, expression, value_index.repeated()}},
    {D::DebugOperation, {number.repeated()}},
    {D::DebugExpression, {operation.repeated()}},
    {D::DebugMacroDef, {source, line, string, string}},
    {D::DebugMacroUndef, {source, line, macro}},
    {D::DebugImportedEntity, {string, number, source, anything, line, column, scope}},
    {D::DebugSource, {string, string}},
};

constexpr NonSemanticRow opencl_rows[] = {
    {D::DebugTypeBasic, {string, size}},
    {D::DebugTypeArray, {type, length.repeated()}},
    {D::DebugTypeComposite, {string, number, source, line, column, scope, string, size_or_none, number, member.repeated()}},
    {D::DebugTypeMember, {string, type, source, line, column, composite, size, size, number, constant}},
    {D::DebugTypeInheritance, {record, record, size, size}},
    {D::DebugTypePtrToMember, {type, composite}},
    {D::DebugFunction, {string, function_type, source, line, column, scope, string, number, number,
                        op_function_or_none, declaration}},
};

constexpr NonSemanticRow shader_rows[] = {
    {D::DebugTypeBasic, {string, size, number, number, number.from(101)}},
    {D::DebugTypeArray, {type, variable_length.repeated()}},
    {D::DebugTypeComposite, {string, number, source, line, column, scope, string, size_or_none, number, member.repeated()}},
    {D::DebugTypeMember, {string, type, source, line, column, size, size, number, constant}},
    {D::DebugTypeInheritance, {record, size, size, number}},
    {D::DebugTypePtrToMember, {type, composite}},
    {D::DebugFunction, {string, function_type, source, line, column, scope, string, number, number, declaration}},
    {D::DebugFunctionDefinition, {function, op_function}},
    {D::DebugSourceContinued, {string}},
    {D::DebugLine, {source.as(Role::None), number, number, number, number}},
    {D::DebugNoLine, {}},
    {D::DebugBuildIdentifier, {string, number}},
    {D::DebugStoragePath, {string}},
    {D::DebugEntryPoint, {function, unit, string, string}},
    {D::DebugTypeMatrix, {vector_type, number.as(Role::Count), truth}},
    {D::DebugTypeVectorIdEXT, {basic_type, variable_number}, 101},
    {D::DebugTypeCooperativeMatrixKHR, {basic_type, variable_number, variable_number, variable_number, variable_number}, 101},
};

constexpr NonSemanticRow graph_rows[] = {
    {G::DebugGraph, {op_graph, string}},
    {G::DebugOperation, {graph, string, anything.repeated()}},
    {G::DebugTensor, {anything, string, number}},
};
// clang-format on

}  // namespace

std::span<const NonSemanticRow> shared_debug_rows() { return shared_rows; }
std::span<const NonSemanticRow> opencl_debug_rows() { return opencl_rows; }
std::span<const NonSemanticRow> shader_debug_rows() { return shader_rows; }
std::span<const NonSemanticRow> graph_debug_rows() { return graph_rows; }

}  // namespace vireo::spirv
