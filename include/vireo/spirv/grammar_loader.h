// SPDX-License-Identifier: Apache-2.0
//
// Loads grammars at run time from Khronos grammar JSON.
//
// The one idea: the loader's result *is* a grammar. `--grammar FILE` uses it directly, and the generator of the
// built-in tables prints the same object. Only the loader reads its JSON.
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

/// One grammar document. Name and text are borrowed during the load only.
struct VIREO_API GrammarFile {
  std::string_view name;      ///< for diagnostics, and for the set's name: extinst.NAME.grammar.json
  std::string_view text;      ///< JSON
  std::string_view set_name;  ///< name of the extended set as in OpExtInstImport; empty = derive it (see load_grammar)
};

/// Owns the rows of a loaded grammar. Movable; its Grammar is valid as long as the GrammarData, including after a
/// move.
class VIREO_API GrammarData {
 public:
  struct Rows;  // the vectors that the spans refer to

  /// Takes ownership of the rows, which load_grammar() makes.
  explicit GrammarData(Owned<Rows> rows);
  GrammarData(GrammarData&&) noexcept;
  GrammarData& operator=(GrammarData&&) noexcept;
  ~GrammarData();

  /// A view of the rows, valid as long as they are.
  [[nodiscard]] const Grammar& grammar() const { return grammar_; }

 private:
  Owned<Rows> rows_;
  Grammar grammar_;
};

/// Loads grammar documents, in order, on top of `base` (nullptr = on top of an empty grammar).
///
/// A document with a `magic_number` that defines OpNop is a whole core grammar and replaces the core part of the
/// base. Any other document whose opnames begin with `Op` extends the core: its instructions and enumerants are added
/// or replace those with the same number or name. Every other document is an extended set, which is added or replaces
/// the set of the same name. The name of a set is the first of these that exists: `set_name`, the document's key
/// `name` (an extension of the schema; Khronos' documents have none), the known name for a Khronos file name, NAME of
/// `extinst.NAME.grammar.json`.
///
/// Errors: all faults of all documents are reported with their JSON paths (Diagnostic::path); Reported if there was
/// any error. Unknown keys are ignored. Documents of all years load, from the first of 2016 (values as numbers or
/// hexadecimal strings, no version, class or aliases) to 1.6 revision 7.
VIREO_API Result<GrammarData> load_grammar(std::span<const GrammarFile> files, const Grammar* base,
                                           Diagnostics& diagnostics);

}  // namespace vireo::spirv
