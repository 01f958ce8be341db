// SPDX-License-Identifier: Apache-2.0
//
// Lines: the source line of each instruction.
//
// OpLine applies until another instruction ends its effect. So this class stores only the instructions at
// which the line changes, and a query is a binary search. DebugLine of NonSemantic.Shader.DebugInfo has the same
// effect. If both apply to an instruction, the one that precedes it most closely counts.
//
// Source: specification 3.42.2, OpLine (applies to the following instructions, up to the end of the block, OpLine or
// OpNoLine); NonSemantic.Shader.DebugInfo, DebugLine and DebugNoLine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "vireo/spirv/module/module.h"
#include "vireo/spirv/word.h"
#include "vireo/support/api.h"

namespace vireo::spirv {

/// A location in a source file, from OpLine or DebugLine.
struct VIREO_API SourceLine {
  Word file = 0;           ///< id of an OpString; DebugLine: that of its DebugSource; 0 if there is none
  std::string_view name;   ///< name of the file, borrowed from the module's words; empty if `file` is not an OpString
  std::uint32_t line = 0;  ///< as in the instruction; most producers count from 1; DebugLine: 0 if not an OpConstant
  std::uint32_t column = 0;
  std::uint32_t end_line = 0;    ///< DebugLine: the last line; OpLine: 0
  std::uint32_t end_column = 0;  ///< DebugLine: the last column; OpLine: 0
  InstructionIndex instruction;  ///< the OpLine, or the OpExtInst with DebugLine
};

/// The source lines of a module's instructions.
class VIREO_API Lines {
 public:
  /// Reads the lines of a module in one pass over its instructions; without OpLine and debug information in constant
  /// time. The module must outlive the result and must not move.
  static Lines read(const Module& module);
  static Lines read(const Module&& temporary) = delete;

  /// The source line of an instruction; none if no OpLine or DebugLine applies to it. For an OpLine or DebugLine, its
  /// own line. Logarithmic.
  [[nodiscard]] std::optional<SourceLine> of(InstructionIndex instruction) const;
  /// Whether the module has any OpLine or DebugLine.
  [[nodiscard]] bool has_any() const { return !changes_.empty(); }

 private:
  explicit Lines(const Module& module) : module_(&module) {}

  struct Change {
    std::uint32_t first;    // the first instruction to which `line` applies
    InstructionIndex line;  // OpLine or DebugLine; none: no line applies from here on
  };
  [[nodiscard]] SourceLine debug_line(InstructionView line) const;

  const Module* module_;
  std::vector<Change> changes_;  // ascending
};

}  // namespace vireo::spirv
