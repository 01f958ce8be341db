// SPDX-License-Identifier: Apache-2.0
//
// Two tables say which operands are exceptions: those that may refer to what stands further down, and those that are not
// values. Both name the first word that is excepted, since exceptions stand behind the ordinary operands.
#include "spirv/validate/checks/module/ids.h"

#include <algorithm>
#include <iterator>

#include "spirv/module/opcode_traits.h"
#include "spirv/validate/checks/extended_sets/extended_sets.h"
#include "vireo/spirv/ext_insts.h"

namespace vireo::spirv {
namespace {

using enum Op;

// The words `first_word` to `last_word`, both included; without a last word all from the first one on.
struct Exception {
  Op opcode;
  std::uint16_t first_word;
  std::uint16_t last_word = 0xFFFF;
};

// clang-format off

// Forward references (2.4, last list): labels and functions; targets of what stands above all definitions; pointers that
// OpTypeForwardPointer announces.
constexpr Exception forward_references[] = {
    {OpEntryPoint, 1}, {OpConditionalEntryPointINTEL, 1}, {OpConditionalCapabilityINTEL, 1},
    {OpConditionalExtensionINTEL, 1}, {OpExecutionMode, 1}, {OpExecutionModeId, 1},
    {OpName, 1}, {OpMemberName, 1},
    {OpDecorate, 1}, {OpDecorateId, 1}, {OpDecorateString, 1}, {OpMemberDecorate, 1}, {OpMemberDecorateString, 1},
    {OpMemberDecorateIdEXT, 1}, {OpGroupDecorate, 2}, {OpGroupMemberDecorate, 2},
    {OpTypeForwardPointer, 1}, {OpTypeStruct, 2},
    {OpBranch, 1}, {OpBranchConditional, 2}, {OpSwitch, 2}, {OpLoopMerge, 1}, {OpSelectionMerge, 1}, {OpPhi, 3},
    {OpFunctionCall, 3, 3}, {OpConstantFunctionPointerINTEL, 3},
    {OpEnqueueKernel, 9, 9}, {OpGetKernelNDrangeSubGroupCount, 4, 4}, {OpGetKernelNDrangeMaxSubGroupSize, 4, 4},
    {OpGetKernelWorkGroupSize, 3, 3}, {OpGetKernelPreferredWorkGroupSizeMultiple, 3, 3},
    {OpGetKernelLocalSizeForSubgroupCount, 4, 4}, {OpGetKernelMaxNumSubgroups, 3, 3},
    {OpCooperativeMatrixPerElementOpNV, 4, 4}, {OpCooperativeMatrixReduceNV, 5, 5}, {OpCooperativeMatrixLoadTensorNV, 6},
    {OpExtInstWithForwardRefsKHR, 5}, {OpGraphEntryPointARM, 1, 1},
};

// Operands that need not be values: labels, types, strings, sets. What the grammar's classes say is not repeated here.
constexpr Exception not_values[] = {
    {OpFunction, 4}, {OpBranch, 1}, {OpBranchConditional, 2}, {OpSwitch, 2}, {OpLoopMerge, 1}, {OpSelectionMerge, 1},
    {OpPhi, 3}, {OpExtInst, 3}, {OpExtInstWithForwardRefsKHR, 3}, {OpLine, 1}, {OpConstantSizeOfEXT, 3},
    {OpUntypedVariableKHR, 3}, {OpUntypedAccessChainKHR, 3, 3}, {OpUntypedInBoundsAccessChainKHR, 3, 3},
    {OpUntypedPtrAccessChainKHR, 3, 3}, {OpUntypedInBoundsPtrAccessChainKHR, 3, 3}, {OpUntypedArrayLengthKHR, 3, 3},
    {OpCooperativeMatrixLengthKHR, 3}, {OpCooperativeMatrixLengthNV, 3}, {OpUntypedImageTexelPointerEXT, 3, 3},
    {OpAbortKHR, 1, 1}, {OpBufferPointerEXT, 3}, {OpGroupDecorate, 1}, {OpGroupMemberDecorate, 1},
    {OpSizeOf, 3}, {OpSpecConstantOp, 3}, {OpAliasDomainDeclINTEL, 2}, {OpAliasScopeDeclINTEL, 2},
    {OpAliasScopeListDeclINTEL, 2}, {OpAsmINTEL, 3}, {OpAsmCallINTEL, 3, 3},
};

// Classes of the grammar whose operands may be any id.
constexpr std::string_view open_classes[] = {"Annotation", "Debug", "Mode-Setting", "Type-Declaration", "Extension"};

// clang-format on

// Extended instructions take values, but for those that only describe and take what their set says. OpPhi takes values
// and labels in turn.
bool takes_values(const Context& context, const Visit& visit, std::size_t word) {
  constexpr std::size_t first_value = 3;
  if (visit.op() == OpPhi) return word % 2 == first_value % 2;
  constexpr std::size_t first_operand = 5;
  return is_extended(visit.op()) && word >= first_operand && !is_non_semantic(context, visit) &&
         !is_older_debug_information(context, visit.view);
}

// Forward references of the older debug information: a function, and the members of a type, since each of them names
// the type. Instructions have the same numbers in both sets, but OpenCL's has one operand more, the linkage name.
bool describes_ahead(const Context& context, const Visit& visit, std::size_t word) {
  using D = OpenCL_DebugInfo_100;
  if (!is_extended(visit.op()) || !is_older_debug_information(context, visit.view)) return false;
  constexpr std::size_t function = 14, members = 14;
  const D inst{visit.word(4)};
  if (inst == D::DebugFunction) return word == function;
  const ImportRow* import = import_of(context, visit.view);
  const bool is_plain = import != nullptr && named_set(import->name).set == KnownSet::PlainDebug;
  return inst == D::DebugTypeComposite && word >= members - (is_plain ? 1 : 0);
}

// Names and decorations are about an id and take nothing of it.
bool only_annotates(Op op) {
  return op == OpName || op == OpDecorate || op == OpDecorateId || op == OpDecorateString || op == OpGroupDecorate;
}

}  // namespace

IdCheck::IdCheck(const Context& context, const VisitedIds& visited)
    : context_(context),
      visited_(visited),
      exceptions_(context.grammar()),
      missing_begins_(context.fragments.missing_ids()),
      missing_parameters_(context.fragments.missing_parameters()) {}

// Worked out for opcodes that a module has, when an operand of theirs first asks.
IdCheck::Exceptions IdCheck::find_exceptions(const InstructionRow& row) const {
  const Grammar& grammar = context_.grammar();
  const std::string_view name = grammar.text(grammar.printing_classes[row.printing_class]);
  Exceptions exceptions;
  const auto operands = grammar.operands(row.operands);
  const auto has_kind = [&](KindId kind) {
    return std::ranges::any_of(operands, [&](const OperandRow& operand) { return operand.kind == kind; });
  };
  // With a tensor's layout beside a memory access, an operand does not show which of the two masks its parameter
  // belongs to.
  exceptions.takes_parameters = (has_kind(context_.kinds.image_operands) || has_kind(context_.kinds.memory_access)) &&
                                !has_kind(context_.kinds.tensor_addressing);
  const bool is_open = std::find(std::begin(open_classes), std::end(open_classes), name) != std::end(open_classes);
  if (is_open || grammar.text(row.name).starts_with("OpType")) exceptions.open = {1, 0xFFFF};
  const auto read = [&](std::span<const Exception> table, WordRun& run) {
    for (const Exception& exception : table) {
      if (exception.opcode == row.opcode) run = {exception.first_word, exception.last_word};
    }
  };
  // What a newer grammar brings for the sections before the globals speaks of ids that are defined further down.
  const bool is_new = builtin_grammar().find_opcode(row.opcode) == nullptr;
  if (is_new && traits_of(grammar, &row).home <= Section::Annotations) exceptions.ahead = {1, 0xFFFF};
  read(forward_references, exceptions.ahead);
  read(not_values, exceptions.open);
  return exceptions;
}

// The operands of OpSpecConstantOp are those of the operation in it, one word further behind.
IdCheck::Asked IdCheck::asked_of(const Visit& visit, const Operand& operand) {
  const bool is_of_operation = visit.decoded->spec_row != nullptr && operand.word > 3;
  const InstructionRow& row = is_of_operation ? *visit.decoded->spec_row : *visit.decoded->row;
  const Exceptions& exceptions = exceptions_.of(row.opcode, [&] { return find_exceptions(row); });
  return {exceptions, static_cast<std::uint16_t>(operand.word - (is_of_operation ? 1 : 0))};
}

bool IdCheck::tell_missing(Word id, InstructionView user, Place place, Report& report) {
  const InstructionIndex definition = context_.module.definition(id);
  if (definition.is_none()) {
    if (undefined_.insert(id).second) report.add(Rule::UndefinedId, place, {id_text(context_, id)});
    return true;
  }
  if (definition < place.instruction) return false;
  if (!too_early_.insert(id).second) return true;
  report.add(Rule::ForwardReference, place, {id_text(context_, id), op_text(context_, user.opcode)});
  report.note({definition, 0}, "defined here");
  return true;
}

// The undefined id may be one that was lost with a missing line, which was reported where the line should stand.
void IdCheck::tell_undefined(const Visit& visit, const Operand& operand, Report& report) {
  const Word id = visit.word(operand.word);
  // A function or block.
  const bool may_be_begin = missing_begins_ != 0 && asked_of(visit, operand).exceptions.ahead.contains(operand.word);
  if (may_be_begin && undefined_.insert(id).second) --missing_begins_;
  // A parameter: used in a function that lacks some, or only named or decorated.
  const bool may_be_parameter =
      missing_parameters_ != 0 && (only_annotates(visit.op()) || context_.fragments.lacks_parameters(visit.function));
  if (may_be_parameter && undefined_.insert(id).second) --missing_parameters_;
  tell_missing(id, visit.view, visit.at(operand.word), report);
}

bool IdCheck::check(const Visit& visit, const Operand& operand, Report& report) {
  const Word id = visit.word(operand.word);
  if (id == 0) return false;  // the decoder's finding
  // A value may stand wherever a value or anything may, once it was defined.
  if (operand.shape == OperandShape::IdResultType ? visited_.is_type(id) : visited_.is_value(id)) return true;
  const InstructionIndex definition = context_.module.definition(id);
  if (definition.is_none()) {
    tell_undefined(visit, operand, report);
    return false;
  }
  // Few ids come this far: values that were defined before their use have passed.
  const Asked asked = asked_of(visit, operand);
  // Nor may an instruction use its own result, except in OpPhi (loops) and in branches of a block to itself.
  if (definition >= visit.index && !asked.exceptions.ahead.contains(asked.word) &&
      !describes_ahead(context_, visit, asked.word) && !context_.types.forward_pointer(id)) {
    // One message an id, as for undefined ones; the instruction counts as unsound each time.
    tell_missing(id, visit.view, visit.at(operand.word), report);
    return false;
  }
  return suits(visit, operand, asked, definition, report);
}

bool IdCheck::suits(const Visit& visit, const Operand& operand, const Asked& asked, InstructionIndex definition,
                    Report& report) {
  const Word id = visit.word(operand.word);
  const Place place = visit.at(operand.word);
  const bool is_open = asked.exceptions.open.contains(asked.word) && !takes_values(context_, visit, operand.word);
  if (is_open && visited_.is_type(id)) return true;
  // A result type is a type and nothing else; what is asked below is about operands.
  if (operand.shape == OperandShape::IdResultType) {
    const TypeRow* type = context_.types.find(id);
    if (type != nullptr && !type->is(TypeKind::Function)) return true;
    report.add(Rule::ResultType, place,
               {id_text(context_, id), type == nullptr ? "no type" : "a function type", op_text(context_, visit.op())});
    return false;
  }
  const InstructionView defining = context_.module.instruction(definition);
  if (is_non_semantic(context_, defining) && !is_non_semantic(context_, visit) && !only_annotates(visit.op())) {
    report.add(Rule::NonSemanticUse, place, {id_text(context_, id), op_text(context_, visit.op())});
    return false;
  }
  // What the parameters of an enumerant may be (layouts, functions) is the enumerant's to say. Those of images and of
  // memory accesses are values, or lists of aliases; scopes are always values.
  const bool is_scope = operand.shape == OperandShape::IdScope;
  if (operand.is_parameter && !is_scope && !asked.exceptions.takes_parameters) return true;
  const auto defined_by = defining.opcode;
  if (operand.is_parameter && (defined_by == OpAliasScopeListDeclINTEL || defined_by == OpAliasScopeDeclINTEL))
    return true;
  if (is_open) return true;
  if (context_.types.find(id) != nullptr) {
    report.add(Rule::TypeOperand, place, {id_text(context_, id), op_text(context_, visit.op())});
    return false;
  }
  // No type, no value: a label, a string, a set, a group of decorations.
  if (context_.module.type_of(defining) == 0) {
    report.add(Rule::ValueOperand, place,
               {id_text(context_, id), op_text(context_, visit.op()), op_text(context_, defining.opcode)});
    return false;
  }
  // Only instructions that may name a function ahead of its definition take functions at all.
  if (defining.opcode == OpFunction && !asked.exceptions.ahead.contains(asked.word)) {
    report.add(Rule::FunctionOperand, place, {id_text(context_, id), op_text(context_, visit.op())});
    return false;
  }
  return true;
}

}  // namespace vireo::spirv
