// SPDX-License-Identifier: Apache-2.0
//
// WordInterner: assigns numbers to sequences of words. Equal sequences have equal numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "vireo/spirv/word.h"

namespace vireo::spirv {

/// Hash of a sequence of words.
struct WordsHash {
  std::size_t operator()(const std::vector<Word>& words) const {
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

class WordInterner {
 public:
  /// Numbers are 0, 1, 2, … in order of first appearance.
  std::uint32_t intern(Words words) {
    const auto next = static_cast<std::uint32_t>(numbers_.size());
    return numbers_.try_emplace(std::vector<Word>(words.begin(), words.end()), next).first->second;
  }

 private:
  std::unordered_map<std::vector<Word>, std::uint32_t, WordsHash> numbers_;
};

}  // namespace vireo::spirv
