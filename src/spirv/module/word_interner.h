// SPDX-License-Identifier: Apache-2.0
//
// WordInterner: a number for each sequence of words; the same number for the same words.
//
// The one idea: all sequences stand in one pool, found by open addressing. The hash only says where to look; words are
// compared in the end, so equal numbers mean equal words. The slot keeps the hash as well, so most other sequences are
// passed by without a look at their words, which are elsewhere in memory.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "vireo/spirv/word.h"

namespace vireo::spirv {

class WordInterner {
 public:
  /// Room for that many sequences, and for the words of all of them together. More may come.
  void reserve(std::size_t sequences, std::size_t words) {
    begins_.reserve(sequences);
    pool_.reserve(words);
    if (sequences != 0) rehash(std::max(2 * usual, std::bit_ceil((sequences + 1) * 4 / 3 + 1)));
  }

  /// Numbers count 0, 1, 2, … in the order of first appearance.
  std::uint32_t intern(Words words) {
    // At most three quarters full: linear probing stays short.
    if ((begins_.size() + 1) * 4 > slots_.size() * 3) grow();
    const std::uint32_t hash = hash_of(words);
    std::size_t slot = hash & (slots_.size() - 1);
    for (; slots_[slot].row != 0; slot = (slot + 1) & (slots_.size() - 1)) {
      const std::uint32_t known = slots_[slot].row - 1;
      if (slots_[slot].hash == hash && std::ranges::equal(words_of(known), words)) return known;
    }
    begins_.push_back(static_cast<std::uint32_t>(pool_.size()));
    pool_.insert(pool_.end(), words.begin(), words.end());
    slots_[slot] = {static_cast<std::uint32_t>(begins_.size()), hash};
    return slots_[slot].row - 1;
  }

 private:
  struct Slot {
    std::uint32_t row = 0;  // the sequence's number + 1; 0: the slot is free
    std::uint32_t hash = 0;
  };

  static constexpr std::size_t usual = 32;  // sequences that cost no more than one allocation each of our vectors

  [[nodiscard]] Words words_of(std::uint32_t number) const {
    const std::size_t begin = begins_[number];
    const std::size_t end = number + 1 < begins_.size() ? begins_[number + 1] : pool_.size();
    return Words(pool_).subspan(begin, end - begin);
  }

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
      begins_.reserve(usual);
      pool_.reserve(usual * 4);
    }
    rehash(std::max(2 * usual, slots_.size() * 2));
  }

  void rehash(std::size_t slot_count) {
    std::vector<Slot> larger(slot_count);
    for (const Slot& old : slots_) {
      if (old.row == 0) continue;
      std::size_t slot = old.hash & (larger.size() - 1);
      while (larger[slot].row != 0) slot = (slot + 1) & (larger.size() - 1);
      larger[slot] = old;
    }
    slots_ = std::move(larger);
  }

  std::vector<Slot> slots_;            // size 2^n
  std::vector<std::uint32_t> begins_;  // by number: in pool_
  std::vector<Word> pool_;
};

}  // namespace vireo::spirv
