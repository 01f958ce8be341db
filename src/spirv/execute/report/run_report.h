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
#include <string>
#include <string_view>
#include <unordered_map>
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
  /// Reports a finding. `context`: a note such as "in invocation 3,0,0: %a = 7".
  void add(Rule rule, Place place, Arguments arguments, const std::string& context);
  /// Adds a note to the last finding.
  void note(Place place, std::string_view sentence, Arguments arguments) { check().note(place, sentence, arguments); }
  [[nodiscard]] const ModuleCheck& check() const { return context_.check(); }
  /// The part of a variable at an offset: "particles[7].velocity.y". `element`: of an array of descriptors.
  std::string path_of(const ProgramVariable& variable, std::uint32_t element, std::int64_t offset);

  /// All violations, also those that were only counted.
  [[nodiscard]] std::size_t count() const { return count_; }
  /// Moves the findings to `diagnostics`, in the order of the words.
  void deliver(Diagnostics& diagnostics);

 private:
  std::vector<RuleChoice> choices_;
  ValidateOptions options_;
  CheckContext context_;
  const Facts& facts_;
  std::optional<TypeCells> cells_;                         // for paths
  std::unordered_map<std::uint64_t, std::size_t> counts_;  // by rule and instruction
  std::size_t count_ = 0;
};

}  // namespace vireo::spirv
