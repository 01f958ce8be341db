// SPDX-License-Identifier: Apache-2.0
//
// What holds of a module as a whole: it has an entry point, and no two alike.
//
// Source: specification 2.4, 2.16.1.
#include <algorithm>
#include <map>
#include <utility>

#include "spirv/validate/checks.h"

namespace vireo::spirv {
namespace {

void check_entry_points(const Context& context, Report& report) {
  const auto entries = context.preamble.entry_points();
  if (entries.empty() && !context.has(Capability::Linkage) && !context.has(Capability::GraphARM)) {
    report.add(Rule::MissingEntryPoint, Place::header(0));
  }
  std::map<std::pair<std::string_view, ExecutionModel>, InstructionIndex> seen;
  for (const EntryPointRow& entry : entries) {
    if (entry.condition != 0) continue;  // one of several variants is chosen later
    const auto [first, is_new] = seen.try_emplace({entry.name, entry.model}, entry.instruction);
    if (is_new) continue;
    report.add(Rule::EntryPointTwice, {entry.instruction, 3},
               {enumerant_text(context, "ExecutionModel", static_cast<Word>(entry.model)), entry.name});
    report.note({first->second, 3}, "first stated here");
  }
}

}  // namespace

void check_module(const Context& context, Report& report) { check_entry_points(context, report); }

}  // namespace vireo::spirv
