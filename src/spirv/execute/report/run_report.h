// SPDX-License-Identifier: Apache-2.0
//
// RunReport: the findings of an execution.
//
// One instruction may break a rule in each of a million invocations. Only the first time is a finding, and the others are
// counted. A finding has the message of its rule, and a note with the invocation and the values; the note states the count.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "spirv/execute/program/program.h"
#include "spirv/execute/program/type_cells.h"
#include "spirv/validate/core/check.h"
#include "spirv/validate/driver/check_context.h"
#include "vireo/spirv/run.h"

namespace vireo::spirv {

/// The severities of findings in executions: those of RunOptions, after the defaults of executions.
std::vector<RuleChoice> run_choices(const RunOptions& options);

class RunReport {
 public:
  /// The arguments are borrowed; the choices are those of run_choices().
  RunReport(const Module& module, const Facts& facts, const RunOptions& options, std::vector<RuleChoice> choices);

  /// Counts a violation of a rule by an instruction. Returns whether it is the first one: then a caller reports it.
  bool begins(Rule rule, InstructionIndex instruction);
  /// The same for a race of two instructions: the first one of the pair, and of the instruction.
  bool begins_pair(Rule rule, InstructionIndex instruction, InstructionIndex other);
  /// The finding that add() has just reported depends on a value that this instruction read before anyone wrote it.
  void note_origin(InstructionIndex origin) { origins_[last_] = origin.index(); }
  /// Reports a finding. `context`: a note such as "in invocation 3,0,0: %a = 7".
  void add(Rule rule, Place place, Arguments arguments, const std::string& context);
  /// Adds a note to the last finding.
  void note(Place place, std::string_view sentence, Arguments arguments) { check().note(place, sentence, arguments); }
  [[nodiscard]] const ModuleCheck& check() const { return context_.check(); }
  /// The part of a variable at an offset: "particles[7].velocity.y". `element`: of an array of descriptors.
  std::string path_of(const ProgramVariable& variable, std::uint32_t element, std::int64_t offset);

  /// How readers know a variable: "%particles", or "the buffer of set 0, binding 1" if it has no name.
  [[nodiscard]] std::string name_of(const ProgramVariable& variable) const;

  /// All violations, also those that were only counted.
  [[nodiscard]] std::size_t count() const { return count_; }
  /// Moves the findings to `diagnostics`, in the order of the words.
  void deliver(Diagnostics& diagnostics);

 private:
  [[nodiscard]] bool follows_from_race(std::uint64_t finding) const;

  std::vector<RuleChoice> choices_;
  ValidateOptions options_;
  CheckContext context_;
  const Facts& facts_;
  std::optional<TypeCells> cells_;                         // for paths
  std::unordered_map<std::uint64_t, std::size_t> counts_;  // by rule and instruction
  std::size_t count_ = 0;
  std::uint64_t last_ = 0;                                  // key of the last finding
  std::unordered_map<std::uint64_t, std::size_t> origins_;  // of findings about undefined values, by key
  std::set<std::pair<std::size_t, std::size_t>> pairs_;     // of instructions with a race, the lower one first
  std::set<std::size_t> racing_;                            // the instructions of the pairs
};

}  // namespace vireo::spirv
