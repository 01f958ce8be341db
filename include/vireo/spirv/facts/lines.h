// SPDX-License-Identifier: Apache-2.0
//
// Lines: the source line of each instruction.
//
// The one idea: OpLine applies until another instruction ends it, so only the instructions at which the line changes
// are stored, and a query is a binary search. DebugLine of the debug information for shaders has the same effect. If
// a module contains both, the last one applies.
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

/// A location in a source file, from OpLine or DebugLine.
struct VIREO_API SourceLine {
  Word file = 0;           ///< id of an OpString; for DebugLine the file of its DebugSource, 0 if there is none
  std::string_view name;   ///< of the file, borrowed from the module's words; empty if `file` is not an OpString
  std::uint32_t line = 0;  ///< most producers count from 1; for DebugLine 0 if it is not a constant
  std::uint32_t column = 0;
  std::uint32_t end_line = 0;  ///< the last line and column; 0 for OpLine, which has none
  std::uint32_t end_column = 0;
  InstructionIndex instruction;  ///< the OpLine, or the OpExtInst with DebugLine
};

/// The source lines of a module's instructions.
class VIREO_API Lines {
 public:
  /// One pass over all instructions, or none if the module has no line information. The module must outlive the
  /// result and must not move.
  static Lines read(const Module& module);
  static Lines read(const Module&& temporary) = delete;

  /// The source line of an instruction; nothing if no OpLine or DebugLine applies to it. An OpLine or DebugLine has
  /// the line that it states.
  [[nodiscard]] std::optional<SourceLine> of(InstructionIndex instruction) const;
  /// Whether the module has any OpLine or DebugLine.
  [[nodiscard]] bool has_any() const { return !changes_.empty(); }

 private:
  explicit Lines(const Module& module) : module_(&module) {}

  struct Change {
    std::uint32_t first;    // the first instruction that it applies to
    InstructionIndex line;  // OpLine or DebugLine, or none
  };
  [[nodiscard]] SourceLine debug_line(InstructionView line) const;

  const Module* module_;
  std::vector<Change> changes_;  // ascending
};

}  // namespace vireo::spirv
