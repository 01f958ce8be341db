// SPDX-License-Identifier: Apache-2.0
//
// Debug information: positions of instructions and values of operands.
//
// Operands are checked by role, not by instruction. For example, one function checks the counts of all
// instructions, and a line is checked against the source operand of the same instruction. Only DebugLine and
// DebugFunctionDefinition have further checks.
//
// Sources: "OpenCL.DebugInfo.100", sections 2 and 3; "NonSemantic.Shader.DebugInfo", sections 2 and 4.
#include "spirv/validate/checks/extended_sets/debug_info.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "support/counted.h"
#include "vireo/spirv/binary/views/sets/nonsemantic_shader_debuginfo.h"
#include "vireo/spirv/binary/views/sets/opencl_debuginfo_100.h"

namespace vireo::spirv {
namespace {

using D = NonSemantic_Shader_DebugInfo;
using OpenClD = OpenCL_DebugInfo_100;

// All three sets use the same numbers for the instructions that they share.
D inst_of(const ExtInstCheck& c) { return D{c.inst.number}; }

// --- positions ----------------------------------------------------------------------------------------------------------

// Whether the instruction annotates the code at its position.
bool describes_code(const ExtInstCheck& c) {
  switch (inst_of(c)) {
    case D::DebugScope:
    case D::DebugNoScope:
    case D::DebugDeclare:
    case D::DebugValue: return true;
    case D::DebugLine:
    case D::DebugNoLine:
    case D::DebugFunctionDefinition: return c.set.set == KnownSet::ShaderDebug;
    default: return false;
  }
}

void report_place(const ExtInstCheck& c, std::string_view found, std::string_view expected) {
  c.report(Rule::DebugInstructionPosition, c.at(), {c.name(), found, expected});
}

// Code annotations must be in a function, but need not be in a block: compilers place annotations of parameters before
// the first label. All other debug instructions must precede all functions.
void check_place(const ExtInstCheck& c) {
  const auto functions = c.module.functions();
  const bool is_in_function = !c.function.is_none();
  if (describes_code(c)) {
    if (!is_in_function) report_place(c, "outside any function", "inside a function");
    return;
  }
  // Outside functions, an instruction after the first OpFunction is between two functions or after the last one.
  const bool is_after_functions = !functions.empty() && c.index.raw >= functions.front().all.first;
  if (is_in_function) report_place(c, "inside a function", "before all functions");
  else if (is_after_functions) report_place(c, "after a function", "before all functions");
}

// --- values by role -----------------------------------------------------------------------------------------------------

// The first operand with this role and all operands after it; empty if the instruction has no such operand or omits it.
IdList<IdKind::Any> operands_from(const ExtInstCheck& c, const NonSemanticRow& row, Role role) {
  const IdList<IdKind::Any> operands = c.own_operands();
  for (std::size_t i = 0; i < row.operand_count && i < operands.size(); ++i) {
    if (row.operands[i].role == role) return {operands.words().subspan(i), operands[i].word};
  }
  return {};
}
std::optional<AnyOperand> operand_of(const ExtInstCheck& c, const NonSemanticRow& row, Role role) {
  const IdList<IdKind::Any> operands = operands_from(c, row, role);
  return operands.empty() ? std::nullopt : std::optional<AnyOperand>(operands[0]);
}

// The value of a literal operand, or of the constant that an operand refers to.
std::optional<std::uint64_t> number_at(const ExtInstCheck& c, AnyOperand operand) {
  // The OpenCL set has literals where the shader set has ids of constants. The shape of the operand distinguishes them.
  const auto decoded = std::ranges::find(c.operands, operand.word, &Operand::word);
  if (decoded == c.operands.end()) return std::nullopt;
  if (decoded->shape != OperandShape::IdRef) return operand.id;
  return c.constants.as_u64(operand);
}

// Vectors have 1 to 4 components and matrices 1 to 4 columns. In kernels, vectors may also have 8 or 16 components.
void check_count(const ExtInstCheck& c, AnyOperand operand) {
  const auto count = number_at(c, operand);
  if (!count || (*count >= 1 && *count <= 4)) return;
  const bool is_opencl = c.set.set == KnownSet::OpenClDebug;
  if (is_opencl && (*count == 8 || *count == 16)) return;
  c.report(Rule::DebugCount, c.at(operand), {"the count", c.name(), *count, is_opencl ? "1 to 4, 8 or 16" : "1 to 4"});
}

void check_positive(const ExtInstCheck& c, AnyOperand operand) {
  if (number_at(c, operand) != 0) return;
  c.report(Rule::DebugCount, c.at(operand), {"the size", c.name(), "0", "a positive number"});
}

// "Validation Rules" of version 101: only a floating-point type has an FPEncoding, and each encoding has one size.
void check_float_encoding(const ExtInstCheck& c) {
  constexpr std::uint64_t float_encoding = 3;  // DebugBaseTypeAttributeEncoding
  constexpr std::uint8_t since = 101;
  const auto basic = c.as<D::DebugTypeBasic>();
  const auto encoded = basic.fp_encoding();
  if (!encoded || c.set.version < since) return;
  const auto kind = number_at(c, basic.encoding());
  if (kind && *kind != float_encoding) {
    c.report(Rule::NonSemanticOperand, c.at(basic.encoding()),
             {"operand 'Encoding'", c.name(), *kind, "Float (3), because it has an FPEncoding"});
    return;
  }
  const auto format = number_at(c, *encoded), size = number_at(c, basic.size());
  if (!format || !size) return;
  std::uint64_t wanted = 0;
  switch (static_cast<FPEncoding>(*format)) {
    case FPEncoding::BFloat16KHR: wanted = 16; break;
    case FPEncoding::Float8E4M3EXT:
    case FPEncoding::Float8E5M2EXT: wanted = 8; break;
    default: return;
  }
  if (*size == wanted) return;
  c.report(Rule::DebugCount, c.at(basic.size()),
           {"the size", c.name(), *size, fmt::format("{}, as its FPEncoding requires", wanted)});
}

// Whether a debug variable that holds a length has an unsigned integer type of 32 or 64 bits.
bool is_length_variable(const ExtInstCheck& c, Word id) {
  constexpr Word unsigned_encoding = 6;  // DebugBaseTypeAttributeEncoding
  // DebugGlobalVariable has its type at the same position.
  const View<D::DebugLocalVariable> variable(c.module.find(id));
  if (own_number(c, variable.type()) != static_cast<std::uint32_t>(D::DebugTypeBasic)) return false;
  const InstructionView type = c.module.find(variable.type());
  const View<D::DebugTypeBasic> basic(type);
  const std::uint64_t size = c.constants.as_u64(basic.size()).value_or(0);
  const std::uint64_t encoding = c.set.set == KnownSet::ShaderDebug ? c.constants.as_u64(basic.encoding()).value_or(0)
                                                                    : View<OpenClD::DebugTypeBasic>(type).encoding();
  return (size == 32 || size == 64) && encoding == unsigned_encoding;
}

// Checks the length of each array dimension: a constant, or a variable that holds it at run time.
void check_lengths(const ExtInstCheck& c, const IdList<IdKind::Any>& lengths) {
  for (const AnyOperand length : lengths) {
    if (own_number(c, length)) {
      if (is_length_variable(c, length)) continue;
      c.report(Rule::NonSemanticOperand, c.at(length),
               {"operand 'Component Count'", c.name(), thing_text(c, length),
                "a variable of a 32-bit or 64-bit unsigned integer type"});
    } else if (c.set.set == KnownSet::OpenClDebug && c.constants.as_u64(length) == 0) {
      // In the shader set, 0 means a runtime array.
      c.report(Rule::DebugCount, c.at(length), {"the length", c.name(), "0", "a positive number"});
    }
  }
}

void check_indexes(const ExtInstCheck& c, const IdList<IdKind::Any>& indexes) {
  for (const AnyOperand index : indexes) {
    const TypeRow& type = c.type_of(index);
    if (type.is(TypeKind::Int)) continue;
    c.report(Rule::NonSemanticOperand, c.at(index),
             {"an index", c.name(), "a value of type " + type_name(c, type.id), "an integer scalar"});
  }
}

// Both types of DebugTypeInheritance must be classes or structures: unions cannot inherit.
void check_record(const ExtInstCheck& c, AnyOperand operand, std::string_view noun) {
  constexpr Word structure_tag = 1;  // DebugCompositeType; 0 is a class
  const InstructionView composite = c.module.find(operand);
  const auto tag = c.set.set == KnownSet::ShaderDebug
                       ? c.constants.as_u64(View<D::DebugTypeComposite>(composite).tag())
                       : std::optional<std::uint64_t>(View<OpenClD::DebugTypeComposite>(composite).tag());
  if (!tag || *tag <= structure_tag) return;
  c.report(Rule::NonSemanticOperand, c.at(operand), {noun, c.name(), thing_text(c, operand), "a class or a structure"});
}

// --- lines and columns --------------------------------------------------------------------------------------------------

/// A line, or a position in it.
struct LinePlace {
  AnyOperand line;
  std::optional<AnyOperand> column;
};

// Checks a position against the text of its source. A column may be one past the end of the line, because a range may
// end there. Line 0 and column 0 mean no position.
void check_in_source(const ExtInstCheck& c, const DebugSources& sources, Word source, LinePlace place) {
  // If the source text is unknown, the position is not checked.
  const auto line = number_at(c, place.line);
  const auto lines = sources.line_count(source);
  if (!line || !lines || *line == 0) return;
  if (*line > *lines) {
    c.report(Rule::DebugSourcePosition, c.at(place.line),
             {"the line", c.name(), *line, source, "has " + counted(*lines, "line")});
    c.note({c.module.definition(source), 0}, "source declared here");
    return;
  }
  if (!place.column) return;
  const auto column = number_at(c, *place.column);
  // 64-bit arithmetic, since constants may have 64 bits.
  const std::uint64_t most = std::uint64_t{sources.line_length(source, *line)} + 1;
  if (!column || *column <= most) return;
  c.report(Rule::DebugSourcePosition, c.at(*place.column),
           {"the column", c.name(), *column, fmt::format("line {} of {}", *line, id_text(c, source)),
            fmt::format("ends at column {}", most)});
  c.note({c.module.definition(source), 0}, "source declared here");
}

void check_line(const ExtInstCheck& c, const DebugSources& sources) {
  const auto line = c.as<D::DebugLine>();
  const auto first_line = number_at(c, line.line_start()), last_line = number_at(c, line.line_end());
  const auto first_column = number_at(c, line.column_start()), last_column = number_at(c, line.column_end());
  if (!first_line || !last_line) return;
  if (*first_line == 0) {
    c.report(Rule::DebugRange, c.at(line.line_start()), {"operand 'Line Start'", "0", "1"});
    return;
  }
  if (*last_line < *first_line) {
    c.report(Rule::DebugRange, c.at(line.line_end()), {"operand 'Line End'", *last_line, *first_line});
    return;
  }
  // Columns are compared only within one line.
  if (*first_line == *last_line && first_column && last_column && *last_column < *first_column) {
    c.report(Rule::DebugRange, c.at(line.column_end()), {"operand 'Column End'", *last_column, *first_column});
    return;
  }
  check_in_source(c, sources, line.source(), {line.line_end(), line.column_end()});
  // If start and end are the same position, it is checked only once.
  if (first_line != last_line || first_column != last_column) {
    check_in_source(c, sources, line.source(), {line.line_start(), line.column_start()});
  }
}

// --- functions ----------------------------------------------------------------------------------------------------------

void check_definition(const ExtInstCheck& c) {
  // An instruction outside blocks is skipped; check_place reports one outside functions.
  if (c.block.is_none()) return;
  const FunctionRow& function = c.module.functions()[c.function.index()];
  const auto definition = c.as<D::DebugFunctionDefinition>().definition();
  if (definition != function.id) {
    c.report(Rule::DebugDefinition, c.at(definition),
             {"names " + id_text(c, definition), id_text(c, function.id) + ", the function that contains it"});
  } else if (c.block.raw != 0 && c.soundness.has_sound_blocks(c.function)) {
    c.report(Rule::DebugDefinition, c.at(), {"is after the first block of the function", "it in that block"});
  }
}

void check_values(const ExtInstCheck& c, const NonSemanticRow& row, const DebugSources& sources) {
  if (const auto count = operand_of(c, row, Role::Count)) check_count(c, *count);
  if (const auto size = operand_of(c, row, Role::Positive)) check_positive(c, *size);
  check_lengths(c, operands_from(c, row, Role::Length));
  check_indexes(c, operands_from(c, row, Role::Index));
  const IdList<IdKind::Any> operands = c.own_operands();
  for (std::size_t i = 0; i < row.operand_count && i < operands.size(); ++i) {
    if (row.operands[i].role != Role::Record) continue;
    check_record(c, operands[i], i == 0 ? "the first type" : "the second type");
  }
  const auto source = operand_of(c, row, Role::Source), line = operand_of(c, row, Role::Line);
  if (!source || !line) return;
  check_in_source(c, sources, *source, {*line, operand_of(c, row, Role::Column)});
}

}  // namespace

void check_debug_info(const ExtInstCheck& c, const DescribedModule& described) {
  check_place(c);
  const NonSemanticRow* row = find_describing(c.set.set, c.inst.number);
  // The value checks rely on operands of the right class, which check_described verifies.
  if (row == nullptr || !check_described(c, *row)) return;
  check_values(c, *row, described.sources);
  if (c.set.set != KnownSet::ShaderDebug) return;
  if (inst_of(c) == D::DebugTypeBasic) check_float_encoding(c);
  if (inst_of(c) == D::DebugLine) check_line(c, described.sources);
  if (inst_of(c) == D::DebugFunctionDefinition) check_definition(c);
}

}  // namespace vireo::spirv
