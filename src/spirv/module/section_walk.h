// SPDX-License-Identifier: Apache-2.0
//
// All instructions that belong to a section, including those that are out of place.
//
// A section's range holds the instructions that are in place; those that follow a later section are among
// the layout violations. Visiting both finds all of them, and in a module without violations it costs only the section.
#pragma once

#include "vireo/spirv/binary/instruction.h"
#include "vireo/spirv/module/module.h"

namespace vireo::spirv {

/// Calls take(index, view) for each instruction in a section's range, then for each instruction that is outside of its
/// own section. Both can include instructions of other sections, so `take` must test the opcode.
template <typename Take>
void walk_section(const Module& module, Section section, Take&& take) {
  const InstructionRange run = module.section(section);
  const auto views = module.views(run);
  for (auto it = views.begin(); it != views.end(); ++it) take(it.index(), *it);
  // An instruction is in place or too late, never too early: the reader advances to the instruction's section.
  for (const LayoutViolation& violation : module.layout_violations()) {
    if (violation.kind != LayoutViolation::Kind::OutOfSection || run.contains(violation.instruction)) continue;
    take(violation.instruction, module.instruction(violation.instruction));
  }
}

/// The section whose range contains an instruction. Do not use it in inner loops: it tests one section after the other.
inline Section section_at(const Module& module, InstructionIndex index) {
  std::size_t section = 0;
  while (section + 1 < section_count && !module.section(static_cast<Section>(section)).contains(index)) ++section;
  return static_cast<Section>(section);
}

/// The words from index `word` on; none if the instruction is too short.
inline Words words_from(InstructionView instruction, std::size_t word) {
  return word < instruction.word_count ? instruction.words().subspan(word) : Words{};
}

}  // namespace vireo::spirv
