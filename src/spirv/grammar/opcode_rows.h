// SPDX-License-Identifier: Apache-2.0
//
// What a room knows of each opcode, worked out when the opcode is first met.
//
// The one idea: a module has some fifty different opcodes out of nine hundred. A small number for each row of the grammar
// leads to the rows that were made, so that a short module pays for what it has, and reading it clears little memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "vireo/spirv/grammar.h"

namespace vireo::spirv {

inline constexpr std::size_t usual_opcodes = 64;  ///< so many different ones cost no more than one allocation

/// `Row` by opcode. A default row stands for all opcodes that were not met yet.
template <typename Row>
class OpcodeRows {
 public:
  /// The grammar is borrowed.
  explicit OpcodeRows(const Grammar& grammar) : index_(grammar.opcode_index), slots_(grammar.instructions.size() + 1) {
    rows_.reserve(usual_opcodes);
    rows_.emplace_back();
  }

  /// A view of the rows made so far, for a loop that asks for many. Gives the default row for opcodes not met yet.
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
  /// Good until another row is made.
  [[nodiscard]] Known known() const { return {index_, slots_.data(), rows_.data()}; }

  /// The row of an opcode, made by `make()` when it is first met. All opcodes that the grammar lacks share one row.
  /// Good until another row is made.
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
  // Not by opcode: opcodes are spread over ten times as many numbers as there are rows. 0 stands for unknown opcodes.
  static std::size_t number_in(std::span<const std::uint16_t> index, Op opcode) {
    const auto number = static_cast<std::size_t>(opcode);
    return number < index.size() ? index[number] : 0;
  }

  std::span<const std::uint16_t> index_;  // of the grammar
  std::vector<std::uint16_t> slots_;      // by number_in(): index into rows_
  std::vector<Row> rows_;
};

}  // namespace vireo::spirv
