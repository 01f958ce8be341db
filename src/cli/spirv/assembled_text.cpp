// SPDX-License-Identifier: Apache-2.0
//
// Names are found by one walk over the words and one over the tokens: a token of an id refers to its word.
#include "cli/spirv/assembled_text.h"

#include <cstdint>

#include "vireo/spirv/instruction.h"

namespace vireo::cli {

AssembledText::AssembledText(const SourceText& text, const spirv::AssembleOptions& options, spirv::Words words)
    : text_(text), options_(options), words_(words) {}

const spirv::SourceMap& AssembledText::map() const {
  std::call_once(is_mapped_, [this] {
    Diagnostics repeated;  // reported by the first assembly already
    static_cast<void>(spirv::assemble(text_, options_, repeated, &map_));
  });
  return map_;
}

std::string AssembledText::name_of(spirv::Word id) const {
  std::call_once(is_named_, [this] { read_names(); });
  return id < names_.size() ? std::string(names_[id]) : std::string();
}

void AssembledText::read_names() const {
  std::vector<std::uint32_t> offsets;
  for (const spirv::InstructionView view : spirv::Instructions(words_)) offsets.push_back(view.offset);
  for (const spirv::Token& token : map().tokens()) {
    if (token.instruction == 0 || token.instruction > offsets.size() || token.word_count != 1 || token.word == 0)
      continue;
    const std::string_view name = text_.text.substr(token.begin, token.length);
    if (!name.starts_with('%')) continue;
    const spirv::Word id = words_[offsets[token.instruction - 1] + token.word];
    // The ids of a text are dense, except for those that it numbers itself. A much larger id is printed as a number.
    if (id >= words_.size()) continue;
    if (id >= names_.size()) names_.resize(id + std::size_t{1});
    names_[id] = name;
  }
}

}  // namespace vireo::cli
