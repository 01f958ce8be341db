// SPDX-License-Identifier: Apache-2.0
//
// Specializer::Data: a module and its analysis, which all threads share.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string_view>
#include <vector>

#include "spirv/transform/operand_index.h"
#include "spirv/transform/specialize/value_needs.h"
#include "vireo/spirv/module/decorations.h"
#include "vireo/spirv/module/module.h"
#include "vireo/spirv/module/types.h"
#include "vireo/spirv/transform/clean.h"
#include "vireo/spirv/transform/specialize.h"

namespace vireo::spirv {

/// The number of errors of each rule.
using ErrorCounts = std::map<std::string_view, std::size_t>;

struct Specializer::Data {
  /// The words are moved; they and all members stay where they are.
  Data(WordBuffer&& own, const SpecializerOptions& options);
  void read_constants();

  /// A decoration SpecId, and its value.
  struct SpecIdRow {
    Word spec_id = 0;
    InstructionIndex instruction;
  };

  const WordBuffer words;
  const Grammar grammar;
  const Environment environment;
  const FeatureSet features;
  const Module module;
  const Types types;
  const Decorations decorations;
  OperandIndex operands;
  std::vector<SpecConstant> constants;  // in the order of declaration
  // Indexes of `constants`, by SpecId, id and name; equal ones are in the order of declaration.
  std::vector<std::uint32_t> by_spec_id, by_id, by_name;
  std::vector<SpecIdRow> spec_ids;  // by SpecId
  std::vector<NeededValue> needs;
  CleanOptions pruning;  // of UnusedRemover

  /// The errors of the module before it is specialized; computed at the first call.
  [[nodiscard]] const ErrorCounts& errors_before() const;

 private:
  mutable std::once_flag errors_once_;
  mutable ErrorCounts errors_;
};

}  // namespace vireo::spirv
