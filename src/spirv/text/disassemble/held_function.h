// SPDX-License-Identifier: Apache-2.0
//
// BufferedFunction: buffers a function until it is complete, then prints it block by block with the indent of each
// line.
//
// The position and level of a block depend on later blocks (block_layout.h), so a function that is laid out cannot be
// printed while it is read. One function is buffered at a time: memory does not grow with the module.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "spirv/text/disassemble/block_layout.h"
#include "vireo/spirv/binary/instruction.h"
#include "vireo/spirv/grammar/enums.h"

namespace vireo::spirv {

class BufferedFunction {
 public:
  [[nodiscard]] bool is_empty() const { return views_.empty(); }

  /// Buffers the next instruction of the file, starting with OpFunction.
  void add(InstructionView instruction, std::uint64_t ordinal) {
    if (views_.empty()) first_ordinal_ = ordinal;
    views_.push_back(instruction);
  }

  /// Flushes the buffer: calls `print` with each instruction, its ordinal in the file and its indent in levels.
  /// Afterwards the buffer is empty. OpFunctionEnd may be missing.
  template <class Print>
  void flush(BlockOrder order, DebugLines lines, Print print) {
    const BlockLayout layout = lay_out_blocks(views_, order, lines);
    const auto print_run = [&](std::size_t first, std::size_t last, std::uint32_t indent) {
      for (std::size_t i = first; i < last; ++i) print(views_[i], first_ordinal_ + i, indent);
    };
    print_run(0, layout.prologue, 0);
    for (const BlockPlace& block : layout.blocks) {
      // The label is indented one level less than the instructions of its block.
      print_run(block.first, std::size_t{block.first} + 1, block.level);
      print_run(std::size_t{block.first} + 1, std::size_t{block.first} + block.count, block.level + 1);
    }
    print_run(layout.epilogue, views_.size(), 0);
    views_.clear();
  }

 private:
  std::vector<InstructionView> views_;
  std::uint64_t first_ordinal_ = 0;  // the other ordinals follow without a gap
};

}  // namespace vireo::spirv
