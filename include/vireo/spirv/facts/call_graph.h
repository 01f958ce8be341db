// SPDX-License-Identifier: Apache-2.0
//
// CallGraph: which functions of a module call which.
//
// The one idea: a caller uses the callee's id, so the module's uses already contain the graph. OpFunctionCall is a
// call. So is every other instruction in a function that refers to a function (OpEnqueueKernel, the callbacks of
// cooperative matrices). Extended instructions are no calls, because they only describe the function.
// CallRow::instruction distinguishes the kinds of calls. Strongly connected components are computed once (Tarjan), in
// an order from callees to callers.
//
// Accepts invalid modules: if a call names an id that is not a function of the module, the graph has no edge for it.
// Near-linear in functions and calls.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "vireo/spirv/facts/uses.h"
#include "vireo/spirv/module.h"
#include "vireo/support/api.h"

namespace vireo::spirv {

using ComponentIndex = Id<struct ComponentTag, std::uint32_t>;  ///< index of a strongly connected component

/// One call of a function from another.
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

/// The static call graph, and entry-point reachability.
class VIREO_API CallGraph {
 public:
  /// `uses` must be those of the module. The result borrows neither.
  static CallGraph read(const Module& module, const Uses& uses);

  /// The calls in a function, in the order of the words. A callee appears once for each call.
  [[nodiscard]] std::span<const CallRow> calls(FunctionIndex f) const { return row(calls_, call_begins_, f); }
  /// The calls to a function, in the order of the words.
  [[nodiscard]] std::span<const CallRow> callers(FunctionIndex f) const { return row(callers_, caller_begins_, f); }
  [[nodiscard]] std::size_t call_count() const { return calls_.size(); }

  /// All functions, callees before callers. The functions of one component, which can all reach each other, are
  /// contiguous.
  [[nodiscard]] std::span<const FunctionIndex> bottom_up() const { return order_; }
  /// Components are numbered from callees to callers.
  [[nodiscard]] ComponentIndex component(FunctionIndex f) const { return components_[f.index()]; }
  [[nodiscard]] std::size_t component_count() const { return component_begins_.size() - 1; }
  [[nodiscard]] std::span<const FunctionIndex> functions_of(ComponentIndex c) const {
    return std::span(order_).subspan(component_begins_[c.index()],
                                     component_begins_[c.index() + 1] - component_begins_[c.index()]);
  }
  /// Whether a function calls itself, directly or through others.
  [[nodiscard]] bool is_recursive(FunctionIndex f) const { return is_recursive_[f.index()] != 0; }

  /// The entry points of the module, in the order of the words; one function may have many.
  [[nodiscard]] std::span<const EntryRow> entries() const { return entries_; }
  /// The entry points of a function, in the order of the words.
  [[nodiscard]] std::span<const EntryRow> entries_of(FunctionIndex f) const {
    return row(entries_by_function_, entry_begins_, f);
  }
  /// Whether any entry point names a function or reaches it.
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

/// Computes which functions one function reaches, and which reach it. The cost of a query is linear in the functions
/// of its result and their calls. Sets for all functions at once would be quadratic in a module with many entry
/// points.
/// Borrows the graph. A result is valid until the next query.
class VIREO_API CallWalk {
 public:
  explicit CallWalk(const CallGraph& graph, const Module& module)
      : graph_(graph), asked_(module.functions().size(), 0) {}
  explicit CallWalk(const CallGraph&& temporary, const Module& module) = delete;

  /// The function, then all functions that it reaches through any number of calls, nearest first.
  std::span<const FunctionIndex> below(FunctionIndex f);
  /// The function, then all functions that reach it, nearest first.
  std::span<const FunctionIndex> above(FunctionIndex f);
  /// The entry points that name the function or reach it, in the order of the words.
  std::span<const EntryRow> entries_above(FunctionIndex f);

 private:
  bool take(FunctionIndex f);

  const CallGraph& graph_;
  std::vector<std::uint32_t> asked_;  // by function: number of the last query whose result contains it
  std::uint32_t question_ = 0;
  std::vector<FunctionIndex> found_;
  std::vector<EntryRow> entries_;
};

}  // namespace vireo::spirv
