// SPDX-License-Identifier: Apache-2.0
//
// Debug information: where it stands, and what its operands are worth.
//
// The one idea: operands are looked at by their roles, not by their instructions. A line is the line of the source in
// front of it wherever the two stand; a count is a count. Only DebugLine and DebugFunctionDefinition say more.
//
// Sources: "OpenCL.DebugInfo.100", sections 2 and 3; "NonSemantic.Shader.DebugInfo", sections 2 and 4.
#include "spirv/validate/checks/extended_sets/debug_info.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "vireo/spirv/ext_insts.h"

namespace vireo::spirv {
namespace {

using D = NonSemantic_Shader_DebugInfo;

// The numbers of this set serve the older ones, too: what they share has the same numbers.
D inst_of(const ExtVisit& ext) { return D{ext.inst.number}; }

// --- where it stands ----------------------------------------------------------------------------------------------------

// What belongs to the code at its place. All three sets have these numbers.
bool describes_code(const ExtVisit& ext) {
  switch (inst_of(ext)) {
    case D::DebugScope:
    case D::DebugNoScope:
    case D::DebugDeclare:
    case D::DebugValue: return true;
    case D::DebugLine:
    case D::DebugNoLine:
    case D::DebugFunctionDefinition: return ext.set.set == KnownSet::ShaderDebug;
    default: return false;
  }
}

void report_place(const ExtVisit& ext, std::string_view found, std::string_view expected) {
  ext.report.add(Rule::DebugPlace, ext.visit.at(), {ext.name(), found, expected});
}

// In a function, not in a block: compilers say where parameters are before the first label.
void check_place(const ExtVisit& ext) {
  const auto functions = ext.context.module.functions();
  const bool is_in_function = !ext.visit.function.is_none();
  if (describes_code(ext)) {
    if (!is_in_function) report_place(ext, "outside of functions", "it in a function");
    return;
  }
  // What is in no function and behind the first one stands between two, or behind all.
  const bool is_behind = !functions.empty() && ext.visit.index.raw >= functions.front().all.first;
  if (is_in_function) report_place(ext, "in a function", "it in front of all functions");
  else if (is_behind) report_place(ext, "behind functions", "it in front of all functions");
}

// --- values by role -----------------------------------------------------------------------------------------------------

// Where an operand with a role stands; nothing when the instruction has none, or leaves it out.
std::optional<std::size_t> place_of(const ExtVisit& ext, const DescribingRow& row, Role role) {
  for (std::size_t i = 0; i < row.operand_count && ext.has_operand(i); ++i) {
    if (row.operands[i].role == role) return i;
  }
  return std::nullopt;
}

// The number that an operand is, or that the constant is whose id stands there.
std::optional<std::uint64_t> number_at(const ExtVisit& ext, std::size_t operand) {
  // Literals in the OpenCL set are ids of constants in the shaders' one, so the shape of the operand decides.
  constexpr std::size_t in_front = 4;  // type, result, set, number
  if (operand + in_front >= ext.visit.operands.size()) return std::nullopt;
  if (ext.visit.operands[operand + in_front].shape != OperandShape::IdRef) return ext.operand(operand);
  return ext.context.constants.as_u64(ext.operand(operand));
}

// Vectors and matrices of shaders have up to four; kernels know vectors of 8 and 16.
void check_count(const ExtVisit& ext, std::size_t operand) {
  const auto count = number_at(ext, operand);
  if (!count || (*count >= 1 && *count <= 4)) return;
  const bool is_opencl = ext.set.set == KnownSet::OpenClDebug;
  if (is_opencl && (*count == 8 || *count == 16)) return;
  ext.report.add(Rule::DebugCount, ext.at(operand),
                 {"the count", ext.name(), std::to_string(*count), is_opencl ? "1 to 4, 8 or 16" : "1 to 4"});
}

void check_positive(const ExtVisit& ext, std::size_t operand) {
  if (number_at(ext, operand) != 0) return;
  ext.report.add(Rule::DebugCount, ext.at(operand), {"the size", ext.name(), "0", "a positive number"});
}

// A variable that holds the length is an unsigned integer of 32 or 64 bits.
bool is_length_variable(const ExtVisit& ext, Word variable) {
  constexpr Word unsigned_encoding = 6;  // DebugBaseTypeAttributeEncoding
  // Word 6 of a variable is its type: behind result type, result, set and number come name and type. Words of
  // DebugTypeBasic are name, size in bits, encoding.
  const InstructionView type = ext.context.module.find(ext.context.module.find(variable).word(6));
  if (type.word_count < 8 || own_number(ext, type.word(2)) != static_cast<std::uint32_t>(D::DebugTypeBasic))
    return false;
  const std::uint64_t size = ext.context.constants.as_u64(type.word(6)).value_or(0);
  const std::uint64_t encoding =
      ext.set.set == KnownSet::ShaderDebug ? ext.context.constants.as_u64(type.word(7)).value_or(0) : type.word(7);
  return (size == 32 || size == 64) && encoding == unsigned_encoding;
}

// From the first length to the end, one for each dimension: a constant, or a variable that holds it at run time.
void check_lengths(const ExtVisit& ext, std::size_t first) {
  for (std::size_t i = first; ext.has_operand(i); ++i) {
    const Word id = ext.operand(i);
    if (own_number(ext, id)) {
      if (is_length_variable(ext, id)) continue;
      ext.report.add(Rule::DescribingOperand, ext.at(i),
                     {"Component Count", ext.name(), thing_text(ext, id), "one of an unsigned type of 32 or 64 bits"});
    } else if (ext.set.set == KnownSet::OpenClDebug && ext.context.constants.as_u64(id) == 0) {
      // In shaders 0 stands for an array whose length is known only when it runs.
      ext.report.add(Rule::DebugCount, ext.at(i), {"the length", ext.name(), "0", "a positive number"});
    }
  }
}

void check_indexes(const ExtVisit& ext, std::size_t first) {
  for (std::size_t i = first; ext.has_operand(i); ++i) {
    const TypeRow* type = ext.context.type_of(ext.operand(i));
    if (type == nullptr || type->is(TypeKind::Int)) continue;
    ext.report.add(Rule::DescribingOperand, ext.at(i),
                   {"an index", ext.name(), type_of_text(ext.context, ext.operand(i)), "an integer scalar"});
  }
}

// Children and parents are classes and structures: who inherits is no union.
void check_record(const ExtVisit& ext, std::size_t operand) {
  constexpr Word structure_tag = 1;  // DebugCompositeType; 0 is a class
  const InstructionView composite = ext.context.module.find(ext.operand(operand));
  if (composite.word_count < 7) return;
  const auto tag = ext.set.set == KnownSet::ShaderDebug ? ext.context.constants.as_u64(composite.word(6))
                                                        : std::optional<std::uint64_t>(composite.word(6));
  if (!tag || *tag <= structure_tag) return;
  ext.report.add(Rule::DescribingOperand, ext.at(operand),
                 {operand == 0 ? "the first type" : "the second type", ext.name(),
                  thing_text(ext, ext.operand(operand)), "a class or a structure"});
}

// --- lines and columns --------------------------------------------------------------------------------------------------

/// A line, or a place in it, as two operands say.
struct LinePlace {
  std::size_t line = 0, column = 0;  ///< numbers of operands; no column: the same as the line
};

// A column may be one behind the last: ranges end there. Line and column 0 say nothing.
void check_in_source(const ExtVisit& ext, const DebugSources& sources, Word source, LinePlace place) {
  // Without the text of a source nothing can be beyond it.
  const auto line = number_at(ext, place.line);
  const auto lines = sources.line_count(source);
  if (!line || !lines || *line == 0) return;
  if (*line > *lines) {
    ext.report.add(
        Rule::DebugBeyondSource, ext.at(place.line),
        {"the line", ext.name(), std::to_string(*line), std::to_string(*lines), id_text(ext.context, source)});
    return;
  }
  if (place.column == place.line) return;
  const auto column = number_at(ext, place.column);
  // In 64 bits: a column that a constant of that width says is compared as it is.
  const std::uint64_t most = std::uint64_t{sources.line_length(source, *line)} + 1;
  if (!column || *column <= most) return;
  ext.report.add(Rule::DebugBeyondSource, ext.at(place.column),
                 {"the column", ext.name(), std::to_string(*column), std::to_string(most),
                  fmt::format("line {} of {}", *line, id_text(ext.context, source))});
}

// Operands: the source, first and last line, first and last column.
void check_line(const ExtVisit& ext, const DebugSources& sources) {
  constexpr LinePlace first{1, 3}, last{2, 4};
  const auto first_line = number_at(ext, first.line), last_line = number_at(ext, last.line);
  const auto first_column = number_at(ext, first.column), last_column = number_at(ext, last.column);
  if (!first_line || !last_line) return;
  if (*first_line == 0) {
    ext.report.add(Rule::DebugRange, ext.at(first.line), {"line", "0", "lines from 1 on"});
    return;
  }
  if (*last_line < *first_line) {
    ext.report.add(Rule::DebugRange, ext.at(last.line),
                   {"the last line", std::to_string(*last_line), fmt::format("at least {}", *first_line)});
    return;
  }
  // Columns of different lines have no order.
  if (*first_line == *last_line && first_column && last_column && *last_column < *first_column) {
    ext.report.add(Rule::DebugRange, ext.at(last.column),
                   {"the last column", std::to_string(*last_column), fmt::format("at least {}", *first_column)});
    return;
  }
  check_in_source(ext, sources, ext.operand(0), last);
  // A place that is both first and last is told once.
  if (first_line != last_line || first_column != last_column) check_in_source(ext, sources, ext.operand(0), first);
}

// --- functions ----------------------------------------------------------------------------------------------------------

void check_definition(const ExtVisit& ext) {
  // Outside of functions check_place has told it.
  if (ext.visit.block.is_none()) return;
  const FunctionRow& function = ext.context.module.functions()[ext.visit.function.index()];
  if (ext.operand(1) != function.id) {
    ext.report.add(Rule::DebugDefinition, ext.at(1),
                   {"names " + id_text(ext.context, ext.operand(1)), id_text(ext.context, function.id)});
  } else if (ext.visit.block.raw != 0 && !ext.context.fragments.has_torn_blocks(ext.visit.function)) {
    ext.report.add(Rule::DebugDefinition, ext.visit.at(), {"behind the first block", "it in that block"});
  }
}

void check_values(const ExtVisit& ext, const DescribingRow& row, const DebugSources& sources) {
  if (const auto i = place_of(ext, row, Role::Count)) check_count(ext, *i);
  if (const auto i = place_of(ext, row, Role::Positive)) check_positive(ext, *i);
  if (const auto i = place_of(ext, row, Role::Length)) check_lengths(ext, *i);
  if (const auto i = place_of(ext, row, Role::Index)) check_indexes(ext, *i);
  for (std::size_t i = 0; i < row.operand_count && ext.has_operand(i); ++i) {
    if (row.operands[i].role == Role::Record) check_record(ext, i);
  }
  const auto source = place_of(ext, row, Role::Source), line = place_of(ext, row, Role::Line);
  if (ext.set.set != KnownSet::ShaderDebug || !source || !line) return;
  check_in_source(ext, sources, ext.operand(*source), {*line, place_of(ext, row, Role::Column).value_or(*line)});
}

}  // namespace

void check_debug_info(const ExtVisit& ext, const DescribedModule& described) {
  check_place(ext);
  const DescribingRow* row = find_describing(ext.set.set, ext.inst.number);
  // Values are read only from operands that are what they should be: what follows relies on it.
  if (row == nullptr || !check_described(ext, *row)) return;
  check_values(ext, *row, described.sources);
  if (ext.set.set != KnownSet::ShaderDebug) return;
  if (inst_of(ext) == D::DebugLine) check_line(ext, described.sources);
  if (inst_of(ext) == D::DebugFunctionDefinition) check_definition(ext);
}

}  // namespace vireo::spirv
