// SPDX-License-Identifier: Apache-2.0
//
// The words of a module that are ids.
//
// The one idea: the grammar defines which words are ids, so a decoder reads all instructions in order. Widths of literals
// and imported sets depend on earlier ids: a caller that renames ids writes them to a copy.
//
// Source: specification 2.3 (physical layout).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "spirv/binary/decode_report.h"
#include "spirv/rules.h"
#include "vireo/spirv/operand.h"
#include "vireo/support/diagnostic.h"

namespace vireo::spirv {

/// Calls take(offset, id) for each id of a module, in the order of the words; `offset` counts words from the start of
/// the module. Reports all instructions that cannot be decoded; the caller must then discard the ids, which are not
/// complete. A word 0 is not an id.
template <typename Take>
std::optional<Reported> for_each_id(Words words, Diagnostics& diagnostics, const Grammar& grammar, Take&& take) {
  if (words.size() < header_word_count) {
    return diagnostics.error(rule::truncated_header, Location::none(), "the module has no header");
  }
  OperandDecoder decoder(grammar, words[3], words.size());
  std::optional<Reported> reported;
  std::uint64_t ordinal = 0;
  const Instructions instructions(words);
  auto it = instructions.begin();
  for (; it != instructions.end(); ++it) {
    ++ordinal;
    const DecodeFault fault = decoder.decode(*it);
    if (!is_decodable(fault)) {
      const Location place = Location::in_words(it.offset(), it.offset() + (*it).word_count, ordinal);
      report_decode_fault(fault, decoder, grammar, *it, ordinal, diagnostics);
      reported = diagnostics.error(rule::edit_instruction, place, "the ids of the instruction cannot be found");
      continue;
    }
    for (const Operand& operand : decoder.operands()) {
      if (!operand.is_id()) continue;
      const std::size_t offset = it.offset() + operand.word;
      if (words[offset] != 0) take(offset, words[offset]);
    }
  }
  if (it.walk_end() != WalkEnd::Complete) {
    reported = report_walk_end(it.walk_end(), words, it.offset(), ordinal + 1, diagnostics);
  }
  return reported;
}

}  // namespace vireo::spirv
