// SPDX-License-Identifier: Apache-2.0
//
// Computed values as expressions: `i < 4`, `color1 + s.v[2]`, `Sqrt(color2)`.
//
// An expression is one operator deep. Its operands are constants, names and the locations that values were loaded from.
// The result of another operator is written as its id. A table defines the operators, one row for each opcode.
#include <algorithm>
#include <iterator>

#include "spirv/text/annotate/annotate_remark.h"
#include "vireo/spirv/binary/views/composite.h"
#include "vireo/spirv/binary/views/constant_creation.h"
#include "vireo/spirv/binary/views/debug.h"
#include "vireo/spirv/binary/views/extension.h"
#include "vireo/spirv/binary/views/relational_and_logical.h"
#include "vireo/spirv/binary/views/sets/nonsemantic_shader_debuginfo.h"

namespace vireo::spirv {
namespace {

// The notations of operators. Each row selects one, so a new operator only needs a new row.
enum class Form : std::uint8_t {
  Infix,    ///< a + b
  Prefix,   ///< -a
  Call,     ///< dot(a, b): the operands at the positions that the row lists
  Convert,  ///< float(a), by the result type
};

struct OperatorRow {
  Op op;
  Form form;
  std::string_view text;
  std::string_view operands;  // Call: positions of the operands, one digit each
};

// The line shows the opcode, and so the signedness and ordering; thus `<` is used for all less-than comparisons. Sorted
// by opcode for binary search. An opcode without a row has no expression and no annotation.
constexpr OperatorRow operators[] = {
    {Op::OpImageSampleImplicitLod, Form::Call, "sample", "01"},
    {Op::OpImageSampleExplicitLod, Form::Call, "sample", "01"},
    {Op::OpImageSampleDrefImplicitLod, Form::Call, "sample", "012"},
    {Op::OpImageSampleDrefExplicitLod, Form::Call, "sample", "012"},
    {Op::OpImageFetch, Form::Call, "fetch", "01"},
    {Op::OpImageGather, Form::Call, "gather", "012"},
    {Op::OpImageRead, Form::Call, "read", "01"},
    {Op::OpImageWrite, Form::Call, "write", "012"},
    {Op::OpConvertFToU, Form::Convert, "", ""},
    {Op::OpConvertFToS, Form::Convert, "", ""},
    {Op::OpConvertSToF, Form::Convert, "", ""},
    {Op::OpConvertUToF, Form::Convert, "", ""},
    {Op::OpUConvert, Form::Convert, "", ""},
    {Op::OpSConvert, Form::Convert, "", ""},
    {Op::OpFConvert, Form::Convert, "", ""},
    {Op::OpBitcast, Form::Convert, "bits as ", ""},
    {Op::OpSNegate, Form::Prefix, "-", ""},
    {Op::OpFNegate, Form::Prefix, "-", ""},
    {Op::OpIAdd, Form::Infix, " + ", ""},
    {Op::OpFAdd, Form::Infix, " + ", ""},
    {Op::OpISub, Form::Infix, " - ", ""},
    {Op::OpFSub, Form::Infix, " - ", ""},
    {Op::OpIMul, Form::Infix, " * ", ""},
    {Op::OpFMul, Form::Infix, " * ", ""},
    {Op::OpUDiv, Form::Infix, " / ", ""},
    {Op::OpSDiv, Form::Infix, " / ", ""},
    {Op::OpFDiv, Form::Infix, " / ", ""},
    {Op::OpUMod, Form::Infix, " % ", ""},
    {Op::OpSRem, Form::Infix, " % ", ""},
    {Op::OpSMod, Form::Infix, " % ", ""},
    {Op::OpFRem, Form::Infix, " % ", ""},
    {Op::OpFMod, Form::Infix, " % ", ""},
    {Op::OpVectorTimesScalar, Form::Infix, " * ", ""},
    {Op::OpMatrixTimesScalar, Form::Infix, " * ", ""},
    {Op::OpVectorTimesMatrix, Form::Infix, " * ", ""},
    {Op::OpMatrixTimesVector, Form::Infix, " * ", ""},
    {Op::OpMatrixTimesMatrix, Form::Infix, " * ", ""},
    {Op::OpDot, Form::Call, "dot", "01"},
    {Op::OpAny, Form::Call, "any", "0"},
    {Op::OpAll, Form::Call, "all", "0"},
    {Op::OpIsNan, Form::Call, "isnan", "0"},
    {Op::OpIsInf, Form::Call, "isinf", "0"},
    {Op::OpLogicalEqual, Form::Infix, " == ", ""},
    {Op::OpLogicalNotEqual, Form::Infix, " != ", ""},
    {Op::OpLogicalOr, Form::Infix, " || ", ""},
    {Op::OpLogicalAnd, Form::Infix, " && ", ""},
    {Op::OpLogicalNot, Form::Prefix, "!", ""},
    {Op::OpIEqual, Form::Infix, " == ", ""},
    {Op::OpINotEqual, Form::Infix, " != ", ""},
    {Op::OpUGreaterThan, Form::Infix, " > ", ""},
    {Op::OpSGreaterThan, Form::Infix, " > ", ""},
    {Op::OpUGreaterThanEqual, Form::Infix, " >= ", ""},
    {Op::OpSGreaterThanEqual, Form::Infix, " >= ", ""},
    {Op::OpULessThan, Form::Infix, " < ", ""},
    {Op::OpSLessThan, Form::Infix, " < ", ""},
    {Op::OpULessThanEqual, Form::Infix, " <= ", ""},
    {Op::OpSLessThanEqual, Form::Infix, " <= ", ""},
    {Op::OpFOrdEqual, Form::Infix, " == ", ""},
    {Op::OpFUnordEqual, Form::Infix, " == ", ""},
    {Op::OpFOrdNotEqual, Form::Infix, " != ", ""},
    {Op::OpFUnordNotEqual, Form::Infix, " != ", ""},
    {Op::OpFOrdLessThan, Form::Infix, " < ", ""},
    {Op::OpFUnordLessThan, Form::Infix, " < ", ""},
    {Op::OpFOrdGreaterThan, Form::Infix, " > ", ""},
    {Op::OpFUnordGreaterThan, Form::Infix, " > ", ""},
    {Op::OpFOrdLessThanEqual, Form::Infix, " <= ", ""},
    {Op::OpFUnordLessThanEqual, Form::Infix, " <= ", ""},
    {Op::OpFOrdGreaterThanEqual, Form::Infix, " >= ", ""},
    {Op::OpFUnordGreaterThanEqual, Form::Infix, " >= ", ""},
    {Op::OpShiftRightLogical, Form::Infix, " >> ", ""},
    {Op::OpShiftRightArithmetic, Form::Infix, " >> ", ""},
    {Op::OpShiftLeftLogical, Form::Infix, " << ", ""},
    {Op::OpBitwiseOr, Form::Infix, " | ", ""},
    {Op::OpBitwiseXor, Form::Infix, " ^ ", ""},
    {Op::OpBitwiseAnd, Form::Infix, " & ", ""},
    {Op::OpNot, Form::Prefix, "~", ""},
    {Op::OpAtomicLoad, Form::Call, "atomic load", "0"},
    {Op::OpAtomicStore, Form::Call, "atomic store", "03"},
    {Op::OpAtomicExchange, Form::Call, "atomic exchange", "03"},
    {Op::OpAtomicCompareExchange, Form::Call, "atomic compare exchange", "045"},
    {Op::OpAtomicIIncrement, Form::Call, "atomic increment", "0"},
    {Op::OpAtomicIDecrement, Form::Call, "atomic decrement", "0"},
    {Op::OpAtomicIAdd, Form::Call, "atomic add", "03"},
    {Op::OpAtomicISub, Form::Call, "atomic subtract", "03"},
    {Op::OpAtomicSMin, Form::Call, "atomic min", "03"},
    {Op::OpAtomicUMin, Form::Call, "atomic min", "03"},
    {Op::OpAtomicSMax, Form::Call, "atomic max", "03"},
    {Op::OpAtomicUMax, Form::Call, "atomic max", "03"},
    {Op::OpAtomicAnd, Form::Call, "atomic and", "03"},
    {Op::OpAtomicOr, Form::Call, "atomic or", "03"},
    {Op::OpAtomicXor, Form::Call, "atomic xor", "03"},
    {Op::OpReturnValue, Form::Prefix, "return ", ""},
};
static_assert(std::ranges::is_sorted(operators, {}, &OperatorRow::op));

// Uses binary search, because it is called for each instruction of a module, and most have a row.
const OperatorRow* find_operator(Op op) {
  const auto* row = std::ranges::lower_bound(operators, op, {}, &OperatorRow::op);
  return row == std::end(operators) || row->op != op ? nullptr : row;
}

// Adds an operator with its operands: the words after the result or, in OpSpecConstantOp, after the opcode.
bool add_operation(Remark& remark, const OperatorRow& row, Word type, Words operands) {
  const auto operand = [&](std::size_t i) { add_value(remark, i < operands.size() ? operands[i] : 0); };
  switch (row.form) {
    case Form::Infix:
      operand(0);
      remark.add(row.text);
      operand(1);
      return true;
    case Form::Prefix:
      remark.add(row.text);
      operand(0);
      return true;
    case Form::Convert:
      remark.add(row.text);
      add_type(remark, type);
      remark.add("(");
      operand(0);
      remark.add(")");
      return true;
    case Form::Call:
      remark.add(row.text).add("(");
      for (const char& position : row.operands) {
        if (&position != row.operands.data()) remark.add(", ");
        operand(static_cast<std::size_t>(position - '0'));
      }
      remark.add(")");
      return true;
  }
  return false;
}

// The length of the annotation bounds the work, whatever the number of constituents.
void add_list(Remark& remark, Words ids) {
  for (std::size_t i = 0; i < ids.size() && !remark.is_full(); ++i) {
    if (i > 0) remark.add(", ");
    add_value(remark, ids[i]);
  }
}

// Adds a choice in C notation. OpSelect on vectors selects each component separately (specification, OpSelect); the
// type on the line shows this.
void add_choice(Remark& remark, View<Op::OpSelect> select) {
  add_value(remark, select.condition());
  remark.add(" ? ");
  add_value(remark, select.object_1());
  remark.add(" : ");
  add_value(remark, select.object_2());
}

// The operands of an operator: the words after the result type and the result, if it has these.
Words operands_of(const Remark& remark, InstructionView instruction) {
  const InstructionRow* row = remark.grammar.find_opcode(instruction.opcode);
  const std::size_t result = row == nullptr ? 0 : row->result_word();
  return instruction.words().subspan(std::min<std::size_t>(result + 1, instruction.word_count));
}

// ---- Extended instructions ------------------------------------------------------------------------------------------

// The OpString with the name of the object that debug information describes; a view with no words if there is none. The
// OpString is an operand, or the first operand of a debug instruction that an operand refers to. Debug types use only
// their own operands, because they can be built from other types. If a debug instruction has strings, the first one is
// the name of the object (OpenCL.DebugInfo.100 and NonSemantic.Shader.DebugInfo).
InstructionView debug_subject(const Remark& remark, InstructionView instruction, std::string_view name) {
  // In all debug instructions, the first operands contain the name (NonSemantic.Shader.DebugInfo: Name, or a scope or
  // source that has one). Later operands are numbers and flags.
  constexpr std::size_t max_looked_at = 4;
  const auto operands = View<Op::OpExtInst>(instruction).operands();
  for (std::size_t i = 0; i < std::min(operands.size(), max_looked_at); ++i) {
    InstructionView operand = remark.facts.definition(operands[i]);
    const auto other = as<Op::OpExtInst>(operand);
    if (other && !name.starts_with("DebugType")) {
      const auto operands_of_other = other->operands();
      operand = operands_of_other.empty() ? InstructionView{} : remark.facts.definition(operands_of_other[0]);
    }
    if (op_of(operand) == Op::OpString) return operand;
  }
  return {};
}

// DebugLine: file and line, in the format of OpLine.
void add_debug_line(Remark& remark, View<NonSemantic_Shader_DebugInfo::DebugLine> debug_line) {
  const View<NonSemantic_Shader_DebugInfo::DebugSource> source(remark.facts.definition(debug_line.source()));
  add_file_name(remark, remark.facts.definition(source.file()));
  // Only NonSemantic.Shader.DebugInfo has DebugLine, and all its operands are ids (SPV_KHR_non_semantic_info). So the
  // line is a constant.
  std::uint64_t line = 0;
  if (remark.facts.constant_index(debug_line.line_start(), line)) remark.add(":").add(line);
}

}  // namespace

// Handles the opcodes that no operator row covers: OpSelect with three operands, OpCompositeConstruct with any number,
// and OpSpecConstantOp, which contains another opcode.
bool add_expression(Remark& remark, InstructionView instruction) {
  const Op op = op_of(instruction);
  switch (op) {
    case Op::OpSelect: add_choice(remark, View<Op::OpSelect>(instruction)); return true;
    case Op::OpCompositeConstruct: {
      const View<Op::OpCompositeConstruct> construct(instruction);
      add_type(remark, construct.result_type());
      remark.add("(");
      add_list(remark, construct.constituents().words());
      remark.add(")");
      return true;
    }
    case Op::OpSpecConstantOp: {
      const View<Op::OpSpecConstantOp> constant(instruction);
      InstructionView operation = instruction;
      operation.opcode = constant.opcode();
      if (const auto select = as<Op::OpSelect>(operation)) {
        add_choice(remark, *select);
        return true;
      }
      const OperatorRow* row = find_operator(operation.opcode);
      return row != nullptr && add_operation(remark, *row, constant.result_type(), constant.operands().words());
    }
    default: break;
  }
  const OperatorRow* row = find_operator(op);
  return row != nullptr &&
         add_operation(remark, *row, ValueOperands(instruction).result_type(), operands_of(remark, instruction));
}

// Used for branches and switches: `if i < 4` is more informative than `%15`. The text is one level deep, like all
// expressions.
void add_condition(Remark& remark, Word value) {
  const std::size_t size = remark.size();
  const bool had_news = remark.has_news;
  // A name from OpName states the purpose of the condition; the expression only shows how it is computed.
  if (remark.facts.name_of(value).empty()) {
    remark.has_meaning = false;
    if (add_expression(remark, remark.facts.definition(value)) && remark.has_meaning) {
      remark.has_news = true;
      return;
    }
    remark.cut_back(size);  // an expression without a known name or value is less informative than the id
    remark.has_news = had_news;
  }
  add_value(remark, value);
}

// Handles only instructions that the grammar contains; others have no name.
bool remark_on_extended(Remark& remark, InstructionView instruction, const OperandDecoder& decoder) {
  if (op_of(instruction) != Op::OpExtInst) return false;
  const ExtInstRow* row = decoder.ext_inst();
  if (row == nullptr) return false;
  const std::string_view name = remark.grammar.text(row->name);
  // The line shows a number, so the name alone adds information (special_sets.h, prints_numbers).
  const bool shows_number = remark.grammar.sets[decoder.ext_inst_set().index()].prints_numbers;
  const InstructionView subject = debug_subject(remark, instruction, name);
  if (shows_number || subject.word_count != 0) {
    if (shows_number) remark.add(name);
    if (shows_number && subject.word_count != 0) remark.add(" ");
    if (name == "DebugLine") {
      add_debug_line(remark, View<NonSemantic_Shader_DebugInfo::DebugLine>(instruction));
    } else if (name == "DebugSource" || name == "DebugCompilationUnit") {
      add_file_name(remark, subject);
    } else if (subject.word_count != 0) {
      remark.add("\"").add_input(string_of(subject, OperandName::string)).add("\"");
    }
    remark.has_news = true;
    return true;
  }
  remark.add(name).add("(");
  bool is_operand = false;
  bool is_first = true;
  for (const Operand& operand : decoder.operands()) {
    if (remark.is_full()) break;
    if (is_operand) {
      if (!is_first) remark.add(", ");
      is_first = false;
      if (operand.shape == OperandShape::IdRef) {
        add_value(remark, instruction.word(operand.word));
      } else {
        remark.add(std::uint64_t{instruction.word(operand.word)});
      }
    }
    // Type, result, set and number precede the operands.
    is_operand = is_operand || operand.shape == OperandShape::LiteralExtInstInteger;
  }
  remark.add(")");
  return true;
}

}  // namespace vireo::spirv
