// SPDX-License-Identifier: Apache-2.0
//
// Diagnostics → what people and machines read.
//
// The one idea: a Renderer is given one input after the other, in the order in which they shall appear, and writes them
// in one form. It knows texts and words, not SPIR-V.
//
//   human   file:line:col: error: text [rule], the source line, a caret under the range, notes, hint
//   short   the first of these lines alone
//   json    JSON Lines, one record a diagnostic (render_machine.cpp lists the fields)
//   sarif   one SARIF 2.1.0 document for all inputs
//   github  workflow commands: ::error file=…,line=…,col=…::…
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "vireo/support/diagnostic.h"
#include "vireo/support/source.h"
#include "vireo/support/text_writer.h"

namespace vireo {

enum class DiagnosticFormat : std::uint8_t { Human, Short, Json, Sarif, Github };

/// The names that the formats have on the command line, in the order of the enumerators.
inline constexpr std::string_view diagnostic_format_names[] = {"human", "short", "json", "sarif", "github"};

std::optional<DiagnosticFormat> find_diagnostic_format(std::string_view name);

/// What is said of a rule beside its name: one sentence, and where others write of it (Vulkan's id of the rule).
struct RuleText {
  std::string_view demand, reference;
};

struct RenderOptions {
  DiagnosticFormat format = DiagnosticFormat::Human;
  bool color = false;                                     ///< ANSI colours; human and short only
  std::string_view tool_version;                          ///< for SARIF's description of the tool
  RuleText (*describe)(std::string_view rule) = nullptr;  ///< for SARIF's list of rules; nullptr: their names alone
};

/// Writes the diagnostics of inputs. Borrows the sink.
class Renderer {
 public:
  virtual ~Renderer() = default;

  /// Everything that was found in one input. `source.text` is what Text locations refer to; it may be empty when there
  /// are none (a module of words).
  virtual void add(const SourceText& source, const Diagnostics& diagnostics) = 0;

  /// Ends the document where the format has an end. To be called once, last.
  virtual void finish() {}
};

std::unique_ptr<Renderer> make_renderer(const RenderOptions& options, TextSink& sink);

/// "error", "warning", "note".
std::string_view name_of(Severity severity);

}  // namespace vireo
