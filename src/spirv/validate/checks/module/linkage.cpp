// SPDX-License-Identifier: Apache-2.0
//
// Linkage: imports and exports of functions and variables.
//
// An import is defined in another module. So it has neither a body nor an initializer, and a function
// without a body must be an import. An entry point cannot have linkage.
//
// Source: specification 2.13 (linkage), 2.16.1, 3.20 (LinkageAttributes); SPV_KHR_untyped_pointers.
#include "spirv/validate/analysis/decoration_places.h"
#include "spirv/validate/checks/checks.h"
#include "vireo/spirv/binary/views/memory.h"

namespace vireo::spirv {
namespace {

bool is_import(const ModuleCheck& c, const DecorationRow& linkage) {
  const Words words = c.decorations.operands(linkage);  // a name, then the linkage type
  return !words.empty() && static_cast<LinkageType>(words.back()) == LinkageType::Import;
}

// Reports a function that must not have linkage. If another function lacks its import, both are one fault: then it
// adds a note to the earlier finding, and returns false.
bool report_misplaced(const ModuleCheck& c, Word function, Rule rule, Place place) {
  const Report::DecorationFault fault{Report::DecorationFault::Wrong, Decoration::LinkageAttributes, function};
  if (c.findings.join_counterpart(fault, rule)) {
    c.note(place, rule, {function});
    return false;
  }
  c.report(rule, place, {function});
  c.findings.await_counterpart(fault);
  return true;
}

void check_function(const ModuleCheck& c, const FunctionRow& function, bool with_body) {
  const DecorationRow* linkage = c.decorations.find(function.id, Decoration::LinkageAttributes);
  const Place place{InstructionIndex(function.all.first), 0};
  const bool is_imported = linkage != nullptr && is_import(c, *linkage);
  if (function.is_declaration() == is_imported || is_imported != with_body) return;
  // Another check reports a missing label or OpFunctionEnd.
  if (!is_imported && c.fragments.may_lack_body(c.module.index_of(function))) return;
  if (!is_imported) {
    report_missing(c, {missing_decoration(Decoration::LinkageAttributes, function.id)}, Rule::ImportMissing, place,
                   {function.id});
    return;
  }
  if (report_misplaced(c, function.id, Rule::ImportedBody, place)) c.note({linkage->instruction, 0}, "imported here");
}

void check_variable(const ModuleCheck& c, const DecorationRow& linkage) {
  const InstructionView view = c.module.find(linkage.target);
  const auto typed = as<Op::OpVariable>(view);
  const auto untyped = as<Op::OpUntypedVariableKHR>(view);
  const auto initializer = typed ? typed->initializer() : untyped ? untyped->initializer() : std::nullopt;
  if (!initializer || !is_import(c, linkage)) return;
  c.report(Rule::ImportedInitializer, {c.module.definition(linkage.target), initializer->word}, {linkage.target});
  c.note({linkage.instruction, 0}, "imported here");
}

}  // namespace

void check_linkage(const ModuleCheck& c) {
  // Missing imports first: a function that is imported by mistake may be their cause.
  for (const bool with_body : {false, true}) {
    for (const FunctionRow& function : c.module.functions()) {
      if (function.id != 0) check_function(c, function, with_body);
    }
  }
  for (const DecorationRow& row : c.decorations.rows()) {
    if (row.decoration == Decoration::LinkageAttributes) check_variable(c, row);
  }
  for (const EntryPointRow& entry : c.module_declarations.entry_points()) {
    const DecorationRow* linkage = c.decorations.find(entry.function, Decoration::LinkageAttributes);
    // check_entry_points reports an entry point that is not a function.
    if (linkage == nullptr || c.op_of(entry.function) != Op::OpFunction) continue;
    if (!report_misplaced(c, entry.function, Rule::EntryPointLinkage, {linkage->instruction, 0})) continue;
    c.note(place_of(c, entry.instruction, OperandName::entry_point), "declared as an entry point here");
  }
}

}  // namespace vireo::spirv
