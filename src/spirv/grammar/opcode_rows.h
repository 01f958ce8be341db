// SPDX-License-Identifier: Apache-2.0
//
// A table of rows by opcode, each computed when its opcode first occurs.
//
// A module uses about fifty of the nine hundred opcodes. A 16-bit number for each opcode of the grammar
// is the index of its computed row. So a short module costs little, and little memory is cleared.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "vireo/spirv/grammar/grammar.h"

namespace vireo::spirv {

inline constexpr std::size_t usual_opcodes = 64;  ///< up to this many different opcodes need one allocation only

/// `Row` by opcode. A default row represents all opcodes without a row.
template <typename Row>
class OpcodeRows {
 public:
  /// The grammar is borrowed.
  explicit OpcodeRows(const Grammar& grammar) : index_(grammar.opcode_index), slots_(grammar.instructions.size() + 1) {
    rows_.reserve(usual_opcodes);
    rows_.emplace_back();
  }

  /// A view of the existing rows, for loops with many lookups. Returns the default row for opcodes without a row.
  class Known {
   public:
    const Row& operator[](Op opcode) const { return rows_[slots_[number_in(index_, opcode)]]; }

   private:
    friend class OpcodeRows;
    Known(std::span<const std::uint16_t> index, const std::uint16_t* slots, const Row* rows)
        : index_(index), slots_(slots), rows_(rows) {}
    std::span<const std::uint16_t> index_;
    const std::uint16_t* slots_;
    const Row* rows_;
  };
  /// Valid until another row is made.
  [[nodiscard]] Known known() const { return {index_, slots_.data(), rows_.data()}; }

  /// The row of an opcode; `make()` creates it on first use. All opcodes that the grammar lacks share one row. The
  /// reference is valid until another row is made.
  template <typename Make>
  Row& of(Op opcode, Make&& make) {
    std::uint16_t& slot = slots_[number_in(index_, opcode)];
    if (slot == 0) [[unlikely]] {
      slot = static_cast<std::uint16_t>(rows_.size());
      rows_.push_back(make());
    }
    return rows_[slot];
  }

 private:
  // Opcodes are spread over ten times as many numbers as there are rows, so slots are numbered by row. 0 represents
  // unknown opcodes.
  static std::size_t number_in(std::span<const std::uint16_t> index, Op opcode) {
    const auto number = static_cast<std::size_t>(opcode);
    return number < index.size() ? index[number] : 0;
  }

  std::span<const std::uint16_t> index_;  // Grammar::opcode_index
  std::vector<std::uint16_t> slots_;      // by number_in(): index into rows_
  std::vector<Row> rows_;
};

}  // namespace vireo::spirv
