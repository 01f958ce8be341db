// SPDX-License-Identifier: Apache-2.0
//
// isa_pack COUNT FILE: makes the program of isa_encode.cpp from the structures of a compiler (isa_pack.h). The packer is
// generated from the maps of the description:
//
//   vireo isa generate finch.xml --what packer -o finch_packer.h
//
// The compiler keeps its structures and writes no bits. It only states which instruction or kind of operand
// a structure is, in functions whose names end in _case.
#include <charconv>
#include <cstdio>
#include <deque>
#include <fstream>
#include <string>
#include <string_view>

#include "isa_pack.h"

// `units` is the length of an instruction. Each of the three lengths has one case.
static int finch_packer_short_case(void*, finch_op* op) { return op->opcode; }
static int finch_packer_normal_case(void*, finch_op* op) { return op->opcode; }
static int finch_packer_wide_case(void*, finch_op* op) { return op->opcode; }
static int finch_packer_source_case(void*, finch_operand* operand);
static int finch_packer_float_source_case(void*, finch_operand* operand);
static int finch_packer_address_case(void*, finch_address* address);

#define FINCH_PACKER_LABELS  // the enumerators FINCH_ADD …, of which there are none yet
#define FINCH_PACKER_IMPLEMENTATION
#include "finch_packer.h"

// The description has two kinds of operand for this structure: its number is an integer, or represents a float.
static int finch_packer_source_case(void*, finch_operand* operand) {
  constexpr int labels[] = {FINCH_SOURCE_REGISTER, FINCH_SOURCE_IMMEDIATE, FINCH_SOURCE_UNIFORM};
  return labels[operand->kind];
}
static int finch_packer_float_source_case(void*, finch_operand* operand) {
  constexpr int labels[] = {FINCH_FLOAT_REGISTER, FINCH_FLOAT_IMMEDIATE, FINCH_FLOAT_UNIFORM};
  return labels[operand->kind];
}
static int finch_packer_address_case(void*, finch_address* address) {
  return address->is_indexed ? FINCH_ADDRESS_INDEXED : FINCH_ADDRESS_OFFSET;
}

namespace {

// The output of instruction selection. Deques, because pointers to their elements stay valid.
struct Program {
  std::deque<finch_op> ops;
  std::deque<finch_operand> operands;
  std::deque<finch_address> addresses;

  finch_op& add(int opcode, unsigned units) {
    finch_op& op = ops.emplace_back();
    op.opcode = opcode;
    op.units = units;
    return op;
  }
  finch_operand* reg(unsigned number) {
    finch_operand& operand = operands.emplace_back();
    operand.kind = finch_register;
    operand.number = number;
    return &operand;
  }
  finch_address* at(unsigned base, unsigned offset) {
    finch_address& address = addresses.emplace_back();
    address.base = base;
    address.offset = offset;
    return &address;
  }
};

constexpr unsigned bits_32 = 2;

// r1 and r2 point to the two rows, r3 to the sum.
Program dot_product(unsigned count) {
  Program program;
  program.add(FINCH_MOV_I, 1).reg[0] = 6;
  for (unsigned i = 0; i < count; ++i) {
    for (const unsigned row : {1u, 2u}) {
      finch_op& load = program.add(FINCH_LD, 2);
      load.reg[0] = 3 + row;
      load.bits = bits_32;
      load.address = program.at(row, i);
    }
    program.add(FINCH_WAIT, 1);
    finch_op& sum = program.add(FINCH_FMAC, 2);
    sum.reg[0] = 6;
    sum.operand[0] = program.reg(4);
    sum.operand[1] = program.reg(5);
  }
  finch_op& store = program.add(FINCH_ST, 2);
  store.reg[0] = 6;
  store.bits = bits_32;
  store.address = program.at(3, 0);
  program.add(FINCH_EXIT, 2);
  return program;
}

// The bytes of the program, little-endian. Empty if an instruction cannot be encoded; the reason is printed.
std::string packed(Program& program) {
  std::string code;
  for (finch_op& op : program.ops) {
    const auto pack = op.units == 1   ? finch_packer::pack_short
                      : op.units == 2 ? finch_packer::pack_normal
                                      : finch_packer::pack_wide;
    std::uint64_t words[finch_packer::word_count];
    finch_packer::Report report;
    const std::uint32_t bits = pack(&op, nullptr, 2, words, &report);
    if (bits == 0) {
      const finch_packer::Fault& fault = report.faults[0];
      std::fprintf(stderr, "%s.%s: %s\n", fault.bitset, fault.field == nullptr ? "" : fault.field,
                   fault_text(fault.kind));
      return {};
    }
    for (std::uint32_t bit = 0; bit < bits; bit += 8) code.push_back(static_cast<char>(words[bit / 64] >> bit % 64));
  }
  return code;
}

}  // namespace

int main(int argument_count, char** arguments) {
  if (argument_count != 3) return 2;
  const std::string_view digits = arguments[1];
  unsigned count = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), count);

  Program program = dot_product(count);
  const std::string code = packed(program);
  if (code.empty()) return 1;
  std::ofstream(arguments[2], std::ios::binary) << code;
  return 0;
}
