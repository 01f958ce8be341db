// SPDX-License-Identifier: Apache-2.0
//
// The order of split barriers: each OpControlBarrierWaitEXT completes one OpControlBarrierArriveEXT of its scope, and
// the next arrival follows the wait.
//
// For each scope, a forward analysis computes which events may be the last one before an instruction: the start of the
// entry point, an arrival, or a wait. A finding needs that each path to the instruction violates the order, so paths
// that are never taken cause none. Bottom-up, each function gets the events that may be the last ones when it returns;
// then top-down the events before its calls.
//
// Source: Vulkan, "Runtime SPIR-V Validation".
#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "spirv/validate/checks/checks.h"
#include "spirv/validate/checks/groups/scopes.h"
#include "vireo/spirv/binary/views/function.h"
#include "vireo/spirv/module/call_graph.h"
#include "vireo/spirv/module/control_flow.h"

namespace vireo::spirv {
namespace {

using enum Op;

std::optional<std::uint64_t> scope_of(const ModuleCheck& c, InstructionView view) {
  return c.constants.as_u64(view.word(word_of(view.opcode, OperandName::execution)));
}

// A set of events. `before`: the last event before the function, whatever it was.
using Events = std::uint8_t;
constexpr Events start = 1, arrival = 2, wait = 4, before = 8, any = start | arrival | wait;

class SplitBarrierCheck {
 public:
  SplitBarrierCheck(const ModuleCheck& c, std::uint64_t scope)
      : c_(c), scope_(scope), at_return_(c.module.functions().size(), before), at_entry_(at_return_.size()) {}

  void run() {
    const CallGraph& calls = c_.facts.call_graph();
    for (const FunctionIndex function : calls.bottom_up()) {
      if (calls.is_recursive(function)) at_return_[function.index()] = any;
      else if (follow(function, before)) at_return_[function.index()] = at_return();
    }
    for (const EntryRow& entry : calls.entries()) at_entry_[entry.function.index()] |= start;
    const std::span<const FunctionIndex> order = calls.bottom_up();
    for (auto at = order.rbegin(); at != order.rend(); ++at) {
      const FunctionIndex function = *at;
      const Events at_entry = calls.is_recursive(function) ? any : at_entry_[function.index()];
      if (at_entry != 0 && follow(function, at_entry)) check_blocks();
    }
  }

 private:
  // Computes the events before each block of a function. Returns whether they are complete.
  bool follow(FunctionIndex function, Events at_entry) {
    const FunctionRow& row = c_.module.functions()[function.index()];
    if (row.is_declaration() || !c_.soundness.has_sound_blocks(function)) return false;
    flow_.read(c_.module, row, PostDominators::OfLoops);
    at_block_.assign(flow_.block_count(), 0);
    enter(LocalBlock(0), at_entry);
    while (!open_.empty() && c_.budget.spend()) {
      const LocalBlock block = open_.back();
      open_.pop_back();
      const Events after = pass(block, [](const auto&...) {});
      for (const LocalBlock next : flow_.plain().successors(block)) enter(next, after);
    }
    const bool is_complete = open_.empty();
    open_.clear();
    return is_complete;
  }

  void enter(LocalBlock block, Events events) {
    Events& known = at_block_[block.index()];
    if ((known | events) == known) return;
    known |= events;
    open_.push_back(block);
  }

  // Calls `visit` for each barrier of the scope, and each call, with the events before it. Returns the events after the
  // block.
  template <typename Visit>
  Events pass(LocalBlock block, Visit visit) const {
    Events last = at_block_[block.index()];
    for (const auto& [i, view] : c_.module.instructions(flow_.block(block).all)) {
      if (const auto call = as<OpFunctionCall>(view)) {
        const FunctionIndex callee = c_.module.function_of(call->function());
        visit(i, view, last, callee);
        const Events after = callee.is_none() ? before : at_return_[callee.index()];
        last = static_cast<Events>((after & ~before) | ((after & before) != 0 ? last : 0));
      } else if (is_split_barrier(view.opcode) && scope_of(c_, view) == scope_) {
        visit(i, view, last, FunctionIndex::none());
        last = view.opcode == OpControlBarrierArriveEXT ? arrival : wait;
      }
    }
    return last;
  }

  Events at_return() const {
    Events events = 0;
    for (const LocalBlock block : flow_.plain().order()) {
      const Op end = c_.module.instruction(flow_.block(block).terminator).opcode;
      if (end == OpReturn || end == OpReturnValue) events |= pass(block, [](const auto&...) {});
    }
    return events;
  }

  void check_blocks() {
    for (const LocalBlock block : flow_.plain().order()) {
      pass(block, [&](InstructionIndex i, InstructionView view, Events last, FunctionIndex callee) {
        if (!callee.is_none()) at_entry_[callee.index()] |= last;
        else if (view.opcode != OpFunctionCall) check_order(i, view.opcode, last);
      });
    }
  }

  void check_order(InstructionIndex i, Op op, Events last) const {
    if (op == OpControlBarrierArriveEXT) {
      if (last != arrival) return;
      c_.report(Rule::SplitBarrierOrder, {i, 0}, {op, "another arrival of its scope without a wait between them"});
      c_.vuid(13561);
    } else if (last != 0 && (last & arrival) == 0) {
      const bool is_first = last == start;
      c_.report(
          Rule::SplitBarrierOrder, {i, 0},
          {op, is_first ? "no arrival of its scope" : "another wait of its scope without an arrival between them"});
      c_.vuid(is_first ? 13559 : 13560);
    }
  }

  const ModuleCheck& c_;
  std::uint64_t scope_;
  std::vector<Events> at_return_, at_entry_;  // by function
  ControlFlow flow_;
  std::vector<Events> at_block_;  // of flow_
  std::vector<LocalBlock> open_;
};

}  // namespace

void check_split_barriers(const ModuleCheck& c) {
  if (!c.has(Capability::SplitBarrierEXT)) return;
  std::vector<std::uint64_t> scopes;
  for (const FunctionRow& function : c.module.functions()) {
    for (const auto& [i, view] : c.module.instructions(function.all)) {
      if (!is_split_barrier(view.opcode)) continue;
      const auto scope = scope_of(c, view);
      if (!scope) return;  // specialization decides which barriers have one scope
      if (std::ranges::find(scopes, *scope) == scopes.end()) scopes.push_back(*scope);
    }
  }
  for (const std::uint64_t scope : scopes) {
    if (!c.budget.spend(c.module.instruction_count())) return;
    SplitBarrierCheck(c, scope).run();
  }
}

}  // namespace vireo::spirv
