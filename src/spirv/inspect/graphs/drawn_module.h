// SPDX-License-Identifier: Apache-2.0
//
// DrawnModule: the module of a picture, with the texts that its labels show.
//
// Both pictures need the same texts: names of ids, titles of functions, lines of instructions. Each is
// computed when a label first needs it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "spirv/inspect/graphs/dot_text.h"
#include "vireo/spirv/inspect/dot.h"
#include "vireo/spirv/module/facts.h"
#include "vireo/spirv/module/module.h"
#include "vireo/spirv/module/module_declarations.h"
#include "vireo/spirv/module/source_texts.h"
#include "vireo/spirv/text/listing.h"

namespace vireo::spirv {

class DrawnModule {
 public:
  /// The words and the options are borrowed.
  DrawnModule(Words words, const DotOptions& options);
  DrawnModule(const DrawnModule&) = delete;
  DrawnModule& operator=(const DrawnModule&) = delete;

  [[nodiscard]] const Module& module() const { return module_; }
  [[nodiscard]] const Facts& facts() const { return facts_; }
  [[nodiscard]] const DotOptions& options() const { return options_; }

  /// The functions that the options select, ascending. Reports names without a function; the result is then empty.
  [[nodiscard]] std::optional<std::vector<FunctionIndex>> chosen_functions(Diagnostics& diagnostics) const;

  /// The name of an id, with its `%`.
  [[nodiscard]] std::string name_of(Word id) const;
  /// The name of a function: that of its OpName, else of an entry point, else of its id.
  [[nodiscard]] std::string title_of(const FunctionRow& function) const;
  /// The same for labels, without the parameters in names of glslang: "f" for "f(vf4;i1;".
  [[nodiscard]] std::string label_of(const FunctionRow& function) const;
  /// The type of a function: "vec4 (vec4, u32)"; empty if it has none.
  [[nodiscard]] std::string signature_of(const FunctionRow& function) const;
  /// "Fragment entry point", "exported as 'f'", "imported as 'f'"; may be empty.
  [[nodiscard]] std::vector<std::string> roles_of(FunctionIndex function) const;
  /// Whether the function is exported, or imported, through LinkageAttributes.
  [[nodiscard]] bool is_exported(const FunctionRow& function) const;

  /// Whether an instruction only carries debug information: lines, scopes, labels of source variables.
  [[nodiscard]] bool is_debug(InstructionView instruction) const;
  /// The number of instructions that blocks contain, without labels and debug information.
  [[nodiscard]] std::uint32_t count_instructions(InstructionRange range) const;
  /// The text of an instruction. The first call disassembles the module.
  [[nodiscard]] std::string text_of(InstructionIndex instruction);
  /// The source lines of a block, "a.frag:12–15", and the text of the line of its terminator if the module has it.
  struct SourceLabel {
    std::string lines, text;
  };
  [[nodiscard]] SourceLabel source_of(const BlockRow& block);

 private:
  /// The row of an OpEntryPoint; nullptr if the instruction is too short.
  [[nodiscard]] const EntryPointRow* entry_point(InstructionIndex instruction) const;

  const Words words_;
  const DotOptions& options_;
  const Module module_;
  const Facts facts_;
  const Listing listing_;
  std::vector<std::uint8_t> debug_sets_;  // by id, shorter than the bound: the id imports a set of debug information
  std::optional<SourceTexts> sources_;
  bool is_disassembled_ = false;
  std::string text_;                        // a line for each instruction
  std::vector<std::uint64_t> text_begins_;  // of the lines
};

/// Reports why a module is not read to its end. Returns false if there is an error.
bool report_incomplete(const Module& module, Diagnostics& diagnostics);

}  // namespace vireo::spirv
