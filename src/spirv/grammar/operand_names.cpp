// SPDX-License-Identifier: Apache-2.0
//
// Implements grammar/operand_names.h: the word index of an operand by name, from a generated table.
#include "vireo/spirv/grammar/operand_names.h"

#include <array>
#include <span>

namespace vireo::spirv {
namespace {

struct NamedPlace {
  OperandName name;
  std::uint16_t word;
};
// The operands of an opcode: `count` entries from named_places[first] on.
struct OpcodePlaces {
  std::uint16_t opcode, first, count;
};

#include "spirv/grammar/generated/operand_places.inc"

constexpr std::size_t opcode_limit = 8192;  // all opcodes are below this; the index takes two bytes for each

// By opcode: the row of opcode_places plus 1; 0 for an opcode without named operands.
constexpr auto rows_by_opcode = [] {
  std::array<std::uint16_t, opcode_limit> rows{};
  std::uint16_t number = 0;
  for (const OpcodePlaces& row : opcode_places) rows.at(row.opcode) = ++number;
  return rows;
}();

}  // namespace

std::uint16_t word_of(Op opcode, OperandName name) {
  const auto number = static_cast<std::size_t>(opcode);
  const std::uint16_t row = number < opcode_limit ? rows_by_opcode[number] : std::uint16_t{0};
  if (row == 0) return 0;
  const OpcodePlaces& places = opcode_places[row - 1];
  for (const NamedPlace& place : std::span(named_places).subspan(places.first, places.count)) {
    if (place.name == name) return place.word;
  }
  return 0;
}

}  // namespace vireo::spirv
