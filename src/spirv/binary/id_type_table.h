// SPDX-License-Identifier: Apache-2.0
//
// IdTypeTable: facts about each id seen so far in a walk over a module. The decoder needs them for later literals and
// extended instructions.
//
// One word for each id holds all facts.
//
//   0                    not defined yet
//   0x8000'0000 | bits   a type; the bits are a packed ScalarType
//   0x4000'0000 | set    an import of a set; | 0x2000'0000 if the set is unknown and non-semantic, | 0x1000'0000 if the
//                        set is unknown and was reported
//   0x7FFF'FFFF          defined, without a type (labels, strings, decoration groups)
//   otherwise            a value; the word is the id of its type
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "vireo/spirv/binary/operand.h"
#include "vireo/spirv/word.h"
#include "vireo/support/id_map.h"

namespace vireo::spirv {

namespace seen {
inline constexpr Word is_type = 0x80000000;
inline constexpr Word is_import = 0x40000000;
inline constexpr Word unknown_set = 0x20000000;
inline constexpr Word refused_set = 0x10000000;
inline constexpr Word defined_only = 0x7FFFFFFF;
// Type ids at or above this limit are not recorded; no real module has one.
inline constexpr Word first_not_type_id = 0x40000000;

// A packed ScalarType: class (2 bits), then for integers sign (1) and width (16), for floats width (10) and encoding
// (16; 0 = none, else value + 1).
// All fields fit below the two flags: 2 + 1 + 16 bits for an integer, 2 + 10 + 16 for a float. A width or an encoding
// that does not fit is clamped to a value that no format has, so it stays unknown.
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

/// The scalar type that OpTypeInt or OpTypeFloat declares; class None for any other instruction.
ScalarType declared_scalar(InstructionView declaration);

class IdTypeTable {
 public:
  /// If `bound` is at most `word_count`, it is plausible and the table is cleared at once. Callers read each entry
  /// before they write it, so each page that is not cleared first costs two page faults. Any other bound may be wrong.
  /// If it is 0, the table has one slot for each word of the module. If it is too high, dense_limit applies. In both
  /// cases calloc() returns untouched pages, so a high bound only costs address space.
  IdTypeTable(Word bound, std::size_t word_count)
      : count_(bound != 0 && bound <= word_count ? bound
                                                 : std::min(std::max<std::size_t>(bound, word_count), dense_limit)) {
    const bool is_plausible = bound != 0 && bound <= word_count;
    const std::size_t size = (count_ + 1) * sizeof(Word);
    dense_.reset(static_cast<Word*>(is_plausible ? std::malloc(size) : std::calloc(size, 1)));
    if (is_plausible && dense_) std::memset(dense_.get(), 0, size);
    // If the allocation fails, the map holds all ids.
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
  // Ids below this limit are looked up by index, whatever the size of the module; pages are only touched when used.
  static constexpr std::size_t dense_limit = std::size_t{1} << 24;

  struct Free {
    void operator()(Word* p) const { std::free(p); }
  };
  std::unique_ptr<Word, Free> dense_;  // zeroed lazily by the operating system, unlike a vector
  std::size_t count_;
  IdMap<Word> sparse_;  // ids beyond the table, in modules with a wrong bound or unusually high ids
};

}  // namespace vireo::spirv
