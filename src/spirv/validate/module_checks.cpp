// SPDX-License-Identifier: Apache-2.0
//
// What holds of a module as a whole: it has an entry point, no two alike, and nobody calls one.
//
// The one idea: what no instruction shows by itself is asked of facts, once they are complete. The chapters that look at
// the whole are called from here; the order in which they come changes nothing, since findings are sorted by place.
//
// Source: specification 2.4, 2.16.1.
#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "spirv/validate/checks.h"

namespace vireo::spirv {
namespace {

void check_entry_names(const Context& context, Report& report) {
  const auto entries = context.preamble.entry_points();
  if (entries.empty() && !context.has(Capability::Linkage) && !context.has(Capability::GraphARM)) {
    report.add(Rule::MissingEntryPoint, Place::header(0));
  }
  // 2.16.1: a name may stand for one entry point in each execution model.
  std::map<std::pair<std::string_view, ExecutionModel>, InstructionIndex> seen;
  for (const EntryPointRow& entry : entries) {
    if (entry.condition != 0) continue;  // one of several variants is chosen later
    const auto [first, is_new] = seen.try_emplace({entry.name, entry.model}, entry.instruction);
    if (is_new) continue;
    report.add(Rule::EntryPointTwice, {entry.instruction, 3}, {enumerant_text(context, entry.model), entry.name});
    report.note({first->second, 3}, "first stated here");
  }
}

// An entry point is called by nobody; in Vulkan no function that it leads to leads to itself.
void check_calls(const Context& context, Report& report) {
  const CallGraph& calls = context.facts.call_graph();
  std::vector<bool> told(context.module.functions().size());
  for (const EntryRow& entry : calls.entries()) {
    if (told[entry.function.index()]) continue;
    told[entry.function.index()] = true;
    // Callers may be instructions of other kinds, too: device enqueues name a function without calling it. One call is
    // told for each function.
    for (const CallRow& call : calls.callers(entry.function)) {
      if (static_cast<Op>(context.module.instruction(call.instruction).opcode) != Op::OpFunctionCall) continue;
      report.add(Rule::EntryPointCalled, {call.instruction, 3},
                 {id_text(context, context.module.functions()[entry.function.index()].id)});
      report.note({entry.instruction, 2}, "made an entry point here");
      break;
    }
  }
  if (!context.is_vulkan()) return;
  // One function stands for all that go round in circles: which call closes a circle depends on where one begins.
  for (const FunctionRow& function : context.module.functions()) {
    const FunctionIndex index = context.module.index_of(function);
    if (!calls.is_recursive(index) || !calls.is_reached(index)) continue;
    report.add(Rule::Recursion, {InstructionIndex(function.all.first), 0}, {id_text(context, function.id)});
    return;
  }
}

}  // namespace

void check_module(const Context& context, Report& report) {
  check_entry_names(context, report);
  check_entry_points(context, report);
  check_listed_variables(context, report);
  check_execution_modes(context, report);
  check_workgroup_sizes(context, report);
  check_decorations(context, report);
  check_decorated_values(context, report);
  check_linkage(context, report);
  check_built_ins(context, report);
  check_mesh_shading(context, report);
  check_entry_built_ins(context, report);
  check_explicit_layout(context, report);
  check_interfaces(context, report);
  check_locations(context, report);
  check_resources(context, report);
  check_transform_feedback(context, report);
  check_calls(context, report);
  check_variable_pointers(context, report);
  check_reconvergence(context, report);
  check_graphs(context, report);
}

}  // namespace vireo::spirv
