// SPDX-License-Identifier: Apache-2.0
//
// WordInterner: a number for each sequence of words; the same number for the same words.
//
// The one idea: all sequences stand in one pool, found by open addressing. The hash only says where to look; words are
// compared in the end, so equal numbers mean equal words. It stands in the slot, so that what is only near is passed by
// without a look at its words, which are elsewhere in memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "vireo/spirv/word.h"

namespace vireo::spirv {

class WordInterner {
 public:
  /// Numbers count 0, 1, 2, … in the order of first appearance.
  std::uint32_t intern(Words words) {
    // At most half full: linear probing stays short.
    if ((rows_.size() + 1) * 2 > slots_.size()) grow();
    const std::uint32_t hash = hash_of(words);
    std::size_t slot = hash & (slots_.size() - 1);
    for (; slots_[slot].row != 0; slot = (slot + 1) & (slots_.size() - 1)) {
      const std::uint32_t known = slots_[slot].row - 1;
      if (slots_[slot].hash == hash && std::ranges::equal(words_of(rows_[known]), words)) return known;
    }
    rows_.push_back({static_cast<std::uint32_t>(pool_.size()), static_cast<std::uint32_t>(words.size())});
    pool_.insert(pool_.end(), words.begin(), words.end());
    slots_[slot] = {static_cast<std::uint32_t>(rows_.size()), hash};
    return slots_[slot].row - 1;
  }

 private:
  struct Row {
    std::uint32_t first, count;  // in pool_
  };
  struct Slot {
    std::uint32_t row = 0;  // index + 1; 0: the slot is free
    std::uint32_t hash = 0;
  };

  static constexpr std::size_t usual = 32;  // sequences that cost no more than one allocation each of our vectors

  [[nodiscard]] Words words_of(Row row) const { return Words(pool_).subspan(row.first, row.count); }

  static std::uint32_t hash_of(Words words) {
    std::uint64_t h = words.size() * 0x9E3779B97F4A7C15ull;
    for (const Word w : words) {
      h = (h ^ w) * 0xD6E8FEB86659FD93ull;
      h ^= h >> 32;
    }
    return static_cast<std::uint32_t>(h);
  }

  void grow() {
    if (slots_.empty()) {
      rows_.reserve(usual);
      pool_.reserve(usual * 4);
    }
    std::vector<Slot> larger(std::max(2 * usual, slots_.size() * 2));
    for (const Slot& old : slots_) {
      if (old.row == 0) continue;
      std::size_t slot = old.hash & (larger.size() - 1);
      while (larger[slot].row != 0) slot = (slot + 1) & (larger.size() - 1);
      larger[slot] = old;
    }
    slots_ = std::move(larger);
  }

  std::vector<Slot> slots_;  // size 2^n
  std::vector<Row> rows_;
  std::vector<Word> pool_;
};

}  // namespace vireo::spirv
