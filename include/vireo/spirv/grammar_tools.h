// SPDX-License-Identifier: Apache-2.0
//
// Questions about grammars: what is this name, is this document sound, what changed between two grammars?
//
// The one idea: all answers come from the rows (or, when checking, from the document), so they hold for the built-in
// grammar and for any loaded one.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "vireo/spirv/grammar.h"
#include "vireo/spirv/grammar_loader.h"
#include "vireo/support/api.h"
#include "vireo/support/diagnostic.h"

namespace vireo::spirv {

/// What a capability implies, itself excluded: it and everything that its implied capabilities imply in turn.
/// `capability` and the result are indexes into Grammar::enumerants, the result ascending.
VIREO_API std::vector<std::uint16_t> implied_capabilities(const Grammar& grammar, std::uint16_t capability);

/// What is known of a name.
struct VIREO_API Explanation {
  std::string text;                  ///< lines, the last one ended; empty when nothing has the name
  std::vector<std::string> nearest;  ///< names that may have been meant; only when nothing has the name

  [[nodiscard]] bool found() const { return !text.empty(); }
};

/// Explains a name, everything that has it: instruction (`OpLoad`, `61`, `0x3d`), enumerant (`Shader`,
/// `Decoration.Block`, `Decoration.2`), operand kind, extended set or instruction of one (`GLSL.std.450 Sqrt`, `Sqrt`),
/// extension, or rule of a diagnostic but those of the validator (find_validation_rule() of validate.h) and of instruction
/// sets. A blank or the last dot separates owner and name.
VIREO_API Explanation explain(const Grammar& grammar, std::string_view name);

/// Checks a grammar document on top of a base: all faults that loading would report, and warnings about what can be
/// loaded but is probably a slip. True if there was no error.
VIREO_API bool check_grammar(const GrammarFile& file, const Grammar* base, Diagnostics& diagnostics);

/// One difference between two grammars.
struct VIREO_API GrammarChange {
  enum class Kind : std::uint8_t { Added, Removed, Changed };
  Kind kind = Kind::Changed;
  std::string subject;  ///< "instruction OpLoad", "enumerant Decoration Block", "set GLSL.std.450", …
  std::string field;    ///< of Changed: "operands", "capabilities", …
  std::string before;   ///< of Changed and Removed
  std::string after;    ///< of Changed and Added

  friend bool operator==(const GrammarChange&, const GrammarChange&) = default;
};

/// What leads from one grammar to the other: core instructions by opcode, then kinds by name with their enumerants by
/// value, then sets by name with their instructions by number.
VIREO_API std::vector<GrammarChange> diff_grammars(const Grammar& before, const Grammar& after);

/// A change as one line without its end: `~ instruction OpLoad: capabilities: Kernel -> Shader`.
VIREO_API std::string to_line(const GrammarChange& change);

}  // namespace vireo::spirv
