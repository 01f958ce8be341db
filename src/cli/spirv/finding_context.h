// SPDX-License-Identifier: Apache-2.0
//
// Where a finding stands, in the words of those who wrote the module: its function, its id, its line of source.
//
// The one idea: a finding is about words; who fixes it thinks of functions and source files. All of that is in the module
// and is looked up for findings alone: a valid module pays nothing.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "vireo/spirv/facts.h"
#include "vireo/spirv/facts/call_graph.h"
#include "vireo/spirv/facts/constants.h"
#include "vireo/spirv/facts/decorations.h"
#include "vireo/spirv/facts/lines.h"
#include "vireo/spirv/facts/preamble.h"
#include "vireo/spirv/facts/types.h"
#include "vireo/spirv/facts/uses.h"
#include "vireo/spirv/module.h"
#include "vireo/support/diagnostic.h"

namespace vireo::cli {

class FindingContext {
 public:
  /// The words and the grammar must outlive it.
  FindingContext(spirv::Words words, const spirv::Grammar& grammar);
  FindingContext(const FindingContext&) = delete;
  FindingContext& operator=(const FindingContext&) = delete;

  /// The name of the function that a place lies in: that of its entry point, else its OpName, else "function N", counted
  /// from 1, which an edit elsewhere does not change. Empty outside of functions.
  [[nodiscard]] std::string function_of(const Location& where) const;
  /// The result id of the instruction; 0: it has none.
  [[nodiscard]] spirv::Word id_of(const Location& where) const;
  /// What OpLine or DebugLine says of the instruction.
  [[nodiscard]] std::optional<spirv::SourceLine> source_of(const Location& where) const;

 private:
  [[nodiscard]] spirv::InstructionIndex instruction_of(const Location& where) const;

  const spirv::Module module_;
  const spirv::Facts facts_;
  std::unordered_map<spirv::Word, std::string_view> entry_points_;  // names, by function; of several the first
};

}  // namespace vireo::cli
