// SPDX-License-Identifier: Apache-2.0
//
// Door: words as they come → Module. Whatever they say, every index that the module hands out is in range; each one is
// followed here, so that a wrong one is found by the sanitizer.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "vireo/spirv/module.h"

namespace {

using namespace vireo::spirv;

// Sums up what it reads: something has to depend on it.
std::uint64_t follow(const Module& module) {
  std::uint64_t sum = 0;
  for (std::size_t s = 0; s < section_count; ++s) {
    for (const InstructionView instruction : module.views(module.section(static_cast<Section>(s)))) {
      sum += instruction.words().back();
      for (const Word word : instruction.operands()) sum += module.find(word).word_count + module.type_of(word);
    }
  }
  for (const FunctionRow& function : module.functions()) {
    sum += module.function_of(function.id).raw;
    for (const InstructionView instruction : module.views(function.prologue)) sum += instruction.opcode;
    for (const BlockRow& block : module.blocks(function)) {
      sum += module.block_of(block.label).raw;
      if (!block.merge.is_none()) sum += module.instruction(block.merge).opcode;
      if (!block.terminator.is_none()) sum += module.instruction(block.terminator).opcode;
    }
  }
  for (const Misfit& misfit : module.misfits()) sum += module.at_word(misfit.offset).raw;
  return sum;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::vector<Word> words(size / sizeof(Word));
  if (!words.empty()) std::memcpy(words.data(), data, words.size() * sizeof(Word));
  volatile std::uint64_t sink = follow(Module::read(words));
  static_cast<void>(sink);
  return 0;
}
