// SPDX-License-Identifier: Apache-2.0
//
// SeenIds: what a walk over a module remembers of each id, as far as later literals and extended instructions need it.
//
// The one idea: one word an id says it all.
//
//   0                    not defined yet
//   0x8000'0000 | bits   a type; the bits are those of a packed ScalarType
//   0x4000'0000 | set    an import, of a set (0x2000'0000 when the set is unknown but non-semantic, 0x1000'0000 when it
//                        is unknown, which was a fault)
//   0x7FFF'FFFF          defined, has no type (labels, strings, decoration groups)
//   otherwise            a value; the word is the id of its type
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "vireo/spirv/operand.h"
#include "vireo/spirv/word.h"
#include "vireo/support/id_map.h"

namespace vireo::spirv {

namespace seen {
inline constexpr Word is_type = 0x80000000;
inline constexpr Word is_import = 0x40000000;
inline constexpr Word unknown_set = 0x20000000;
inline constexpr Word refused_set = 0x10000000;
inline constexpr Word defined_only = 0x7FFFFFFF;
inline constexpr Word first_not_type_id =
    0x40000000;  // a type id beyond this is not remembered: no real module has one

// A packed ScalarType: class (2 bits), then for integers sign (1) and width (16), for floats width (10) and encoding
// (16; 0 = none, else value + 1).
// Everything fits below the two flags: 2 + 1 + 16 bits of an integer, 2 + 10 + 16 of a float. A width or an encoding
// that does not fit is clamped to one that no format has, so it stays an unknown one.
constexpr Word pack(ScalarType type) {
  const auto class_bits = static_cast<Word>(type.class_);
  if (type.class_ == ScalarType::Class::Integer) return class_bits | Word{type.is_signed} << 2 | Word{type.width} << 3;
  const Word width = std::min<Word>(type.width, 1023);
  const Word encoding = type.encoding == ScalarType::no_encoding ? 0 : std::min<Word>(type.encoding, 0xFFFE) + 1;
  return class_bits | width << 2 | encoding << 12;
}

constexpr ScalarType unpack(Word bits) {
  ScalarType type;
  type.class_ = static_cast<ScalarType::Class>(bits & 3);
  if (type.class_ == ScalarType::Class::Integer) {
    type.is_signed = (bits >> 2 & 1) != 0;
    type.width = static_cast<std::uint16_t>(bits >> 3);
  } else {
    type.is_signed = true;
    type.width = static_cast<std::uint16_t>(bits >> 2 & 1023);
    const Word encoding = bits >> 12 & 0xFFFF;
    type.encoding = encoding == 0 ? ScalarType::no_encoding : encoding - 1;
  }
  return type;
}
}  // namespace seen

class SeenIds {
 public:
  /// A bound that is not above the number of words is believed, and its table is cleared at once: each id is asked for
  /// before it is set, and a page that is read before it is written costs two page faults. Any other bound may be wrong
  /// in either direction: where it is 0 there is still a slot for as many ids as the module has words, and where it is
  /// too high the limit holds. calloc gives untouched pages then, so that a high bound costs address space only.
  SeenIds(Word bound, std::size_t word_count)
      : count_(bound != 0 && bound <= word_count ? bound
                                                 : std::min(std::max<std::size_t>(bound, word_count), dense_limit)) {
    const bool is_honest = bound != 0 && bound <= word_count;
    const std::size_t size = (count_ + 1) * sizeof(Word);
    dense_.reset(static_cast<Word*>(is_honest ? std::malloc(size) : std::calloc(size, 1)));
    if (is_honest && dense_) std::memset(dense_.get(), 0, size);
    // Out of memory is no reason to fail: the map serves all ids then.
    if (!dense_) count_ = 0;
  }

  [[nodiscard]] Word get(Word id) const {
    if (id < count_) [[likely]] { return dense_.get()[id]; }
    const auto found = sparse_.find(id);
    return found == sparse_.end() ? 0 : found->second;
  }
  void set(Word id, Word info) {
    if (id < count_) [[likely]] {
      dense_.get()[id] = info;
    } else {
      sparse_[id] = info;
    }
  }

  [[nodiscard]] ScalarType scalar_type(Word type_id) const {
    const Word info = get(type_id);
    return (info & seen::is_type) != 0 ? seen::unpack(info & ~seen::is_type) : ScalarType{};
  }
  [[nodiscard]] Word type_of(Word value_id) const {
    const Word info = get(value_id);
    return info < seen::first_not_type_id ? info : 0;
  }

 private:
  // Ids up to this are looked up by index whatever the module's size; the pages are only touched when used.
  static constexpr std::size_t dense_limit = std::size_t{1} << 24;

  struct Free {
    void operator()(Word* p) const { std::free(p); }
  };
  std::unique_ptr<Word, Free> dense_;  // zeroed lazily by the system, unlike a vector
  std::size_t count_;
  IdMap<Word> sparse_;  // ids that a lying header or a strange module puts far out
};

}  // namespace vireo::spirv
