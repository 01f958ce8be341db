// SPDX-License-Identifier: Apache-2.0
//
// Computes the CallGraph of a Module from its Uses (call_graph.h).
//
// The uses of each function's id give its callers; transposing these edges gives the calls. Tarjan's
// search numbers functions when it enters them and closes components when it leaves them, with an explicit stack in
// place of recursion.
#include "vireo/spirv/module/call_graph.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "vireo/spirv/binary/views/mode_setting.h"
#include "vireo/spirv/grammar/enums.h"
#include "vireo/spirv/grammar/grammar.h"
#include "vireo/spirv/grammar/operand_names.h"

namespace vireo::spirv {

// Temporary data (numbers, stacks) is freed with the reader. The graph does not refer to the module.
class CallGraphReader {
 public:
  CallGraphReader(const Module& module, const Uses& uses)
      : module_(module), uses_(uses), count_(static_cast<std::uint32_t>(module.functions().size())) {}

  CallGraph read() && {
    read_uses();
    turn_calls_around();
    find_components();
    find_reached();
    return std::move(graph_);
  }

 private:
  // Rows of callers are grouped by callee, each group in word order, because the uses of an id are in word order. A
  // call is one use of one id, so there are no more rows than uses.
  void read_uses() {
    // The sizes are known, so reserve() avoids reallocation and unused capacity.
    graph_.caller_begins_.reserve(count_ + std::size_t{1});
    graph_.entry_begins_.reserve(count_ + std::size_t{1});
    graph_.caller_begins_.assign(1, 0);
    graph_.entry_begins_.assign(1, 0);
    for (std::uint32_t f = 0; f < count_; ++f) {
      const Word id = module_.functions()[f].id;
      // No operand refers to a function whose id repeats an earlier definition.
      const bool is_named = id != 0 && module_.definition(id).raw == module_.functions()[f].all.first;
      for (const Use& use : is_named ? uses_.of(id) : std::span<const Use>()) take(use, FunctionIndex(f));
      graph_.caller_begins_.push_back(static_cast<std::uint32_t>(graph_.callers_.size()));
      graph_.entry_begins_.push_back(static_cast<std::uint32_t>(graph_.entries_by_function_.size()));
    }
    // A second copy of these few rows, in word order; the first is grouped by function.
    graph_.entries_ = graph_.entries_by_function_;
    std::sort(graph_.entries_.begin(), graph_.entries_.end(),
              [](const EntryRow& a, const EntryRow& b) { return a.instruction < b.instruction; });
  }

  // Classifies a use of the id of `f`: an entry point, a call, or neither (a name, a decoration, an execution mode).
  void take(const Use& use, FunctionIndex f) {
    if (use.kind == UseKind::Mode) {
      if (is_entry_point(use)) graph_.entries_by_function_.push_back({use.instruction, f});
      return;
    }
    if (use.kind != UseKind::Operand || !takes_function(use)) return;
    // Outside of functions an id can be used (a constant function pointer), but not called.
    const FunctionIndex caller = caller_at(use.instruction);
    if (!caller.is_none()) graph_.callers_.push_back({caller, f, use.instruction});
  }

  // Uses of an id are in word order, so most are in the same function as the previous one.
  FunctionIndex caller_at(InstructionIndex i) {
    const bool is_same = !last_caller_.is_none() && module_.functions()[last_caller_.index()].all.contains(i);
    return is_same ? last_caller_ : last_caller_ = module_.function_at(i);
  }

  // Whether the operand takes a function: a callee, a kernel to enqueue, a callback. In any other operand a function is
  // an error. Extended instructions do not call functions; those of debug information describe them.
  [[nodiscard]] bool takes_function(const Use& use) const {
    using Name = OperandName;
    const InstructionView user = module_.instruction(use.instruction);
    switch (user.opcode) {
      case Op::OpExtInst:
      case Op::OpExtInstWithForwardRefsKHR: return false;
      // The callback is the parameter of DecodeFunc, after the memory operands.
      case Op::OpCooperativeMatrixLoadTensorNV: return use.word > word_of(user.opcode, Name::memory_operand);
      default: break;
    }
    for (const Name name : {Name::function, Name::invoke, Name::func, Name::combine_func}) {
      if (use.word == word_of(user.opcode, name)) return true;
    }
    // The operands of an instruction that only a loaded grammar defines are unknown here.
    return builtin_grammar().find_opcode(user.opcode) == nullptr;
  }

