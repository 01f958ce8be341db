// SPDX-License-Identifier: Apache-2.0
//
// What an author says of assembling: which displays are read, by which other spellings, and which goes before.
//
// The one idea: an alias is a production like any other, with other tokens. It opens the same leaf and demands the same
// case, so all that the parser and the solver know holds for it; only the proof prints it in the place of what the decoder
// chose to show (WrittenAs, isa/decode/tables.h). docs/isaspec.md, "For the assembler".
#include <algorithm>

#include "isa/assemble/grammar.h"

namespace vireo::isa {

// A display, its aliases, and itself with each other name of the leaf. What the author wants no words of has none.
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
