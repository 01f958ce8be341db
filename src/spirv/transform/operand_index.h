// SPDX-License-Identifier: Apache-2.0
//
// OperandIndex: the id operands of each instruction, each with the instruction that defines the id.
//
// A transform follows operands from one instruction to the next. With instruction indexes in place of ids
// it needs only arrays by instruction, which are never larger than the module, whatever its ids are.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "vireo/spirv/module/module.h"
#include "vireo/support/diagnostic.h"
#include "vireo/support/result.h"

namespace vireo::spirv {

/// An operand that is an id, but not the result.
struct IdOperandRow {
  InstructionIndex definition;  ///< none if the id is undefined
  std::uint16_t word = 0;       ///< index within the instruction
};

class OperandIndex {
 public:
  /// Decodes all instructions. Errors: an instruction does not match the grammar, or the module has a layout violation
  /// other than an id beyond the bound or an instruction in a wrong section. Each of them is reported.
  /// Reuses the memory of an index that is no longer needed.
  static Result<OperandIndex> read(const Module& module, Diagnostics& diagnostics, OperandIndex memory = {});

  /// In the order of the words.
  [[nodiscard]] std::span<const IdOperandRow> of(InstructionIndex i) const {
    return std::span(rows_).subspan(begins_[i.index()], begins_[i.index() + 1] - begins_[i.index()]);
  }

 private:
  std::vector<std::uint32_t> begins_;  // by instruction; one entry more
  std::vector<IdOperandRow> rows_;
};

}  // namespace vireo::spirv
