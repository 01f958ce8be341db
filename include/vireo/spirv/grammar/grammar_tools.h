// SPDX-License-Identifier: Apache-2.0
//
// Explains names of a grammar, checks grammar documents, and compares grammars.
//
// All results are computed from the rows or, for checks, from the document. So these functions work for
// the built-in grammar and for every loaded one.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "vireo/spirv/grammar/grammar.h"
#include "vireo/spirv/grammar/grammar_loader.h"
#include "vireo/support/api.h"
#include "vireo/support/diagnostic.h"

namespace vireo::spirv {

/// All capabilities that a capability implies, directly or through others; not the capability itself. `capability` and
/// the result are indexes into Grammar::enumerants; the result is ascending.
VIREO_API std::vector<std::uint16_t> implied_capabilities(const Grammar& grammar, std::uint16_t capability);

/// The explanation of a name.
struct VIREO_API Explanation {
  std::string text;                  ///< lines that end with a line feed; empty if the name is unknown
  std::vector<std::string> nearest;  ///< similar names; only if the name is unknown

  [[nodiscard]] bool found() const { return !text.empty(); }
};

/// Explains a name: an opcode (`OpLoad`, `61`, `0x3d`), an enumerant (`Shader`, `Decoration.Block`, `Decoration.2`), an
/// operand kind, an extended set or an instruction of one (`GLSL.std.450 Sqrt`, `Sqrt`), an extension, or a rule. A
/// blank or the last dot separates a kind or set from a name in it. Not included: rules of the validator
/// (find_validation_rule() in validate.h) and of instruction-set descriptions.
VIREO_API Explanation explain(const Grammar& grammar, std::string_view name);

/// Checks a grammar document that is to be loaded with `base` (nullptr = an empty grammar). Reports all errors that
/// load_grammar() would report, and warnings for probable mistakes. Returns true if there was no error.
VIREO_API bool check_grammar(const GrammarFile& file, const Grammar* base, Diagnostics& diagnostics);

/// One difference between two grammars.
struct VIREO_API GrammarChange {
  enum class Kind : std::uint8_t { Added, Removed, Changed };
  Kind kind = Kind::Changed;
  std::string subject;  ///< "instruction OpLoad", "enumerant Decoration Block", "set GLSL.std.450", …
  std::string field;    ///< only for Changed: "operands", "capabilities", …
  std::string before;   ///< only for Changed and Removed
  std::string after;    ///< only for Changed and Added

  friend bool operator==(const GrammarChange&, const GrammarChange&) = default;
};

/// The differences between two grammars: core instructions by opcode, then kinds by name with their enumerants by
/// value, then sets by name with their instructions by number.
VIREO_API std::vector<GrammarChange> diff_grammars(const Grammar& before, const Grammar& after);

/// The text of a change: one line without a line feed, `~ instruction OpLoad: capabilities: Kernel -> Shader`.
VIREO_API std::string to_line(const GrammarChange& change);

}  // namespace vireo::spirv
