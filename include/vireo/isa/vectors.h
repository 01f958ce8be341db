// SPDX-License-Identifier: Apache-2.0
//
// Test vectors: words of an instruction set with their texts, made from its description and replayed against it.
//
// The one idea: an author has a suite of regressions at once. Every leaf of a generation gives its words, each field at its
// corners (0, 1, the largest, both sides of the sign, every row of an enum, every leaf of a nested root) and each override
// both ways; what they print, and what the assembler makes of that, is written down. Later the same lines are decoded and
// assembled again: whatever a change of the description meant to change shows, and whatever it did not mean to change, too.
//
//   make_vectors(decoder, {}, [&](const TestVector& vector) { append_json_line(lines, vector); });
//   Replay replay = replay_vectors(model, {}, lines, diagnostics);
//
// The lines are those of data/isa: one JSON object each, with `gen`, `hex` (most significant digit first; an array is a
// program), `text`, and perhaps `leaf`, `asm`, `options`.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "vireo/isa/decode.h"
#include "vireo/support/api.h"
#include "vireo/support/diagnostic.h"

namespace vireo::isa {

/// A word with its text, and what becomes of that text. Owns all but the leaf's name.
struct VIREO_API TestVector {
  std::uint32_t gen = 0;
  Bits word;
  std::string text;       ///< as printed, without the end of the line; custom fields are numbers
  std::string_view leaf;  ///< name of the bitset; the model's
  /// What assembling the text gives.
  enum class Assembly : std::uint8_t {
    SameBits,
    SameText,  ///< another word that prints the same
    Nothing,
  } assembly = Assembly::Nothing;
};

/// Which words become vectors.
struct VIREO_API VectorOptions {
  bool keeps_remarks = false;  ///< also words that the decoder remarks on; nothing is assembled to them
};

/// Makes the vectors of the decoder's generation: leaf by leaf in the order of matching, always the same ones, at most some
/// thousands of a leaf.
VIREO_API void make_vectors(const Decoder& decoder, const VectorOptions& options,
                            const std::function<void(const TestVector&)>& take);

/// Appends a line of JSON, with its end.
VIREO_API void append_json_line(std::string& lines, const TestVector& vector);

/// What a replay counted.
struct VIREO_API Replay {
  std::size_t held = 0;     ///< lines that say what is so
  std::size_t differ = 0;   ///< others, each with an error
  std::size_t skipped = 0;  ///< lines that were recorded with callbacks of their recorder
};

/// Replays lines, each in its own generation; `mesa_compat` counts for all of them. What differs is reported with its place
/// in `lines`. `options`: -l labels, -q no remarks, -M N at most so many errors, -E NAME:INDEX,… entry points.
VIREO_API Replay replay_vectors(const Model& model, bool mesa_compat, std::string_view lines, Diagnostics& diagnostics);

}  // namespace vireo::isa
