// SPDX-License-Identifier: Apache-2.0
//
// Statements and structured control flow of a random module (generator.h, specification 2.11).
//
// The generator writes its own blocks, not those of Builder::if_else(): it needs the label of each predecessor for phis, arms
// that fall through, and branches out of nested constructs.
#include <algorithm>
#include <vector>

#include "smith/generator.h"

namespace vireo::spirv {

namespace {
constexpr std::uint64_t most_cost = 4000;  // statements that an invocation executes in a function and its callees
}

void SmithGenerator::begin(LabelId label) {
  b_.begin_block(label);
  block_ = label;
}

// --- joins ------------------------------------------------------------------------------------------------------------

SmithGenerator::Join SmithGenerator::new_join(std::uint32_t most) {
  Join join;
  for (std::uint32_t count = random_.below(most + 1); count > 0; --count) join.types.push_back(random_type());
  join.sources.resize(join.types.size());
  join.label = b_.reserve<LabelId>();
  return join;
}

// The values come before a merge instruction or a branch.
void SmithGenerator::record(Join& join) {
  for (std::size_t i = 0; i < join.types.size(); ++i) {
    const ValueId source = leaf(join.types[i]);
    join.sources[i].push_back({source, block_});
  }
}

void SmithGenerator::begin(Join& join) {
  begin(join.label);
  for (std::size_t i = 0; i < join.types.size(); ++i) {
    values_.push_back({join.types[i], b_.OpPhi(types_[join.types[i]].id, join.sources[i])});
  }
}

// --- statements -------------------------------------------------------------------------------------------------------

void SmithGenerator::statements(std::uint32_t count) {
  for (; count > 0 && statements_left_ > 0; --count) {
    --statements_left_;
    body_.cost += body_.weight;
    statement();
  }
}

void SmithGenerator::statement() {
  switch (random_.below(16)) {
    case 0:
    case 1:
    case 2: return define();
    case 3:
    case 4:
    case 5: return store();
    case 6: return copy_memory();
    case 7: return call_any();
    case 8:
    case 9:
    case 10: return is_deep() ? define() : selection();
    case 11: return is_deep() ? store() : switch_();
    case 12:
    case 13: return is_deep() || body_.loops.size() >= 2 ? store() : loop();
    case 14: return leave_if();
    default: {
      const TypeRef type = random_type();
      const ValueId mixed = value(type, 2);
      return mix(digest({type, mixed}));
    }
  }
}

void SmithGenerator::define() {
  const TypeRef type = random_type();
  const ValueId id = value(type, 3);
  values_.push_back({type, id});
}

void SmithGenerator::store() {
  const TypeRef type = random_type();
  const ValueId stored = value(type, 3);
  if (const auto pointer = pointer_to(type, true)) return b_.OpStore(*pointer, stored);
  const Variable variable = new_local(type);
  b_.OpStore(variable.id, stored);
}

void SmithGenerator::copy_memory() {
  const TypeRef type = random_type();
  const auto source = pointer_to(type, false);
  if (!source) return define();
  const auto target = pointer_to(type, true);
  if (target) b_.OpCopyMemory(*target, *source);
}

// Pointers go to different variables: a parameter has no alias (2.18.2).
std::optional<ValueId> SmithGenerator::call(const Callee& callee) {
  if (body_.cost + body_.weight * callee.cost > most_cost) return std::nullopt;
  body_.cost += body_.weight * callee.cost;
  std::vector<ValueId> arguments;
  for (const TypeRef type : callee.values) arguments.push_back(value(type, 1));
  for (const TypeRef type : callee.pointers) {
    ValueId pointer;
    for (const Variable& each : body_.variables) {
      if (each.type == type && std::ranges::find(arguments, each.id) == arguments.end()) pointer = each.id;
    }
    arguments.push_back(pointer == ValueId() ? new_local(type).id : pointer);
  }
  const TypeId result = callee.result ? types_[*callee.result].id : b_.OpTypeVoid();
  return b_.OpFunctionCall(result, callee.id, arguments);
}

void SmithGenerator::call_any() {
  if (callees_.empty()) return define();
  const Callee& callee = random_.pick(callees_);
  const auto result = call(callee);
  if (result && callee.result) values_.push_back({*callee.result, *result});
}

// --- selections -------------------------------------------------------------------------------------------------------

// A block, from its label to the branch to the join. If it may leave, it may end a loop or the function instead.
void SmithGenerator::arm(LabelId label, Join& join, bool may_leave) {
  const std::size_t mark = values_.size();
  ++body_.nesting;
  begin(label);
  statements(1 + random_.below(4));
  if (may_leave && random_.one_in(4)) {
    leave();
  } else {
    record(join);
    b_.OpBranch(join.label);
  }
  --body_.nesting;
  values_.resize(mark);
}

void SmithGenerator::selection() {
  const ValueId choice = condition();
  Join merge = new_join(2);
  const auto then_label = b_.reserve<LabelId>();
  const bool has_else = random_.one_in(2);
  const LabelId else_label = has_else ? b_.reserve<LabelId>() : merge.label;
  if (!has_else) record(merge);
  b_.OpSelectionMerge(merge.label, random_.one_in(2) ? SelectionControl::None : SelectionControl::DontFlatten);
  b_.OpBranchConditional(choice, then_label, else_label);
  arm(then_label, merge, true);
  if (has_else) arm(else_label, merge, false);
  begin(merge);
}

void SmithGenerator::switch_() {
  const std::uint32_t width = random_.one_in(3) ? 64 : 32;
  const TypeRef type = types_.integer(width, random_.one_in(2));
  const ValueId whole = value(type, 2);
  const ValueId selector = op(Op::OpBitwiseAnd, type, {whole, constant_bits(type, 3)});
  Join merge = new_join(2);
  // The default: the merge block, an arm of its own, or (if the cases are complete) a place that is not reached.
  const std::uint32_t arms = 2 + random_.below(3);
  const bool is_complete = arms == 4 && random_.one_in(2);
  const bool has_default = is_complete || random_.one_in(2);
  const LabelId default_label = has_default ? b_.reserve<LabelId>() : merge.label;
  std::vector<LabelId> labels;
  std::vector<SwitchTarget> targets;
  for (std::uint32_t i = 0; i < arms; ++i) {
    labels.push_back(b_.reserve<LabelId>());
    targets.push_back({Number(i), labels.back()});
  }
  if (arms == 2) targets.push_back({Number(3u), labels.back()});
  if (!has_default) record(merge);
  b_.OpSelectionMerge(merge.label, SelectionControl::None);
  b_.OpSwitch(selector, default_label, targets);
  for (std::uint32_t i = 0; i < arms; ++i) {
    const bool is_last = i + 1 == arms;
    if (!is_last && random_.one_in(4)) {
      Join next = {.types = {}, .sources = {}, .label = labels[i + 1]};
      arm(labels[i], next, false);
    } else {
      arm(labels[i], merge, !is_last);
    }
  }
  if (is_complete) {
    begin(default_label);
    b_.OpUnreachable();
  } else if (has_default) {
    arm(default_label, merge, true);
  }
  begin(merge);
}

// --- loops ------------------------------------------------------------------------------------------------------------

// A loop of at most four iterations with a counter, and further phis. The test is in the header or after the body.
void SmithGenerator::loop() {
  const std::size_t mark = values_.size();
  ValueId limit = word(1 + random_.below(4));
  if (random_.one_in(2)) {
    const ValueId any = value(u32_, 2);
    limit = op(Op::OpBitwiseAnd, u32_, {any, word(3)});
  }
  const bool is_tested_first = random_.one_in(2);
  Join merge = new_join(2), next = new_join(2);
  Join header = {.types = next.types, .sources = {}, .label = b_.reserve<LabelId>()};
  header.sources.resize(header.types.size());
  record(header);
  std::vector<ValueId> carried;
  for (auto& sources : header.sources) {
    carried.push_back(b_.reserve<ValueId>());
    sources.push_back({carried.back(), next.label});
  }
  const ValueId next_count = b_.reserve<ValueId>();
  const LabelId before = block_;
  b_.OpBranch(header.label);

  begin(header);
  const ValueId count = b_.OpPhi(types_[u32_].id, {{word(0), before}, {next_count, next.label}});
  values_.push_back({u32_, count});
  const auto body = b_.reserve<LabelId>();
  if (is_tested_first) {
    const ValueId goes_on = op(Op::OpULessThan, bool_, {count, limit});
    record(merge);
    b_.OpLoopMerge(merge.label, next.label, {});
    b_.OpBranchConditional(goes_on, body, merge.label);
  } else {
    b_.OpLoopMerge(merge.label, next.label, {});
    b_.OpBranch(body);
  }
  body_.loops.push_back({&merge, &next});
  body_.weight *= 4;
  arm(body, next, false);
  body_.weight /= 4;
  body_.loops.pop_back();

  begin(next.label);
  for (std::size_t i = 0; i < next.types.size(); ++i) {
    b_.giving(carried[i]).OpPhi(types_[next.types[i]].id, next.sources[i]);
  }
  b_.giving(next_count).OpIAdd(types_[u32_].id, count, word(1));
  if (is_tested_first) {
    b_.OpBranch(header.label);
  } else {
    const ValueId goes_on = op(Op::OpULessThan, bool_, {next_count, limit});
    record(merge);
    b_.OpBranchConditional(goes_on, header.label, merge.label);
  }
  values_.resize(mark);
  begin(merge);
}

// Leaves a loop or the function, and ends the block.
void SmithGenerator::leave() {
  if (body_.loops.empty() || random_.one_in(4)) return return_();
  const LoopTargets& loop = body_.loops.back();
  Join& target = random_.one_in(2) ? *loop.merge : *loop.next;
  record(target);
  b_.OpBranch(target.label);
}

// A branch out of a loop needs no merge instruction.
void SmithGenerator::leave_if() {
  if (body_.loops.empty()) return define();
  const ValueId choice = condition();
  const LoopTargets& loop = body_.loops.back();
  Join& target = random_.one_in(2) ? *loop.merge : *loop.next;
  record(target);
  const auto rest = b_.reserve<LabelId>();
  if (random_.one_in(2)) b_.OpBranchConditional(choice, target.label, rest);
  else b_.OpBranchConditional(choice, rest, target.label);
  begin(rest);
}

void SmithGenerator::return_() {
  if (!body_.result) return b_.OpReturn();
  const ValueId result = value(*body_.result, 1);
  b_.OpReturnValue(result);
}

}  // namespace vireo::spirv
