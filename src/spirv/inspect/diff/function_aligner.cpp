// SPDX-License-Identifier: Apache-2.0
//
// Pairs blocks and instructions (function_aligner.h).
#include "spirv/inspect/diff/function_aligner.h"

#include <algorithm>

#include "spirv/inspect/diff/key_join.h"

namespace vireo::spirv {

void FunctionAligner::align(const FunctionRow& before, const FunctionRow& after) {
  left_.read(before_, pairing_.before, before);
  right_.read(after_, pairing_.after, after);
  align_ranges(left_.prologue(), right_.prologue());
  pair_variables();
  left_.read(before_, pairing_.before, before);
  right_.read(after_, pairing_.after, after);
  pair_blocks();
  for (std::uint32_t b = 0; b < left_.block_count(); ++b) {
    if (block_of_left_[b] != no_partner) align_ranges(left_.block(b), right_.block(block_of_left_[b]));
  }
  if (!left_.end().is_empty() && !right_.end().is_empty()) pair(left_.end().first, right_.end().first);
  pair_moved(before, after);
}

// Most variables of a function have the same few types. Once they are paired, so are the instructions that access them.
void FunctionAligner::pair_variables() {
  const std::vector<FunctionKeys::Variable> left = left_.variables(before_), right = right_.variables(after_);
  const auto keys_of = [](const std::vector<FunctionKeys::Variable>& variables) {
    std::vector<AlignmentKeys> keys;
    keys.reserve(variables.size());
    for (const FunctionKeys::Variable& each : variables) keys.push_back(each.keys);
    return keys;
  };
  for (const auto& [i, j] : align_sequences(keys_of(left), keys_of(right))) {
    const Word x = before_.result_of(left[i].instruction), y = after_.result_of(right[j].instruction);
    if (x != 0 && y != 0 && pairing_.are_unpaired(x, y)) pairing_.pair_ids(x, y);
  }
}

// The stages go from certain to uncertain.
void FunctionAligner::pair_blocks() {
  block_of_left_.assign(left_.block_count(), no_partner);
  block_of_right_.assign(right_.block_count(), no_partner);
  open_.clear();
  if (left_.block_count() == 0 || right_.block_count() == 0) return;
  pair_block(0, 0);
  pair_blocks_by(&AlignmentKeys::deep);
  pair_blocks_by(&AlignmentKeys::near);
  pair_targets();
  pair_blocks_by(&AlignmentKeys::shallow);
  pair_targets();
  pair_similar_blocks();
  pair_targets();
}

void FunctionAligner::pair_block(std::uint32_t b, std::uint32_t c) {
  block_of_left_[b] = c;
  block_of_right_[c] = b;
  open_.push_back(b);
}

void FunctionAligner::pair_blocks_by(std::uint64_t AlignmentKeys::*key) {
  KeyedItems left, right;
  for (std::uint32_t b = 0; b < left_.block_count(); ++b) {
    if (block_of_left_[b] == no_partner) left.emplace_back(left_.keys_of_block(b).*key, b);
  }
  for (std::uint32_t c = 0; c < right_.block_count(); ++c) {
    if (block_of_right_[c] == no_partner) right.emplace_back(right_.keys_of_block(c).*key, c);
  }
  for_each_unique_pair(left, right, [&](std::uint32_t b, std::uint32_t c) { pair_block(b, c); });
}

// Follows branches from paired blocks whose last instructions agree.
void FunctionAligner::pair_targets() {
  while (!open_.empty()) {
    const std::uint32_t b = open_.back(), c = block_of_left_[b];
    open_.pop_back();
    const auto left = left_.targets(b), right = right_.targets(c);
    if (left.size() != right.size()) continue;
    for (std::size_t t = 0; t < left.size(); ++t) {
      if (block_of_left_[left[t]] != no_partner || block_of_right_[right[t]] != no_partner) continue;
      const AlignmentKeys &x = left_.keys_of_block(left[t]), &y = right_.keys_of_block(right[t]);
      if (x.opcode == y.opcode) pair_block(left[t], right[t]);
    }
  }
}

// Pairs a block with the one that shares most of its instructions.
void FunctionAligner::pair_similar_blocks() {
  const auto items = [](const FunctionKeys& keys, const std::vector<std::uint32_t>& partners) {
    KeyedItems found;
    for (std::uint32_t b = 0; b < keys.block_count(); ++b) {
      if (partners[b] != no_partner) continue;
      for (const AlignmentKeys& each : keys.keys(keys.block(b))) found.emplace_back(each.near, b);
    }
    return found;
  };
  KeyedItems right = items(right_, block_of_right_);
  for_each_similar_pair(items(left_, block_of_left_), right, [&](std::uint32_t b, std::uint32_t c, std::uint32_t) {
    pair_block(b, c);
    return true;
  });
}

void FunctionAligner::align_ranges(InstructionRange left, InstructionRange right) {
  for (const auto& [i, j] : align_sequences(left_.keys(left), right_.keys(right))) {
    pair(left.first + i, right.first + j);
  }
}

void FunctionAligner::pair(std::uint32_t i, std::uint32_t j) {
  pairing_.pair_instructions(i, j);
  const Word x = before_.result_of(i), y = after_.result_of(j);
  if (x != 0 && y != 0 && pairing_.are_unpaired(x, y)) pairing_.pair_ids(x, y);
}

// Instructions that are in another block, or in another order.
void FunctionAligner::pair_moved(const FunctionRow& before, const FunctionRow& after) {
  for (const auto key : {&AlignmentKeys::deep, &AlignmentKeys::value, &AlignmentKeys::near}) {
    KeyedItems left, right;
    for (std::uint32_t i = before.all.first; i < before.all.end; ++i) {
      if (pairing_.before.instructions[i] == no_partner) left.emplace_back(left_.keys_of(i).*key, i);
    }
    for (std::uint32_t j = after.all.first; j < after.all.end; ++j) {
      if (pairing_.after.instructions[j] == no_partner) right.emplace_back(right_.keys_of(j).*key, j);
    }
    if (left.empty() || right.empty()) return;
    for_each_unique_pair(left, right, [&](std::uint32_t i, std::uint32_t j) {
      pair(i, j);
      pairing_.is_moved[i] = true;
    });
  }
}

}  // namespace vireo::spirv
