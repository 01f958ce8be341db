// SPDX-License-Identifier: Apache-2.0
//
// Finds errors in a description: `vireo isa check`.
//
// The loader checks each element of a description by itself. This check compares leaves with each other,
// and cases with the words to which they apply. Each finding is proved: an overlap, an unresolved name or an ambiguous
// display is reported with instruction words that show it. If a proof would take too long, nothing is reported. So
// every finding is a fault, but a fault may be missed. docs/isaspec.md lists the rules.
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

/// Options of check().
struct VIREO_API CheckOptions {
  /// Check only the leaves of this generation; none: all generations.
  std::optional<std::uint32_t> gen;
  /// Report faults that Mesa's tools ignore as warnings. Use the value that was passed to load_model().
  bool mesa_compat = false;
  /// Also check round trips through the printer and the assembler: CheckReport::assembly. Assembles up to 60,000 lines.
  bool checks_round_trips = false;
};

/// Two leaves of one root that match the same words.
struct VIREO_API Overlap {
  BitsetId first;  ///< the leaf that is tried first
  BitsetId second;
  GenRange gens;  ///< the generations in which both exist
  Bits witness;   ///< a value that matches both patterns; bits that neither pattern fixes are 0
};

/// The round trips of one leaf: sample words are printed, and their texts are assembled. In the sample words each field
/// has its corner values, and each override applies or does not apply.
struct VIREO_API LeafRoundTrip {
  enum class RoundTrip : std::uint8_t {
    Exact,   ///< each text assembles to the word from which it was printed
    Text,    ///< some texts assemble to another word with the same text
    Broken,  ///< some texts cannot be assembled
    Never,   ///< the description marks the leaf as never assembled; nothing was tried
  };
  /// A field that the text does not determine, with a word that shows it.
  struct Lost {
    FieldId field;
    bool has_default = false;  ///< the assembler uses a default value for the field
    Bits word;
    Bits assembled;  ///< the word into which the text of `word` assembles
  };

  BitsetId leaf;
  std::uint32_t gen = 0;  ///< the generation of the words
  RoundTrip round_trip = RoundTrip::Exact;
  std::size_t words = 0;    ///< number of words that were tried; their texts have no annotations
  std::size_t refused = 0;  ///< number of words whose text cannot be assembled
  Bits refused_word;        ///< the first of them
  std::vector<Lost> lost;   ///< one entry for each field
};

/// Two leaves, or two cases of one leaf, that print the same text.
struct VIREO_API EqualTexts {
  BitsetId first_leaf;
  CaseId first_display;
  BitsetId second_leaf;
  CaseId second_display;
  Bits chosen;  ///< the word that the assembler chooses for the text
  Bits other;   ///< another word with this text
  std::string text;
  bool is_settled = false;  ///< an attribute of the description determines the choice (AssemblyMark)
};

/// The round-trip report of a description. Refers to rows of the model by id; owns its texts.
struct VIREO_API RoundTripReport {
  std::vector<LeafRoundTrip> leaves;  ///< one entry for each leaf, in matching order
  std::vector<EqualTexts> pairs;
  bool is_complete = true;  ///< false: the limit of 60,000 lines was reached; the last leaves have few or no words
};

/// The result of a check.
struct VIREO_API CheckReport {
  /// For each file, by FileId: the diagnostics of the loader and of the check, ordered by location.
  std::vector<Diagnostics> files;
  /// Ordered by root, first, second; at most max_reported_overlaps.
  std::vector<Overlap> overlaps;
  /// Present if CheckOptions::checks_round_trips is set and the description has no errors.
  std::optional<RoundTripReport> assembly;

  [[nodiscard]] std::size_t error_count() const;
  [[nodiscard]] bool ok() const { return error_count() == 0; }  ///< warnings do not count
};

/// The search for overlaps stops at this number.
inline constexpr std::size_t max_reported_overlaps = 500;

/// Checks a loaded description, even one with errors. Skips bitsets whose patterns could not be read.
VIREO_API CheckReport check(const LoadedModel& loaded, const CheckOptions& options = {});

}  // namespace vireo::isa
