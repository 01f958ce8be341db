// SPDX-License-Identifier: Apache-2.0
//
// Test vectors: words of an instruction set with their texts, generated from its description and replayed against it.
//
// The description itself produces its regression tests. Each leaf of a generation has sample words, in
// which each field has its corner values, and each override applies or does not apply. Corner values are 0, 1, the
// largest value, both sides of the sign, every row of an enum, and every leaf of a nested root. The vectors contain the
// words, their texts, and the results of assembling the texts. A replay decodes and assembles them again, and so shows
// every effect of a change to the description.
//
//   make_vectors(decoder, {}, [&](const TestVector& vector) { append_json_line(lines, vector); });
//   Replay replay = replay_vectors(model, {}, lines, diagnostics);
//
// The format is that of data/isa: one JSON object in each line, with `gen`, `hex` (most significant digit first; an
// array is a program), `text`, and optionally `leaf`, `asm`, `options`.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "vireo/isa/decode.h"
#include "vireo/support/api.h"
#include "vireo/support/diagnostic.h"

namespace vireo::isa {

/// A word, its text, and the result of assembling the text. Owns everything except the leaf's name.
struct VIREO_API TestVector {
  std::uint32_t gen = 0;
  Bits word;
  std::string text;       ///< as printed, without the line feed; custom fields are numbers
  std::string_view leaf;  ///< name of the bitset, borrowed from the model
  /// The result of assembling the text.
  enum class Assembly : std::uint8_t {
    SameBits,  ///< the same word
    SameText,  ///< another word that prints the same text
    Nothing,   ///< the text cannot be assembled, or was not assembled
  } assembly = Assembly::Nothing;
};

/// Options of make_vectors().
struct VIREO_API VectorOptions {
  bool includes_faulty_words = false;  ///< include words with faults (DecodeFault); their texts are not assembled
};

/// Generates the vectors of the decoder's generation, leaf by leaf in matching order, and passes each one to `take`.
/// The vector is valid during the call. The same description produces the same vectors.
VIREO_API void make_vectors(const Decoder& decoder, const VectorOptions& options,
                            const std::function<void(const TestVector&)>& take);

/// Appends a vector as one line of JSON with its line feed.
VIREO_API void append_json_line(std::string& lines, const TestVector& vector);

/// The numbers of lines of a replay, by result.
struct VIREO_API Replay {
  std::size_t held = 0;     ///< lines with the recorded results
  std::size_t differ = 0;   ///< lines with other results, each reported as an error
  std::size_t skipped = 0;  ///< lines that cannot be checked, because their `options` are not supported
};

/// Replays lines of JSON, each for its own `gen`; `mesa_compat` applies to all. Errors: reports malformed lines and
/// differences with byte ranges of `lines`. Supported `options`: -l (labels), -q (no annotations), -M N (max_errors),
/// -E NAME:INDEX,… (entry points).
VIREO_API Replay replay_vectors(const Model& model, bool mesa_compat, std::string_view lines, Diagnostics& diagnostics);

}  // namespace vireo::isa
