// SPDX-License-Identifier: Apache-2.0
//
// DiffPrinter: the texts of the instructions of two modules, with names that both share.
//
// The disassembler prints each module with a map of its tokens. An id that corresponds to an id of the
// first module gets the name that it has there, so a line differs only where the instruction does.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "spirv/inspect/diff/diff_side.h"
#include "spirv/inspect/diff/module_comparison.h"
#include "vireo/spirv/inspect/diff.h"
#include "vireo/spirv/text/disassemble.h"
#include "vireo/spirv/text/source_map.h"

namespace vireo::spirv {

/// The disassembly of one of the two modules.
class PrintedModule {
 public:
  /// `compared` is what remains of `whole`, which has the names. All arguments are borrowed.
  PrintedModule(const DiffSide& side, Words whole, Words compared, const Grammar* grammar);

  /// The text, in which name(id) replaces each id. The ids are those of the side.
  template <typename Name>
  [[nodiscard]] std::string text_of(std::uint32_t instruction, Name&& name) const;
  /// The name in the disassembly of an id of the side; empty if it does not occur.
  [[nodiscard]] std::string_view name_of(Word id) const;

 private:
  [[nodiscard]] Word id_of(const Token& token) const;

  const DiffSide& side_;
  StringSink text_;
  SourceMap map_;
  std::vector<std::uint32_t> tokens_;       // by instruction: its first token
  std::vector<std::uint32_t> name_tokens_;  // by id: a token with its name
};

class DiffPrinter {
 public:
  /// Both are borrowed.
  DiffPrinter(const ModuleDiff& diff, const DiffTextOptions& options);

  [[nodiscard]] const std::vector<DiffLine>& lines() const { return *lines_; }
  [[nodiscard]] const DiffSide& before() const { return *side_before_; }
  [[nodiscard]] const DiffSide& after() const { return *side_after_; }

  [[nodiscard]] std::string text_before(std::uint32_t instruction) const;
  [[nodiscard]] std::string text_after(std::uint32_t instruction) const;
  /// The name of the function that contains the instruction of a line; empty outside functions.
  [[nodiscard]] std::string function_of(const DiffLine& line) const;
  /// The section that contains the instruction of a line.
  [[nodiscard]] Section section_of(const DiffLine& line) const;

 private:
  [[nodiscard]] std::string name_before(Word id) const;
  [[nodiscard]] std::string name_after(Word id) const;
  [[nodiscard]] std::string listed_name_after(Word id) const;
  void choose_own_names();

  const DiffTextOptions& options_;
  const DiffSide* side_before_;
  const DiffSide* side_after_;
  const Pairing* pairing_;
  const std::vector<DiffLine>* lines_;
  PrintedModule before_, after_;
  std::vector<std::string> own_names_;  // by id of the second module; empty: that of its partner
};

}  // namespace vireo::spirv
