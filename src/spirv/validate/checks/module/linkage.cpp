// SPDX-License-Identifier: Apache-2.0
//
// Linkage: imports and exports of functions and variables.
//
// An import is defined in another module. So it has neither a body nor an initializer, and a function
// without a body must be an import. An entry point cannot have linkage.
//
// Source: specification 2.13 (linkage), 2.16.1, 3.20 (LinkageAttributes); SPV_KHR_untyped_pointers.
#include "spirv/validate/engine/checks.h"
#include "vireo/spirv/views/memory.h"

namespace vireo::spirv {
namespace {

bool is_import(const Context& context, const DecorationRow& linkage) {
  const Words words = context.decorations.operands(linkage);  // a name, then the linkage type
  return !words.empty() && static_cast<LinkageType>(words.back()) == LinkageType::Import;
}

void check_function(const Context& context, const FunctionRow& function, Report& report) {
  const DecorationRow* linkage = context.decorations.find(function.id, Decoration::LinkageAttributes);
  const Place place{InstructionIndex(function.all.first), 0};
  const bool is_imported = linkage != nullptr && is_import(context, *linkage);
  if (function.is_declaration() == is_imported) return;
  // Another check reports a missing label or OpFunctionEnd.
  if (!is_imported && context.fragments.may_lack_body(context.module.index_of(function))) return;
  report.add(is_imported ? Rule::ImportedBody : Rule::ImportMissing, place, {id_text(context, function.id)});
  if (is_imported) report.note({linkage->instruction, 0}, "imported here");
}

void check_variable(const Context& context, const DecorationRow& linkage, Report& report) {
  const InstructionView view = context.module.find(linkage.target);
  const auto typed = as<Op::OpVariable>(view);
  const auto untyped = as<Op::OpUntypedVariableKHR>(view);
  const auto initializer = typed ? typed->initializer() : untyped ? untyped->initializer() : std::nullopt;
  if (!initializer || !is_import(context, linkage)) return;
  report.add(Rule::ImportedInitializer, {context.module.definition(linkage.target), initializer->word},
             {id_text(context, linkage.target)});
  report.note({linkage.instruction, 0}, "imported here");
}

}  // namespace

void check_linkage(const Context& context, Report& report) {
  for (const FunctionRow& function : context.module.functions()) {
    if (function.id != 0) check_function(context, function, report);
  }
  for (const DecorationRow& row : context.decorations.rows()) {
    if (row.decoration == Decoration::LinkageAttributes) check_variable(context, row, report);
  }
  for (const EntryPointRow& entry : context.module_declarations.entry_points()) {
    const DecorationRow* linkage = context.decorations.find(entry.function, Decoration::LinkageAttributes);
    // check_entry_points reports an entry point that is not a function.
    if (linkage == nullptr || context.op_of(entry.function) != Op::OpFunction) continue;
    report.add(Rule::EntryPointLinkage, {linkage->instruction, 0}, {id_text(context, entry.function)});
    report.note(place_of(context, entry.instruction, OperandName::entry_point), "declared as an entry point here");
  }
}

}  // namespace vireo::spirv
