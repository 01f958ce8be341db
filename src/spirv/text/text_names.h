// SPDX-License-Identifier: Apache-2.0
//
// TextNames: the names of ids in an assembled text.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "vireo/spirv/text/source_map.h"
#include "vireo/spirv/word.h"

namespace vireo::spirv {

/// The result is a view into the text, which must outlive it.
class TextNames {
 public:
  TextNames() = default;
  /// `map` and `words` are the result of assembling the text. `offsets` has the offset of each instruction, in words.
  TextNames(std::string_view text, const SourceMap& map, Words words, const std::vector<std::uint32_t>& offsets);

  /// The name of an id, with its percent sign; empty if the text does not mention the id. Logarithmic.
  [[nodiscard]] std::string_view of(Word id) const;

 private:
  std::vector<std::pair<Word, std::string_view>> names_;  // ascending by id
};

/// The offset of each instruction of a module, in words.
std::vector<std::uint32_t> instruction_offsets(Words words);

}  // namespace vireo::spirv
