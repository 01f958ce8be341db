// SPDX-License-Identifier: Apache-2.0
//
// Explains a word: what each bit means, and where the description declares it.
//
// The one idea: an explanation is a value made from a Decoded and the model. It has a picture of the bits, rows for all
// parts with bits or a value, and annotations about irregular bits. Programs can read it, or draw it as text or SVG.
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

/// How an explanation shows values.
struct VIREO_API ExplainOptions {
  FloatStyle float_style = FloatStyle::Fixed;
  PrintListener* listener = nullptr;  ///< provides the texts of custom fields
};

/// A line of the explanation's table. Texts come from the description; long ones are cut.
struct VIREO_API ExplainedRow {
  enum class Kind : std::uint8_t {
    Scope,    ///< a leaf, of the instruction or of a nested field; its rows follow, one level deeper
    Pattern,  ///< bits that select the leaf
    Assert,   ///< bits with an expected value
    Field,
    Derived,
  };
  Kind kind = Kind::Field;
  std::uint32_t depth = 0;
  std::uint32_t low = 0;    ///< first bit, within the instruction
  std::uint32_t width = 0;  ///< 0: no bits
  std::string name;         ///< of the field or the leaf
  std::string type;         ///< of a field
  std::string raw;          ///< hexadecimal with all digits; derived: decimal; Pattern, Assert: as in the file
  std::string text;         ///< the value as a display shows it
  bool is_shown = true;     ///< whether the display of the instruction shows it
  BitsetId bitset;          ///< the bitset that declares it
  CaseId from;              ///< the case that declares it; for a Scope: the case whose display is used
  std::string details;      ///< "= {VALUE} + 1"; "passes BYTES as UNIT"; for a Scope: the text of its display
};

/// An irregularity of the word.
struct VIREO_API ExplainedAnnotation {
  std::uint32_t low = 0;
  std::uint32_t width = 0;  ///< 0: not about particular bits
  std::string message;
};

/// The explanation of one word.
struct VIREO_API Explanation {
  enum class Outcome : std::uint8_t {
    Match,
    NoMatch,   ///< picture and rows show the nearest leaf, if any
    Conflict,  ///< picture and rows show all leaves that match, one after another
  };
  Outcome outcome = Outcome::NoMatch;
  std::uint32_t gen = 0;
  std::string hex;   ///< the word, with all digits
  std::string line;  ///< the disassembly, without annotations
  BitPicture picture;
  std::vector<ExplainedRow> rows;
  std::vector<ExplainedAnnotation> annotations;
};

/// Explains words with one decoder.
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

/// Appends lines: the text, the picture, the table, the annotations. `model` must be that of the explainer.
VIREO_API void append_text(std::string& text, const Model& model, const Explanation& explanation,
                           const PictureStyle& style);

/// Appends one SVG document for several words.
VIREO_API void append_svg(std::string& text, const Model& model, std::span<const Explanation> explanations,
                          const PictureStyle& style);

}  // namespace vireo::isa
