// SPDX-License-Identifier: Apache-2.0
//
// From a pointer to its origin (origins.h): step by step, by a row for each opcode; for long chains all origins at
// once.
#include "spirv/validate/analysis/origins.h"

#include <cstddef>

#include "spirv/validate/engine/by_opcode.h"
#include "vireo/spirv/enums.h"

namespace vireo::spirv {
namespace {

using enum Op;

// The word of the pointer that an instruction goes on from.
struct Step {
  Op opcode;
  std::size_t word;
};
constexpr Step step_rows[] = {
    {OpAccessChain, 3},
    {OpInBoundsAccessChain, 3},
    {OpPtrAccessChain, 3},
    {OpInBoundsPtrAccessChain, 3},
    {OpUntypedAccessChainKHR, 4},
    {OpUntypedInBoundsAccessChainKHR, 4},
    {OpUntypedPtrAccessChainKHR, 4},
    {OpUntypedInBoundsPtrAccessChainKHR, 4},
    {OpRawAccessChainNV, 3},
    {OpImageTexelPointer, 3},
    {OpCopyObject, 3},
    {OpCopyLogical, 3},
};
// Looked up by opcode at each step: chains are walked for many loads and stores.
constexpr auto steps = by_opcode(step_rows);

// No compiler nests access chains deeper than the structures of its source.
constexpr int few_steps = 32;

// The pointer that an instruction goes on from; 0: it is an origin itself. Definitions stand in front of uses: what does
// not is reported elsewhere, and would go round in circles.
Word step_back(const Module& module, InstructionIndex at, InstructionView view, Through through) {
  const Op op = static_cast<Op>(view.opcode);
  if (through == Through::Copies && op != OpCopyObject) return 0;
  const Step* step = find_row(steps, op);
  if (step == nullptr || step->word >= view.word_count) return 0;
  const Word next = view.word(step->word);
  const InstructionIndex definition = module.definition(next);
  return definition.is_none() || definition >= at ? 0 : next;
}

}  // namespace

Word Origins::of(Word pointer, Through through) const {
  InstructionIndex at = module_.definition(pointer);
  if (at.is_none()) return pointer;
  for (int i = 0; i < few_steps; ++i) {
    const Word next = step_back(module_, at, module_.instruction(at), through);
    if (next == 0) return pointer;
    pointer = next;
    at = module_.definition(next);
  }
  return all(through)[at.index()];
}

// Front to back, so that the row of what an instruction goes on from is there already.
const std::vector<Word>& Origins::all(Through through) const {
  Table& table = tables_[static_cast<std::size_t>(through)];
  std::call_once(table.is_made, [&] {
    table.rows.reserve(module_.instruction_count());
    for (const InstructionView view : module_.views(module_.all())) {
      const Word next = step_back(module_, InstructionIndex(table.rows.size()), view, through);
      table.rows.push_back(next == 0 ? module_.result_of(view) : table.rows[module_.definition(next).index()]);
    }
  });
  return table.rows;
}

}  // namespace vireo::spirv
