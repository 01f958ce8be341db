// SPDX-License-Identifier: Apache-2.0
//
// Renumbers the ids of a module (edit.h).
#include <algorithm>
#include <optional>

#include "spirv/binary/decode_report.h"
#include "spirv/build/edit_state.h"
#include "spirv/rules.h"
#include "vireo/spirv/operand.h"
#include "vireo/support/id_map.h"

namespace vireo::spirv {

// The grammar defines which words are ids. The decoder always reads the old words, because widths of literals and
// imported sets depend on earlier ids; the new ids are written to a copy. Instructions that cannot be decoded are all
// reported.
Result<WordBuffer> renumber_ids(Words words, const std::function<Word(Word)>& renamed, Diagnostics& diagnostics,
                                const Grammar& grammar) {
  if (words.size() < header_word_count) {
    return diagnostics.error(rule::truncated_header, Location::none(), "the module has no header");
  }
  WordBuffer out(words.begin(), words.end());
  OperandDecoder decoder(grammar, words[3], words.size());
  std::optional<Reported> reported;
  Word highest = 0;
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
      const Word old = (*it).word(operand.word);
      if (old == 0) continue;  // 0 is not an id; a new number would make it one
      const Word id = renamed(old);
      highest = std::max(highest, id);
      out[(*it).offset + operand.word] = id;
    }
  }
  if (it.walk_end() != WalkEnd::Complete) {
    reported = report_walk_end(it.walk_end(), words, it.offset(), ordinal + 1, diagnostics);
  }
  if (highest == ~Word{0}) reported = diagnostics.error(rule::edit_bound, Location::none(), no_bound_left);
  if (reported) return *reported;
  out[3] = highest + 1;  // the lowest bound that the specification permits (2.3)
  return out;
}

Result<WordBuffer> compact_ids(Words words, Diagnostics& diagnostics, const Grammar& grammar) {
  // A table for the ids of a valid module, which has fewer ids than words. A table for all ids could have four billion
  // entries, for a module of ten words.
  std::vector<Word> small(words.size(), 0);
  IdMap<Word> large;
  Word count = 0;
  const auto number_of = [&](Word id) {
    Word& number = id < small.size() ? small[id] : large[id];
    if (number == 0) number = ++count;
    return number;
  };
  return renumber_ids(words, number_of, diagnostics, grammar);
}

}  // namespace vireo::spirv
