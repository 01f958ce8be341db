// SPDX-License-Identifier: Apache-2.0
//
// The slow paths of IdNames (id_names.h): long names, and the first mention of each name.
#include "spirv/text/id_names.h"

#include <algorithm>
#include <cstring>

#include "vireo/support/number.h"

namespace vireo::spirv::text {
namespace {

bool is_well_formed(std::string_view name) {
  return !name.empty() &&
         std::all_of(name.begin(), name.end(), [](char c) { return class_of(c) == ByteClass::Letter; });
}

}  // namespace

IdNames::IdNames(const Lexer& lexer, IdNamesOptions options)
    : lexer_(lexer),
      is_preserving_(options.preserve_numeric_ids),
      // The addresses of the text and the stack differ between runs; they do not affect the output.
      seed_(reinterpret_cast<std::uintptr_t>(lexer.begin()) * 0x9E3779B97F4A7C15ull ^
            reinterpret_cast<std::uintptr_t>(&lexer)),
      decimal_limit_(lexer.size() / 8 + 1024),
      entries_(256),
      mask_(entries_.size() - 1) {}

std::uint64_t IdNames::find_long(const char* begin, std::size_t length) {
  if (length == 0) return malformed;
  // The length is hashed first, because the last block is padded with zeros: without it a name with trailing NULs would
  // have the same hash. Names contain no NUL, but the blocks do.
  std::uint64_t h = length;
  const char* p = begin;
  const char* end = begin + length;
  for (; end - p >= 8; p += 8) h = mix(h + lexer_.load8(p));
  if (p != end) h = mix(h + (lexer_.load8(p) & ((std::uint64_t{1} << (8 * (end - p))) - 1)));
  const auto hash = static_cast<std::uint32_t>(h);

  const std::string_view text(lexer_.begin(), lexer_.size());
  for (std::size_t i = hash & mask_;; i = (i + 1) & mask_) {
    const Entry& entry = entries_[i];
    if (entry.number == 0) return add({begin, length}, hash, long_name | lexer_.offset_of(begin));
    // Only long names are compared by hash: the key of a short one is the name.
    if (entry.hash != hash || (entry.key & long_name) == 0) continue;
    const std::size_t offset = entry.key & ~long_name;
    // The first mention must end here too; a longer name with the same prefix is a different name.
    if (text.size() - offset < length || std::memcmp(text.data() + offset, begin, length) != 0) continue;
    if (offset + length < text.size() && !ends_word(text[offset + length])) continue;
    return entry.number;
  }
}

// Adds a name such as %17 at its first mention: it is an array index, so no hash is needed.
std::uint64_t IdNames::add_decimal(std::uint32_t value) {
  if (value >= decimals_.size()) {
    // Doubling keeps the total linear; without the limit `%8388607` in a short text would allocate 32 MiB.
    const std::size_t size = std::max<std::size_t>({decimals_.size() * 2, std::size_t{value} + 1, 256});
    decimals_.resize(std::min(size, decimal_limit_));
  }
  return decimals_[value] = new_number();
}

// Adds any other name at its first mention.
std::uint64_t IdNames::add(std::string_view name, std::uint32_t hash, std::uint64_t key) {
  // Checked once for each name, at its first mention: all names in the tables are well-formed.
  if (!is_well_formed(name)) return malformed;
  if (is_preserving_) {
    std::uint32_t value = 0;
    if (is_digit(name[0]) && parse_u32(name, value) == NumberFault::None) {
      // The bound is one above the highest id and must fit in 32 bits too.
      return value == 0xFFFFFFFF ? malformed : mention(value);
    }
    // A text without symbolic names (all output of spirv-dis --raw-id) does not need this pass.
    if (!was_collected_) collect_numeric_names();
  }
  if (entry_count_ * 2 >= entries_.size()) grow();
  std::size_t i = hash & mask_;
  while (entries_[i].number != 0) i = (i + 1) & mask_;
  entries_[i] = {key, hash, new_number()};
  ++entry_count_;
  return entries_[i].number;
}

std::uint32_t IdNames::new_number() {
  // docs/text.md, "Ids": numbers are assigned at the first mention, from 1.
  if (!is_preserving_) return ++highest_;
  do {
    ++last_free_;
  } while (last_free_ / 64 < taken_.size() && (taken_[last_free_ / 64] >> (last_free_ % 64) & 1) != 0);
  mention(last_free_);
  return last_free_;
}

// Doubles the table, so the cost for each name is amortized constant. Hashes are stored, so no name is read again.
void IdNames::grow() {
  std::vector<Entry> larger(entries_.size() * 2);
  const std::size_t mask = larger.size() - 1;
  for (const Entry& entry : entries_) {
    if (entry.number == 0) continue;
    std::size_t i = entry.hash & mask;
    while (larger[i].number != 0) i = (i + 1) & mask;
    larger[i] = entry;
  }
  entries_ = std::move(larger);
  mask_ = mask;
}

// One pass over the words of the text. The text has fewer than size / 2 ids, so no larger number can block a free one.
// The bit set has one sixteenth of the text's size.
void IdNames::collect_numeric_names() {
  was_collected_ = true;
  const std::size_t limit = lexer_.size() / 2 + 2;
  taken_.resize(limit / 64 + 1);
  for (const char* p = lexer_.skip(lexer_.begin()); p < lexer_.end();) {
    const Piece word = lexer_.piece(p);
    std::uint32_t value = 0;
    if (*p == '%' && is_digit(lexer_.peek(p + 1)) && is_well_formed(word.text().substr(1)) &&
        parse_u32(word.text().substr(1), value) == NumberFault::None && value < limit) {
      taken_[value / 64] |= std::uint64_t{1} << (value % 64);
    }
    p = word.next;
  }
}

}  // namespace vireo::spirv::text
