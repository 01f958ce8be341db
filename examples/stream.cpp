// SPDX-License-Identifier: Apache-2.0
//
// stream FILE: counts the instructions of a module by opcode and prints the five most frequent. Between reading the file
// and printing, nothing is allocated: instructions are views of the file's bytes.
#include <algorithm>
#include <array>
#include <cstdio>
#include <span>

#include "vireo/spirv/grammar/grammar.h"
#include "vireo/spirv/binary/instruction.h"
#include "vireo/spirv/binary/reader.h"
#include "vireo/support/file.h"

namespace {

using namespace vireo;
using namespace vireo::spirv;

constexpr std::size_t most_frequent = 5;

struct Count {
  Op opcode = Op::OpNop;
  std::uint32_t times = 0;
};

std::array<Count, 0x10000> counts;  // an opcode has 16 bits

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) return 2;
  Diagnostics diagnostics;
  const Result<FileBytes> file = read_file(arguments[1], diagnostics);
  if (!file) return 1;
  const Result<ModuleWords> words = read_module_words(file->text(), diagnostics);
  if (!words) return 1;

  for (const InstructionView instruction : Instructions(words->words())) {
    Count& row = counts[static_cast<std::size_t>(instruction.opcode)];
    row.opcode = instruction.opcode;
    ++row.times;
  }

  std::partial_sort(counts.begin(), counts.begin() + most_frequent, counts.end(), [](const Count& a, const Count& b) {
    return a.times != b.times ? a.times > b.times : a.opcode < b.opcode;
  });
  const Grammar& grammar = builtin_grammar();
  for (const Count& row : std::span(counts).first(most_frequent)) {
    if (row.times == 0) break;
    const InstructionRow* instruction = grammar.find_opcode(row.opcode);
    const std::string_view name = instruction == nullptr ? "?" : grammar.text(instruction->name);
    std::printf("%6u %.*s\n", row.times, static_cast<int>(name.size()), name.data());
  }
  return 0;
}
