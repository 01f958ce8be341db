// SPDX-License-Identifier: Apache-2.0
//
// strip_debug IN OUT: removes debug information from a module: names, sources, lines, and strings used only by them.
#include <algorithm>
#include <iostream>

#include "vireo/spirv/spirv.h"
#include "vireo/spirv/binary/views/debug.h"

using namespace vireo;
using namespace vireo::spirv;

namespace {

bool is_debug(const Facts& facts, InstructionView instruction) {
  const auto is_debug_use = [](const Use& use) { return use.kind == UseKind::Debug; };
  switch (instruction.opcode) {
    case Op::OpString:
      return std::ranges::all_of(facts.uses().of(View<Op::OpString>(instruction).result()), is_debug_use);
    case Op::OpSource:
    case Op::OpSourceContinued:
    case Op::OpSourceExtension:
    case Op::OpName:
    case Op::OpMemberName:
    case Op::OpModuleProcessed:
    case Op::OpLine:
    case Op::OpNoLine: return true;
    default: return false;
  }
}

Result<WordBuffer> strip(const Module& module, Diagnostics& diagnostics) {
  const Facts facts(module);
  Edit edit(module);
  for (const auto [index, instruction] : module.instructions()) {
    if (is_debug(facts, instruction)) edit.remove(index);
  }
  return edit.apply(diagnostics);
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 3) return 2;
  Diagnostics diagnostics;
  const Result<FileBytes> file = read_file(arguments[1], diagnostics);
  if (!file) return 2;
  const Result<ModuleWords> words = read_module_words(file->text(), diagnostics);
  if (words) {
    const Result<WordBuffer> stripped = strip(Module::read(words->words()), diagnostics);
    if (stripped) write_file(arguments[2], bytes_of(*stripped), diagnostics);
  }
  std::cerr << render({arguments[1], {}}, diagnostics);
  return diagnostics.has_errors() ? 1 : 0;
}
