// SPDX-License-Identifier: Apache-2.0
//
// isa_cycles SPEC GEN FILE: assembles a program and prints how long it keeps each unit of the machine busy if every
// instruction is executed once.
//
// A description may contain more than encodings. Vireo passes `meta` elements on to programs such as this.
#include <charconv>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <string_view>

#include "vireo/isa/assemble.h"
#include "vireo/isa/isa.h"

namespace {

using namespace vireo;

unsigned number(std::string_view text) {
  unsigned value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

struct Load {
  unsigned instructions = 0;
  unsigned cycles = 0;
};

// A leaf inherits the meta rows of its ancestors; its own rows come first.
void count(const isa::Model& model, const isa::Bitset& leaf, std::map<std::string_view, Load>& loads) {
  const isa::Meta* unit = model.find_meta(leaf, "unit");
  const isa::Meta* cycles = model.find_meta(leaf, "cycles");
  Load& load = loads[unit == nullptr ? "?" : unit->value];
  load.instructions += 1;
  load.cycles += cycles == nullptr ? 0 : number(cycles->value);
}

}  // namespace

int main(int argument_count, char** arguments) {
  if (argument_count != 4) return 2;
  const isa::LoadedModel loaded = isa::load_model(arguments[1]);
  const isa::Decoder decoder(loaded.model, {.gen = number(arguments[2])});
  if (!decoder.is_usable()) return 1;

  std::ifstream file(arguments[3]);
  const std::string source{std::istreambuf_iterator<char>(file), {}};
  Diagnostics diagnostics;
  const isa::AssembledProgram program = isa::Assembler(decoder, {}).assemble(source, diagnostics);
  if (diagnostics.has_errors()) {
    std::printf("%s\n", diagnostics.all().front().message.c_str());
    return 1;
  }

  std::map<std::string_view, Load> loads;
  isa::Decoded decoded;
  for (const isa::AssembledInstruction& instruction : program.instructions) {
    isa::Bits word(instruction.bits);
    for (std::uint32_t bit = 0; bit < instruction.bits; bit += 8) {
      const auto byte = static_cast<unsigned char>(program.bytes[instruction.offset + bit / 8]);
      word.data()[bit / 64] |= isa::BitWord{byte} << bit % 64;
    }
    if (decoder.decode(word, decoded)) count(loaded.model, loaded.model[decoded.instruction().leaf], loads);
  }
  for (const auto& [unit, load] : loads) {
    std::printf("%-8.*s %3u instructions %4u cycles\n", static_cast<int>(unit.size()), unit.data(), load.instructions,
                load.cycles);
  }
  return 0;
}
