// SPDX-License-Identifier: Apache-2.0
//
// All instructions that belong to a section, wherever they stand.
//
// The one idea: a section's run holds what is in its place; what came too late is listed among the misfits. Both
// together, in the order of the words, are what a fact has to look at, and a module in order pays for its section alone.
#pragma once

#include "vireo/spirv/instruction.h"
#include "vireo/spirv/module.h"

namespace vireo::spirv {

/// Calls take(index, view) for each instruction of a section's run, then for each one that stands outside of its own
/// section and may belong here. `take` looks at the opcode: either part may hold instructions of other sections.
template <typename Take>
void walk_section(const Module& module, Section section, Take&& take) {
  const InstructionRange run = module.section(section);
  const auto views = module.views(run);
  for (auto it = views.begin(); it != views.end(); ++it) take(it.index(), *it);
  // An instruction comes too late or in its place, never too early: the reader moves on to the section it belongs to.
  for (const Misfit& misfit : module.misfits()) {
    if (misfit.kind != Misfit::Kind::OutOfSection || run.contains(misfit.instruction)) continue;
    take(misfit.instruction, module.instruction(misfit.instruction));
  }
}

/// The section whose run an instruction stands in. Not for inner loops: it looks at one after the other.
inline Section section_at(const Module& module, InstructionIndex index) {
  std::size_t section = 0;
  while (section + 1 < section_count && !module.section(static_cast<Section>(section)).contains(index)) ++section;
  return static_cast<Section>(section);
}

/// The words from one on; none when the instruction is too short.
inline Words words_from(InstructionView instruction, std::size_t word) {
  return word < instruction.word_count ? instruction.words().subspan(word) : Words{};
}

}  // namespace vireo::spirv
