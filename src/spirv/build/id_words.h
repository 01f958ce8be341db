// SPDX-License-Identifier: Apache-2.0
//
// The ids in the words of a module, and new numbers for them.
//
// Source: specification 2.3 (physical layout).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "spirv/binary/decode_all.h"
#include "vireo/support/id_map.h"

namespace vireo::spirv {

/// Calls take(offset, id) for each id of a module, in the order of the words; `offset` counts words from the start of
/// the module. Reports all instructions that cannot be decoded; the caller must then discard the ids, which are not
/// complete. A word 0 is not an id.
template <typename Take>
std::optional<Reported> for_each_id(Words words, Diagnostics& diagnostics, const Grammar& grammar, Take&& take) {
  return decode_all(words, grammar, diagnostics,
                    [&](std::uint32_t, InstructionView view, const OperandDecoder& decoder) {
                      for (const Operand& operand : decoder.operands()) {
                        const std::size_t offset = std::size_t{view.offset} + operand.word;
                        if (operand.is_id() && words[offset] != 0) take(offset, words[offset]);
                      }
                    });
}

/// Numbers ids 1, 2, 3, … in the order of their first occurrence.
class DenseIds {
 public:
  /// `module` is a whole module. A table has the ids below its bound, but not more than words: the bound may be wrong.
  explicit DenseIds(Words module)
      : near_(module.size() < header_word_count ? 0 : std::min<std::size_t>(module.size(), module[3])) {}

  [[nodiscard]] Word of(Word id) {
    Word& number = id < near_.size() ? near_[id] : far_[id];
    if (number == 0) number = ++count_;
    return number;
  }
  [[nodiscard]] Word count() const { return count_; }

 private:
  std::vector<Word> near_;  // by id
  IdMap<Word> far_;
  Word count_ = 0;
};

}  // namespace vireo::spirv
