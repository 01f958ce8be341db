// SPDX-License-Identifier: Apache-2.0
//
// OpLine and OpNoLine → Lines (lines.h).
#include "vireo/spirv/lines.h"

#include <algorithm>

#include "spirv/module/literal_string.h"
#include "spirv/module/section_walk.h"
#include "vireo/spirv/enums.h"

namespace vireo::spirv {

// The one idea: blocks are known to the module, so only first words are looked at here; a module without line
// information pays for one walk and holds nothing.
Lines Lines::read(const Module& module) {
  Lines lines(module);
  bool is_active = false;
  auto block = module.blocks().begin();
  const auto change = [&](std::uint32_t first, InstructionIndex line) {
    lines.changes_.push_back({first, line});
    is_active = !line.is_none();
  };
  const Module::Views views = module.views(module.all());
  for (auto it = views.begin(); it != views.end(); ++it) {
    const InstructionIndex here = it.index();
    while (block != module.blocks().end() && block->all.end <= here.raw) {
      // An OpLine behind the block is one of its own: it begins where the block's scope has ended.
      if (is_active && lines.changes_.back().first < block->all.end) change(block->all.end, InstructionIndex::none());
      ++block;
    }
    const auto opcode = static_cast<Op>((*it).opcode);
    if (opcode == Op::OpLine) change(here.raw, here);
    else if (opcode == Op::OpNoLine && is_active) change(here.raw, InstructionIndex::none());
  }
  return lines;
}

std::optional<SourceLine> Lines::of(InstructionIndex instruction) const {
  const auto after = std::ranges::upper_bound(changes_, instruction.raw, {}, &Change::first);
  if (instruction.is_none() || after == changes_.begin()) return std::nullopt;
  const InstructionIndex line = (after - 1)->line;
  if (line.is_none()) return std::nullopt;
  const InstructionView view = module_->instruction(line);
  SourceLine place;
  place.file = word_or_zero(view, 1);
  place.line = word_or_zero(view, 2);
  place.column = word_or_zero(view, 3);
  place.instruction = line;
  const InstructionView file = module_->find(place.file);
  if (static_cast<Op>(file.opcode) == Op::OpString) place.name = literal_string(file, 2);
  return place;
}

}  // namespace vireo::spirv
