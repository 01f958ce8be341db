// SPDX-License-Identifier: Apache-2.0
//
// Checks of ids (ids.h). Two tables list exceptional operands: those that allow forward references, and those that need
// not be values. A row names the first exceptional operand of an opcode. The operands after it are usually also
// exceptional.
#include "spirv/validate/checks/module/ids.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "spirv/module/opcode_traits.h"
#include "spirv/validate/analysis/extended_sets.h"
#include "support/ascii.h"
#include "support/nearest.h"
#include "vireo/spirv/binary/views/constant_creation.h"
#include "vireo/spirv/binary/views/control_flow.h"
#include "vireo/spirv/binary/views/sets/debuginfo.h"
#include "vireo/spirv/binary/views/sets/opencl_debuginfo_100.h"
#include "vireo/spirv/grammar/ext_insts.h"

namespace vireo::spirv {
namespace {

using enum Op;

using Name = OperandName;

// The operand `first` and, unless `is_alone`, all operands after it.
struct Exception {
  Op opcode;
  OperandName first;
  bool is_alone = false;
};
constexpr bool alone = true;

// clang-format off

// Operands that allow forward references (2.4, last list): labels, functions, targets of instructions before all
// definitions, and pointers that OpTypeForwardPointer declares.
constexpr Exception forward_references[] = {
    {OpEntryPoint, Name::entry_point}, {OpConditionalEntryPointINTEL, Name::condition},
    {OpConditionalCapabilityINTEL, Name::condition}, {OpConditionalExtensionINTEL, Name::condition},
    {OpExecutionMode, Name::entry_point}, {OpExecutionModeId, Name::entry_point}, {OpName, Name::target},
    {OpMemberName, Name::type}, {OpDecorate, Name::target}, {OpDecorateId, Name::target},
    {OpDecorateString, Name::target}, {OpMemberDecorate, Name::structure_type},
    {OpMemberDecorateString, Name::struct_type}, {OpMemberDecorateIdEXT, Name::structure_type},
    {OpGroupDecorate, Name::targets}, {OpGroupMemberDecorate, Name::targets},
    {OpTypeForwardPointer, Name::pointer_type}, {OpTypeStruct, Name::member_types}, {OpBranch, Name::target_label},
    {OpBranchConditional, Name::true_label}, {OpSwitch, Name::default_}, {OpLoopMerge, Name::merge_block},
    {OpSelectionMerge, Name::merge_block}, {OpPhi, Name::variables}, {OpFunctionCall, Name::function, alone},
    {OpConstantFunctionPointerINTEL, Name::function}, {OpEnqueueKernel, Name::invoke, alone},
    {OpGetKernelNDrangeSubGroupCount, Name::invoke, alone}, {OpGetKernelNDrangeMaxSubGroupSize, Name::invoke, alone},
    {OpGetKernelWorkGroupSize, Name::invoke, alone}, {OpGetKernelPreferredWorkGroupSizeMultiple, Name::invoke, alone},
    {OpGetKernelLocalSizeForSubgroupCount, Name::invoke, alone}, {OpGetKernelMaxNumSubgroups, Name::invoke, alone},
    {OpCooperativeMatrixPerElementOpNV, Name::func, alone}, {OpCooperativeMatrixReduceNV, Name::combine_func, alone},
    {OpCooperativeMatrixLoadTensorNV, Name::memory_operand}, {OpExtInstWithForwardRefsKHR, Name::operands},
    {OpGraphEntryPointARM, Name::graph, alone},
};

// Operands that need not be values: labels, types, strings, imported sets. Instructions in the classes of open_classes
// have no rows here.
constexpr Exception not_values[] = {
    {OpFunction, Name::function_type}, {OpBranch, Name::target_label}, {OpBranchConditional, Name::true_label},
    {OpSwitch, Name::default_}, {OpLoopMerge, Name::merge_block}, {OpSelectionMerge, Name::merge_block},
    {OpPhi, Name::variables}, {OpExtInst, Name::set}, {OpExtInstWithForwardRefsKHR, Name::set}, {OpLine, Name::file},
    {OpConstantSizeOfEXT, Name::type}, {OpUntypedVariableKHR, Name::data_type},
    {OpUntypedAccessChainKHR, Name::base_type, alone}, {OpUntypedInBoundsAccessChainKHR, Name::base_type, alone},
    {OpUntypedPtrAccessChainKHR, Name::base_type, alone}, {OpUntypedInBoundsPtrAccessChainKHR, Name::base_type, alone},
    {OpUntypedArrayLengthKHR, Name::structure, alone}, {OpCooperativeMatrixLengthKHR, Name::type},
    {OpCooperativeMatrixLengthNV, Name::type}, {OpUntypedImageTexelPointerEXT, Name::image_type, alone},
    {OpAbortKHR, Name::message_type, alone}, {OpBufferPointerEXT, Name::buffer},
    {OpGroupDecorate, Name::decoration_group}, {OpGroupMemberDecorate, Name::decoration_group},
    {OpSizeOf, Name::pointer}, {OpSpecConstantOp, Name::opcode}, {OpAliasDomainDeclINTEL, Name::name},
    {OpAliasScopeDeclINTEL, Name::alias_domain}, {OpAliasScopeListDeclINTEL, Name::alias_scopes},
    {OpAsmINTEL, Name::asm_type}, {OpAsmCallINTEL, Name::asm_, alone}, {OpIsNodePayloadValidAMDX, Name::payload_type, alone},
    {OpUntypedVariableLengthArrayINTEL, Name::element_type, alone},
};

// Instruction classes of the grammar whose operands may be any kind of id.
constexpr std::string_view open_classes[] = {"Annotation", "Debug", "Mode-Setting", "Type-Declaration", "Extension"};

// clang-format on

// Whether an operand must be a value. Operands of extended instructions must, except for non-semantic ones and older
// debug information. The operands of OpPhi alternate between values and labels.
bool takes_values(const InstructionCheck& c, const Operand& operand) {
  if (c.op() == OpPhi) return (operand.word - c.as<OpPhi>().variables().word()) % 2 == 0;
  return is_extended(c.op()) && operand.word >= c.operand(Name::operands).word && !is_non_semantic(c) &&
         !is_older_debug_information(c, c.view);
}

// Whether the operand may be a forward reference in older debug information. A function may be, and so may a member of
// a composite type, because members also refer to their type. Both instruction sets use the same numbers, but the first
// member operand differs.
bool describes_ahead(const InstructionCheck& c, const Operand& operand) {
  using D = OpenCL_DebugInfo_100;
  if (!is_extended(c.op()) || !is_older_debug_information(c, c.view)) return false;
  const D inst{c.operand(Name::instruction).id};
  if (inst == D::DebugFunction) return operand.word == View<D::DebugFunction>(c.view).function().word;
  if (inst != D::DebugTypeComposite) return false;
  const ImportRow* import = import_of(c, c.view);
  const bool is_plain = import != nullptr && named_set(import->name).set == KnownSet::PlainDebug;
  const auto members =
      is_plain ? View<DebugInfo::DebugTypeComposite>(c.view).members() : View<D::DebugTypeComposite>(c.view).members();
  return operand.word >= members.word();
}

// The cause of findings about the ids of one instruction (Report::add_once).
std::string instruction_cause(const DecodedInstruction& inst) { return std::to_string(inst.index.raw); }

}  // namespace

IdCheck::IdCheck(const ModuleCheck& c, const DefinitionState& visited)
    : c_(c),
      visited_(visited),
      exceptions_(c.grammar()),
      missing_begins_(c.fragments.missing_ids()),
      missing_parameters_(c.fragments.missing_parameters()) {
  for (const LayoutViolation& violation : c.module.layout_violations()) {
    if (violation.kind == LayoutViolation::Kind::DefinedTwice) {
      ++duplicates_[c.module.function_at(violation.instruction)];
    }
  }
}

// Called on the first lookup of an opcode.
IdCheck::Exceptions IdCheck::find_exceptions(const InstructionRow& row) const {
  const Grammar& grammar = c_.grammar();
  const std::string_view name = grammar.text(grammar.printing_classes[row.printing_class]);
  Exceptions exceptions;
  const auto operands = grammar.operands(row.operands);
  const auto has_kind = [&](KindId kind) {
    return std::ranges::any_of(operands, [&](const OperandRow& operand) { return operand.kind == kind; });
  };
  // If an instruction has both tensor addressing operands and memory operands, the mask to which a parameter belongs is
  // unknown.
  exceptions.takes_parameters =
      (has_kind(c_.kinds.image_operands) || has_kind(c_.kinds.memory_access) || has_kind(c_.kinds.tensor_operands)) &&
      !has_kind(c_.kinds.tensor_addressing);
  const bool is_open = std::find(std::begin(open_classes), std::end(open_classes), name) != std::end(open_classes);
  if (is_open || grammar.text(row.name).starts_with("OpType")) exceptions.open = {1, 0xFFFF};
  const auto read = [&](std::span<const Exception> table, WordRun& run) {
    for (const Exception& exception : table) {
      if (exception.opcode != row.opcode) continue;
      const std::uint16_t first = word_of(row.opcode, exception.first);
      run = {first, exception.is_alone ? first : std::uint16_t{0xFFFF}};
    }
  };
  // If only a loaded, newer grammar defines an instruction that precedes the globals, its operands may be forward
  // references.
  const bool is_new = builtin_grammar().find_opcode(row.opcode) == nullptr;
  if (is_new && traits_of(grammar, &row).home <= Section::Annotations) exceptions.ahead = {1, 0xFFFF};
  read(forward_references, exceptions.ahead);
  read(not_values, exceptions.open);
  return exceptions;
}

// For OpSpecConstantOp, the operands of the inner operation are one word later than in the operation itself.
IdCheck::ExceptionLookup IdCheck::look_up_exceptions(const DecodedInstruction& inst, const Operand& operand) {
  const bool is_of_operation =
      inst.decoded->spec_row != nullptr && operand.word > inst.as<OpSpecConstantOp>().opcode().word;
  const InstructionRow& row = is_of_operation ? *inst.decoded->spec_row : *inst.decoded->row;
  const Exceptions& exceptions = exceptions_.of(row.opcode, [&] { return find_exceptions(row); });
  return {exceptions, static_cast<std::uint16_t>(operand.word - (is_of_operation ? 1 : 0))};
}

// Adds the hint "did you mean '%main'?" if the name of an undefined id is similar to that of a defined one.
void IdCheck::suggest_name(Word id) {
  // The search visits all ids, so only the first findings have this hint, and none in a very large module.
  constexpr std::size_t most_suggestions = 4;
  constexpr std::uint32_t most_instructions = 1 << 18;
  // Ids without a name are shown by number.
  const auto is_number = [](std::string_view name) { return std::ranges::all_of(name.substr(1), is_digit); };
  const Module& module = c_.module;
  const std::string name = id_text(c_, id);
  if (is_number(name) || module.instruction_count() > most_instructions || suggestions_ == most_suggestions) return;
  ++suggestions_;
  std::vector<std::string> candidates;
  for (const InstructionView view : module.views(module.all())) {
    const Word result = module.result_of(view);
    if (result != 0 && result != id) candidates.push_back(id_text(c_, result));
  }
  NearestNames nearest(std::string_view(name).substr(1));
  for (const std::string& candidate : candidates) {
    if (!is_number(candidate)) nearest.offer(std::string_view(candidate).substr(1));
  }
  if (!nearest.best().empty()) c_.hint(did_you_mean(fmt::format("%{}", nearest.best())));
}

bool IdCheck::report_undefined(Word id, Place place) {
  const InstructionIndex definition = c_.module.definition(id);
  if (definition.is_none()) {
    if (undefined_.insert(id).second) {
      c_.report(Rule::UndefinedId, place, {id});
      suggest_name(id);
    }
    return true;
  }
  if (definition < place.instruction) return false;
  if (!too_early_.insert(id).second) return true;
  c_.report(Rule::ForwardReference, place, {id});
  c_.findings.name_cause(Rule::ForwardReference, std::to_string(place.instruction.raw));
  c_.note({definition, 0}, "defined here");
  return true;
}

// Reports an undefined id, unless it may be the result of a missing OpFunction, OpLabel or OpFunctionParameter. Another
// check reports the missing instruction.
void IdCheck::report_undefined_operand(const InstructionCheck& c, const Operand& operand) {
  const Word id = c.view.word(operand.word);
  // The id may be the result of a missing OpFunction or OpLabel.
  const bool may_be_begin =
      missing_begins_ != 0 && look_up_exceptions(c, operand).exceptions.ahead.contains(operand.word);
  if (may_be_begin && undefined_.insert(id).second) --missing_begins_;
  // If another id is defined twice, the second definition probably has the wrong id. Such a definition explains one
  // undefined id: in the same function or, if it is outside functions, anywhere.
  for (const FunctionIndex function : {FunctionIndex::none(), c.function}) {
    const auto duplicates = duplicates_.find(function);
    if (duplicates == duplicates_.end() || duplicates->second == 0) continue;
    if (undefined_.insert(id).second) --duplicates->second;
    break;
  }
  // The id may be the result of a missing OpFunctionParameter: it is used in a function that lacks parameters, or only
  // named or decorated.
  const bool may_be_parameter =
      missing_parameters_ != 0 && (only_annotates(c.op()) || c_.fragments.lacks_parameters(c.function));
  if (may_be_parameter && undefined_.insert(id).second) --missing_parameters_;
  report_undefined(id, c.at(operand));
}

bool IdCheck::check_unusual(const InstructionCheck& c, const Operand& operand) {
  const Word id = c.view.word(operand.word);
  if (id == 0) return false;  // the decoder reports id 0
  const InstructionIndex definition = c_.module.definition(id);
  if (definition.is_none()) {
    report_undefined_operand(c, operand);
    return false;
  }
  const ExceptionLookup lookup = look_up_exceptions(c, operand);
  // An instruction cannot use its own result, except in OpPhi (loops) and in branches of a block to itself.
  if (definition >= c.index && !lookup.exceptions.ahead.contains(lookup.word) && !describes_ahead(c, operand) &&
      !c_.types.forward_pointer(id)) {
    // Each id has one finding, but the instruction is unsound at each use.
    report_undefined(id, c.at(operand));
    return false;
  }
  return is_right_class(c, operand, lookup, definition);
}

bool IdCheck::is_right_class(const InstructionCheck& c, const Operand& operand, const ExceptionLookup& lookup,
                             InstructionIndex definition) {
  const Word id = c.view.word(operand.word);
  const Place place = c.at(operand);
  const bool is_open = lookup.exceptions.open.contains(lookup.word) && !takes_values(c, operand);
  if (is_open && visited_.is_type(id)) return true;
  // A result type must be a type other than a function type. The checks below are for operands.
  if (operand.shape == OperandShape::IdResultType) {
    const TypeRow* type = c_.types.find(id);
    if (type != nullptr && !type->is(TypeKind::Function)) return true;
    if (c_.op_of(id) == OpDecorationGroup) return false;  // check_group_uses() reports it
    c.report_once(Rule::ResultType, place, instruction_cause(c),
                  {id, c.op(),
                   type == nullptr ? fmt::format("the result of {}", op_text(c_, c_.op_of(id)))
                                   : std::string("a function type")});
    c.note({definition, 0}, "{id} is defined here", {id});
    return false;
  }
  const InstructionView defining = c_.module.instruction(definition);
  if (is_non_semantic(c_, defining) && !is_non_semantic(c) && !only_annotates(c.op())) {
    c.report(Rule::NonSemanticUse, place, {c.op(), id});
    c.note({definition, 0}, "{id} is defined here", {id});
    return false;
  }
  // The enumerant determines the class of its parameters, such as a layout or a function, so most parameters are not
  // checked here. Parameters of image operands and memory operands are values or alias lists. Scopes are always values.
  const bool is_scope = operand.shape == OperandShape::IdScope;
  if (operand.is_parameter && !is_scope && !lookup.exceptions.takes_parameters) return true;
  const auto defined_by = defining.opcode;
  if (operand.is_parameter && (defined_by == OpAliasScopeListDeclINTEL || defined_by == OpAliasScopeDeclINTEL))
    return true;
  if (is_open) return true;
  if (c_.types.find(id) != nullptr) {
    // A value as the result type and a type as an operand are one fault: the two are exchanged.
    const std::string cause = instruction_cause(c);
    if (c.findings.join(Rule::ResultType, cause + ":" + std::to_string(operand.word), cause, Rule::TypeOperand)) {
      c.note(place, "{op} requires a value, but {id} is a type", {c.op(), id});
      return false;
    }
    c.report(Rule::TypeOperand, place, {c.op(), id});
    return false;
  }
  // Labels, strings, imported sets and decoration groups have no type, so they are not values.
  if (c_.module.type_of(defining) == 0) {
    // check_group_uses() reports each use of a decoration group.
    if (defining.opcode == OpDecorationGroup) return false;
    c.report(Rule::ValueOperand, place, {c.op(), id, defining.opcode});
    c.note({definition, 0}, "{id} is defined here", {id});
    return false;
  }
  // A function is valid only for an operand that allows forward references to functions.
  if (defining.opcode == OpFunction && !lookup.exceptions.ahead.contains(lookup.word)) {
    c.report(Rule::FunctionOperand, place, {id, c.op()});
    c.note({definition, 0}, "function declared here");
    return false;
  }
  return true;
}

}  // namespace vireo::spirv
