// SPDX-License-Identifier: Apache-2.0
//
// Fragments: what is left of functions and blocks whose OpFunction, OpLabel or end is missing.
//
// The one idea: a line that is missing is one fault, whatever stood behind it. So what lacks its begin is found once, as
// runs of instructions; each run is told at one place, and checks that ask where an instruction stands leave it alone.
// Nor is the id told that went with the line: an id of a function or block that nothing defines may be a run's.
//
// Source: specification 2.4 (logical layout).
#pragma once

#include <cstddef>
#include <vector>

#include "vireo/spirv/module.h"

namespace vireo::spirv {

/// Whether an instruction is, word for word, the one in front of it: what follows from that is told of its id.
bool is_repeated(const Module& module, InstructionIndex instruction);

class Fragments {
 public:
  /// Of a module without misfits there are none, and only the numbers of parameters are looked at. Otherwise linear in the
  /// misfits and what they lead to.
  explicit Fragments(const Module& module);

  /// Whether an instruction lacks the begin of its block, or of its function. Logarithmic.
  [[nodiscard]] bool contains(InstructionIndex instruction) const {
    return !runs_.empty() && run_of(instruction) != nullptr;  // most modules have none, and each instruction is asked
  }
  /// Whether it is the one at which a run is told.
  [[nodiscard]] bool is_told_at(InstructionIndex instruction) const;
  /// How many OpFunction and OpLabel may be missing, each with its id.
  [[nodiscard]] std::size_t missing_ids() const { return missing_ids_; }
  /// How many OpFunctionParameter are missing, and whether a function lacks some: their number is told there.
  [[nodiscard]] std::size_t missing_parameters() const { return missing_parameters_; }
  [[nodiscard]] bool lacks_parameters(FunctionIndex function) const;
  /// Whether some block of a function lacks its begin or its end: then nobody knows who branches where.
  [[nodiscard]] bool has_torn_blocks(FunctionIndex function) const;
  /// Whether a function lacks what shows that it has no body: its end, or the begin of its blocks.
  [[nodiscard]] bool may_lack_body(FunctionIndex function) const;

 private:
  void find_runs(const Module& module);
  void find_short_functions(const Module& module);
  struct Run {
    InstructionRange all;
    InstructionIndex told;
  };
  [[nodiscard]] const Run* run_of(InstructionIndex instruction) const;

  std::vector<Run> runs_;             // in the order of the words
  std::vector<FunctionIndex> torn_;   // with torn blocks, ascending; as often as there are
  std::vector<FunctionIndex> open_;   // without an end, ascending
  std::vector<FunctionIndex> short_;  // with fewer parameters than their type has, ascending
  std::size_t missing_ids_ = 0, missing_parameters_ = 0;
};

}  // namespace vireo::spirv
