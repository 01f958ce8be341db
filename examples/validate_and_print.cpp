// SPDX-License-Identifier: Apache-2.0
//
// validate_and_print ENVIRONMENT FILE: validates a module for an environment ("vulkan1.3") and prints the errors with their
// places in the disassembly. Exit status 1 if the module is invalid.
#include <iostream>

#include "vireo/spirv/spirv.h"

using namespace vireo;
using namespace vireo::spirv;

int main(int count, char** arguments) {
  if (count != 3) return 2;
  Diagnostics diagnostics;
  const Result<Environment> environment = find_environment(arguments[1], diagnostics);
  const Result<FileBytes> file = read_file(arguments[2], diagnostics);
  std::cerr << render({arguments[2], {}}, diagnostics);
  if (!environment || !file) return 2;

  const Verdict verdict = validate_and_render({arguments[2], file->text()}, {.environment = *environment});
  std::cerr << verdict.text;
  return verdict.is_valid ? 0 : 1;
}
