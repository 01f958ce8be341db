// SPDX-License-Identifier: Apache-2.0
//
// Checks by opcode: the tables of all chapters, gathered by row of the grammar.
//
// The one idea: the checks of an opcode are neighbours here, and stand in two runs: first those that rest on no more than
// alike instructions have in common (alike.h), then those that each instruction has to be put through. So who asks for a
// row is told at one look what there is to do.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "spirv/validate/context.h"
#include "vireo/spirv/grammar.h"

namespace vireo::spirv {

/// Made once a module, and only read afterwards. Borrows the grammar.
class CheckTable {
 public:
  struct Row {
    std::uint16_t of_alike = 0, of_each = 0, end = 0;  ///< where each of both runs begins, and the second one ends
    RestsOn basis = RestsOn::Anything;  ///< what the first run rests on together; Anything when it is empty
  };

  explicit CheckTable(const Grammar& grammar);

  [[nodiscard]] const Row& of(const InstructionRow& instruction) const {
    return rows_[static_cast<std::size_t>(&instruction - grammar_.instructions.data())];
  }
  void run_of_alike(const Row& row, const Context& context, const Visit& visit, Report& report) const {
    run(row.of_alike, row.of_each, context, visit, report);
  }
  void run_of_each(const Row& row, const Context& context, const Visit& visit, Report& report) const {
    run(row.of_each, row.end, context, visit, report);
  }

 private:
  void run(std::size_t first, std::size_t end, const Context& context, const Visit& visit, Report& report) const {
    for (std::size_t i = first; i < end; ++i) checks_[i]->run(context, visit, report);
  }

  const Grammar& grammar_;
  std::vector<Row> rows_;  // by row of the grammar
  std::vector<const Check*> checks_;
};

}  // namespace vireo::spirv
