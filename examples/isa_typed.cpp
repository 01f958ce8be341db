// SPDX-License-Identifier: Apache-2.0
//
// isa_typed COUNT FILE: makes the program of isa_encode.cpp with an encoder generated from the description:
//
//   vireo isa generate finch.xml --what encoder -o finch_encoder.h
//
// Each instruction is a struct, so the C++ compiler checks the names and types of its fields. The header
// does not depend on Vireo. A number that does not fit is an error.
#include <charconv>
#include <cstdio>
#include <fstream>
#include <string>
#include <string_view>

#define FINCH_ENCODER_IMPLEMENTATION
#include "finch_encoder.h"

namespace {

namespace finch = finch_encoder;

// Encodes an instruction for generation 2, little-endian. Returns false if that fails; the reason is printed.
template <typename Instruction>
bool append(std::string& code, const Instruction& instruction) {
  const finch::Encoded word = encode(instruction, 2);
  if (!word) {
    const finch::Fault& fault = word.report.faults[0];
    std::fprintf(stderr, "%s.%s: %s\n", fault.bitset, fault.field == nullptr ? "" : fault.field,
                 fault_text(fault.kind));
    return false;
  }
  for (std::uint32_t bit = 0; bit < word.bits; bit += 8)
    code.push_back(static_cast<char>(word.words[bit / 64] >> bit % 64));
  return true;
}

// r1 and r2 point to the two rows, r3 to the sum.
bool append_dot_product(std::string& code, unsigned count) {
  finch::MovI clear;
  clear.DST.NUMBER = 6;

  // An operand with several forms is a variant. Fields that are not set are 0.
  finch::Fmac sum;
  sum.DST.NUMBER = 6;
  sum.A = finch::FloatRegister{.R = {4}};
  sum.B = finch::FloatRegister{.R = {5}};

  bool is_fine = append(code, clear);
  for (unsigned i = 0; i < count; ++i) {
    for (const unsigned row : {1u, 2u}) {
      finch::Ld load;
      load.R.NUMBER = 3 + row;
      load.BITS = finch::Bits::b32;
      load.ADDRESS = finch::AddressOffset{.OFFSET = i, .BASE = {row}};
      is_fine = is_fine && append(code, load);
    }
    is_fine = is_fine && append(code, finch::Wait{}) && append(code, sum);
  }

  finch::St store;
  store.R.NUMBER = 6;
  store.BITS = finch::Bits::b32;
  store.ADDRESS = finch::AddressOffset{.OFFSET = 0, .BASE = {3}};
  return is_fine && append(code, store) && append(code, finch::Exit{});
}

}  // namespace

int main(int argument_count, char** arguments) {
  if (argument_count != 3) return 2;
  const std::string_view digits = arguments[1];
  unsigned count = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), count);

  std::string code;
  if (!append_dot_product(code, count)) return 1;
  std::ofstream(arguments[2], std::ios::binary) << code;
  return 0;
}
