// SPDX-License-Identifier: Apache-2.0
//
// DebugSources: how many lines the sources of debug information have, and how long they are.
//
// The one idea: a text is read once, when it is declared, and what is kept of it is the length of each line. Sources may
// name the same string again and again, so all of them together are read only as far as a few times the module's size.
//
// Source: "NonSemantic.Shader.DebugInfo", DebugSource and DebugSourceContinued.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "spirv/validate/engine/context.h"

namespace vireo::spirv {

class DebugSources {
 public:
  /// Reads the sources of a module that imports NonSemantic.Shader.DebugInfo; there are none in others.
  explicit DebugSources(const Context& context);

  /// The number of lines of a DebugSource; nothing when it has no text.
  [[nodiscard]] std::optional<std::uint32_t> line_count(Word source) const;
  /// The bytes of a line, counted from 1, without its end. Lines that do not exist have none.
  [[nodiscard]] std::uint32_t line_length(Word source, std::uint64_t line) const;

 private:
  struct Row {
    Word id;
    std::uint32_t first, count;  // in lengths_
    bool has_text = false;
    bool has_ended = true;  // the last line, so that what comes next is another one
  };
  void read(Word id);
  [[nodiscard]] const Row* find(Word source) const;

  const Context& context_;
  std::vector<Row> rows_;  // ascending by id
  std::vector<std::uint32_t> lengths_;
  std::uint64_t bytes_left_;
};

}  // namespace vireo::spirv
