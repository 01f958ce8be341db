// SPDX-License-Identifier: Apache-2.0
//
// Diagnostics → text for people and for machines.
//
//   Diagnostics diagnostics;
//   … assemble({"shader.spvasm", text}, {}, diagnostics) …
//   std::fputs(render({"shader.spvasm", text}, diagnostics).c_str(), stderr);
//
// The one idea: a Renderer takes one input after the other, in the order in which they are to appear, and writes their
// diagnostics in one format. It reads texts and words and knows nothing of SPIR-V.
//
//   human   file:line:col: error: text [rule], the source line, a caret under the range, notes, hint
//   short   the first of these lines alone
//   json    JSON Lines, one record a diagnostic (docs/json.md)
//   sarif   one SARIF 2.1.0 document for all inputs
//   github  workflow commands: ::error file=…,line=…,col=…::…
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "vireo/support/api.h"
#include "vireo/support/diagnostic.h"
#include "vireo/support/owned.h"
#include "vireo/support/source.h"
#include "vireo/support/text_writer.h"

namespace vireo {

/// How diagnostics are written.
enum class DiagnosticFormat : std::uint8_t { Human, Short, Json, Sarif, Github };

/// The names that the formats have on the command line, in the order of the enumerators.
inline constexpr std::string_view diagnostic_format_names[] = {"human", "short", "json", "sarif", "github"};

/// The format with a name; none for other words.
VIREO_API std::optional<DiagnosticFormat> find_diagnostic_format(std::string_view name);

/// A rule beside its name: one sentence, and where others write of it (Vulkan's id of the rule).
struct VIREO_API RuleText {
  std::string_view demand, reference;
};

/// In which format diagnostics are written, and what only some formats use.
struct VIREO_API RenderOptions {
  DiagnosticFormat format = DiagnosticFormat::Human;
  bool color = false;                                     ///< ANSI colours; human and short only
  std::string_view tool_version = {};                     ///< for SARIF's description of the tool
  RuleText (*describe)(std::string_view rule) = nullptr;  ///< for SARIF's list of rules; nullptr: their names alone
};

/// Writes the diagnostics of several inputs as one document.
class VIREO_API Renderer {
 public:
  virtual ~Renderer();

  /// Writes all diagnostics of one input. `source.text` is the text that Text locations refer to; it may be empty when
  /// there are none (a module of words). Nothing of either is kept.
  virtual void add(const SourceText& source, const Diagnostics& diagnostics) = 0;

  /// Ends the document where the format has an end. Call it once, last.
  virtual void finish() {}
};

/// Makes a renderer. The sink is borrowed by it.
VIREO_API Owned<Renderer> make_renderer(const RenderOptions& options, TextSink& sink);

/// The diagnostics of one input as one string, a whole document. Empty in all formats but SARIF when there are none.
VIREO_API std::string render(const SourceText& source, const Diagnostics& diagnostics,
                             const RenderOptions& options = {});

/// "error", "warning", "note".
VIREO_API std::string_view name_of(Severity severity);

}  // namespace vireo
