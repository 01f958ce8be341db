// SPDX-License-Identifier: Apache-2.0
//
// Finds errors in a description: `vireo isa check`.
//
// The one idea: the loader reports what makes a description unreadable, one row at a time. The check compares leaves
// with each other, and cases with the words they apply to. It proves its findings: each overlap, unresolved name or
// ambiguous display comes with words that show it. If a proof would take too long, nothing is reported. So a report is
// certain, and a description without reports is probably correct. docs/isaspec.md lists the rules.
//
//   LoadedModel loaded = load_model("ir3.xml");
//   CheckReport report = check(loaded);
//   for (std::size_t i = 0; i < loaded.files.size(); ++i) show(loaded.files[i], report.files[i]);
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "vireo/isa/bits.h"
#include "vireo/isa/load.h"
#include "vireo/isa/model.h"
#include "vireo/support/api.h"
#include "vireo/support/diagnostic.h"

namespace vireo::isa {

/// Options for the check.
struct VIREO_API CheckOptions {
  /// Checks only leaves of this generation; all generations if absent.
  std::optional<std::uint32_t> gen;
  /// Reports faults that Mesa's tools ignore as warnings. Use the value given to load_model().
  bool mesa_compat = false;
  /// Also checks round trips through the assembler: CheckReport::assembly. Takes as long as assembling some ten
  /// thousand lines.
  bool surveys_assembler = false;
};

/// Two leaves of one root that match the same words.
struct VIREO_API Overlap {
  BitsetId first;  ///< in matching order
  BitsetId second;
  GenRange gens;  ///< the generations in which both exist
  Bits witness;   ///< a value of the root that both match; bits that neither fixes are 0
};

/// Round trips of a leaf of instructions through the printer and the assembler, for sample words: each field at its
/// corner values, each override taken and not taken.
struct VIREO_API LeafSurvey {
  enum class RoundTrip : std::uint8_t {
    Exact,   ///< every text assembles to the word it was printed from
    Text,    ///< some texts assemble to another word with the same text
    Broken,  ///< some text does not assemble
    Never,   ///< the description marks the leaf as never assembled
  };
  /// A field that a text does not determine, with a word that shows it.
  struct Lost {
    FieldId field;
    bool has_default = false;  ///< the assembler fills the field in with its default
    Bits word;
    Bits assembled;  ///< the word assembled from the text of `word`
  };

  BitsetId leaf;
  std::uint32_t gen = 0;  ///< the generation that was tried
  RoundTrip round_trip = RoundTrip::Exact;
  std::size_t words = 0;    ///< words tried: those that print a text without annotations
  std::size_t refused = 0;  ///< words whose text does not assemble
  Bits refused_word;        ///< the first of these
  std::vector<Lost> lost;   ///< one entry per field
};

/// Two leaves, or two cases of one leaf, that print the same text.
struct VIREO_API EqualTexts {
  BitsetId first_leaf;
  CaseId first_display;
  BitsetId second_leaf;
  CaseId second_display;
  Bits chosen;  ///< the word that the assembler chooses for the text
  Bits other;
  std::string text;
  bool is_settled = false;  ///< the description says which one is chosen
};

/// The round-trip report of a description. Owns its texts; refers to rows of the model by id.
struct VIREO_API AssemblySurvey {
  std::vector<LeafSurvey> leaves;  ///< in matching order; one entry per leaf
  std::vector<EqualTexts> pairs;
  bool is_complete = true;  ///< false: there were more words than the limit; the last leaves have few or none
};

/// The result of a check.
struct VIREO_API CheckReport {
  /// By FileId: the diagnostics of the loader and the check for each file, ordered by place.
  std::vector<Diagnostics> files;
  /// Ordered by root, first, second; at most max_reported_overlaps.
  std::vector<Overlap> overlaps;
  /// Set if surveys_assembler is set and the description has no errors.
  std::optional<AssemblySurvey> assembly;

  [[nodiscard]] std::size_t error_count() const;
  [[nodiscard]] bool ok() const { return error_count() == 0; }  ///< warnings do not count
};

/// The search for overlaps stops at this number: the description is wrong as a whole.
inline constexpr std::size_t max_reported_overlaps = 500;

/// Checks a loaded description, with or without errors. Skips bitsets whose patterns could not be read.
VIREO_API CheckReport check(const LoadedModel& loaded, const CheckOptions& options = {});

}  // namespace vireo::isa
