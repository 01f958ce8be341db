// SPDX-License-Identifier: Apache-2.0
//
// A cache for lookups of the grammar's names.
//
// A text uses few different names many times. A direct-mapped cache precedes the grammar's hash table.
// It compares the first and the last eight bytes of a word, which covers most names completely, and hashes no other
// bytes.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "spirv/text/lexer.h"
#include "vireo/spirv/grammar/grammar.h"
#include "vireo/spirv/word.h"

namespace vireo::spirv::text {

/// The first and last bytes of a word. Equal words have equal keys, and equal keys of up to 16 bytes are equal words.
struct WordKey {
  std::uint64_t head = 0;                    ///< the first eight bytes; zeros after a shorter word
  std::uint64_t tail = 0;                    ///< the last eight bytes; 0 for a shorter word
  std::uint32_t length = ~std::uint32_t{0};  ///< the default matches no word

  WordKey() = default;
  WordKey(const Lexer& lexer, const char* begin, const char* end)
      : head(lexer.load8(begin)), length(static_cast<std::uint32_t>(end - begin)) {
    if (length >= 8) {
      tail = lexer.load8(end - 8);
    } else {
      head &= (std::uint64_t{1} << (8 * length)) - 1;
    }
  }
  [[nodiscard]] bool matches(const WordKey& other, const char* a, const char* b) const {
    return head == other.head && tail == other.tail && length == other.length &&
           (length <= 16 || std::memcmp(a + 8, b + 8, length - 16) == 0);
  }
  // One multiplication. A collision only costs a lookup in the grammar's table, so a better hash is not worth its
  // cost.
  [[nodiscard]] std::size_t slot(std::uint64_t salt, unsigned bits) const {
    return static_cast<std::size_t>(((head ^ std::rotl(tail, 27) ^ salt) * 0x9E3779B97F4A7C15ull) >> (64 - bits));
  }
};

/// Names of opcodes, enumerants and extended instructions, by scope (name_scope).
class NameCache {
 public:
  static constexpr std::uint32_t none = 0xFFFFFFFF;

  NameCache(const Grammar& grammar, const Lexer& lexer) : grammar_(grammar), lexer_(lexer) {}

  /// The row of a name: an index into instructions, enumerants or ext_instructions, depending on the scope; or none.
  std::uint32_t find(std::uint16_t scope, const char* begin, const char* end) {
    const WordKey key(lexer_, begin, end);
    const Name& name = names_[slot_of(scope, key)];
    if (name.scope == scope && key.matches(name.key, begin, name.text)) [[likely]]
      return name.row;
    return fill(scope, key, begin);
  }

 private:
  struct Name {
    WordKey key;
    std::uint16_t scope = 0;
    std::uint16_t row = 0;
    const char* text = nullptr;  // in the grammar
  };

  static constexpr unsigned slot_bits = 9;
  static std::size_t slot_of(std::uint16_t scope, const WordKey& key) {
    return key.slot(std::uint64_t{scope} << 40, slot_bits);
  }
  [[gnu::noinline]] std::uint32_t fill(std::uint16_t scope, const WordKey& key, const char* begin);

  const Grammar& grammar_;
  const Lexer& lexer_;
  std::vector<Name> names_{std::size_t{1} << slot_bits};  // each slot contains the last name that was looked up
};

}  // namespace vireo::spirv::text
