// SPDX-License-Identifier: Apache-2.0
//
// Diagnostics → text for people and for machines.
//
//   Diagnostics diagnostics;
//   … assemble({"shader.spvasm", text}, {}, diagnostics) …
//   std::fputs(render({"shader.spvasm", text}, diagnostics).c_str(), stderr);
//
// A Renderer takes the diagnostics of one input after the other and writes them in one format. It does
// not depend on SPIR-V: locations are bytes of a text, or word offsets, which it prints as numbers.
//
//   human   file:line:col: error: text [rule], the source line, a caret under the range, notes, hint
//   short   only the first of these lines, for each diagnostic
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

/// The output format of diagnostics; described at the top of this file.
enum class DiagnosticFormat : std::uint8_t { Human, Short, Json, Sarif, Github };

/// The command-line names of the formats, in the order of the enumerators.
inline constexpr std::string_view diagnostic_format_names[] = {"human", "short", "json", "sarif", "github"};

/// Finds a format by its exact name; none if the name is unknown.
VIREO_API std::optional<DiagnosticFormat> find_diagnostic_format(std::string_view name);

/// Description of a rule: its requirement as one sentence, its identifier in another specification (the VUID of
/// Vulkan), and the address of the section that states it. The views must have static lifetime.
struct VIREO_API RuleText {
  std::string_view requirement, reference;
  std::string help_uri = {};
};

/// The format, and options that only some formats use. The strings must outlive the renderer.
struct VIREO_API RenderOptions {
  DiagnosticFormat format = DiagnosticFormat::Human;
  bool color = false;                                     ///< ANSI colours; human and short only
  std::string_view tool_version = {};                     ///< written to SARIF's tool description
  RuleText (*describe)(std::string_view rule) = nullptr;  ///< for the rules in SARIF; nullptr: only their names
};

/// Writes the diagnostics of several inputs as one document: add() for each input, then finish().
class VIREO_API Renderer {
 public:
  virtual ~Renderer();

  /// Writes the kept diagnostics of one input. Text locations refer to `source.text`, which may be empty if there are
  /// none. Keeps no reference to either argument.
  virtual void add(const SourceText& source, const Diagnostics& diagnostics) = 0;

  /// Ends the document. Must be called once, after the last add().
  virtual void finish() {}
};

/// Creates a renderer. The sink is borrowed and must outlive it.
VIREO_API Owned<Renderer> make_renderer(const RenderOptions& options, TextSink& sink);

/// Renders the diagnostics of one input as one complete document. Without diagnostics the result is empty, except for
/// SARIF.
VIREO_API std::string render(const SourceText& source, const Diagnostics& diagnostics,
                             const RenderOptions& options = {});

/// The name of a severity: "error", "warning" or "note".
VIREO_API std::string_view name_of(Severity severity);

}  // namespace vireo
