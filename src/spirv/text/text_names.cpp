// SPDX-License-Identifier: Apache-2.0
//
// Reads the names from the tokens of a source map: a token of an id refers to its word.
#include "spirv/text/text_names.h"

#include <algorithm>

#include "vireo/spirv/binary/instruction.h"

namespace vireo::spirv {

TextNames::TextNames(std::string_view text, const SourceMap& map, Words words,
                     const std::vector<std::uint32_t>& offsets) {
  for (const Token& token : map.tokens()) {
    if (token.instruction == 0 || token.instruction > offsets.size() || token.word_count != 1 || token.word == 0) {
      continue;
    }
    const std::string_view name = text.substr(token.begin, token.length);
    if (name.starts_with('%')) names_.emplace_back(words[offsets[token.instruction - 1] + token.word], name);
  }
  std::ranges::sort(names_);
  const auto has_same_id = [](const auto& a, const auto& b) { return a.first == b.first; };
  names_.erase(std::unique(names_.begin(), names_.end(), has_same_id), names_.end());
}

std::string_view TextNames::of(Word id) const {
  const auto found = std::ranges::lower_bound(names_, id, {}, &std::pair<Word, std::string_view>::first);
  return found != names_.end() && found->first == id ? found->second : std::string_view();
}

std::vector<std::uint32_t> instruction_offsets(Words words) {
  std::vector<std::uint32_t> offsets;
  for (const InstructionView view : Instructions(words)) offsets.push_back(view.offset);
  return offsets;
}

}  // namespace vireo::spirv
