// SPDX-License-Identifier: Apache-2.0
//
// A table of instructions by their words, the result id left out.
//
// The one idea: entries are places in buffers that only grow, so nothing is copied; a hash finds candidates, and their
// words decide. Open addressing, at most half full.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "vireo/spirv/word.h"

namespace vireo::spirv {

class WordTable {
 public:
  struct Entry {
    const WordBuffer* buffer = nullptr;  ///< null: the slot is free
    std::uint32_t offset = 0;            ///< of the instruction, in words
    std::uint32_t hash = 0;
  };

  /// The entry of an instruction of these words, or a free one for it. `result_at` is the word of the result id, which
  /// does not count; 0 when there is none. Valid until the next call.
  Entry& find(Words words, std::size_t result_at) {
    if (2 * (used_ + 1) > entries_.size()) grow();
    const std::uint32_t hash = hash_of(words, result_at);
    std::size_t i = hash & (entries_.size() - 1);
    while (entries_[i].buffer != nullptr && !(entries_[i].hash == hash && equal(entries_[i], words, result_at))) {
      i = (i + 1) & (entries_.size() - 1);
    }
    if (entries_[i].buffer == nullptr) {
      // Counted although the caller may leave it free: a hint too many only grows the table sooner.
      ++used_;
      entries_[i].hash = hash;
    }
    return entries_[i];
  }

 private:
  static std::uint32_t hash_of(Words words, std::size_t result_at) {
    std::uint64_t h = words.size();
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (i == result_at && i != 0) continue;
      h = (h ^ words[i]) * 0x9E3779B97F4A7C15ull;
      h ^= h >> 29;
    }
    return static_cast<std::uint32_t>(h ^ (h >> 32));
  }

  // The first word holds the length, so what begins alike is as long.
  static bool equal(const Entry& entry, Words words, std::size_t result_at) {
    const Word* other = entry.buffer->data() + entry.offset;
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (other[i] != words[i] && (i == 0 || i != result_at)) return false;
    }
    return true;
  }

  void grow() {
    std::vector<Entry> old(std::max<std::size_t>(64, entries_.size() * 2));
    old.swap(entries_);
    for (const Entry& entry : old) {
      if (entry.buffer == nullptr) continue;
      std::size_t i = entry.hash & (entries_.size() - 1);
      while (entries_[i].buffer != nullptr) i = (i + 1) & (entries_.size() - 1);
      entries_[i] = entry;
    }
  }

  std::vector<Entry> entries_;
  std::size_t used_ = 0;
};

}  // namespace vireo::spirv
