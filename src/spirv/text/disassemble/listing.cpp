// SPDX-License-Identifier: Apache-2.0
//
// Findings about words, turned to a text that people can look at (vireo/spirv/listing.h).
//
// The one idea: a place of a diagnostic is an offset in the module, while a source map is asked by instruction and
// word. So one walk finds where those instructions begin that diagnostics point at, and looks at nothing else.
#include "vireo/spirv/listing.h"

#include <algorithm>
#include <limits>
#include <mutex>
#include <utility>
#include <vector>

#include "spirv/text/disassemble/excerpt.h"
#include "spirv/text/disassemble/friendly_names.h"
#include "vireo/spirv/instruction.h"
#include "vireo/spirv/reader.h"

namespace vireo::spirv {
namespace {

void add_ordinal(const Location& where, std::vector<std::uint64_t>& ordinals) {
  if (where.kind == Location::Kind::Words && where.instruction != 0) ordinals.push_back(where.instruction);
}

/// The ordinals of all instructions that are pointed at, ascending.
std::vector<std::uint64_t> ordinals_in(const Diagnostics& diagnostics) {
  std::vector<std::uint64_t> ordinals;
  for (const Diagnostic& diagnostic : diagnostics.all()) {
    add_ordinal(diagnostic.where, ordinals);
    for (const Note& note : diagnostic.notes) add_ordinal(note.where, ordinals);
  }
  std::ranges::sort(ordinals);
  ordinals.erase(std::unique(ordinals.begin(), ordinals.end()), ordinals.end());
  return ordinals;
}

class Turner {
 public:
  Turner(std::vector<std::uint64_t> ordinals, Words words, const SourceMap& map)
      : map_(map), ordinals_(std::move(ordinals)) {
    std::uint64_t ordinal = 0;
    for (const InstructionView view : Instructions(words)) {
      if (offsets_.size() == ordinals_.size()) break;
      if (++ordinal == ordinals_[offsets_.size()]) offsets_.push_back(view.offset);
    }
  }

  [[nodiscard]] Location turn(const Location& where) const {
    if (where.kind != Location::Kind::Words) return where;
    const auto at =
        static_cast<std::size_t>(std::ranges::lower_bound(ordinals_, where.instruction) - ordinals_.begin());
    if (where.instruction == 0) return Location::none();
    // Where the module breaks off there is no line, but still a word to look at.
    if (at >= offsets_.size()) return where;
    // A finding about the whole instruction points at its opcode: carets under a line of many operands say nothing.
    const ByteRange range = map_.range_of(where.instruction, where.begin - offsets_[at]);
    return range.begin == range.end ? Location::none() : Location::in_text(range);
  }

 private:
  const SourceMap& map_;
  std::vector<std::uint64_t> ordinals_;
  std::vector<std::uint32_t> offsets_;  // of the instructions with these ordinals; shorter where the module breaks off
};

}  // namespace

Diagnostics point_into_text(const Diagnostics& diagnostics, Words words, const SourceMap& map) {
  const Turner turner(ordinals_in(diagnostics), words, map);
  Diagnostics turned(std::numeric_limits<std::size_t>::max());
  for (Diagnostic diagnostic : diagnostics.all()) {
    diagnostic.where = turner.turn(diagnostic.where);
    for (Note& note : diagnostic.notes) note.where = turner.turn(note.where);
    turned.report(std::move(diagnostic));
  }
  return turned;
}

struct Listing::Made {
  Words words;
  const Grammar& grammar;
  std::once_flag is_named = {};
  IdNames names = {};
  std::string text = {};

  const IdNames& id_names() {
    std::call_once(is_named, [this] { names = IdNames::friendly(words, grammar); });
    return names;
  }
};

Listing::Listing(Words words, const Grammar* grammar)
    : made_(new Made{words, grammar != nullptr ? *grammar : builtin_grammar()}) {}
Listing::~Listing() = default;

std::string Listing::name_of(Word id) const { return made_->id_names().text_of(id); }

Diagnostics Listing::point_into_text(const Diagnostics& diagnostics) {
  SourceMap map;
  StringSink sink;
  Diagnostics ignored(0);
  if (const Result<Header> header = read_header(made_->words, ignored)) {
    print_excerpt(made_->words, *header, made_->grammar, made_->id_names(), ordinals_in(diagnostics), sink, map);
  }
  made_->text = std::move(sink).text();
  return spirv::point_into_text(diagnostics, made_->words, map);
}

std::string_view Listing::text() const { return made_->text; }

}  // namespace vireo::spirv
