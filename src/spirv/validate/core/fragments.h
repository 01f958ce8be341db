// SPDX-License-Identifier: Apache-2.0
//
// Fragments: orphaned instructions, which belong to a function or block whose OpFunction, OpLabel or end is missing.
//
// One missing instruction is one error, however many instructions follow it. Orphaned instructions are
// grouped into runs, and each run is reported once. Checks that depend on the position of an instruction skip orphaned
// ones. An undefined id that is used as a function or block may be the result of the missing instruction. Such an id is
// not reported either.
//
// Source: specification 2.4 (logical layout).
#pragma once

#include <cstddef>
#include <vector>

#include "vireo/spirv/module/module.h"

namespace vireo::spirv {

/// Whether an instruction has the same words as the one before it. It is reported only as a second definition of its
/// id.
bool is_repeated(const Module& module, InstructionIndex instruction);

class Fragments {
 public:
  /// Linear in the layout violations, the instructions of their runs, and the functions. Without layout violations
  /// there are no runs, and only the number of parameters of each function is checked.
  explicit Fragments(const Module& module);

  /// Whether an instruction is orphaned: its block or function lacks its first instruction. Takes logarithmic time.
  [[nodiscard]] bool contains(InstructionIndex instruction) const {
    return !runs_.empty() && run_of(instruction) != nullptr;  // fast path: most modules have no runs
  }
  /// Whether this instruction is the one at which its run is reported. False outside runs.
  [[nodiscard]] bool is_reported_at(InstructionIndex instruction) const;
  /// The number of instructions that may be missing, OpFunction and OpLabel. Each would define an id.
  [[nodiscard]] std::size_t missing_ids() const { return missing_ids_; }
  /// The number of missing OpFunctionParameter in the module, and whether a function lacks some of them. The checks of
  /// functions report the number for each function.
  [[nodiscard]] std::size_t missing_parameters() const { return missing_parameters_; }
  [[nodiscard]] bool lacks_parameters(FunctionIndex function) const;
  /// Whether a block of a function lacks its label or its terminator, so that the control flow is unknown.
  [[nodiscard]] bool has_incomplete_blocks(FunctionIndex function) const;
  /// Whether a function lacks its end or the label of a block, so that it is unknown whether it has a body.
  [[nodiscard]] bool may_lack_body(FunctionIndex function) const;

 private:
  void find_runs(const Module& module);
  void find_short_functions(const Module& module);
  struct Run {
    InstructionRange all;
    InstructionIndex reported_at;
  };
  [[nodiscard]] const Run* run_of(InstructionIndex instruction) const;

  std::vector<Run> runs_;             // in the order of the words
  std::vector<FunctionIndex> torn_;   // functions with incomplete blocks, ascending; one entry for each such block
  std::vector<FunctionIndex> open_;   // functions without OpFunctionEnd, ascending
  std::vector<FunctionIndex> short_;  // functions with fewer parameters than their type, ascending
  std::size_t missing_ids_ = 0, missing_parameters_ = 0;
};

}  // namespace vireo::spirv
