// SPDX-License-Identifier: Apache-2.0
//
// Lines: which place of the source each instruction comes from.
//
// The one idea: OpLine holds until something ends it, so only the places where the answer changes are kept; a question
// is a binary search among them.
//
// Source: specification, OpLine: it applies to what follows, up to the next end of a block, OpLine or OpNoLine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "vireo/spirv/module.h"
#include "vireo/spirv/word.h"

namespace vireo::spirv {

/// A place in a source file, as OpLine has it.
struct SourceLine {
  Word file = 0;           ///< id of an OpString
  std::string_view name;   ///< of the file: a look into the module's words; empty when `file` is no OpString
  std::uint32_t line = 0;  ///< as it stands; most producers count from 1
  std::uint32_t column = 0;
  InstructionIndex instruction;  ///< the OpLine
};

class Lines {
 public:
  /// One pass over all instructions. The module must outlive the result and stay in its place.
  static Lines read(const Module& module);

  /// Where an instruction comes from; nothing when no OpLine applies to it. An OpLine itself has the place that it states.
  [[nodiscard]] std::optional<SourceLine> of(InstructionIndex instruction) const;
  /// Whether the module has any OpLine.
  [[nodiscard]] bool has_any() const { return !changes_.empty(); }

 private:
  explicit Lines(const Module& module) : module_(&module) {}

  struct Change {
    std::uint32_t first;    // instruction from which on it holds
    InstructionIndex line;  // OpLine, or none
  };

  const Module* module_;
  std::vector<Change> changes_;  // ascending
};

}  // namespace vireo::spirv
