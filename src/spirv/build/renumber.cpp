// SPDX-License-Identifier: Apache-2.0
//
// Renumbers the ids of a module (edit.h).
#include <algorithm>
#include <optional>

#include "spirv/build/edit_state.h"
#include "spirv/build/id_words.h"

namespace vireo::spirv {

Result<WordBuffer> renumber_ids(Words words, const Function<Word(Word)>& renamed, Diagnostics& diagnostics,
                                const Grammar& grammar) {
  WordBuffer out(words.begin(), words.end());
  Word highest = 0;
  std::optional<Reported> reported = for_each_id(words, diagnostics, grammar, [&](std::size_t offset, Word id) {
    out[offset] = renamed(id);
    highest = std::max(highest, out[offset]);
  });
  if (highest == ~Word{0}) reported = diagnostics.error(rule::edit_bound, Location::none(), no_bound_left);
  if (reported) return *reported;
  out[3] = highest + 1;  // the lowest bound that the specification permits (2.3)
  return out;
}

Result<WordBuffer> compact_ids(Words words, Diagnostics& diagnostics, const Grammar& grammar) {
  DenseIds numbers(words);
  return renumber_ids(
      words, [&](Word id) { return numbers.of(id); }, diagnostics, grammar);
}

}  // namespace vireo::spirv
