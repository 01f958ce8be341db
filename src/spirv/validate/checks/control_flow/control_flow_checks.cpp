// SPDX-License-Identifier: Apache-2.0
//
// Control-flow instructions (specification 3.42.17): checks of the operands of a single instruction.
//
// These checks need only the operands of the instruction, its block and its function. structure.cpp
// checks the order and nesting of blocks.
//
// Source: 3.42.17, 3.23 (loop control); SPV_KHR_abort for OpAbortKHR.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "spirv/validate/analysis/pointers.h"
#include "spirv/validate/analysis/type_matching.h"
#include "spirv/validate/analysis/type_parts.h"
#include "spirv/validate/checks/module/dominance.h"
#include "spirv/validate/engine/checks.h"
#include "spirv/validate/engine/type_error_reporter.h"
#include "support/counted.h"
#include "vireo/spirv/views/control_flow.h"

namespace vireo::spirv {
namespace {

using enum Op;

// Whether a value of this type would need variable pointers, which the module does not allow.
bool needs_variable_pointers(const Context& context, const TypeRow& type) {
  return is_logical_pointer(context, type) && !context.has_variable_pointers() &&
         !context.has(Feature::RelaxLogicalPointer);
}

// --- OpPhi --------------------------------------------------------------------------------------------------------------

// The result type of OpPhi cannot be void. In shaders, it cannot be an image, sampler or sampled image. A logical
// pointer is valid only with variable pointers.
void check_phi_type(const Context& context, const DecodedInstruction& visit, Report& report) {
  const TypeRow& type = context.types.of(visit.type);
  const auto refuse = [&](std::string_view reason) {
    report.add(Rule::PhiType, visit.at_type(), {type_name(context, visit.type), reason});
  };
  if (type.is(TypeKind::Void)) return refuse("");
  if (needs_variable_pointers(context, type)) {
    refuse(variable_pointer_text(context, type.storage));
    return hint_variable_pointers(context, report, type.storage);
  }
  const bool is_handle = type.is(TypeKind::Image) || type.is(TypeKind::Sampler) || type.is(TypeKind::SampledImage);
  if (is_handle && context.is_shader() && !context.has(Capability::BindlessTextureNV) &&
      !context.has(Feature::BeforeHlslLegalization)) {
    refuse("; images, samplers and sampled images cannot be selected");
  }
}

// The predecessors of the block that have no value in OpPhi. `parents` is sorted.
std::vector<LocalBlock> missing_parents(const DecodedInstruction& visit,
                                        std::span<const IdOperand<IdKind::Label>> parents) {
  std::vector<LocalBlock> missing;
  LocalBlock last;
  for (const LocalBlock predecessor : visit.flow->plain().predecessors(visit.block)) {
    if (predecessor == last) continue;  // duplicates are adjacent
    last = predecessor;
    const Word label = visit.flow->block(predecessor).label;
    if (!std::ranges::binary_search(parents, label, {}, &IdOperand<IdKind::Label>::id)) missing.push_back(predecessor);
  }
  return missing;
}

// OpPhi must list every predecessor exactly once, and no other block.
void check_phi_parents(const Context& context, const DecodedInstruction& visit, Report& report) {
  // The graph of branches, without the edges that structured control flow adds.
  const auto predecessors = visit.flow->plain().predecessors(visit.block);
  const auto sources = visit.as<OpPhi>().variables();
  // Sorted for binary searches, because a block may have thousands of predecessors. The order of equal ids is that of
  // the operands.
  using Parent = IdOperand<IdKind::Label>;
  std::vector<Parent> parents;
  for (const PhiOperand& source : sources) parents.push_back(source.parent);
  std::ranges::sort(parents, {}, [](const Parent& parent) { return std::pair(parent.id, parent.word); });
  // A wrong parent usually replaces a missing one.
  const auto note_missing = [&] {
    constexpr std::size_t most = 4;
    const std::vector<LocalBlock> missing = missing_parents(visit, parents);
    for (std::size_t i = 0; i < missing.size() && i < most; ++i) {
      const BlockRow& block = visit.flow->block(missing[i]);
      report.note({block.terminator, 0},
                  fmt::format("{} is a predecessor, but has no value in OpPhi", id_text(context, block.label)));
    }
  };
  // Reports only the first error: later ones usually follow from it.
  for (const PhiOperand& source : sources) {
    const LocalBlock parent = visit.flow->block_of(source.parent);
    if (parent.is_none() || !std::binary_search(predecessors.begin(), predecessors.end(), parent)) {
      report.add_once(Rule::PhiParent, visit.at(source.parent), phi_cause(visit.index),
                      {id_text(context, source.parent),
                       parent.is_none() ? "is not a block of this function" : "is not a predecessor of this block"});
      note_missing();
      return;
    }
  }
  if (const auto first = std::ranges::adjacent_find(parents, {}, &Parent::id); first != parents.end()) {
    const Parent& second = *std::next(first);
    report.add_once(Rule::PhiParent, visit.at(second), phi_cause(visit.index),
                    {id_text(context, second), "is listed twice"});
    note_missing();
    return;
  }
  const std::vector<LocalBlock> missing = missing_parents(visit, parents);
  if (missing.empty()) return;
  const BlockRow& block = visit.flow->block(missing.front());
  report.add_once(Rule::PhiParent, visit.at(), phi_cause(visit.index),
                  {id_text(context, block.label), "is a predecessor, but has no value in OpPhi"});
  report.note({block.terminator, 0}, "branch to this block");
}

void check_phi(const Context& context, const DecodedInstruction& visit, Report& report) {
  check_phi_type(context, visit, report);
  // Reports each value of the wrong type separately.
  for (const auto& [value, parent] : visit.as<OpPhi>().variables()) {
    const TypeRow& type = context.type_of(value);
    if (type.id == visit.type) continue;
    const auto [found, expected] = type_names(context, type.id, visit.type);
    report.add(Rule::PhiValue, visit.at(value), {id_text(context, value), found, expected});
  }
  // The predecessors are unknown if the function has no control-flow graph or if the graph lacks edges. An edge is
  // missing if a branch target is not a block, or if a block lacks its label or terminator. structure.cpp and
  // layout.cpp report these errors.
  if (visit.flow == nullptr || visit.block.is_none() || !visit.flow->bad_targets().empty()) return;
  if (context.soundness.has_sound_blocks(visit.function)) check_phi_parents(context, visit, report);
}

// --- branches -----------------------------------------------------------------------------------------------------------

// The specification requires two weights or none; the grammar allows any number of literals.
void check_branch_weights(const DecodedInstruction& visit, Report& report) {
  const auto weights = visit.as<OpBranchConditional>().branch_weights();
  if (weights.size() == 0) return;
  const auto add = [&](const std::string& found, std::string_view expected) {
    report.add(Rule::BranchWeights, visit.at(weights), {found, expected});
  };
  if (weights.size() != 2) return add(counted(weights.size(), "branch weight"), "0 or 2");
  const Word first = weights[0], second = weights[1];
  const std::string both = fmt::format("branch weights {} and {}", first, second);
  if (first == 0 && second == 0) add(both, "at least one that is not zero");
  if (second > std::numeric_limits<Word>::max() - first) add(both, "a sum of at most 4294967295");
}

void check_branch_conditional(const Context& context, const DecodedInstruction& visit, Report& report) {
  const auto branch = visit.as<OpBranchConditional>();
  const TypeRow& condition = context.type_of(branch.condition());
  if (!condition.is(TypeKind::Bool)) {
    report.add(Rule::BranchCondition, visit.at(branch.condition()), {type_name(context, condition.id)});
  }
  check_branch_weights(visit, report);
  // Before SPIR-V 1.6, the two targets may be equal.
  if (context.version() >= Version{1, 6} && branch.true_label() == branch.false_label()) {
    const std::string target = id_text(context, branch.true_label());
    report.add(Rule::BranchTargetsDiffer, visit.at(branch.false_label()), {target});
    // OpSelectionMerge cannot precede OpBranch; OpLoopMerge can.
    const bool has_selection = visit.flow != nullptr && !visit.block.is_none() &&
                               visit.flow->merge(visit.block).kind == MergeRow::Kind::Selection;
    report.hint(fmt::format("use OpBranch {}{}", target, has_selection ? " without OpSelectionMerge" : ""));
  }
}

// Each literal selects one target.
void check_switch_literals(const DecodedInstruction& visit, const TypeRow& selector, Report& report) {
  std::vector<std::pair<std::uint64_t, std::uint16_t>> literals;  // values with their words
  for (const Operand& operand : visit.operands) {
    if (operand.shape != OperandShape::LiteralContextDependentNumber) continue;
    const std::uint64_t high = operand.word_count == 1 ? 0 : visit.view.word(operand.word + 1u);
    literals.emplace_back(high << 32 | visit.view.word(operand.word), operand.word);
  }
  // Equal literals are adjacent after sorting, in the order of the instruction.
  std::ranges::sort(literals);
  for (std::size_t i = 1; i < literals.size(); ++i) {
    const auto [value, word] = literals[i];
    if (value != literals[i - 1].first) continue;
    const bool is_wide = selector.width > 32;
    const std::int64_t number = is_wide ? static_cast<std::int64_t>(value) : static_cast<std::int32_t>(value);
    report.add(Rule::SwitchLiterals, {visit.index, word},
               {selector.is_signed ? std::to_string(number) : std::to_string(value)});
    report.note({visit.index, literals[i - 1].second}, "first used here");
  }
}

// Checks the selector type. The decoder derives the width of the literals from it.
void check_switch(const Context& context, const DecodedInstruction& visit, Report& report) {
  const auto the_switch = visit.as<OpSwitch>();
  const TypeRow& selector = context.type_of(the_switch.selector());
  if (selector.is(TypeKind::Int)) return check_switch_literals(visit, selector, report);
  report.add(Rule::SwitchSelector, visit.at(the_switch.selector()), {type_name(context, selector.id)});
}

// --- returns ------------------------------------------------------------------------------------------------------------

// Adds a note for the return type of a function.
void note_return_type(const Context& context, const FunctionRow& function, Report& report) {
  constexpr std::uint16_t result_type = 1;  // word of OpFunction
  report.note({context.module.definition(function.id), result_type}, "return type declared here");
}

void check_return(const Context& context, const DecodedInstruction& visit, Report& report) {
  if (visit.function.is_none()) return;
  const FunctionRow& function = context.module.functions()[visit.function.index()];
  const TypeRow& type = context.types.of(result_of_function(context, context.module.find(function.id)));
  // The check of OpFunction reports an ill-typed function.
  if (type.kind == TypeKind::None || type.is(TypeKind::Function) || type.is(TypeKind::Void)) return;
  report.add(Rule::ReturnType, visit.at(),
             {"OpReturn in " + id_text(context, function.id), type_name(context, type.id)});
  note_return_type(context, function, report);
  report.hint("return a value with OpReturnValue");
}

void check_return_value(const Context& context, const DecodedInstruction& visit, Report& report) {
  if (visit.function.is_none()) return;
  const FunctionRow& function = context.module.functions()[visit.function.index()];
  const Word wanted = result_of_function(context, context.module.find(function.id));
  const auto value = visit.as<OpReturnValue>().value();
  const TypeRow& type = context.type_of(value);
  const TypeRow* expected = context.types.find(wanted);
  // An ill-typed function is reported at its OpFunction.
  if (expected == nullptr || expected->is(TypeKind::Function)) return;
  if (type.is(TypeKind::Void) || type.id != wanted) {
    const auto [found, expected_name] = type_names(context, type.id, wanted);
    report.add(
        Rule::ReturnType, visit.at(value),
        {fmt::format("cannot return {} ({}) from {}", id_text(context, value), found, id_text(context, function.id)),
         expected_name});
    note_return_type(context, function, report);
    return;
  }
  // A returned pointer depends on the call, so it is a variable pointer.
  if (needs_variable_pointers(context, type)) {
    report.add(Rule::ReturnPointer, visit.at(value),
               {id_text(context, value), type_name(context, type.id), variable_pointer_text(context, type.storage)});
    hint_variable_pointers(context, report, type.storage);
  }
}

// --- merge instructions -------------------------------------------------------------------------------------------------

// Two loop controls that are mutually exclusive (3.23).
struct Contradiction {
  LoopControl first, second;
};
constexpr Contradiction contradictions[] = {
    {LoopControl::Unroll, LoopControl::DontUnroll},
    {LoopControl::PeelCount, LoopControl::DontUnroll},
    {LoopControl::PartialCount, LoopControl::DontUnroll},
};

void check_loop_merge(const Context& context, const DecodedInstruction& visit, Report& report) {
  const auto merge = visit.as<OpLoopMerge>();
  if (merge.merge_block() == merge.continue_target()) {
    report.add(Rule::LoopTargetsDiffer, visit.at(merge.continue_target()), {id_text(context, merge.merge_block())});
  }
  const auto control = merge.loop_control();
  for (const Contradiction& row : contradictions) {
    if (!control.has(row.first) || !control.has(row.second)) continue;
    report.add(Rule::LoopControl, visit.at(control),
               {enumerant_text(context, row.first), enumerant_text(context, row.second)});
  }
  const auto multiple = control.IterationMultiple();
  if (multiple && *multiple == 0) report.add(Rule::IterationMultiple, visit.at(*multiple));
}

// --- lifetimes ----------------------------------------------------------------------------------------------------------

void check_lifetime(const Context& context, const DecodedInstruction& visit, Report& report) {
  const auto lifetime = visit.as<OpLifetimeStart>();  // OpLifetimeStop has the same operands
  const TypeRow& type = context.type_of(lifetime.pointer());
  if (!type.is_pointer() || type.storage != StorageClass::Function) {
    report.add(Rule::LifetimePointer, visit.at(lifetime.pointer()),
               {op_text(context, visit.op()), type_name(context, type.id)});
  }
  // A nonzero size is a number of bytes and needs the Addresses capability. 0 means the whole variable (3.42.17,
  // OpLifetimeStart).
  if (lifetime.size() != 0 && !context.has(Capability::Addresses)) {
    report.add(Rule::LifetimeSize, visit.at(lifetime.size()), {std::to_string(lifetime.size())});
  }
}

// A concrete type (2.2.2) has a size and a bit pattern.
bool is_concrete(const Context& context, const TypeRow& type) {
  const TypeTraits others = TypeTrait::Void | TypeTrait::Bool | TypeTrait::Opaque | TypeTrait::Function;
  if (type.contains.has_any(others)) return false;
  if (!type.contains.has_any(TypeTrait::Pointer)) return true;
  return find_part(context, type, [&](const TypeRow& part) { return is_logical_pointer(context, part); }) == nullptr;
}

// The message must match the message type operand, which may also have layout decorations.
void check_abort(const Context& context, const DecodedInstruction& visit, Report& report) {
  const TypeErrorReporter type_errors{context, visit, report};
  const auto abort = visit.as<OpAbortKHR>();
  const TypeRow& message = context.type_of(abort.message());
  const Word type = abort.message_type();
  if (context.types.find(type) == nullptr) return;
  if (message.id != type && !types_match(context, type, message.id, MatchLevel::Logical)) {
    type_errors.relation(abort.message(), "the message", "the message type", type);
  } else if (!is_concrete(context, message)) {
    type_errors.operand(abort.message(), "the message", "a value of a concrete type");
  }
}

}  // namespace

std::span<const Check> control_flow_checks() {
  static constexpr Check checks[] = {
      {{OpAbortKHR}, check_abort},
      {{OpPhi}, check_phi},
      {{OpBranchConditional}, check_branch_conditional},
      {{OpSwitch}, check_switch},
      {{OpReturn}, check_return},
      {{OpReturnValue}, check_return_value},
      {{OpLoopMerge}, check_loop_merge},
      {{OpLifetimeStart, OpLifetimeStop}, check_lifetime},
  };
  return checks;
}

}  // namespace vireo::spirv
