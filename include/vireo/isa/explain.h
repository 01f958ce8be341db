// SPDX-License-Identifier: Apache-2.0
//
// Explain: what every bit of a word means, and where the description says so.
//
// The one idea: an explanation is a value made from a Decoded and the model: a picture of the bits, rows for all that has
// bits or a value, and remarks about what is odd. It can be looked at by programs, or drawn as text or SVG.
//
//   Explainer explainer(decoder, {});
//   const Explanation explanation = explainer.explain(*parse_hex("0462", 16));
//   std::string text;
//   append_text(text, model, explanation, {});
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "vireo/isa/decode.h"
#include "vireo/isa/picture.h"
#include "vireo/isa/print.h"
#include "vireo/support/api.h"

namespace vireo::isa {

/// How values are shown.
struct VIREO_API ExplainOptions {
  FloatStyle float_style = FloatStyle::Fixed;
  PrintListener* listener = nullptr;  ///< asked for the texts of custom fields
};

/// A line of the explanation's table. Texts are as the description has them, cut where they are longer than anybody reads.
struct VIREO_API ExplainedRow {
  enum class Kind : std::uint8_t {
    Scope,    ///< a leaf: the instruction, or that of a nested bitset; the rows behind it, one deeper, are its
    Pattern,  ///< bits that chose the leaf
    Assert,   ///< bits that are expected
    Field,
    Derived,
  };
  Kind kind = Kind::Field;
  std::uint32_t depth = 0;
  std::uint32_t low = 0;    ///< within the instruction
  std::uint32_t width = 0;  ///< 0: no bits
  std::string name;         ///< of the field, or of the leaf
  std::string type;         ///< of a field
  std::string raw;          ///< hexadecimal, with all digits; a derived value is decimal. Pattern, Assert: as written
  std::string text;         ///< as the display shows it, or would
  bool is_shown = true;     ///< the text of the instruction has it
  BitsetId bitset;          ///< where it is declared
  CaseId from;              ///< the case that counted; of a Scope: the one whose display is used
  std::string details;      ///< "= {VALUE} + 1"; "passes BYTES as UNIT"; of a Scope: how its display is written
};

/// What is odd about the word.
struct VIREO_API ExplainedRemark {
  std::uint32_t low = 0;
  std::uint32_t width = 0;  ///< 0: not about bits
  std::string message;
};

/// All that is to be said about one word.
struct VIREO_API Explanation {
  enum class Outcome : std::uint8_t {
    Match,
    NoMatch,   ///< the picture and the rows are those of the nearest leaf, if any
    Conflict,  ///< of all leaves that match, one behind the other
  };
  Outcome outcome = Outcome::NoMatch;
  std::uint32_t gen = 0;
  std::string hex;   ///< the word, with all digits
  std::string line;  ///< as it is disassembled, without remarks
  BitPicture picture;
  std::vector<ExplainedRow> rows;
  std::vector<ExplainedRemark> remarks;
};

/// Explains words by one decoder.
class VIREO_API Explainer {
 public:
  /// The decoder and the listener must outlive the explainer.
  Explainer(const Decoder& decoder, ExplainOptions options);

  /// Explains the instruction at the start of a word.
  [[nodiscard]] Explanation explain(const Bits& word);

  [[nodiscard]] const Model& model() const { return decoder_.model(); }

 private:
  const Decoder& decoder_;
  ExplainOptions options_;
  Printer printer_;
};

/// Appends lines: the text, the picture, the table, the remarks. `model` is the one that was explained with.
VIREO_API void append_text(std::string& text, const Model& model, const Explanation& explanation,
                           const PictureStyle& style);

/// Appends one SVG document for several words.
VIREO_API void append_svg(std::string& text, const Model& model, std::span<const Explanation> explanations,
                          const PictureStyle& style);

}  // namespace vireo::isa
