// SPDX-License-Identifier: Apache-2.0
//
// The operands of debug information instructions (non_semantic.h defines the row format).
//
// OpenCL.DebugInfo.100 and NonSemantic.Shader.DebugInfo are nearly the same set. Instructions have the
// same numbers, but a literal in the first is the id of a constant in the second. One row is valid for both, because a
// requirement on ids ignores literals. Only a few instructions have different operands.
//
// Sources: "OpenCL.DebugInfo.100", section 3; "NonSemantic.Shader.DebugInfo", section 4; "NonSemantic.Graph.DebugInfo".
#include "spirv/validate/tables/non_semantic_rows.h"
#include "vireo/spirv/grammar/ext_insts.h"

namespace vireo::spirv {
namespace {

using D = NonSemantic_Shader_DebugInfo;
using G = NonSemantic_Graph_DebugInfo;

static_assert(static_cast<std::uint32_t>(D::DebugSource) ==
              static_cast<std::uint32_t>(OpenCL_DebugInfo_100::DebugSource));

// --- operand classes ----------------------------------------------------------------------------------------------------

constexpr std::uint16_t any_int = Unsigned32Thing | Signed32Thing | Int64Thing;
// Integer specialization constants, which are also constant instructions.
constexpr std::uint16_t spec_int = SpecInt32Thing | SpecIntThing;
constexpr std::uint16_t integer = any_int | OtherIntThing | spec_int;  // of any width
constexpr std::uint16_t any_constant = integer | BoolThing | ConstantThing;

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
// "Validation Rules" of version 101 requires an unsigned type; the descriptions of the instructions do not state it.
constexpr OperandRequirement variable_number{"a constant of a 32-bit unsigned integer type", 0,
    Unsigned32Thing | SpecInt32Thing};
// The shader set allows constant instructions, such as OpSpecConstant, for sizes and offsets of composites.
constexpr OperandRequirement constant_size{"an integer constant", 0, any_int | spec_int};
constexpr OperandRequirement constant_size_or_none{"an integer constant or DebugInfoNone", none, any_int | spec_int};
// Operands that the sets describe as 32-bit integers, without a sign. Tools write both.
constexpr OperandRequirement signless{"an OpConstant of a 32-bit integer type", 0, Unsigned32Thing | Signed32Thing};
constexpr OperandRequirement signless_line = signless.as(Role::Line);
constexpr OperandRequirement signless_column = signless.as(Role::Column);
constexpr OperandRequirement constant{"a constant", 0, any_constant};
constexpr OperandRequirement source{"DebugSource", own_bits(D::DebugSource), 0, Role::Source};
// The text of macros names a file by an OpString; compilers also write DebugSource.
constexpr OperandRequirement macro_source{"an OpString or DebugSource", own_bits(D::DebugSource), StringThing, Role::Source};
constexpr OperandRequirement line = number.as(Role::Line);
constexpr OperandRequirement column = number.as(Role::Column);
constexpr OperandRequirement type{"a debug type", types | none};
// A template parameter has a type, but is not one.
constexpr OperandRequirement plain_type{"a debug type other than a template parameter", (types & ~template_arguments) | none};
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
    any_int | spec_int, Role::Length};
constexpr OperandRequirement template_target{"DebugTypeComposite or DebugFunction",
    own_bits(D::DebugTypeComposite, D::DebugFunction)};
constexpr OperandRequirement template_argument{"a template parameter", template_arguments};
constexpr OperandRequirement argument_value{"an integer constant or DebugInfoNone", none, integer};
// If the variable is optimized out, an expression has its value.
constexpr OperandRequirement global{"a variable, a constant, DebugExpression or DebugInfoNone",
    own_bits(D::DebugExpression) | none, VariableThing | any_constant};
constexpr OperandRequirement enumerator{"an OpConstant of an integer type", 0, any_int};
constexpr OperandRequirement inlined{"DebugInlinedAt", own_bits(D::DebugInlinedAt)};
constexpr OperandRequirement local{"DebugLocalVariable", own_bits(D::DebugLocalVariable)};
constexpr OperandRequirement storage{"a variable or a function parameter", 0, VariableThing | ParameterThing};
constexpr OperandRequirement expression{"DebugExpression", own_bits(D::DebugExpression)};
constexpr OperandRequirement operation{"DebugOperation", own_bits(D::DebugOperation)};
constexpr OperandRequirement value_index{"an OpConstant of an integer type, a DebugLocalVariable or a DebugGlobalVariable",
    variables, any_int | OtherIntThing};
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
    {D::DebugTypePointer, {plain_type, number, number}},
    {D::DebugTypeQualifier, {plain_type, number}},
    {D::DebugTypeVector, {basic_type, number.as(Role::Count)}},
    {D::DebugTypedef, {string, plain_type, source, line, column, scope}},
    {D::DebugTypeFunction, {number, result_type, type.repeated()}},
    {D::DebugTypeEnum, {string, plain_type, source, line, column, scope, size.as(Role::Positive), number,
                        enumerator.repeated(), string}},
    {D::DebugTypeTemplate, {template_target, template_argument.repeated()}},
    {D::DebugTypeTemplateParameter, {string, plain_type, argument_value, source, line, column}},
    {D::DebugTypeTemplateTemplateParameter, {string, string, source, signless_line, signless_column}},
    {D::DebugTypeTemplateParameterPack, {string, source, signless_line, signless_column, template_argument.repeated()}},
    {D::DebugGlobalVariable, {string, plain_type, source, line, column, scope, string, global, signless, static_member}},
    {D::DebugFunctionDeclaration, {string, function_type, source, line, column, scope, string, number}},
    {D::DebugLexicalBlock, {source, line, column, scope, string}},
    {D::DebugLexicalBlockDiscriminator, {source, signless, scope}},
    {D::DebugScope, {scope, inlined}},
    {D::DebugNoScope, {}},
    {D::DebugInlinedAt, {number, scope, inlined}},
    {D::DebugLocalVariable, {string, type, source, line, column, scope, number, number}},
    {D::DebugInlinedVariable, {local, inlined}},
    {D::DebugDeclare, {local, storage, expression, index.repeated()}},
    {D::DebugValue, {local, anything, expression, value_index.repeated()}},
    {D::DebugOperation, {number.repeated()}},
    {D::DebugExpression, {operation.repeated()}},
    {D::DebugMacroDef, {macro_source, signless_line, string, string}},
    {D::DebugMacroUndef, {macro_source, signless_line, macro}},
    {D::DebugImportedEntity, {string, signless, source, anything, signless_line, signless_column, scope}},
    {D::DebugSource, {string, string}},
};

constexpr NonSemanticRow opencl_rows[] = {
    {D::DebugTypeBasic, {string, size}},
    {D::DebugTypeArray, {plain_type, length.repeated()}},
    {D::DebugTypeComposite, {string, number, source, line, column, scope, string, size_or_none, number, member.repeated()}},
    {D::DebugTypeMember, {string, type, source, line, column, composite, size, size, number, constant}},
    {D::DebugTypeInheritance, {record, record, size, size}},
    {D::DebugTypePtrToMember, {type, composite}},
    {D::DebugFunction, {string, function_type, source, line, column, scope, string, number, number,
                        op_function_or_none, declaration}},
};

constexpr NonSemanticRow shader_rows[] = {
    {D::DebugTypeBasic, {string, size, number, number, number.from(101)}},
    {D::DebugTypeArray, {plain_type, variable_length.repeated()}},
    {D::DebugTypeComposite, {string, signless, source, line, column, scope, string, constant_size_or_none, number,
                             member.repeated()}},
    {D::DebugTypeMember, {string, type, source, line, column, constant_size, constant_size, number, constant}},
    {D::DebugTypeInheritance, {record, constant_size, constant_size, number}},
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
