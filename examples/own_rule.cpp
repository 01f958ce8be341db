// SPDX-License-Identifier: Apache-2.0
//
// own_rule ENVIRONMENT FILE: validates a module for an environment ("vulkan1.3") and checks one more rule: every variable
// with a binding has a name. Exit status 1 if there is an error.
#include <iostream>

#include "vireo/spirv/spirv.h"
#include "vireo/spirv/binary/views/memory.h"

using namespace vireo;
using namespace vireo::spirv;

namespace {

/// A project's rule is a function of the facts of a module. It reports to the same diagnostics as the validator.
void check_names_of_bindings(const Facts& facts, const Listing& listing, Diagnostics& diagnostics) {
  for (const auto [index, variable] : facts.module().instructions(Section::Globals)) {
    const auto declaration = as<Op::OpVariable>(variable);
    if (!declaration) continue;
    const Word id = declaration->result();
    if (!facts.decorations().has(id, Decoration::Binding) || !facts.names().of(id).empty()) continue;
    diagnostics.error("unnamed-binding", facts.module().location_of(index),
                      "variable " + listing.name_of(id) + " has a binding and no name", "add OpName");
  }
}

}  // namespace

int main(int count, char** arguments) {
  Diagnostics diagnostics;
  if (count != 3) return 2;
  const Result<Environment> environment = find_environment(arguments[1], diagnostics);
  const Result<FileBytes> file = read_file(arguments[2], diagnostics);
  if (!environment || !file) return std::cerr << render({arguments[2], {}}, diagnostics), 2;
  const Result<ModuleWords> words = read_module_words(file->text(), diagnostics);
  if (!words) return std::cerr << render({arguments[2], {}}, diagnostics), 1;

  Listing listing(words->words());
  ValidateOptions options;
  options.environment = *environment;
  options.name_of_id = [&](Word id) { return listing.name_of(id); };
  if (validate(words->words(), options, diagnostics)) {
    const Module module = Module::read(words->words());
    check_names_of_bindings(Facts(module), listing, diagnostics);
  }
  const Diagnostics in_text = listing.point_into_text(diagnostics);
  std::cerr << render({arguments[2], listing.text()}, in_text);
  return diagnostics.has_errors() ? 1 : 0;
}
