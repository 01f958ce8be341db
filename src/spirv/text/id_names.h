// SPDX-License-Identifier: Apache-2.0
//
// IdNames: the names of ids in a text, and the number of each.
//
// Names are not copied. A name of up to eight bytes is its own key. A longer one is found by its hash and
// compared with the text of its first mention. Entries have 16 bytes and tables double, so a text of n names costs O(n)
// for any names. Canonical decimal names below a limit have their own array.
//
// docs/text.md, "Ids": by default, numbers are assigned by first mention, from 1. If numeric ids are preserved, a name
// that reads as a 32-bit number is that number. All other names get the lowest numbers that no name of the text uses.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "spirv/text/lexer.h"
#include "vireo/spirv/word.h"

namespace vireo::spirv::text {

struct IdNamesOptions {
  bool preserve_numeric_ids = false;
};

class IdNames {
 public:
  /// The result of number_of for an empty name, or for one with a byte that names cannot contain.
  static constexpr std::uint64_t malformed = ~std::uint64_t{0};

  IdNames(const Lexer& lexer, IdNamesOptions options);

  /// The number of a name; assigned at its first mention.
  std::uint64_t number_of(const IdToken& name) {
    if (name.is_decimal) {
      if (is_preserving_) return mention(name.value);
      if (name.value < decimals_.size() && decimals_[name.value] != 0) [[likely]]
        return decimals_[name.value];
      if (name.value < decimal_limit_) return add_decimal(name.value);
    }
    if (name.length - 1 < 8) [[likely]]  // 1 to 8 bytes
      return find_short(name);
    return find_long(name.begin, name.length);
  }

  /// One more than the highest number assigned.
  [[nodiscard]] std::uint64_t bound() const { return std::uint64_t{highest_} + 1; }

 private:
  struct Entry {
    std::uint64_t key = 0;     // bytes of a short name; for a long one the offset in the text, and the top bit
    std::uint32_t hash = 0;    // low 32 bits of the hash; the lowest ones select the first slot
    std::uint32_t number = 0;  // 0 = the entry is free
  };
  static constexpr std::uint64_t long_name = std::uint64_t{1} << 63;  // names are ASCII: no short one has this bit

  // Preserved numbers come in any order; the bound is one above the highest (specification 2.3, table 1).
  std::uint64_t mention(std::uint32_t number) {
    if (number > highest_) highest_ = number;
    return number;
  }

  [[nodiscard]] std::uint64_t mix(std::uint64_t a) const {
    // Both halves of the product depend on all bits of the name. The seed makes the multiplier unpredictable.
    __extension__ using Wide = unsigned __int128;
    const Wide product = static_cast<Wide>(a ^ seed_) * 0xD6E8FEB86659FD93ull;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
  }

  std::uint64_t find_short(IdToken name) {
    const auto hash = static_cast<std::uint32_t>(mix(name.head));
    for (std::size_t i = hash & mask_;; i = (i + 1) & mask_) {
      const Entry& entry = entries_[i];
      if (entry.number == 0) return add(name.text(), hash, name.head);
      if (entry.key == name.head) [[likely]]
        return entry.number;
    }
  }
  // Takes no reference to the token: its address would force the token into memory, even on the fast path.
  std::uint64_t find_long(const char* begin, std::size_t length);

  [[gnu::noinline]] std::uint64_t add_decimal(std::uint32_t value);
  [[gnu::noinline]] std::uint64_t add(std::string_view name, std::uint32_t hash, std::uint64_t key);
  std::uint32_t new_number();
  void grow();
  void collect_numeric_names();

  const Lexer& lexer_;
  bool is_preserving_;
  bool was_collected_ = false;  // numeric names are collected at the first other name
  std::uint32_t highest_ = 0;
  std::uint32_t last_free_ = 0;          // preserving: all numbers up to this one are in use
  std::uint64_t seed_;                   // differs between runs: an attacker cannot prepare names with equal hashes
  std::size_t decimal_limit_;            // limits the array to a part of the text's size, for names such as %99999999
  std::vector<std::uint32_t> decimals_;  // not preserving: number of each canonical decimal name, 0 = none
  std::vector<Entry> entries_;           // open addressing, linear probing, at most half full
  std::size_t mask_;
  std::size_t entry_count_ = 0;
  std::vector<std::uint64_t> taken_;  // preserving: bit set of the numbers of numeric names
};

}  // namespace vireo::spirv::text
