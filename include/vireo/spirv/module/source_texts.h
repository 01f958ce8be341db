// SPDX-License-Identifier: Apache-2.0
//
// SourceTexts: the source files whose text a module contains.
//
//   const SourceTexts texts = SourceTexts::read(module);
//   if (const auto place = facts.lines().of(index)) … texts.line(*place) …
//
// Line information refers to a file by its OpString, and so do the instructions that contain text. So a
// SourceLine finds its text by the id of that OpString, or by its name if a linker has duplicated the string.
//
// Source: specification 3.42.2, OpSource and OpSourceContinued; NonSemantic.Shader.DebugInfo and OpenCL.DebugInfo.100,
// DebugSource and DebugSourceContinued.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "vireo/spirv/module/lines.h"
#include "vireo/spirv/module/module.h"
#include "vireo/spirv/word.h"
#include "vireo/support/api.h"
#include "vireo/support/owned.h"

namespace vireo::spirv {

/// The texts of source files in a module. It copies them: it does not depend on the module after read(). Can be moved.
class VIREO_API SourceTexts {
 public:
  /// Reads all texts in one pass over the debug sections and global instructions. Copies at most four times the
  /// module's size; a text beyond this limit is omitted.
  static SourceTexts read(const Module& module);
  ~SourceTexts();
  SourceTexts(SourceTexts&&) noexcept;
  SourceTexts& operator=(SourceTexts&&) noexcept;

  /// A line of a source file, without its line end. None if the module does not contain the text or the line. Lines
  /// after a #line directive are omitted, because their numbers are not those of the text.
  [[nodiscard]] std::optional<std::string_view> line(const SourceLine& place) const;

  [[nodiscard]] bool has_any() const;

 private:
  struct Reader;
  struct Files;
  explicit SourceTexts(Files* files);

  Owned<Files> files_;
};

}  // namespace vireo::spirv
