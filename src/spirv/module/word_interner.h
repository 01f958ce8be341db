// SPDX-License-Identifier: Apache-2.0
//
// WordInterner: a number for each sequence of words; the same number for the same words.
//
// The one idea: all sequences stand in one pool, found by open addressing. The hash only says where to look; words are
// compared in the end, so equal numbers mean equal words.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "vireo/spirv/word.h"

namespace vireo::spirv {

class WordInterner {
 public:
  /// Numbers count 0, 1, 2, … in the order of first appearance.
  std::uint32_t intern(Words words) {
    // At most half full: linear probing stays short.
    if ((rows_.size() + 1) * 2 > slots_.size()) grow();
    const std::uint64_t hash = hash_of(words);
    std::size_t slot = hash & (slots_.size() - 1);
    for (; slots_[slot] != 0; slot = (slot + 1) & (slots_.size() - 1)) {
      const Row& row = rows_[slots_[slot] - 1];
      if (row.hash == hash && std::ranges::equal(Words(pool_).subspan(row.first, row.count), words))
        return slots_[slot] - 1;
    }
    rows_.push_back({hash, static_cast<std::uint32_t>(pool_.size()), static_cast<std::uint32_t>(words.size())});
    pool_.insert(pool_.end(), words.begin(), words.end());
    slots_[slot] = static_cast<std::uint32_t>(rows_.size());
    return slots_[slot] - 1;
  }

 private:
  struct Row {
    std::uint64_t hash;
    std::uint32_t first, count;  // in pool_
  };

  static constexpr std::size_t usual = 32;  // sequences that cost no more than one allocation each of our vectors

  static std::uint64_t hash_of(Words words) {
    std::uint64_t h = words.size() * 0x9E3779B97F4A7C15ull;
    for (const Word w : words) {
      h = (h ^ w) * 0xD6E8FEB86659FD93ull;
      h ^= h >> 32;
    }
    return h;
  }

  void grow() {
    if (slots_.empty()) {
      rows_.reserve(usual);
      pool_.reserve(usual * 4);
    }
    slots_.assign(std::max(2 * usual, slots_.size() * 2), 0);
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      std::size_t slot = rows_[i].hash & (slots_.size() - 1);
      while (slots_[slot] != 0) slot = (slot + 1) & (slots_.size() - 1);
      slots_[slot] = static_cast<std::uint32_t>(i + 1);
    }
  }

  std::vector<std::uint32_t> slots_;  // row + 1; size 2^n
  std::vector<Row> rows_;
  std::vector<Word> pool_;
};

}  // namespace vireo::spirv
