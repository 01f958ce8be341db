// SPDX-License-Identifier: Apache-2.0
//
// Checks of the module as a whole: it has an entry point, entry points are unique, and no function calls an entry
// point.
//
// These rules need facts about the complete module. check_module runs all of them in any order, because
// findings are sorted by place.
//
// Source: specification 2.4, 2.16.1.
#include <algorithm>
#include <compare>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "spirv/validate/checks/checks.h"
#include "vireo/spirv/binary/views/function.h"

namespace vireo::spirv {
namespace {

// Returns the first bytes of a name as an integer sort key. Any order of names is valid, and the first bytes usually
// differ.
std::uint64_t prefix_of(std::string_view name) {
  std::uint64_t prefix = 0;
  if (!name.empty()) std::memcpy(&prefix, name.data(), std::min(name.size(), sizeof prefix));
  return prefix;
}

struct NamedEntry {
  std::uint64_t prefix;
  const EntryPointRow* entry;

  friend std::strong_ordering operator<=>(const NamedEntry& a, const NamedEntry& b) {
    if (a.prefix != b.prefix) return a.prefix <=> b.prefix;
    const std::strong_ordering names = a.entry->name <=> b.entry->name;
    return names != 0 ? names : a.entry->model <=> b.entry->model;
  }
  friend bool operator==(const NamedEntry& a, const NamedEntry& b) { return (a <=> b) == 0; }
};

void check_entry_names(const ModuleCheck& c) {
  const auto entries = c.module_declarations.entry_points();
  if (entries.empty() && !c.has(Capability::Linkage) && !c.has(Capability::GraphARM)) {
    // With the capability whose absence is reported, no entry point is needed.
    const bool is_reported = c.join_missing(Capability::Linkage, "entry point", Rule::MissingEntryPoint) ||
                             c.join_missing(Capability::GraphARM, "entry point", Rule::MissingEntryPoint);
    if (!is_reported) c.report(Rule::MissingEntryPoint, Place::header(0));
  }
  // 2.16.1: the names of entry points with the same execution model are unique. After sorting, duplicates are adjacent
  // and in module order.
  std::vector<NamedEntry> named;
  named.reserve(entries.size());
  for (const EntryPointRow& entry : entries) {
    // Conditional entry points are variants, and only one of them is selected later, so they may share a name.
    if (entry.condition == 0) named.push_back({prefix_of(entry.name), &entry});
  }
  std::ranges::sort(named, [](const NamedEntry& a, const NamedEntry& b) {
    const std::strong_ordering order = a <=> b;
    return order != 0 ? order < 0 : a.entry < b.entry;
  });
  for (std::size_t i = 1, first = 0; i < named.size(); ++i) {
    if (named[first] != named[i]) {
      first = i;
      continue;
    }
    const EntryPointRow& entry = *named[i].entry;
    c.report(Rule::EntryPointTwice, place_of(c, entry.instruction, OperandName::name), {entry.model, entry.name});
    c.note(place_of(c, named[first].entry->instruction, OperandName::name), "first declared here");
  }
}

// The calls of a shortest cycle of the call graph through a function. Precondition: the function is recursive.
std::vector<CallRow> cycle_of(const CallGraph& calls, FunctionIndex start, std::size_t function_count) {
  constexpr std::size_t unreached = ~std::size_t{0};
  std::vector<std::size_t> reached_by(function_count, unreached);  // by function: index into `found`
  std::vector<CallRow> found;                                      // breadth first
  std::vector<FunctionIndex> queue = {start};
  for (std::size_t next = 0; next < queue.size(); ++next) {
    for (const CallRow& call : calls.calls(queue[next])) {
      if (reached_by[call.callee.index()] != unreached) continue;
      reached_by[call.callee.index()] = found.size();
      found.push_back(call);
      queue.push_back(call.callee);
    }
    if (reached_by[start.index()] == unreached) continue;
    std::vector<CallRow> cycle;
    FunctionIndex callee = start;
    do {
      cycle.push_back(found[reached_by[callee.index()]]);
      callee = cycle.back().caller;
    } while (callee != start);
    std::ranges::reverse(cycle);
    return cycle;
  }
  return {};
}

// Names the functions of the cycle in the message, and has a note for each call.
void report_recursion(const ModuleCheck& c, const CallGraph& calls, FunctionIndex function) {
  const auto functions = c.module.functions();
  const auto name_of = [&](FunctionIndex f) { return id_text(c, functions[f.index()].id); };
  const std::vector<CallRow> cycle = cycle_of(calls, function, functions.size());
  constexpr std::size_t most = 4;  // of a longer cycle, only the first calls are shown
  std::vector<std::string> through;
  for (std::size_t i = 0; i + 1 < cycle.size() && i < most; ++i) through.push_back(name_of(cycle[i].callee));
  if (cycle.size() > most + 1) through.push_back(std::to_string(cycle.size() - 1 - most) + " more");
  c.report(Rule::Recursion, {InstructionIndex(functions[function.index()].all.first), 0},
           {name_of(function), through.empty() ? std::string() : " through " + list_text(through, "and")});
  for (std::size_t i = 0; i < cycle.size() && i < most; ++i) {
    c.note({cycle[i].instruction, 0}, name_of(cycle[i].caller) + " calls " + name_of(cycle[i].callee) + " here");
  }
}

// No function calls an entry point; in Vulkan the static call graph from an entry point has no cycle.
void check_calls(const ModuleCheck& c) {
  const CallGraph& calls = c.facts.call_graph();
  std::vector<bool> reported(c.module.functions().size());
  for (const EntryRow& entry : calls.entries()) {
    if (reported[entry.function.index()]) continue;
    reported[entry.function.index()] = true;
    // Callers include instructions that refer to a function without a call, such as device enqueues. At most one call
    // of each entry point is reported.
    for (const CallRow& call : calls.callers(entry.function)) {
      const auto function_call = as<Op::OpFunctionCall>(c.module.instruction(call.instruction));
      if (!function_call) continue;
      c.report(Rule::EntryPointCalled, {call.instruction, function_call->function().word},
               {c.module.functions()[entry.function.index()].id});
      c.note(place_of(c, entry.instruction, OperandName::entry_point), "declared as an entry point here");
      break;
    }
  }
  if (!c.is_vulkan()) return;
  // Only one recursive function is reported: the call that closes a cycle depends on the start.
  for (const FunctionRow& function : c.module.functions()) {
    const FunctionIndex index = c.module.index_of(function);
    if (!calls.is_recursive(index) || !calls.is_reached(index)) continue;
    report_recursion(c, calls, index);
    return;
  }
}

}  // namespace

void check_module(const ModuleCheck& c) {
  check_entry_names(c);
  check_entry_points(c);
  check_interface_variables(c);
  check_execution_modes(c);
  check_workgroup_sizes(c);
  check_decorations(c);
  check_decorated_values(c);
  check_heap_decorations(c);
  check_linkage(c);
  check_built_ins(c);
  check_built_in_values(c);
  check_mesh_shading(c);
  check_mesh_outputs(c);
  check_interlocks(c);
  check_entry_built_ins(c);
  check_explicit_layout(c);
  check_interfaces(c);
  check_locations(c);
  check_resources(c);
  check_transform_feedback(c);
  check_vendor_built_ins(c);
  check_output_paths(c);
  check_entry_limits(c);
  check_device_needs(c);
  check_runtime_declarations(c);
  check_calls(c);
  check_variable_pointers(c);
  check_reconvergence(c);
  check_split_barriers(c);
  check_untyped_accesses(c);
  check_cooperative_callbacks(c);
  check_image_processing(c);
  check_graphs(c);
}

}  // namespace vireo::spirv
