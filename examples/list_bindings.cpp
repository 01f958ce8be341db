// SPDX-License-Identifier: Apache-2.0
//
// list_bindings FILE: lists the entry points of a module with their bindings: set, binding, type, name. From SPIR-V 1.4 on
// an entry point's interface contains all global variables that it uses; before, only inputs and outputs.
#include <iostream>

#include "vireo/spirv/spirv.h"

using namespace vireo;
using namespace vireo::spirv;

int main(int count, char** arguments) {
  Diagnostics diagnostics;
  const Result<FileBytes> file = read_file(count == 2 ? arguments[1] : "", diagnostics);
  if (!file) return 2;
  const Result<ModuleWords> words = read_module_words(file->text(), diagnostics);
  if (!words) return 1;

  const Module module = Module::read(words->words());
  const Facts facts(module);
  for (const EntryPointRow& entry : facts.module_declarations().entry_points()) {
    std::cout << entry.name << '\n';
    for (const Word variable : entry.interface_) {
      const DecorationRow* binding = facts.decorations().find(variable, Decoration::Binding);
      const DecorationRow* set = facts.decorations().find(variable, Decoration::DescriptorSet);
      if (binding == nullptr || set == nullptr) continue;
      std::cout << "  set " << facts.decorations().operand_or(*set, 0) << ", binding "
                << facts.decorations().operand_or(*binding, 0) << ": " << type_text(facts, module.type_of(variable))
                << ' ' << facts.names().of(variable) << '\n';
    }
  }
  return 0;
}