  [[nodiscard]] bool is_entry_point(const Use& use) const {
    const InstructionView user = module_.instruction(use.instruction);
    switch (user.opcode) {
      case Op::OpEntryPoint: return use.word == View<Op::OpEntryPoint>(user).entry_point().word;
      case Op::OpConditionalEntryPointINTEL:
        return use.word == View<Op::OpConditionalEntryPointINTEL>(user).entry_point().word;
      default: return false;
    }
  }

  // Transposes the calls by a counting sort. The number of calls of each caller gives the start of its row. Then each
  // call goes into the next free place of its row.
  void turn_calls_around() {
    std::vector<std::uint32_t>& begins = graph_.call_begins_;
    begins.assign(count_ + 1, 0);
    for (const CallRow& call : graph_.callers_) ++begins[call.caller.index() + 1];
    std::partial_sum(begins.begin(), begins.end(), begins.begin());
    std::vector<std::uint32_t> next(begins.begin(), begins.end());
    graph_.calls_.resize(graph_.callers_.size());
    for (const CallRow& call : graph_.callers_) graph_.calls_[next[call.caller.index()]++] = call;
    // The calls were grouped by callee. If one instruction refers to two functions, sort its calls by callee.
    for (std::uint32_t f = 0; f < count_; ++f) {
      if (begins[f + 1] - begins[f] < 2) continue;
      std::sort(graph_.calls_.begin() + begins[f], graph_.calls_.begin() + begins[f + 1],
                [](const CallRow& a, const CallRow& b) {
                  return std::pair(a.instruction, a.callee) < std::pair(b.instruction, b.callee);
                });
    }
  }

  // --- components ---

  // A function on the search path: the state that a recursive search would keep on the call stack.
  struct Frame {
    FunctionIndex function;
    std::uint32_t call;  // index of the next call to visit
  };

  // Tarjan: a function from which no earlier open function is reachable is the root of its component. The component
  // contains all functions that were entered after it and are not in a component yet. Each function is entered once and
  // each call visited once.
  void find_components() {
    number_.assign(count_, 0);
    lowest_.assign(count_, 0);
    graph_.components_.assign(count_, ComponentIndex::none());
    graph_.is_recursive_.assign(count_, 0);
    graph_.component_begins_.reserve(count_ + std::size_t{1});
    graph_.component_begins_.assign(1, 0);
    graph_.order_.reserve(count_);
    for (std::uint32_t f = 0; f < count_; ++f) {
      if (number_[f] == 0) search_from(FunctionIndex(f));
    }
  }

  void enter(FunctionIndex f) {
    number_[f.index()] = lowest_[f.index()] = ++last_number_;
    open_.push_back(f);
    stack_.push_back({f, 0});
  }

  void search_from(FunctionIndex root) {
    enter(root);
    while (!stack_.empty()) {
      Frame& top = stack_.back();
      const FunctionIndex f = top.function;
      const std::span<const CallRow> calls = graph_.calls(f);
      if (top.call < calls.size()) {
        const FunctionIndex callee = calls[top.call++].callee;
        // A component of one function is recursive only if it calls itself; larger ones are marked in close().
        if (callee == f) graph_.is_recursive_[f.index()] = 1;
        // Do not use `top` after this: enter() may reallocate the stack. A function in a closed component cannot reach
        // `f`.
        if (number_[callee.index()] == 0) enter(callee);
        else if (graph_.component(callee).is_none()) lower(f, number_[callee.index()]);
        continue;
      }
      stack_.pop_back();
      if (!stack_.empty()) lower(stack_.back().function, lowest_[f.index()]);
      if (lowest_[f.index()] == number_[f.index()]) close(f);
    }
  }

  void lower(FunctionIndex f, std::uint32_t number) { lowest_[f.index()] = std::min(lowest_[f.index()], number); }

  // Closes a component: `first`, and all functions that were entered after it and are not in a component yet.
  // Components are closed from callees to callers, so their numbers ascend in that direction; this is the order of
  // bottom_up().
  void close(FunctionIndex first) {
    const ComponentIndex component(graph_.component_begins_.size() - 1);
    const std::size_t begin = graph_.order_.size();
    FunctionIndex f;
    do {
      f = open_.back();
      open_.pop_back();
      graph_.components_[f.index()] = component;
      graph_.order_.push_back(f);
    } while (f != first);
    if (graph_.order_.size() - begin > 1) {
      for (std::size_t i = begin; i < graph_.order_.size(); ++i) graph_.is_recursive_[graph_.order_[i].index()] = 1;
    }
    graph_.component_begins_.push_back(static_cast<std::uint32_t>(graph_.order_.size()));
  }

