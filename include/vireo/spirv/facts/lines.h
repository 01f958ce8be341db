// SPDX-License-Identifier: Apache-2.0
//
// Lines: which place of the source each instruction comes from.
//
// The one idea: OpLine holds until something ends it, so only the places where the answer changes are kept; a question
// is a binary search among them. DebugLine of the debug information for shaders says the same in other words; where a
// module has both, the last one counts.
//
// Source: specification, OpLine: it applies to what follows, up to the next end of a block, OpLine or OpNoLine;
// NonSemantic.Shader.DebugInfo, DebugLine and DebugNoLine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "vireo/spirv/module.h"
#include "vireo/spirv/word.h"
#include "vireo/support/api.h"

namespace vireo::spirv {

/// A place in a source file, as OpLine or DebugLine has it.
struct VIREO_API SourceLine {
  Word file = 0;           ///< id of an OpString; of DebugLine that of its DebugSource, 0 when there is none
  std::string_view name;   ///< of the file: a look into the module's words; empty when `file` is no OpString
  std::uint32_t line = 0;  ///< as it stands; most producers count from 1. Of DebugLine 0 when it is no constant
  std::uint32_t column = 0;
  std::uint32_t end_line = 0;  ///< the last line and column; 0 of OpLine, which does not say
  std::uint32_t end_column = 0;
  InstructionIndex instruction;  ///< the OpLine, or the OpExtInst with DebugLine
};

/// Where instructions come from.
class VIREO_API Lines {
 public:
  /// One pass over all instructions, or none when the module has no line information. The module must outlive the
  /// result and stay in its place.
  static Lines read(const Module& module);
  static Lines read(const Module&& temporary) = delete;

  /// Where an instruction comes from; nothing when no OpLine or DebugLine applies to it. These themselves have the place
  /// that they state.
  [[nodiscard]] std::optional<SourceLine> of(InstructionIndex instruction) const;
  /// Whether the module has any OpLine or DebugLine.
  [[nodiscard]] bool has_any() const { return !changes_.empty(); }

 private:
  explicit Lines(const Module& module) : module_(&module) {}

  struct Change {
    std::uint32_t first;    // instruction from which on it holds
    InstructionIndex line;  // OpLine or DebugLine, or none
  };
  [[nodiscard]] SourceLine debug_line(InstructionView line) const;

  const Module* module_;
  std::vector<Change> changes_;  // ascending
};

}  // namespace vireo::spirv
