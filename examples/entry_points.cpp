// SPDX-License-Identifier: Apache-2.0
//
// entry_points FILE: lists the entry points of a module and the variables of their interfaces.
#include <cstdio>
#include <string_view>

#include "vireo/spirv/spirv.h"

namespace {

using namespace vireo;
using namespace vireo::spirv;

// The name of an enumerant in the grammar.
std::string_view name_of_value(const Grammar& grammar, std::string_view kind, Word value) {
  const EnumerantRow* row = grammar.find_value(grammar.find_kind(kind), value);
  return row == nullptr ? std::string_view("?") : grammar.text(row->name);
}

void list_interface(const Facts& facts, const EntryPointRow& entry) {
  const Grammar& grammar = facts.module().grammar();
  for (const Word variable : entry.interface_) {
    const TypeRow& pointer = facts.types().of(facts.module().type_of(variable));
    const std::string_view storage = name_of_value(grammar, "StorageClass", static_cast<Word>(pointer.storage));
    const std::string_view name = facts.names().of(variable);
    std::printf("  %%%u %.*s %.*s", variable, static_cast<int>(storage.size()), storage.data(),
                static_cast<int>(name.size()), name.data());

    // The location or the built-in of the variable.
    if (const DecorationRow* row = facts.decorations().find(variable, Decoration::Location))
      std::printf(" location %u", facts.decorations().operand_or(*row, 0));
    if (const DecorationRow* row = facts.decorations().find(variable, Decoration::BuiltIn)) {
      const std::string_view built_in = name_of_value(grammar, "BuiltIn", facts.decorations().operand_or(*row, 0));
      std::printf(" built-in %.*s", static_cast<int>(built_in.size()), built_in.data());
    }

    // The row of the pointee type contains its shape, so no nested type is read.
    const TypeRow& type = pointer.pointee();
    const Shape shape = facts.types().shape(type);
    if (shape.scalar != TypeKind::None) {
      std::printf(" %s%u x %llu", shape.scalar == TypeKind::Float ? "float" : "int", shape.width,
                  static_cast<unsigned long long>(shape.rows * shape.columns));
    }
    std::printf("\n");
  }
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) return 2;
  Diagnostics diagnostics;
  const Result<FileBytes> file = read_file(arguments[1], diagnostics);
  if (!file) return 1;
  const Result<ModuleWords> words = read_module_words(file->text(), diagnostics);
  if (!words) return 1;

  const Module module = Module::read(words->words());
  const Facts facts(module);
  for (const EntryPointRow& entry : facts.module_declarations().entry_points()) {
    const std::string_view model = name_of_value(module.grammar(), "ExecutionModel", static_cast<Word>(entry.model));
    std::printf("%.*s %.*s\n", static_cast<int>(model.size()), model.data(), static_cast<int>(entry.name.size()),
                entry.name.data());
    list_interface(facts, entry);
  }
  return 0;
}
