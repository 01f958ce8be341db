// SPDX-License-Identifier: Apache-2.0
//
// Loads grammars at run time from documents in Khronos' JSON format.
//
// One loader serves both uses. `--grammar FILE` uses its result directly, and the generator of the
// built-in tables writes the same result as C++ arrays.
//
//   Diagnostics diagnostics;
//   GrammarFile file{"my.grammar.json", text, ""};
//   Result<GrammarData> data = load_grammar({&file, 1}, &builtin_grammar(), diagnostics);
//   if (data) assemble(source, data->grammar(), …);
#pragma once

#include <span>
#include <string_view>

#include "vireo/spirv/grammar/grammar.h"
#include "vireo/support/api.h"
#include "vireo/support/diagnostic.h"
#include "vireo/support/owned.h"
#include "vireo/support/result.h"

namespace vireo::spirv {

/// One grammar document. The strings are borrowed while it is loaded.
struct VIREO_API GrammarFile {
  std::string_view name;      ///< name of the file, for diagnostics and to derive the name of a set
  std::string_view text;      ///< JSON
  std::string_view set_name;  ///< name of the extended set as in OpExtInstImport; empty = see load_grammar()
};

/// Owns the rows of a loaded grammar. Movable: grammar() and all rows remain valid as long as the object to which this
/// one is moved.
class VIREO_API GrammarData {
 public:
  struct Rows;  // the vectors to which the spans of the Grammar refer

  /// For load_grammar(): takes ownership of the rows.
  explicit GrammarData(Owned<Rows> rows);
  GrammarData(GrammarData&&) noexcept;
  GrammarData& operator=(GrammarData&&) noexcept;
  ~GrammarData();

  /// A view of the rows. Copies of it are valid as long as the rows.
  [[nodiscard]] const Grammar& grammar() const { return grammar_; }

 private:
  Owned<Rows> rows_;
  Grammar grammar_;
};

/// Loads grammar documents, in order, and adds them to a copy of the rows of `base` (nullptr = an empty grammar).
///
/// A document with a `magic_number` that defines OpNop is a whole core grammar and replaces the core grammar of `base`.
/// Any other document whose opnames begin with `Op` extends the core grammar: its instructions and enumerants are added
/// or replace those with the same number or name. Every other document is an extended set, which is added or replaces
/// the set of the same name.
///
/// The name of a set is the first of these that exists:
///
/// - `set_name`;
/// - the value of the document's key `name` (an addition to the format; Khronos' documents do not have it);
/// - the name that belongs to a Khronos file name;
/// - NAME, if the file name is `extinst.NAME.grammar.json`.
///
/// Errors: reports all faults of all documents with their JSON paths (Diagnostic::path). Unknown keys are ignored. All
/// published versions of the format can be loaded, from the first one of 2016 to 1.6 revision 7.
VIREO_API Result<GrammarData> load_grammar(std::span<const GrammarFile> files, const Grammar* base,
                                           Diagnostics& diagnostics);

}  // namespace vireo::spirv
