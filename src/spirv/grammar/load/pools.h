// SPDX-License-Identifier: Apache-2.0
//
// Pools: where rows put their strings and lists, each content once.
//
// The one idea: equal contents get equal slices, so hundreds of instructions share a hundred operand patterns and rows
// stay small. Order is that of first use, which makes generated tables deterministic.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "vireo/spirv/grammar.h"

namespace vireo::spirv {

/// Characters, each string once.
class CharPool {
 public:
  // Lengths fit: the loader refuses names of more than 65,535 bytes.
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

/// Lists of T in one vector, each list once. `Order` compares two T.
template <typename T, typename Order>
class SlicePool {
 public:
  static constexpr std::size_t limit = 0xFFFF;

  Slice intern(const std::vector<T>& list) {
    // All empty lists are the zero slice, so a row without operands is zero there.
    if (list.empty()) return {};
    const auto [entry, is_new] = known_.try_emplace(list);
    if (!is_new) return entry->second;
    // Slices have 16 bits. Only remembered here: the owner of the pool reports it once, as the list that happens to
    // come last is not to blame.
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
  // A map by content: the lists of one grammar are few (some hundred) and short, and order needs no hash.
  std::map<std::vector<T>, Slice, ListOrder> known_;
  bool overflowed_ = false;
};

}  // namespace vireo::spirv
