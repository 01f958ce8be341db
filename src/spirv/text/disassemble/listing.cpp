// SPDX-License-Identifier: Apache-2.0
//
// Converts findings with word offsets to findings in disassembled text (vireo/spirv/text/listing.h).
//
// A diagnostic has an offset in the module, but a source map is indexed by instruction and word. So one pass finds the
// offsets of the instructions that diagnostics refer to.
#include "vireo/spirv/text/listing.h"

#include <algorithm>
#include <limits>
#include <mutex>
#include <utility>
#include <vector>

#include "spirv/text/disassemble/excerpt.h"
#include "spirv/text/friendly_names.h"
#include "vireo/spirv/binary/instruction.h"
#include "vireo/spirv/binary/reader.h"

namespace vireo::spirv {
namespace {

void add_ordinal(const Location& where, std::vector<std::uint64_t>& ordinals) {
  if (where.kind == Location::Kind::Words && where.instruction != 0) ordinals.push_back(where.instruction);
}

/// The ordinals of all instructions that diagnostics refer to, ascending.
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
    // A truncated instruction has no line, but its word offset is known.
    if (at >= offsets_.size()) return where;
    // A finding about the whole instruction marks its opcode: carets under all operands would not be useful.
    const ByteRange range = map_.range_of(where.instruction, where.begin - offsets_[at]);
    return range.begin == range.end ? Location::none() : Location::in_text(range);
  }

 private:
  const SourceMap& map_;
  std::vector<std::uint64_t> ordinals_;
  std::vector<std::uint32_t> offsets_;  // of the instructions with these ordinals; shorter if the module is truncated
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
