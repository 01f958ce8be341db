// SPDX-License-Identifier: Apache-2.0
//
// WordInterner: assigns numbers to sequences of words. Equal sequences have equal numbers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "vireo/spirv/word.h"

namespace vireo::spirv {

/// Hash of a sequence of words.
struct WordsHash {
  std::size_t operator()(Words words) const {
    // Multiplication moves bits only upwards, so the upper half is mixed back into the lower one after each word.
    std::uint64_t hash = words.size();
    for (const Word word : words) {
      hash = (hash ^ word) * 0x9E3779B97F4A7C15ull;
      hash ^= hash >> 32;
    }
    return static_cast<std::size_t>(hash);
  }
};

/// The words of an instruction with 0 as the result id: equal for equal declarations. `result_at`: index of the result
/// word; 0: no result.
inline WordBuffer words_without_result(Words words, std::size_t result_at) {
  WordBuffer key(words.begin(), words.end());
  if (result_at != 0) key[result_at] = 0;
  return key;
}

/// All keys are in one buffer, so a key costs no allocation of its own.
class WordInterner {
 public:
  /// Numbers are 0, 1, 2, … in order of first appearance.
  std::uint32_t intern(Words words) {
    if (ends_.size() * 2 >= slots_.size()) grow();
    std::uint32_t& slot = slots_[slot_of(words)];
    if (slot == 0) {
      keys_.insert(keys_.end(), words.begin(), words.end());
      ends_.push_back(keys_.size());
      slot = static_cast<std::uint32_t>(ends_.size());
    }
    return slot - 1;
  }
  /// Forgets all numbers, but keeps the memory.
  void clear() {
    keys_.clear();
    ends_.clear();
    slots_.assign(slots_.size(), 0);
  }

 private:
  [[nodiscard]] Words key(std::uint32_t number) const {
    const std::size_t begin = number == 0 ? 0 : ends_[number - 1];
    return Words(keys_).subspan(begin, ends_[number] - begin);
  }
  // The slot of a key, or the free one for it.
  [[nodiscard]] std::size_t slot_of(Words words) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = WordsHash()(words) & mask;
    while (slots_[at] != 0 && !std::ranges::equal(key(slots_[at] - 1), words)) at = (at + 1) & mask;
    return at;
  }
  void grow() {
    slots_.assign(slots_.empty() ? 64 : slots_.size() * 2, 0);
    for (std::uint32_t number = 0; number < ends_.size(); ++number) slots_[slot_of(key(number))] = number + 1;
  }

  WordBuffer keys_;
  std::vector<std::size_t> ends_;     // by number: the end of its key in keys_
  std::vector<std::uint32_t> slots_;  // a power of two; 0: free, otherwise a number plus 1
};

}  // namespace vireo::spirv
