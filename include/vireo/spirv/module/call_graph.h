// SPDX-License-Identifier: Apache-2.0
//
// CallGraph: the static call graph of a module.
//
// A call uses the callee's id, so the uses of a module's ids already contain the graph. Besides
// OpFunctionCall, each instruction in a function with an operand for functions is a call: OpEnqueueKernel and queries of
// kernels, the callbacks of cooperative matrices. Extended instructions are not calls, because they only describe the
// function. The opcode of CallRow::instruction shows the kind of call. Tarjan's algorithm finds the strongly connected
// components, in an order from callees to callers.
//
// Accepts invalid modules: if the operand of a call is not a function of the module, the graph has no edge for it.
// Near-linear in functions and calls.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "vireo/spirv/module/module.h"
#include "vireo/spirv/module/uses.h"
#include "vireo/support/api.h"

namespace vireo::spirv {

using ComponentIndex = Id<struct ComponentTag, std::uint32_t>;  ///< index of a strongly connected component

/// One call: an instruction in `caller` that uses the id of `callee`.
struct VIREO_API CallRow {
  FunctionIndex caller;
  FunctionIndex callee;
  InstructionIndex instruction;  ///< in the caller
};

/// An OpEntryPoint or OpConditionalEntryPointINTEL whose operand is a function of the module.
struct VIREO_API EntryRow {
  InstructionIndex instruction;
  FunctionIndex function;
};

/// The static call graph, and entry-point reachability.
class VIREO_API CallGraph {
 public:
  /// Builds the graph. `uses` must be Uses::read() or read_some() of the same module. The result borrows neither
  /// argument.
  static CallGraph read(const Module& module, const Uses& uses);

  /// The calls in a function, in the order of the words. Each call has a row, also repeated calls of one callee.
  [[nodiscard]] std::span<const CallRow> calls(FunctionIndex f) const;
  /// The calls to a function, in the order of the words.
  [[nodiscard]] std::span<const CallRow> callers(FunctionIndex f) const;
  [[nodiscard]] std::size_t call_count() const { return calls_.size(); }

  /// All functions, callees before callers. The functions of one strongly connected component are contiguous.
  [[nodiscard]] std::span<const FunctionIndex> bottom_up() const;
  /// The strongly connected component of a function. Components are numbered from callees to callers.
  [[nodiscard]] ComponentIndex component(FunctionIndex f) const { return components_[f.index()]; }
  [[nodiscard]] std::size_t component_count() const { return component_begins_.size() - 1; }
  [[nodiscard]] std::span<const FunctionIndex> functions_of(ComponentIndex c) const;
  /// Whether a function calls itself, directly or through other functions.
  [[nodiscard]] bool is_recursive(FunctionIndex f) const { return is_recursive_[f.index()] != 0; }

  /// The entry points of the module, in the order of the words. Several of them may have the same function.
  [[nodiscard]] std::span<const EntryRow> entries() const;
  /// The entry points of a function, in the order of the words.
  [[nodiscard]] std::span<const EntryRow> entries_of(FunctionIndex f) const;
  /// Whether the function is that of an entry point, or is called from one directly or through other functions.
  [[nodiscard]] bool is_reached(FunctionIndex f) const { return is_reached_[f.index()] != 0; }

 private:
  friend class CallGraphReader;
  CallGraph() = default;

  std::vector<CallRow> calls_, callers_;
  std::vector<std::uint32_t> call_begins_, caller_begins_;
  std::vector<FunctionIndex> order_;
  std::vector<ComponentIndex> components_;
  std::vector<std::uint32_t> component_begins_;  // in order_
  std::vector<std::uint8_t> is_recursive_, is_reached_;
  std::vector<EntryRow> entries_, entries_by_function_;
  std::vector<std::uint32_t> entry_begins_;
};

/// Computes the functions that call a function or are called from it, directly or through others. The cost of a query
/// is linear in the functions of its result and their calls. (Sets for all functions at once would be quadratic in a
/// module with many entry points.) Borrows the graph and not the module. A result is valid until the next query.
class VIREO_API CallWalk {
 public:
  explicit CallWalk(const CallGraph& graph, const Module& module)
      : graph_(graph), asked_(module.functions().size(), 0) {}
  explicit CallWalk(const CallGraph&& temporary, const Module& module) = delete;

  /// `f`, then all functions that it calls directly or through others, those with the fewest calls between first.
  std::span<const FunctionIndex> below(FunctionIndex f);
  /// `f`, then all functions that call it directly or through others, those with the fewest calls between first.
  std::span<const FunctionIndex> above(FunctionIndex f);
  /// The entry points of the functions in above(f), in the order of the words.
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
