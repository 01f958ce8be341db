// SPDX-License-Identifier: Apache-2.0
//
// Grammars made at run time from Khronos grammar JSON.
//
// The one idea: the loader's result *is* a grammar. The generator of the built-in tables prints the same object that
// `--grammar FILE` uses directly, so knowledge of JSON exists once.
//
//   Diagnostics diagnostics;
//   GrammarFile file{"my.grammar.json", text, ""};
//   Result<GrammarData> data = load_grammar({&file, 1}, &builtin_grammar(), diagnostics);
//   if (data) assemble(source, data->grammar(), …);
#pragma once

#include <span>
#include <string_view>

#include "vireo/spirv/grammar.h"
#include "vireo/support/api.h"
#include "vireo/support/diagnostic.h"
#include "vireo/support/owned.h"
#include "vireo/support/result.h"

namespace vireo::spirv {

/// One grammar document. Borrowed: name and text must live during the load only.
struct VIREO_API GrammarFile {
  std::string_view name;  ///< for diagnostics, and to derive the set's name: extinst.NAME.grammar.json
  std::string_view text;  ///< JSON
  std::string_view
      set_name;  ///< name of the extended set as OpExtInstImport writes it; empty = find out (see load_grammar)
};

/// Owns the rows of a loaded grammar. Movable; the Grammar stays valid while the GrammarData lives (moves included).
class VIREO_API GrammarData {
 public:
  struct Rows;  // the vectors behind the spans (src/spirv/grammar/grammar_data.h)

  /// Takes the rows over; load_grammar() makes them.
  explicit GrammarData(Owned<Rows> rows);
  GrammarData(GrammarData&&) noexcept;
  GrammarData& operator=(GrammarData&&) noexcept;
  ~GrammarData();

  /// A view of the rows; no longer valid than they are.
  [[nodiscard]] const Grammar& grammar() const { return grammar_; }

 private:
  Owned<Rows> rows_;
  Grammar grammar_;
};

/// Loads grammar documents, in order, on top of `base` (nullptr = on top of nothing).
///
/// A document with a `magic_number` that defines OpNop is a whole core grammar and replaces the core part of the base.
/// Any other document whose opnames begin with `Op` adds to the core or overrides it, instruction by instruction and
/// enumerant by enumerant. Everything else is an extended set: it replaces a set of the same name or adds one. A set's
/// name is `set_name`, else the key `name` of the document (ours; Khronos' documents have none), else what is known of
/// Khronos' file names, else NAME of `extinst.NAME.grammar.json`.
///
/// Errors: every fault of every document is reported with its JSON path (Diagnostic::path); Reported if there was any
/// error. Unknown keys are ignored. Documents of all years load, from the first of 2016 (values as numbers or
/// hexadecimal strings, no version, class or aliases) to those of 1.6 revision 7.
VIREO_API Result<GrammarData> load_grammar(std::span<const GrammarFile> files, const Grammar* base,
                                           Diagnostics& diagnostics);

}  // namespace vireo::spirv
