// SPDX-License-Identifier: Apache-2.0
//
// Functions built from numbered blocks, for tests of control flow: of any shape and any size.
//
// Block b has the label `first_label + b`, so tests use block numbers and no ids.
#pragma once

#include <cstdint>
#include <vector>

#include "vireo/spirv/binary/writer.h"
#include "vireo/spirv/grammar/enums.h"
#include "vireo/spirv/word.h"

namespace vireo::spirv {

/// A block: an optional merge instruction and its targets. No target: OpReturn; one: OpBranch; two:
/// OpBranchConditional; more: OpSwitch, default first.
struct MadeBlock {
  std::vector<std::uint32_t> targets;
  std::int64_t merge = -1;            ///< -1: no merge instruction
  std::int64_t continue_target = -1;  ///< -1: OpSelectionMerge
};

inline constexpr Word first_label = 100;

/// A module of one function.
inline WordBuffer made_function(const std::vector<MadeBlock>& blocks) {
  constexpr Word nothing = 1, procedure = 2, integer = 3, boolean = 4, function = 5, condition = 6, selector = 7;
  WordBuffer words;
  write_header({.version_word = 0x00010600, .bound = first_label + static_cast<Word>(blocks.size())}, words);
  const auto put = [&words](Op opcode, std::vector<Word> operands) {
    words.push_back(static_cast<Word>(operands.size() + 1) << 16 | static_cast<Word>(opcode));
    words.insert(words.end(), operands.begin(), operands.end());
  };
  put(Op::OpTypeVoid, {nothing});
  put(Op::OpTypeFunction, {procedure, nothing});
  put(Op::OpTypeInt, {integer, 64, 0});  // 64-bit selector: each literal of OpSwitch takes two words
  put(Op::OpTypeBool, {boolean});
  put(Op::OpUndef, {boolean, condition});
  put(Op::OpUndef, {integer, selector});
  put(Op::OpFunction, {nothing, function, 0, procedure});
  const auto label = [](std::int64_t b) { return first_label + static_cast<Word>(b); };
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const MadeBlock& block = blocks[b];
    put(Op::OpLabel, {label(static_cast<std::int64_t>(b))});
    if (block.continue_target >= 0) put(Op::OpLoopMerge, {label(block.merge), label(block.continue_target), 0});
    else if (block.merge >= 0) put(Op::OpSelectionMerge, {label(block.merge), 0});
    switch (block.targets.size()) {
      case 0: put(Op::OpReturn, {}); break;
      case 1: put(Op::OpBranch, {label(block.targets[0])}); break;
      case 2: put(Op::OpBranchConditional, {condition, label(block.targets[0]), label(block.targets[1])}); break;
      default: {
        std::vector<Word> operands = {selector, label(block.targets[0])};
        for (std::size_t i = 1; i < block.targets.size(); ++i) {
          operands.insert(operands.end(), {static_cast<Word>(i), 0, label(block.targets[i])});
        }
        put(Op::OpSwitch, operands);
      }
    }
  }
  put(Op::OpFunctionEnd, {});
  return words;
}

}  // namespace vireo::spirv
