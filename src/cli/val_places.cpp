// SPDX-License-Identifier: Apache-2.0
//
// A place in words is an offset and an ordinal; a map wants the ordinal and the word within the instruction. So one walk
// notes where the instructions begin that something is said of.
#include "cli/val_places.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "vireo/spirv/instruction.h"

namespace vireo::cli {
namespace {

class Turner {
 public:
  Turner(spirv::Words words, const spirv::SourceMap& map) : map_(map) {
    for (const spirv::InstructionView view : spirv::Instructions(words)) offsets_.push_back(view.offset);
  }

  [[nodiscard]] Location turn(const Location& where) const {
    if (where.kind != Location::Kind::Words) return where;
    if (where.instruction == 0 || where.instruction > offsets_.size()) return Location::none();
    const std::uint64_t word = where.begin - offsets_[where.instruction - 1];
    // A finding about the whole instruction points at its opcode: carets under a line of many operands say nothing.
    const ByteRange range = map_.range_of(where.instruction, word);
    return range.begin == range.end ? Location::none() : Location::in_text(range);
  }

 private:
  const spirv::SourceMap& map_;
  std::vector<std::uint32_t> offsets_;
};

}  // namespace

Diagnostics point_into_text(const Diagnostics& diagnostics, spirv::Words words, const spirv::SourceMap& map) {
  const Turner turner(words, map);
  Diagnostics turned(std::numeric_limits<std::size_t>::max());
  for (Diagnostic diagnostic : diagnostics.all()) {
    diagnostic.where = turner.turn(diagnostic.where);
    for (Note& note : diagnostic.notes) note.where = turner.turn(note.where);
    turned.report(std::move(diagnostic));
  }
  return turned;
}

// By the tokens that the assembler made of the text: who wrote `%main` reads `%main` in what is said of it.
std::vector<std::string_view> names_in_text(std::string_view text, spirv::Words words, const spirv::SourceMap& map) {
  std::vector<std::uint32_t> offsets;
  for (const spirv::InstructionView view : spirv::Instructions(words)) offsets.push_back(view.offset);
  std::vector<std::string_view> names;
  for (const spirv::Token& token : map.tokens()) {
    if (token.instruction == 0 || token.instruction > offsets.size() || token.word_count != 1 || token.word == 0)
      continue;
    const std::string_view name = text.substr(token.begin, token.length);
    if (!name.starts_with('%')) continue;
    const spirv::Word id = words[offsets[token.instruction - 1] + token.word];
    // Ids of a text are dense but for those that it numbers itself; a far one goes by its number.
    if (id >= words.size()) continue;
    if (id >= names.size()) names.resize(id + std::size_t{1});
    names[id] = name;
  }
  return names;
}

}  // namespace vireo::cli
