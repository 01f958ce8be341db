// SPDX-License-Identifier: Apache-2.0
//
// ByInstruction: a table from each instruction row of a grammar to a list of values.
//
// A counting sort orders the values by row. Construction takes two passes, and a lookup takes two reads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "vireo/spirv/grammar/enums.h"
#include "vireo/spirv/grammar/grammar.h"

namespace vireo::spirv {

template <typename T>
class ByInstruction {
 public:
  /// Ignores opcodes that the grammar lacks. Borrows the grammar.
  ByInstruction(const Grammar& grammar, std::span<const std::pair<Op, T>> values)
      : first_(grammar.instructions.data()), begins_(grammar.instructions.size() + 1) {
    const auto row_of = [&](Op op) { return grammar.find_opcode(op); };
    for (const auto& [op, value] : values) {
      if (const InstructionRow* row = row_of(op)) ++begins_[number_of(*row) + 1];
    }
    std::partial_sum(begins_.begin(), begins_.end(), begins_.begin());
    values_.resize(begins_.back());
    std::vector<std::uint16_t> next = begins_;
    for (const auto& [op, value] : values) {
      if (const InstructionRow* row = row_of(op)) values_[next[number_of(*row)]++] = value;
    }
  }

  /// The values of an instruction, in the order of the constructor's argument.
  [[nodiscard]] std::span<const T> of(const InstructionRow& row) const {
    const std::size_t number = number_of(row);
    return std::span(values_).subspan(begins_[number], begins_[number + 1] - begins_[number]);
  }

 private:
  [[nodiscard]] std::size_t number_of(const InstructionRow& row) const {
    return static_cast<std::size_t>(&row - first_);
  }

  const InstructionRow* first_;
  std::vector<std::uint16_t> begins_;  // indexes into values_, by row; one more than the number of rows
  std::vector<T> values_;
};

}  // namespace vireo::spirv
