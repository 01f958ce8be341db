// SPDX-License-Identifier: Apache-2.0
//
// Lays out the blocks of one function by structured control flow (specification 2.11). Computes the nesting level of
// each block, and an order in which the blocks of a construct are adjacent.
//
// The layout depends only on labels, merge instructions and terminators. So it also works for kernels without
// structured control flow and for invalid functions.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "vireo/spirv/binary/instruction.h"

namespace vireo::spirv {

/// One block: consecutive instructions of the function, starting with the label.
struct BlockPlace {
  std::uint32_t first = 0;  ///< index into the function's instructions
  std::uint32_t count = 0;
  std::uint32_t level = 0;  ///< nesting; 0 for the entry block and the blocks that follow it in sequence
};

struct BlockLayout {
  std::uint32_t prologue = 0;      ///< number of instructions before the first label: OpFunction, parameters, …
  std::vector<BlockPlace> blocks;  ///< in print order
  std::uint32_t epilogue = 0;      ///< index of the first instruction after the blocks: OpFunctionEnd
};

enum class BlockOrder : std::uint8_t {
  File,        ///< file order
  Structured,  ///< reverse post-order with merge blocks after their constructs; unreachable blocks last
};

/// How to treat OpLine and OpNoLine after a terminator, or between a merge instruction and its branch. spirv-dis finds
/// no successors of such a block; `Confuse` reproduces this where the output must match spirv-dis.
enum class DebugLines : std::uint8_t { Confuse, Ignored };

/// Lays out a function, from OpFunction to OpFunctionEnd (which may be missing).
BlockLayout lay_out_blocks(std::span<const InstructionView> function, BlockOrder order, DebugLines lines);

}  // namespace vireo::spirv
