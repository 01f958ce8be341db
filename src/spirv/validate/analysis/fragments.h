// SPDX-License-Identifier: Apache-2.0
//
// Fragments: what is left of functions and blocks whose OpFunction, OpLabel or end is missing.
//
// The one idea: a missing line is one fault, whatever should have stood behind it. So the instructions that lack the
// begin of their block or function are gathered into runs; each run is reported at one place, and checks that ask where
// an instruction stands leave it alone. Nor is the id reported that was lost with the line: an undefined id of a
// function or block may be that of a run.
//
// Source: specification 2.4 (logical layout).
#pragma once

#include <cstddef>
#include <vector>

#include "vireo/spirv/module.h"

namespace vireo::spirv {

/// Whether an instruction repeats the one before it word for word. What follows from that is reported as a second
/// definition of its id.
bool is_repeated(const Module& module, InstructionIndex instruction);

class Fragments {
 public:
  /// Linear in the misfits and what they lead to. A module without misfits has no runs; then only the number of
  /// parameters of each function is looked at.
  explicit Fragments(const Module& module);

  /// Whether an instruction lacks the begin of its block, or of its function. Logarithmic.
  [[nodiscard]] bool contains(InstructionIndex instruction) const {
    return !runs_.empty() && run_of(instruction) != nullptr;  // most modules have none, and each instruction is asked
  }
  /// Whether it is the instruction at which its run is reported.
  [[nodiscard]] bool is_told_at(InstructionIndex instruction) const;
  /// How many OpFunction and OpLabel may be missing, each with its id.
  [[nodiscard]] std::size_t missing_ids() const { return missing_ids_; }
  /// How many OpFunctionParameter are missing, and whether a function lacks some. How many it lacks is reported there.
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
  std::vector<FunctionIndex> torn_;   // with torn blocks, ascending; once for each of these
  std::vector<FunctionIndex> open_;   // without an end, ascending
  std::vector<FunctionIndex> short_;  // with fewer parameters than their type has, ascending
  std::size_t missing_ids_ = 0, missing_parameters_ = 0;
};

}  // namespace vireo::spirv
