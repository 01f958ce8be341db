// SPDX-License-Identifier: Apache-2.0
//
// One walk over the words and one over the tokens: a token of an id says which word it stands for.
#include "cli/names_in_text.h"

#include <cstdint>

#include "vireo/spirv/instruction.h"

namespace vireo::cli {

NamesInText::NamesInText(std::string_view text, spirv::Words words, const spirv::SourceMap& map)
    : text_(text), words_(words), map_(map) {}

std::string NamesInText::name_of(spirv::Word id) const {
  std::call_once(is_read_, [this] { read(); });
  return id < names_.size() ? std::string(names_[id]) : std::string();
}

void NamesInText::read() const {
  std::vector<std::uint32_t> offsets;
  for (const spirv::InstructionView view : spirv::Instructions(words_)) offsets.push_back(view.offset);
  for (const spirv::Token& token : map_.tokens()) {
    if (token.instruction == 0 || token.instruction > offsets.size() || token.word_count != 1 || token.word == 0)
      continue;
    const std::string_view name = text_.substr(token.begin, token.length);
    if (!name.starts_with('%')) continue;
    const spirv::Word id = words_[offsets[token.instruction - 1] + token.word];
    // Ids of a text are dense but for those that it numbers itself; a far one goes by its number.
    if (id >= words_.size()) continue;
    if (id >= names_.size()) names_.resize(id + std::size_t{1});
    names_[id] = name;
  }
}

}  // namespace vireo::cli
