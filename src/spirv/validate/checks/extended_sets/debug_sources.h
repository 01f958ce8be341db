// SPDX-License-Identifier: Apache-2.0
//
// DebugSources: the number of lines, and their lengths, in each source text of the debug information.
//
// The text of each DebugSource is read once, and only the lengths of its lines are kept. Many sources may
// refer to the same string, so the number of bytes read is limited to a small multiple of the module size.
//
// Sources: "NonSemantic.Shader.DebugInfo", DebugSource and DebugSourceContinued; "OpenCL.DebugInfo.100", DebugSource.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "spirv/validate/core/check.h"

namespace vireo::spirv {

class DebugSources {
 public:
  /// Reads the sources of a module that imports NonSemantic.Shader.DebugInfo or OpenCL.DebugInfo.100; other modules
  /// have none.
  explicit DebugSources(const ModuleCheck& c);

  /// The number of lines of a DebugSource; nullopt if its text is unknown.
  [[nodiscard]] std::optional<std::uint32_t> line_count(Word source) const;
  /// The length in bytes of a line, without its line end; 0 for a line that does not exist. Lines are numbered from 1.
  [[nodiscard]] std::uint32_t line_length(Word source, std::uint64_t line) const;

 private:
  struct Row {
    Word id;
    std::uint32_t first, count;  // range in lengths_
    bool has_text = false;
    bool has_ended = true;  // whether the last line is complete: the next character starts a new line
  };
  void read(Word id);
  [[nodiscard]] const Row* find(Word source) const;

  const ModuleCheck& c_;
  std::vector<Row> rows_;  // ascending by id
  std::vector<std::uint32_t> lengths_;
  std::uint64_t bytes_left_;
};

}  // namespace vireo::spirv
