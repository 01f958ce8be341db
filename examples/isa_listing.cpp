// SPDX-License-Identifier: Apache-2.0
//
// isa_listing FILE: disassembles a program for Finch with code generated from its description:
//
//   vireo isa generate finch.xml --lang c++ -o finch.h
//
// The generated code does not depend on Vireo. A driver or a debugger includes one header.
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

#define FINCH_IMPLEMENTATION
#include "finch.h"

int main(int count, char** arguments) {
  if (count != 2) return 2;
  std::ifstream file(arguments[1], std::ios::binary);
  const std::string code{std::istreambuf_iterator<char>(file), {}};

  finch::EntryPoint main_at_0{"main", 0};
  finch::Options options;
  options.gen = 2;
  options.branch_labels = true;
  options.round_trip_floats = true;
  options.entry_points = &main_at_0;
  options.entry_point_count = 1;

  std::string text;
  finch::print_to(text, code.data(), code.size(), options);
  std::fputs(text.c_str(), stdout);
  return 0;
}
