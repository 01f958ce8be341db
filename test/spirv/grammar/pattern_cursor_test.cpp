// SPDX-License-Identifier: Apache-2.0
//
// The order of operands that PatternCursor determines. The tests of the decoder, the assembler and the builder check
// each of its users.
#include "spirv/grammar/pattern_cursor.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "vireo/spirv/grammar/enums.h"

namespace vireo::spirv {
namespace {

const Grammar& grammar = builtin_grammar();

/// The kinds of the operands of an instruction with this number of values, each followed by a space. `enter` inserts
/// lists after an operand. Kinds of parameters are in parentheses.
std::string kinds_of(Op opcode, std::size_t values, const std::function<void(PatternCursor&, OperandShape)>& enter) {
  PatternCursor pattern(grammar);
  pattern.start(grammar.operands(grammar.find_opcode(opcode)->operands));
  std::string kinds;
  while (const OperandRow* row = pattern.next([&] { return values != 0; })) {
    if (values != 0) --values;
    const std::string kind(grammar.text(grammar.kind(row->kind).name));
    kinds += pattern.is_in_parameters() ? "(" + kind + ") " : kind + " ";
    enter(pattern, row->shape);
  }
  return kinds;
}

TEST(PatternCursor, omitted_operands_are_skipped_and_lists_repeat) {
  const auto nothing = [](PatternCursor&, OperandShape) {};
  EXPECT_EQ(kinds_of(Op::OpStore, 2, nothing), "IdRef IdRef ");
  EXPECT_EQ(kinds_of(Op::OpStore, 1, nothing), "IdRef IdRef ");  // required operands are returned without a value
  EXPECT_EQ(kinds_of(Op::OpTypeStruct, 4, nothing), "IdResult IdRef IdRef IdRef ");
}

TEST(PatternCursor, parameters_of_a_mask_follow_from_the_lowest_bit) {
  constexpr Word mask = 0x2 | 0x8 | 0x1 | 0x4000;  // Aligned, MakePointerAvailable, Volatile, and a bit without a row
  const auto enter = [&](PatternCursor& pattern, OperandShape shape) {
    if (shape == OperandShape::BitEnum) pattern.enter_mask(grammar.find_kind("MemoryAccess"), mask);
  };
  EXPECT_EQ(kinds_of(Op::OpCopyMemory, 6, enter),
            "IdRef IdRef MemoryAccess (LiteralInteger) (IdScope) MemoryAccess (LiteralInteger) (IdScope) ");
}

TEST(PatternCursor, the_bases_of_a_composite_precede_its_repetition) {
  const auto enter = [](PatternCursor& pattern, OperandShape shape) {
    if (shape == OperandShape::Composite) pattern.enter_bases(grammar.find_kind("PairIdRefIdRef"));
  };
  EXPECT_EQ(kinds_of(Op::OpPhi, 5, enter), "IdResultType IdResult PairIdRefIdRef IdRef IdRef ");
}

TEST(PatternCursor, only_an_open_instruction_takes_operands_beyond_its_row) {
  const ExtInstRow* round = grammar.find_ext_inst(grammar.find_set("GLSL.std.450"), 1);
  const auto kinds = [&](const ExtInstRow* row, bool is_open) {
    return kinds_of(Op::OpExtInst, 7, [&](PatternCursor& pattern, OperandShape shape) {
      if (shape == OperandShape::LiteralExtInstInteger) pattern.enter_extended(row, is_open);
    });
  };
  const std::string first = "IdResultType IdResult IdRef LiteralExtInstInteger ";
  EXPECT_EQ(kinds(round, false), first + "IdRef ");
  EXPECT_EQ(kinds(round, true), first + "IdRef IdRef IdRef ");
  EXPECT_EQ(kinds(nullptr, true), first + "IdRef IdRef IdRef ");
}

TEST(PatternCursor, operands_of_inner_opcodes_do_not_nest) {
  const InstructionRow& sum = *grammar.find_opcode(Op::OpIAdd);
  const auto enter = [&](PatternCursor& pattern, OperandShape shape) {
    if (shape != OperandShape::LiteralSpecConstantOpInteger) return;
    pattern.enter_spec_opcode(sum);
    pattern.enter_spec_opcode(sum);
  };
  EXPECT_EQ(kinds_of(Op::OpSpecConstantOp, 9, enter),
            "IdResultType IdResult LiteralSpecConstantOpInteger IdRef IdRef ");
}

}  // namespace
}  // namespace vireo::spirv
