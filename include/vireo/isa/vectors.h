// SPDX-License-Identifier: Apache-2.0
//
// Test vectors: words of an instruction set with their texts, made from its description and replayed against it.
//
// The one idea: an author gets regression tests from the description. Every leaf of a generation has sample words: each
// field at its corner values, and each override taken and not taken. Corner values are 0, 1, the largest, both sides of
// the sign, every row of an enum, and every leaf of a nested root. Their texts and the results of assembling these are
// recorded. Later the lines are decoded and assembled again, which shows every effect of a change, intended or not.
//
//   make_vectors(decoder, {}, [&](const TestVector& vector) { append_json_line(lines, vector); });
//   Replay replay = replay_vectors(model, {}, lines, diagnostics);
//
// The format is that of data/isa: one JSON object per line, with `gen`, `hex` (most significant digit first; an array
// is a program), `text`, and optionally `leaf`, `asm`, `options`.
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
  std::string text;       ///< as printed, without the end of the line; custom fields are numbers
  std::string_view leaf;  ///< name of the bitset, borrowed from the model
  /// The result of assembling the text.
  enum class Assembly : std::uint8_t {
    SameBits,
    SameText,  ///< another word that prints the same text
    Nothing,
  } assembly = Assembly::Nothing;
};

/// Which words become vectors.
struct VIREO_API VectorOptions {
  bool keeps_remarks = false;  ///< include words with decoder faults; their texts are not assembled
};

/// Makes the vectors of the decoder's generation, leaf by leaf in matching order. They are the same in each run, and at
/// most some thousands per leaf.
VIREO_API void make_vectors(const Decoder& decoder, const VectorOptions& options,
                            const std::function<void(const TestVector&)>& take);

/// Appends one line of JSON, including its end.
VIREO_API void append_json_line(std::string& lines, const TestVector& vector);

/// The counts of a replay.
struct VIREO_API Replay {
  std::size_t held = 0;     ///< lines that hold
  std::size_t differ = 0;   ///< lines that differ, each with an error
  std::size_t skipped = 0;  ///< lines that were recorded with the recorder's own callbacks
};

/// Replays lines, each in its own generation; `mesa_compat` applies to all. Differences are reported with their places
/// in `lines`. Supported `options`: -l labels, -q no annotations, -M N error limit, -E NAME:INDEX,… entry points.
VIREO_API Replay replay_vectors(const Model& model, bool mesa_compat, std::string_view lines, Diagnostics& diagnostics);

}  // namespace vireo::isa
