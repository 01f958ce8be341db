// SPDX-License-Identifier: Apache-2.0
//
// UniformityMarks: the uniformity of values, branches and blocks, as words for the annotations of a disassembly
// (docs/uniformity.md).
//
//   const UniformityMarks marks(words);
//   options.mark_of = [&](std::uint32_t offset) { return marks.at(offset); };
//
// Accepts invalid modules.
#pragma once

#include <cstdint>
#include <string_view>

#include "vireo/spirv/grammar/grammar.h"
#include "vireo/spirv/word.h"
#include "vireo/support/api.h"
#include "vireo/support/owned.h"

namespace vireo::spirv {

/// The marks of the instructions of a module.
class VIREO_API UniformityMarks {
 public:
  /// The words and the grammar (nullptr: the built-in one) must outlive the object.
  explicit UniformityMarks(Words words, const Grammar* grammar = nullptr);
  explicit UniformityMarks(const WordBuffer&& temporary, const Grammar* grammar = nullptr) = delete;
  ~UniformityMarks();
  UniformityMarks(const UniformityMarks&) = delete;
  UniformityMarks& operator=(const UniformityMarks&) = delete;

  /// The mark of the instruction at an offset in words; empty if its value, its branch or its block is uniform in the
  /// invocation group. The text has static lifetime.
  [[nodiscard]] std::string_view at(std::uint32_t offset) const;

 private:
  struct Made;
  Owned<Made> made_;
};

}  // namespace vireo::spirv
