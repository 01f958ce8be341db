// SPDX-License-Identifier: Apache-2.0
//
// The texts that a printer remembers of stretches (src/isa/decode/stretches.cpp).
//
// The one idea: a direct-mapped cache. Each key has one place, a newer text drives an older one out, and nothing is ever
// allocated. A place is one cache line: the text, then the key. Long texts are not worth a place.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>

#include "isa/decode/walk.h"

namespace vireo::isa {

class RememberedTexts {
 public:
  struct alignas(64) Entry {
    char text[40];
    BitWord low = 0;
    BitWord high = 0;
    std::uint32_t stretch = nowhere;  ///< nowhere: nothing stands here yet
    std::uint8_t size = 0;
    /// What the walk spent on it. A text is only recalled where the walk could have gone there as well, so what is
    /// printed never depends on what was printed before.
    std::uint8_t steps = 0;
  };
  static_assert(sizeof(Entry) == 64);

  [[nodiscard]] const Entry* find(const StretchKey& key) const {
    const Entry& entry = (*entries_)[place_of(key)];
    const bool is_here =
        ((entry.low ^ key.bits.low) | (entry.high ^ key.bits.high) | (entry.stretch ^ key.stretch)) == 0;
    return is_here ? &entry : nullptr;
  }

  void add(const StretchKey& key, std::string_view text, std::uint32_t steps) {
    if (text.size() > sizeof(Entry::text) || steps > 255) return;
    Entry& entry = (*entries_)[place_of(key)];
    std::memcpy(entry.text, text.data(), text.size());
    entry.low = key.bits.low;
    entry.high = key.bits.high;
    entry.stretch = key.stretch;
    entry.size = static_cast<std::uint8_t>(text.size());
    entry.steps = static_cast<std::uint8_t>(steps);
  }

 private:
  static constexpr unsigned index_bits = 12;

  // The bits of a key are few and scattered; multiplication brings all of them to the top.
  static std::size_t place_of(const StretchKey& key) {
    const BitWord mixed = (key.bits.low ^ (key.bits.high + key.stretch) * 0x9E3779B97F4A7C15u) * 0xD6E8FEB86659FD93u;
    return mixed >> (bits_per_word - index_bits);
  }

  using Entries = std::array<Entry, std::size_t{1} << index_bits>;
  std::unique_ptr<Entries> entries_ = std::make_unique<Entries>();
};

}  // namespace vireo::isa
