// SPDX-License-Identifier: Apache-2.0
//
// The blocks of one function as structured control flow lays them out (specification 2.11): how deep each is nested, and
// an order in which constructs stay together.
//
// The one idea: nothing but labels, merge instructions and terminators matters, so this works on views of the
// instructions as they stand, of kernels without structure and of broken functions too.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "vireo/spirv/instruction.h"

namespace vireo::spirv {

/// One block: a run of the function's instructions, label first.
struct BlockPlace {
  std::uint32_t first = 0;  ///< index into the function's instructions
  std::uint32_t count = 0;
  std::uint32_t level = 0;  ///< nesting; the entry block and what follows it in sequence are 0
};

struct BlockLayout {
  std::uint32_t prologue = 0;      ///< instructions before the first label: OpFunction, parameters, …
  std::vector<BlockPlace> blocks;  ///< in the order of printing
  std::uint32_t epilogue = 0;      ///< index of the first instruction behind the blocks: OpFunctionEnd
};

enum class BlockOrder : std::uint8_t {
  File,        ///< as they stand
  Structured,  ///< reverse post-order that puts merge blocks behind their constructs; unreachable blocks last
};

/// What OpLine and OpNoLine do to the analysis when they stand behind a terminator or between a merge instruction and
/// its branch. spirv-dis is confused by them (such blocks lead nowhere), and so are we where its text is what is wanted.
enum class DebugLines : std::uint8_t { Confuse, Ignored };

/// Lays out a function, from OpFunction to OpFunctionEnd (which may be missing).
BlockLayout lay_out_blocks(std::span<const InstructionView> function, BlockOrder order, DebugLines lines);

}  // namespace vireo::spirv
