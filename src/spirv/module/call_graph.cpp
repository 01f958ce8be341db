// SPDX-License-Identifier: Apache-2.0
//
// Module and Uses → CallGraph (call_graph.h).
//
// The one idea: going through the functions and taking each one's uses gives the callers, row by row; turning the edges
// around gives the calls. Tarjan's search numbers functions as it meets them and closes components as it leaves them,
// with a stack of its own in place of recursion.
#include "vireo/spirv/facts/call_graph.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "vireo/spirv/enums.h"
#include "vireo/spirv/views/mode_setting.h"

namespace vireo::spirv {

// What is needed on the way (numbers, stacks) goes with the reader; the graph that it gives holds nothing of the
// module.
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
  // Rows of callers come by callee, each in the order of the words, because the uses of an id do. A call is one use of
  // one id, so there are no more rows than uses.
  void read_uses() {
    // The sizes are known, so nothing is moved while they grow, and nothing is left over.
    graph_.caller_begins_.reserve(count_ + std::size_t{1});
    graph_.entry_begins_.reserve(count_ + std::size_t{1});
    graph_.caller_begins_.assign(1, 0);
    graph_.entry_begins_.assign(1, 0);
    for (std::uint32_t f = 0; f < count_; ++f) {
      const Word id = module_.functions()[f].id;
      // A function that repeats the id of another is named by nobody.
      const bool is_named = id != 0 && module_.definition(id).raw == module_.functions()[f].all.first;
      for (const Use& use : is_named ? uses_.of(id) : std::span<const Use>()) take(use, FunctionIndex(f));
      graph_.caller_begins_.push_back(static_cast<std::uint32_t>(graph_.callers_.size()));
      graph_.entry_begins_.push_back(static_cast<std::uint32_t>(graph_.entries_by_function_.size()));
    }
    // The same few rows a second time: some ask by function, others for all of them in the order of the words.
    graph_.entries_ = graph_.entries_by_function_;
    std::sort(graph_.entries_.begin(), graph_.entries_.end(),
              [](const EntryRow& a, const EntryRow& b) { return a.instruction < b.instruction; });
  }

  // What a use of the id of `f` says: an entry point, a call, or nothing that belongs here (a name, a decoration, an
  // execution mode).
  void take(const Use& use, FunctionIndex f) {
    if (use.kind == UseKind::Mode) {
      if (is_entry_point(use)) graph_.entries_by_function_.push_back({use.instruction, f});
      return;
    }
    if (use.kind != UseKind::Operand || is_description(use)) return;
    // Outside of functions an id can be named (a constant that points to a function), but nobody calls there.
    const FunctionIndex caller = caller_at(use.instruction);
    if (!caller.is_none()) graph_.callers_.push_back({caller, f, use.instruction});
  }

  // Uses of an id come in the order of the words, so mostly out of the same function as the last one.
  FunctionIndex caller_at(InstructionIndex i) {
    const bool is_same = !last_caller_.is_none() && module_.functions()[last_caller_.index()].all.contains(i);
    return is_same ? last_caller_ : last_caller_ = module_.function_at(i);
  }

  // Extended instructions call nothing; those of debug information name the function that they describe.
  [[nodiscard]] bool is_description(const Use& use) const {
    const Op op = module_.instruction(use.instruction).opcode;
    return op == Op::OpExtInst || op == Op::OpExtInstWithForwardRefsKHR;
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

  // Sorts by counting: how many calls each caller has, so where its row begins, then each call into the next free place
  // of its row.
  void turn_calls_around() {
    std::vector<std::uint32_t>& begins = graph_.call_begins_;
    begins.assign(count_ + 1, 0);
    for (const CallRow& call : graph_.callers_) ++begins[call.caller.index() + 1];
    std::partial_sum(begins.begin(), begins.end(), begins.begin());
    std::vector<std::uint32_t> next(begins.begin(), begins.end());
    graph_.calls_.resize(graph_.callers_.size());
    for (const CallRow& call : graph_.callers_) graph_.calls_[next[call.caller.index()]++] = call;
    // They came by callee. One instruction may name two functions, and then their order counts.
    for (std::uint32_t f = 0; f < count_; ++f) {
      if (begins[f + 1] - begins[f] < 2) continue;
      std::sort(graph_.calls_.begin() + begins[f], graph_.calls_.begin() + begins[f + 1],
                [](const CallRow& a, const CallRow& b) {
                  return std::pair(a.instruction, a.callee) < std::pair(b.instruction, b.callee);
                });
    }
  }

  // --- components ---

  // A function that the search is within: what a call of a recursive search would keep.
  struct Frame {
    FunctionIndex function;
    std::uint32_t call;  // the next one to look at
  };

  // Tarjan: a function that leads back to nothing before itself is the first of its component, which has all that was
  // met since and is not closed. Each function is entered once and each call looked at once.
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
        // Of a component of one function its size cannot tell; larger ones are marked when they are closed.
        if (callee == f) graph_.is_recursive_[f.index()] = 1;
        // `top` is used no more from here on: enter() may move the stack. What is in a component already is closed, and
        // does not lead back to here.
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

  // All that was entered since `first`, and not closed, is one component.
  // Components are closed from callees to callers: so their numbers ascend that way, and the order is bottom_up().
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

  // One search from all entry points together: what several of them lead to is looked at once.
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
  std::vector<std::uint32_t> number_;  // by function: when it was met, from 1
  std::vector<std::uint32_t> lowest_;  // by function: the earliest one that it leads back to
  std::vector<FunctionIndex> open_;    // met, and in no component yet
  std::vector<Frame> stack_;
  std::uint32_t last_number_ = 0;
};

CallGraph CallGraph::read(const Module& module, const Uses& uses) { return CallGraphReader(module, uses).read(); }

// --- walks --------------------------------------------------------------------------------------------------------------

// A function is marked with the number of the question, so the next question has nothing to clear and costs what it
// finds.
bool CallWalk::take(FunctionIndex f) {
  if (asked_[f.index()] == question_) return false;
  asked_[f.index()] = question_;
  found_.push_back(f);
  return true;
}

// The answer is the queue of the search as well: nearest first.
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
  // The callers come nearest first, so their rows have to be put in order; none comes twice, as an entry point names
  // one function.
  std::sort(entries_.begin(), entries_.end(),
            [](const EntryRow& a, const EntryRow& b) { return a.instruction < b.instruction; });
  return entries_;
}

}  // namespace vireo::spirv
