// SPDX-License-Identifier: Apache-2.0
//
// Pools store the strings and lists of rows without duplicates.
//
// Equal contents have equal slices, so hundreds of instructions share a hundred operand patterns and
// rows stay small. The order is that of first use, which makes generated tables deterministic.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "vireo/spirv/grammar/grammar.h"

namespace vireo::spirv {

/// Characters of strings, without duplicate strings.
class CharPool {
 public:
  // The length fits: the loader rejects names of more than 65,535 bytes.
  StringRef intern(std::string_view text) {
    const auto [entry, is_new] = known_.try_emplace(std::string(text));
    if (is_new) {
      entry->second = {static_cast<std::uint32_t>(chars_.size()), static_cast<std::uint16_t>(text.size())};
      chars_.append(text);
    }
    return entry->second;
  }
  [[nodiscard]] std::string& chars() { return chars_; }

 private:
  std::string chars_;
  std::unordered_map<std::string, StringRef> known_;
};

/// Lists of T in one vector, without duplicate lists. `Order` compares two T.
template <typename T, typename Order>
class SlicePool {
 public:
  static constexpr std::size_t limit = 0xFFFF;

  Slice intern(const std::vector<T>& list) {
    // All empty lists are the zero slice, so that empty fields of rows are zero.
    if (list.empty()) return {};
    const auto [entry, is_new] = known_.try_emplace(list);
    if (!is_new) return entry->second;
    // Slices have 16 bits. An overflow is only recorded here; the owner of the pool reports it once, as no single
    // list is at fault.
    if (items_.size() + list.size() > limit) {
      overflowed_ = true;
      return {};
    }
    entry->second = {static_cast<std::uint16_t>(items_.size()), static_cast<std::uint16_t>(list.size())};
    items_.insert(items_.end(), list.begin(), list.end());
    return entry->second;
  }
  [[nodiscard]] bool overflowed() const { return overflowed_; }
  [[nodiscard]] std::vector<T>& items() { return items_; }

 private:
  struct ListOrder {
    bool operator()(const std::vector<T>& a, const std::vector<T>& b) const {
      return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(), Order());
    }
  };
  std::vector<T> items_;
  // A map by contents: a grammar has few (some hundred) and short lists, and an order needs no hash function.
  std::map<std::vector<T>, Slice, ListOrder> known_;
  bool overflowed_ = false;
};

}  // namespace vireo::spirv