  // --- entry points ---

  // One search from all entry points together, so that shared functions are visited once.
  void find_reached() {
    graph_.is_reached_.assign(count_, 0);
    std::vector<FunctionIndex> work;
    const auto reach = [&](FunctionIndex f) {
      if (graph_.is_reached_[f.index()] != 0) return;
      graph_.is_reached_[f.index()] = 1;
      work.push_back(f);
    };
    for (const EntryRow& entry : graph_.entries_) reach(entry.function);
    while (!work.empty()) {
      const FunctionIndex f = work.back();
      work.pop_back();
      for (const CallRow& call : graph_.calls(f)) reach(call.callee);
    }
  }

  const Module& module_;
  const Uses& uses_;
  std::uint32_t count_;
  FunctionIndex last_caller_ = FunctionIndex::none();
  CallGraph graph_;
  std::vector<std::uint32_t> number_;  // by function: its position in the search, from 1; 0: not entered
  std::vector<std::uint32_t> lowest_;  // by function: the lowest number of an open function that it reaches
  std::vector<FunctionIndex> open_;    // entered, and in no component yet
  std::vector<Frame> stack_;
  std::uint32_t last_number_ = 0;
};

CallGraph CallGraph::read(const Module& module, const Uses& uses) { return CallGraphReader(module, uses).read(); }

// --- walks --------------------------------------------------------------------------------------------------------------

// A function is marked with the number of the query. So the next query need not clear the marks, and its cost depends
// only on its result.
bool CallWalk::take(FunctionIndex f) {
  if (asked_[f.index()] == question_) return false;
  asked_[f.index()] = question_;
  found_.push_back(f);
  return true;
}

// The result is also the queue of the breadth-first search: nearest first.
std::span<const FunctionIndex> CallWalk::below(FunctionIndex f) {
  ++question_;
  found_.clear();
  take(f);
  for (std::size_t next = 0; next < found_.size();) {
    const FunctionIndex at = found_[next++];
    for (const CallRow& call : graph_.calls(at)) take(call.callee);
  }
  return found_;
}

std::span<const FunctionIndex> CallWalk::above(FunctionIndex f) {
  ++question_;
  found_.clear();
  take(f);
  for (std::size_t next = 0; next < found_.size();) {
    const FunctionIndex at = found_[next++];
    for (const CallRow& call : graph_.callers(at)) take(call.caller);
  }
  return found_;
}

std::span<const EntryRow> CallWalk::entries_above(FunctionIndex f) {
  entries_.clear();
  for (const FunctionIndex caller : above(f)) {
    const std::span<const EntryRow> rows = graph_.entries_of(caller);
    entries_.insert(entries_.end(), rows.begin(), rows.end());
  }
  // The callers are nearest first, so sort their rows. No row occurs twice, because an entry point refers to one
  // function.
  std::sort(entries_.begin(), entries_.end(),
            [](const EntryRow& a, const EntryRow& b) { return a.instruction < b.instruction; });
  return entries_;
}

// --- rows ---------------------------------------------------------------------------------------------------------------
//
// Not in the header: each conversion to a std::span costs its users 10 to 20 ms of compile time.

namespace {

template <typename Row, typename Index>
std::span<const Row> rows_of(const std::vector<Row>& rows, const std::vector<std::uint32_t>& begins, Index i) {
  return std::span(rows).subspan(begins[i.index()], begins[i.index() + 1] - begins[i.index()]);
}

}  // namespace

std::span<const CallRow> CallGraph::calls(FunctionIndex f) const { return rows_of(calls_, call_begins_, f); }
std::span<const CallRow> CallGraph::callers(FunctionIndex f) const { return rows_of(callers_, caller_begins_, f); }
std::span<const FunctionIndex> CallGraph::bottom_up() const { return order_; }
std::span<const FunctionIndex> CallGraph::functions_of(ComponentIndex c) const {
  return rows_of(order_, component_begins_, c);
}
std::span<const EntryRow> CallGraph::entries() const { return entries_; }
std::span<const EntryRow> CallGraph::entries_of(FunctionIndex f) const {
  return rows_of(entries_by_function_, entry_begins_, f);
}

}  // namespace vireo::spirv
