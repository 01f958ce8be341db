// SPDX-License-Identifier: Apache-2.0
//
// Model → what is wrong with the description: `vireo isa check`.
//
// The one idea: the loader finds what makes a description unreadable, one row at a time. The check looks at leaves against
// each other and at cases against the words they apply to. What it says of words it proves: an overlap comes with a word
// that both leaves match, an unresolved name or an ambiguous display with the words that show it. Where a proof would
// take too long it stays silent, so a silent check is strong evidence and a report is certainty. docs/isaspec.md lists
// what is looked for.
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

/// What is checked, and how strictly.
struct VIREO_API CheckOptions {
  /// Only leaves of this generation; all generations when absent.
  std::optional<std::uint32_t> gen;
  /// What Mesa's tools overlook is a warning. Give it as to load_model().
  bool mesa_compat = false;
  /// Also find out what the assembler can do: CheckReport::assembly. Takes as long as assembling some ten thousand lines.
  bool surveys_assembler = false;
};

/// Two leaves of one root that match the same words.
struct VIREO_API Overlap {
  BitsetId first;  ///< in the order of matching
  BitsetId second;
  GenRange gens;  ///< generations in which both exist
  Bits witness;   ///< a value of the root that both match; bits that neither fixes are 0
};

/// What the texts of a leaf of instructions are worth to the assembler. Shown on sample words: each field at its corners,
/// each override both ways.
struct VIREO_API LeafSurvey {
  enum class RoundTrip : std::uint8_t {
    Exact,   ///< all words came back from their texts
    Text,    ///< words with the same texts came back
    Broken,  ///< for some text no word was found
    Never,   ///< the author wants no words of it
  };
  /// A field that a text does not say, with a word that shows it.
  struct Lost {
    FieldId field;
    bool has_default = false;  ///< so it is settled what it becomes
    Bits word;
    Bits assembled;  ///< from the text of `word`
  };

  BitsetId leaf;
  std::uint32_t gen = 0;  ///< in which it was looked at
  RoundTrip round_trip = RoundTrip::Exact;
  std::size_t words = 0;    ///< that print a text without a remark
  std::size_t refused = 0;  ///< of them, those for whose text no word was found
  Bits refused_word;        ///< one of them
  std::vector<Lost> lost;   ///< each field once
};

/// Two leaves, or two cases of one, with a text in common.
struct VIREO_API EqualTexts {
  BitsetId first_leaf;
  CaseId first_display;
  BitsetId second_leaf;
  CaseId second_display;
  Bits chosen;  ///< by the assembler, for the text
  Bits other;
  std::string text;
  bool is_settled = false;  ///< the author has said which is meant
};

/// What an assembler can do with a description: a value, which owns its texts and refers to the model by number.
struct VIREO_API AssemblySurvey {
  std::vector<LeafSurvey> leaves;  ///< in the order of matching; each once
  std::vector<EqualTexts> pairs;
  bool is_complete = true;  ///< false: there were more words than are tried; the last leaves have few or none
};

/// What a check found.
struct VIREO_API CheckReport {
  /// By FileId: what the loader and the check found in each file, ordered by place.
  std::vector<Diagnostics> files;
  /// Ordered by root, first, second; at most max_reported_overlaps.
  std::vector<Overlap> overlaps;
  /// With surveys_assembler, of a sound description.
  std::optional<AssemblySurvey> assembly;

  [[nodiscard]] std::size_t error_count() const;
  [[nodiscard]] bool ok() const { return error_count() == 0; }  ///< warnings do not count
};

/// Beyond so many, overlaps are no longer looked for: the description is wrong as a whole.
inline constexpr std::size_t max_reported_overlaps = 500;

/// Checks what was loaded, be it sound or not: bitsets whose patterns could not be read are left out.
VIREO_API CheckReport check(const LoadedModel& loaded, const CheckOptions& options = {});

}  // namespace vireo::isa
