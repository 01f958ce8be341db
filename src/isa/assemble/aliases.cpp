// SPDX-License-Identifier: Apache-2.0
//
// Compiles the displays of a leaf, with their aliases, into productions.
//
// An alias is an ordinary production with other tokens. It selects the same leaf and requires the same case, so the
// parser and the solver treat it like any other. Only verification differs: the decoder prints the alias instead of the
// display that it chose (WrittenAs, isa/decode/tables.h). docs/isaspec.md, "For the assembler".
#include <algorithm>

#include "isa/assemble/grammar.h"

namespace vireo::isa {

// Adds productions for the display, for each of its aliases, and for the display with each alias of the leaf's name. A
// leaf or display marked `never` gets no production.
void Grammar::compile_productions(std::uint32_t plan_index, std::uint32_t display_index) {
  const Plan& plan = tables_.plans[plan_index];
  const DisplayStep& step = tables_.displays[display_index];
  const AssemblyMark mark = model_[step.row].mark;
  if (plan.is_refused || mark == AssemblyMark::Never) return;
  Production production;
  production.plan = plan_index;
  production.display = display_index;
  production.segments = step.segments;
  production.name = plan.name;
  const bool is_preferred_leaf = model_.assembly_mark(model_[plan.leaf]) == AssemblyMark::Canonical;
  production.preference =
      static_cast<std::uint8_t>((is_preferred_leaf ? 1 : 0) + (mark == AssemblyMark::Canonical ? 1 : 0));
  compile_production(production);
  production.is_alias = true;
  for (std::uint32_t i = step.aliases.first; i < step.aliases.first + step.aliases.count; ++i) {
    production.segments = tables_.alias_displays[i].segments;
    compile_production(production);
  }
  production.segments = step.segments;
  const auto first = tables_.segments.begin() + step.segments.first;
  const bool shows_name = std::any_of(first, first + step.segments.count, [](const CompiledSegment& segment) {
    return segment.kind == CompiledSegment::Kind::Name;
  });
  for (const Alias& alias : model_.aliases(model_[plan.leaf])) {
    production.name = alias.text;
    if (shows_name) compile_production(production);
  }
}

}  // namespace vireo::isa
