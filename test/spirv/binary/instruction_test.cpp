// SPDX-License-Identifier: Apache-2.0
//
// InstructionView: words beyond the end, and the ids of result and type.
#include <gtest/gtest.h>

#include "vireo/spirv/binary/instruction.h"
#include "vireo/spirv/grammar/grammar.h"

namespace vireo::spirv {
namespace {

struct IdRow {
  Op opcode;
  Word result, type;
};

TEST(instruction_view, has_the_ids_of_its_result_and_type) {
  for (const IdRow& row : {IdRow{Op::OpLoad, 12, 11},
                           {Op::OpLabel, 11, 0},
                           {Op::OpTypeStruct, 11, 0},
                           {Op::OpStore, 0, 0},
                           {Op::OpFunction, 12, 11},
                           {static_cast<Op>(0x7fff), 0, 0}}) {
    const Word words[] = {first_word(4, row.opcode), 11, 12, 13};
    const InstructionView view = InstructionView::at(words, 5);
    EXPECT_EQ(view.result_id(), row.result) << static_cast<int>(row.opcode);
    EXPECT_EQ(view.type_id(), row.type) << static_cast<int>(row.opcode);
  }
}

TEST(instruction_view, a_short_instruction_has_no_ids) {
  const Word words[] = {first_word(2, Op::OpLoad), 11};
  EXPECT_EQ(InstructionView::at(words, 5).type_id(), 11u);
  EXPECT_EQ(InstructionView::at(words, 5).result_id(), 0u);
  EXPECT_EQ(InstructionView{}.result_id(), 0u);
  EXPECT_EQ(InstructionView{}.type_id(), 0u);
}

TEST(instruction_view, uses_the_grammar_of_its_caller) {
  const Word words[] = {first_word(4, Op::OpLoad), 11, 12, 13};
  const Grammar none;
  EXPECT_EQ(InstructionView::at(words, 5).result_id(none), 0u);
}

}  // namespace
}  // namespace vireo::spirv
