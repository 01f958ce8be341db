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
#include "spirv/validate/checks/checks.h"
#include "spirv/validate/checks/module/dominance.h"
#include "support/counted.h"
#include "vireo/spirv/binary/views/control_flow.h"

namespace vireo::spirv {
namespace {

using enum Op;

// Whether a value of this type would need variable pointers, which the module does not allow.
bool needs_variable_pointers(const ModuleCheck& c, const TypeRow& type) {
  return is_logical_pointer(c, type) && !c.has_variable_pointers() && !c.has(Feature::RelaxLogicalPointer);
}

// --- OpPhi --------------------------------------------------------------------------------------------------------------

// The result type of OpPhi cannot be void. In shaders, it cannot be an image, sampler or sampled image. A logical
// pointer is valid only with variable pointers.
void check_phi_type(const InstructionCheck& c) {
  const TypeRow& type = c.types.of(c.type);
  const auto refuse = [&](std::string_view reason) { c.report(Rule::PhiType, c.at_type(), {c.type, reason}); };
  if (type.is(TypeKind::Void)) return refuse("");
  if (needs_variable_pointers(c, type)) {
    refuse(variable_pointer_text(c, type.storage));
    return hint_variable_pointers(c, type.storage);
  }
  const bool is_handle = type.is(TypeKind::Image) || type.is(TypeKind::Sampler) || type.is(TypeKind::SampledImage);
  if (is_handle && c.is_shader() && !c.has(Capability::BindlessTextureNV) && !c.has(Feature::BeforeHlslLegalization)) {
    refuse("; images, samplers and sampled images cannot be selected");
  }
}

// The predecessors of the block that have no value in OpPhi. `parents` is sorted.
std::vector<LocalBlock> missing_parents(const DecodedInstruction& inst,
                                        std::span<const IdOperand<IdKind::Label>> parents) {
  std::vector<LocalBlock> missing;
  LocalBlock last;
  for (const LocalBlock predecessor : inst.flow->plain().predecessors(inst.block)) {
    if (predecessor == last) continue;  // duplicates are adjacent
    last = predecessor;
    const Word label = inst.flow->block(predecessor).label;
    if (!std::ranges::binary_search(parents, label, {}, &IdOperand<IdKind::Label>::id)) missing.push_back(predecessor);
  }
  return missing;
}

// OpPhi must list every predecessor exactly once, and no other block.
void check_phi_parents(const InstructionCheck& c) {
  // The graph of branches, without the edges that structured control flow adds.
  const auto predecessors = c.flow->plain().predecessors(c.block);
  const auto sources = c.as<OpPhi>().variables();
  // Sorted for binary searches, because a block may have thousands of predecessors. The order of equal ids is that of
  // the operands.
  using Parent = IdOperand<IdKind::Label>;
  std::vector<Parent> parents;
  for (const PhiOperand& source : sources) parents.push_back(source.parent);
  std::ranges::sort(parents, {}, [](const Parent& parent) { return std::pair(parent.id, parent.word); });
  // A wrong parent usually replaces a missing one.
  const auto note_missing = [&] {
    constexpr std::size_t most = 4;
    const std::vector<LocalBlock> missing = missing_parents(c, parents);
    for (std::size_t i = 0; i < missing.size() && i < most; ++i) {
      const BlockRow& block = c.flow->block(missing[i]);
      c.note({block.terminator, 0}, "{id} is a predecessor, but has no value in OpPhi", {block.label});
    }
  };
  // Reports only the first error: later ones usually follow from it.
  for (const PhiOperand& source : sources) {
    const LocalBlock parent = c.flow->block_of(source.parent);
    if (parent.is_none() || !std::binary_search(predecessors.begin(), predecessors.end(), parent)) {
      c.report_once(
          Rule::PhiParent, c.at(source.parent), phi_cause(c.index),
          {source.parent, parent.is_none() ? "is not a block of this function" : "is not a predecessor of this block"});
      note_missing();
      return;
    }
  }
  if (const auto first = std::ranges::adjacent_find(parents, {}, &Parent::id); first != parents.end()) {
    const Parent& second = *std::next(first);
    c.report_once(Rule::PhiParent, c.at(second), phi_cause(c.index), {second, "is listed twice"});
    note_missing();
    return;
  }
  const std::vector<LocalBlock> missing = missing_parents(c, parents);
  if (missing.empty()) return;
  const BlockRow& block = c.flow->block(missing.front());
  c.report_once(Rule::PhiParent, c.at(), phi_cause(c.index),
                {block.label, "is a predecessor, but has no value in OpPhi"});
  c.note({block.terminator, 0}, "branch to this block");
}

void check_phi(const InstructionCheck& c) {
  check_phi_type(c);
  // Reports each value of the wrong type separately.
  for (const auto& [value, parent] : c.as<OpPhi>().variables()) {
    const TypeRow& type = c.type_of(value);
    if (type.id == c.type || !c.soundness.is_sound_word(c.at_type())) continue;
    const auto [found, expected] = type_names(c, type.id, c.type);
    c.report(Rule::PhiValue, c.at(value), {value, found, expected});
  }
  // The predecessors are unknown if the function has no control-flow graph or if the graph lacks edges. An edge is
  // missing if a branch target is not a block, or if a block lacks its label or terminator. structure.cpp and
  // layout.cpp report these errors.
  if (c.flow == nullptr || c.block.is_none() || !c.flow->bad_targets().empty()) return;
  if (c.soundness.has_sound_blocks(c.function)) check_phi_parents(c);
}

// --- branches -----------------------------------------------------------------------------------------------------------

// The specification requires two weights or none; the grammar allows any number of literals.
void check_branch_weights(const InstructionCheck& c) {
  const auto weights = c.as<OpBranchConditional>().branch_weights();
  if (weights.size() == 0) return;
  const auto add = [&](const std::string& found, std::string_view expected) {
    c.report(Rule::BranchWeights, c.at(weights), {found, expected});
  };
  if (weights.size() != 2) return add(counted(weights.size(), "branch weight"), "0 or 2");
  const Word first = weights[0], second = weights[1];
  const std::string both = fmt::format("branch weights {} and {}", first, second);
  if (first == 0 && second == 0) add(both, "at least one that is not zero");
  if (second > std::numeric_limits<Word>::max() - first) add(both, "a sum of at most 4294967295");
}

void check_branch_conditional(const InstructionCheck& c) {
  const auto branch = c.as<OpBranchConditional>();
  const TypeRow& condition = c.type_of(branch.condition());
  if (!condition.is(TypeKind::Bool)) { c.report(Rule::BranchCondition, c.at(branch.condition()), {condition.id}); }
  check_branch_weights(c);
  // Before SPIR-V 1.6, the two targets may be equal.
  if (c.version() >= Version{1, 6} && branch.true_label() == branch.false_label()) {
    const std::string target = id_text(c, branch.true_label());
    c.report(Rule::BranchTargetsDiffer, c.at(branch.false_label()), {target});
    // OpSelectionMerge cannot precede OpBranch; OpLoopMerge can.
    const bool has_selection =
        c.flow != nullptr && !c.block.is_none() && c.flow->merge(c.block).kind == MergeRow::Kind::Selection;
    c.hint("use OpBranch {text}{text}", {target, has_selection ? " without OpSelectionMerge" : ""});
  }
}

// Each literal selects one target.
void check_switch_literals(const InstructionCheck& c, const TypeRow& selector) {
  std::vector<std::pair<std::uint64_t, std::uint16_t>> literals;  // values with their words
  for (const Operand& operand : c.operands) {
    if (operand.shape != OperandShape::LiteralContextDependentNumber) continue;
    const std::uint64_t high = operand.word_count == 1 ? 0 : c.view.word(operand.word + 1u);
    literals.emplace_back(high << 32 | c.view.word(operand.word), operand.word);
  }
  // Equal literals are adjacent after sorting, in the order of the instruction.
  std::ranges::sort(literals);
  for (std::size_t i = 1; i < literals.size(); ++i) {
    const auto [value, word] = literals[i];
    if (value != literals[i - 1].first) continue;
    const bool is_wide = selector.width > 32;
    const std::int64_t number = is_wide ? static_cast<std::int64_t>(value) : static_cast<std::int32_t>(value);
    c.report(Rule::SwitchLiterals, {c.index, word},
             {selector.is_signed ? std::to_string(number) : std::to_string(value)});
    c.note({c.index, literals[i - 1].second}, "first used here");
  }
}

// Checks the selector type. The decoder derives the width of the literals from it.
void check_switch(const InstructionCheck& c) {
  const auto the_switch = c.as<OpSwitch>();
  const TypeRow& selector = c.type_of(the_switch.selector());
  if (selector.is(TypeKind::Int)) return check_switch_literals(c, selector);
  c.report(Rule::SwitchSelector, c.at(the_switch.selector()), {selector.id});
}

// --- returns ------------------------------------------------------------------------------------------------------------

// Adds a note for the return type of a function.
void note_return_type(const ModuleCheck& c, const FunctionRow& function) {
  constexpr std::uint16_t result_type = 1;  // word of OpFunction
  c.note({c.module.definition(function.id), result_type}, "return type declared here");
}

void check_return(const InstructionCheck& c) {
  if (c.function.is_none()) return;
  const FunctionRow& function = c.module.functions()[c.function.index()];
  const TypeRow& type = c.types.of(result_of_function(c, c.module.find(function.id)));
  // The check of OpFunction reports an ill-typed function.
  if (type.kind == TypeKind::None || type.is(TypeKind::Function) || type.is(TypeKind::Void)) return;
  c.report(Rule::ReturnType, c.at(), {"OpReturn in " + id_text(c, function.id), type.id});
  note_return_type(c, function);
  c.hint("return a value with OpReturnValue");
}

void check_return_value(const InstructionCheck& c) {
  if (c.function.is_none()) return;
  const FunctionRow& function = c.module.functions()[c.function.index()];
  const Word wanted = result_of_function(c, c.module.find(function.id));
  const auto value = c.as<OpReturnValue>().value();
  const TypeRow& type = c.type_of(value);
  const TypeRow* expected = c.types.find(wanted);
  // An ill-typed function is reported at its OpFunction.
  if (expected == nullptr || expected->is(TypeKind::Function)) return;
  if (type.is(TypeKind::Void) || type.id != wanted) {
    const auto [found, expected_name] = type_names(c, type.id, wanted);
    c.report(Rule::ReturnType, c.at(value),
             {fmt::format("cannot return {} ({}) from {}", id_text(c, value), found, id_text(c, function.id)),
              expected_name});
    note_return_type(c, function);
    return;
  }
  // A returned pointer depends on the call, so it is a variable pointer.
  if (needs_variable_pointers(c, type)) {
    c.report(Rule::ReturnPointer, c.at(value), {value, type.id, variable_pointer_text(c, type.storage)});
    hint_variable_pointers(c, type.storage);
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

void check_loop_merge(const InstructionCheck& c) {
  const auto merge = c.as<OpLoopMerge>();
  if (merge.merge_block() == merge.continue_target()) {
    c.report(Rule::LoopTargetsDiffer, c.at(merge.continue_target()), {merge.merge_block()});
  }
  const auto control = merge.loop_control();
  for (const Contradiction& row : contradictions) {
    if (!control.has(row.first) || !control.has(row.second)) continue;
    c.report(Rule::LoopControl, c.at(control), {row.first, row.second});
  }
  const auto multiple = control.IterationMultiple();
  if (multiple && *multiple == 0) c.report(Rule::IterationMultiple, c.at(*multiple));
}

// --- lifetimes ----------------------------------------------------------------------------------------------------------

void check_lifetime(const InstructionCheck& c) {
  const auto lifetime = c.as<OpLifetimeStart>();  // OpLifetimeStop has the same operands
  const TypeRow& type = c.type_of(lifetime.pointer());
  if (!type.is_pointer() || type.storage != StorageClass::Function) {
    c.report(Rule::LifetimePointer, c.at(lifetime.pointer()), {c.op(), type.id});
  }
  // A nonzero size is a number of bytes and needs the Addresses capability. 0 means the whole variable (3.42.17,
  // OpLifetimeStart).
  if (lifetime.size() != 0 && !c.has(Capability::Addresses)) {
    c.report(Rule::LifetimeSize, c.at(lifetime.size()), {lifetime.size()});
  }
}

// A concrete type (2.2.2) has a size and a bit pattern.
bool is_concrete(const ModuleCheck& c, const TypeRow& type) {
  const TypeTraits others = TypeTrait::Void | TypeTrait::Bool | TypeTrait::Opaque | TypeTrait::Function;
  if (type.contains.has_any(others)) return false;
  if (!type.contains.has_any(TypeTrait::Pointer)) return true;
  return find_part(c, type, [&](const TypeRow& part) { return is_logical_pointer(c, part); }) == nullptr;
}

// The message must match the message type operand, which may also have layout decorations.
void check_abort(const InstructionCheck& c) {
  const auto abort = c.as<OpAbortKHR>();
  const TypeRow& message = c.type_of(abort.message());
  const auto type = abort.message_type();
  if (c.types.find(type) == nullptr) return c.wrong_part(type, "the message type", "a concrete type");
  if (message.id != type && !types_match(c, type, message.id, MatchLevel::Logical)) {
    c.mismatch(abort.message(), "the message", "the message type", type);
  } else if (!is_concrete(c, message)) {
    c.wrong_operand(abort.message(), "the message", "a value of a concrete type");
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
