// SPDX-License-Identifier: Apache-2.0
//
// Explains a word: the meaning of each bit, and the part of the description that declares it.
//
// An explanation is a value that is computed from a Decoded and the model. It consists of a picture of
// the bits, rows for all parts with bits or a value, and annotations about irregular bits. Programs can read it, or
// write it as text or SVG.
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

/// Options of an Explainer.
struct VIREO_API ExplainOptions {
  FloatStyle float_style = FloatStyle::Fixed;
  PrintListener* listener = nullptr;  ///< prints custom fields; nullptr: their texts are empty
};

/// A row of the explanation's table. Long texts of the description are truncated.
struct VIREO_API ExplainedRow {
  enum class Kind : std::uint8_t {
    Scope,    ///< a leaf, of the instruction or of a bitset field; its rows follow with `depth` + 1
    Pattern,  ///< bits that select the leaf
    Assert,   ///< bits with an expected value
    Field,
    Derived,  ///< a derived field
  };
  Kind kind = Kind::Field;
  std::uint32_t depth = 0;  ///< level of nesting, from 0
  std::uint32_t low = 0;    ///< lowest bit within the instruction
  std::uint32_t width = 0;  ///< number of bits; 0: the row has no bits
  std::string name;         ///< name of the field or the leaf; Pattern, Assert: empty
  std::string type;         ///< type of the field; Scope, Pattern, Assert: empty
  std::string raw;          ///< the bits, hexadecimal; Derived: the value, decimal; Pattern, Assert: as in the file
  std::string text;         ///< the value as a display prints it
  bool is_shown = true;     ///< whether the display of the instruction contains it
  BitsetId bitset;          ///< the bitset that declares it
  CaseId from;              ///< the case that declares it; Scope: the case whose display is selected
  std::string details;      ///< "= {VALUE} + 1"; "passes BYTES as UNIT"; Scope: the text of its display
};

/// An irregularity of the word.
struct VIREO_API ExplainedAnnotation {
  std::uint32_t low = 0;    ///< lowest bit within the instruction
  std::uint32_t width = 0;  ///< number of bits; 0: not about particular bits
  std::string message;
};

/// The explanation of one word.
struct VIREO_API Explanation {
  enum class Outcome : std::uint8_t {
    Match,
    NoMatch,   ///< no leaf matches; picture and rows show the most similar leaf, if any
    Conflict,  ///< several leaves match; picture and rows show all of them, one after another
  };
  Outcome outcome = Outcome::NoMatch;
  std::uint32_t gen = 0;
  std::string hex;   ///< the word in hexadecimal, with all digits
  std::string line;  ///< the disassembly, without annotations
  BitPicture picture;
  std::vector<ExplainedRow> rows;
  std::vector<ExplainedAnnotation> annotations;
};

/// Explains words with one decoder. Not thread-safe.
class VIREO_API Explainer {
 public:
  /// The decoder, its model and the listener are borrowed and must outlive the explainer.
  Explainer(const Decoder& decoder, ExplainOptions options);

  /// Explains the instruction in the low bits of a word.
  [[nodiscard]] Explanation explain(const Bits& word);

  [[nodiscard]] const Model& model() const { return decoder_.model(); }

 private:
  const Decoder& decoder_;
  ExplainOptions options_;
  Printer printer_;
};

/// Appends lines of text: the disassembly, the picture, the table, the annotations. `model` must be the model of the
/// explainer.
VIREO_API void append_text(std::string& text, const Model& model, const Explanation& explanation,
                           const PictureStyle& style);

/// Appends one SVG document for all explanations. `model` must be the model of the explainer.
VIREO_API void append_svg(std::string& text, const Model& model, std::span<const Explanation> explanations,
                          const PictureStyle& style);

}  // namespace vireo::isa
