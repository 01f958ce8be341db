// SPDX-License-Identifier: Apache-2.0
//
// CallGraph: which function of a module leads to which.
//
// The one idea: a function's id is used by those that call it, so the graph is already in the module's uses. OpFunctionCall
// is a call, and so is whatever else names a function from within another (OpEnqueueKernel, the callbacks of cooperative
// matrices) but extended instructions, which only describe it; CallRow::instruction tells them apart. Strongly connected
// components are found once (Tarjan); their order is one from callees to callers.
//
// Total on broken input: what is called and is no function of the module gives no edge. Near-linear in functions and calls.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "vireo/spirv/facts/uses.h"
#include "vireo/spirv/module.h"
#include "vireo/support/api.h"

namespace vireo::spirv {

using ComponentIndex = Id<struct ComponentTag, std::uint32_t>;  ///< a set of functions that can all reach each other

/// One place where a function leads to another.
struct VIREO_API CallRow {
  FunctionIndex caller;
  FunctionIndex callee;
  InstructionIndex instruction;  ///< in the caller
};

/// An OpEntryPoint (or a conditional one) that names a function of the module.
struct VIREO_API EntryRow {
  InstructionIndex instruction;
  FunctionIndex function;
};

/// Who calls whom, and what an entry point reaches.
class VIREO_API CallGraph {
 public:
  /// `uses` are those of the module. Nothing is borrowed.
  static CallGraph read(const Module& module, const Uses& uses);

  /// What a function leads to, in the order of the words; a callee stands there as often as it is called.
  [[nodiscard]] std::span<const CallRow> calls(FunctionIndex f) const { return row(calls_, call_begins_, f); }
  /// Who leads to a function, in the order of the words.
  [[nodiscard]] std::span<const CallRow> callers(FunctionIndex f) const { return row(callers_, caller_begins_, f); }
  [[nodiscard]] std::size_t call_count() const { return calls_.size(); }

  /// All functions, callees before callers. Those of one component, which all lead to each other, stand side by side.
  [[nodiscard]] std::span<const FunctionIndex> bottom_up() const { return order_; }
  /// Components are numbered from callees to callers.
  [[nodiscard]] ComponentIndex component(FunctionIndex f) const { return components_[f.index()]; }
  [[nodiscard]] std::size_t component_count() const { return component_begins_.size() - 1; }
  [[nodiscard]] std::span<const FunctionIndex> functions_of(ComponentIndex c) const {
    return std::span(order_).subspan(component_begins_[c.index()],
                                     component_begins_[c.index() + 1] - component_begins_[c.index()]);
  }
  /// Whether a function leads to itself, over others or directly.
  [[nodiscard]] bool is_recursive(FunctionIndex f) const { return is_recursive_[f.index()] != 0; }

  /// The entry points of the module, in the order of the words; one function may have many.
  [[nodiscard]] std::span<const EntryRow> entries() const { return entries_; }
  /// Those that name a function, in the order of the words.
  [[nodiscard]] std::span<const EntryRow> entries_of(FunctionIndex f) const {
    return row(entries_by_function_, entry_begins_, f);
  }
  /// Whether any entry point leads to a function, or names it.
  [[nodiscard]] bool is_reached(FunctionIndex f) const { return is_reached_[f.index()] != 0; }

 private:
  friend class CallGraphReader;
  CallGraph() = default;
  template <typename Row>
  [[nodiscard]] static std::span<const Row> row(const std::vector<Row>& rows, const std::vector<std::uint32_t>& begins,
                                                FunctionIndex f) {
    return std::span(rows).subspan(begins[f.index()], begins[f.index() + 1] - begins[f.index()]);
  }

  std::vector<CallRow> calls_, callers_;
  std::vector<std::uint32_t> call_begins_, caller_begins_;
  std::vector<FunctionIndex> order_;
  std::vector<ComponentIndex> components_;
  std::vector<std::uint32_t> component_begins_;  // in order_
  std::vector<std::uint8_t> is_recursive_, is_reached_;
  std::vector<EntryRow> entries_, entries_by_function_;
  std::vector<std::uint32_t> entry_begins_;
};

/// Asks a call graph for all that one function reaches, or is reached by. Each question costs as much as the functions
/// that it finds and their calls: sets for all functions at once would be quadratic in a module of many entry points.
/// Borrows the graph; an answer is good until the next question.
class VIREO_API CallWalk {
 public:
  explicit CallWalk(const CallGraph& graph, const Module& module)
      : graph_(graph), asked_(module.functions().size(), 0) {}
  explicit CallWalk(const CallGraph&& temporary, const Module& module) = delete;

  /// The function, then what it leads to over any number of calls, nearest first.
  std::span<const FunctionIndex> below(FunctionIndex f);
  /// The function, then those that lead to it, nearest first.
  std::span<const FunctionIndex> above(FunctionIndex f);
  /// The entry points that lead to the function, or name it, in the order of the words.
  std::span<const EntryRow> entries_above(FunctionIndex f);

 private:
  bool take(FunctionIndex f);

  const CallGraph& graph_;
  std::vector<std::uint32_t> asked_;  // by function: the last question whose answer has it
  std::uint32_t question_ = 0;
  std::vector<FunctionIndex> found_;
  std::vector<EntryRow> entries_;
};

}  // namespace vireo::spirv
