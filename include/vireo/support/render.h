// SPDX-License-Identifier: Apache-2.0
//
// Diagnostics → text for people and for machines.
//
//   Diagnostics diagnostics;
//   … assemble({"shader.spvasm", text}, {}, diagnostics) …
//   std::fputs(render({"shader.spvasm", text}, diagnostics).c_str(), stderr);
//
// The one idea: a Renderer takes inputs one after the other, in output order, and writes their diagnostics in one
// format. It reads texts and words and is independent of SPIR-V.
//
//   human   file:line:col: error: text [rule], the source line, a caret under the range, notes, hint
//   short   only the first of these lines
//   json    JSON Lines, one record per diagnostic (docs/json.md)
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

/// The output format of diagnostics.
enum class DiagnosticFormat : std::uint8_t { Human, Short, Json, Sarif, Github };

/// The command-line names of the formats, in the order of the enumerators.
inline constexpr std::string_view diagnostic_format_names[] = {"human", "short", "json", "sarif", "github"};

/// Finds a format by its name; none if the name is unknown.
VIREO_API std::optional<DiagnosticFormat> find_diagnostic_format(std::string_view name);

/// Description of a rule: one sentence, and its reference in another specification (for Vulkan, the VUID).
struct VIREO_API RuleText {
  std::string_view demand, reference;
};

/// The format, and options that only some formats use.
struct VIREO_API RenderOptions {
  DiagnosticFormat format = DiagnosticFormat::Human;
  bool color = false;                                     ///< ANSI colours; human and short only
  std::string_view tool_version = {};                     ///< written to SARIF's tool description
  RuleText (*describe)(std::string_view rule) = nullptr;  ///< for SARIF's rule descriptions; nullptr: names only
};

/// Writes the diagnostics of several inputs as one document.
class VIREO_API Renderer {
 public:
  virtual ~Renderer();

  /// Writes all diagnostics of one input. Text locations refer to `source.text`, which may be empty if there are none
  /// (a module of words). Keeps no reference to either argument.
  virtual void add(const SourceText& source, const Diagnostics& diagnostics) = 0;

  /// Ends the document, if the format has an end. Must be called once, last.
  virtual void finish() {}
};

/// Creates a renderer, which borrows the sink.
VIREO_API Owned<Renderer> make_renderer(const RenderOptions& options, TextSink& sink);

/// Renders the diagnostics of one input as one complete document. The result is empty if there are none, except in
/// SARIF.
VIREO_API std::string render(const SourceText& source, const Diagnostics& diagnostics,
                             const RenderOptions& options = {});

/// "error", "warning", "note".
VIREO_API std::string_view name_of(Severity severity);

}  // namespace vireo
