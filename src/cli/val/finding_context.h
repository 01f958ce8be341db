// SPDX-License-Identifier: Apache-2.0
//
// The context of a finding in the module: its function, its result id, its source line.
//
// A finding refers to words, but its reader thinks of functions and source files. The module has this
// information, and it is looked up for findings only: a valid module costs nothing.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "vireo/spirv/module/call_graph.h"
#include "vireo/spirv/module/constants.h"
#include "vireo/spirv/module/decorations.h"
#include "vireo/spirv/module/facts.h"
#include "vireo/spirv/module/lines.h"
#include "vireo/spirv/module/module.h"
#include "vireo/spirv/module/module_declarations.h"
#include "vireo/spirv/module/source_texts.h"
#include "vireo/spirv/module/types.h"
#include "vireo/spirv/module/uses.h"
#include "vireo/support/diagnostic.h"

namespace vireo::cli {

class FindingContext {
 public:
  /// The words and the grammar must outlive it.
  FindingContext(spirv::Words words, const spirv::Grammar& grammar);
  FindingContext(const FindingContext&) = delete;
  FindingContext& operator=(const FindingContext&) = delete;

  /// The name of the function that contains a location: the name of its entry point, else its OpName, else "function
  /// N", counted from 1, which edits in other functions do not change. Empty outside functions.
  [[nodiscard]] std::string function_of(const Location& where) const;
  /// The result id of the instruction; 0: none.
  [[nodiscard]] spirv::Word id_of(const Location& where) const;
  /// The source line of the instruction from OpLine or DebugLine.
  [[nodiscard]] std::optional<spirv::SourceLine> source_of(const Location& where) const;
  /// The same with the text of the line, if the module contains it. None if the file or the line is unknown.
  [[nodiscard]] std::optional<SourcePosition> position_of(const Location& where) const;

 private:
  [[nodiscard]] spirv::InstructionIndex instruction_of(const Location& where) const;

  const spirv::Module module_;
  const spirv::Facts facts_;
  mutable std::optional<spirv::SourceTexts> texts_;  // read by the first position_of(); one thread uses the object
  std::unordered_map<spirv::Word, std::string_view> entry_points_;  // by function: the name of its first entry point
};

}  // namespace vireo::cli
