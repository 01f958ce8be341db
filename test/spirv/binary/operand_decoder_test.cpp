// SPDX-License-Identifier: Apache-2.0
//
// The operand decoder: the operands of instructions, and every fault that it reports.
#include "vireo/spirv/binary/operand.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "vireo/spirv/grammar/enums.h"

namespace vireo::spirv {
namespace {

using Instruction = std::vector<Word>;  // first word: the opcode; the word count is filled in

Instruction op(Op opcode, std::vector<Word> operands) {
  Instruction words{static_cast<Word>(opcode) | static_cast<Word>(operands.size() + 1) << 16};
  words.insert(words.end(), operands.begin(), operands.end());
  return words;
}

InstructionView view(const Instruction& words) { return InstructionView::at(words.data(), 5); }

const Instruction int32 = op(Op::OpTypeInt, {1, 32, 1});
const Instruction int64 = op(Op::OpTypeInt, {2, 64, 0});
const Instruction float16 = op(Op::OpTypeFloat, {3, 16});
const Instruction int128 = op(Op::OpTypeInt, {9, 128, 0});
Instruction constant_of_2048_bits() {
  Instruction operands(66, 7);
  operands[0] = 9;
  return op(Op::OpConstant, operands);
}
const Instruction int2048 = op(Op::OpTypeInt, {9, 2048, 0});
const Instruction glsl = op(Op::OpExtInstImport, {4, 0x4C534C47, 0x6474732E, 0x3035342E, 0});
const Instruction opencl = op(Op::OpExtInstImport, {5, 0x6E65704F, 0x732E4C43, 0x00006474});
const Instruction non_semantic = op(Op::OpExtInstImport, {5, 0x536E6F4E, 0x6E616D65, 0x2E636974, 0x006F6F46});

// Decodes `prelude` without a fault, then `last`.
struct Decoded {
  DecodeFault fault;
  std::uint16_t fault_word;
  std::string shapes;  // one `word:count` per operand, parameters in parentheses
};

Decoded decode(const std::vector<Instruction>& prelude, const Instruction& last) {
  OperandDecoder decoder(builtin_grammar(), 100, 1000);
  for (const Instruction& words : prelude) EXPECT_EQ(decoder.decode(view(words)), DecodeFault::None);
  Decoded result{decoder.decode(view(last)), decoder.fault_word(), {}};
  for (const Operand& operand : decoder.operands()) {
    std::string text = std::to_string(operand.word) + ":" + std::to_string(operand.word_count);
    if (operand.is_parameter) text = "(" + text + ")";
    result.shapes += (result.shapes.empty() ? "" : " ") + text;
  }
  return result;
}

TEST(OperandDecoder, matches_words_with_the_pattern) {
  const struct {
    const char* what;
    std::vector<Instruction> prelude;
    Instruction last;
    const char* shapes;
  } cases[] = {
      {"no operands", {}, op(Op::OpNop, {}), ""},
      {"ids", {}, op(Op::OpIAdd, {7, 8, 9, 10}), "1:1 2:1 3:1 4:1"},
      {"optional mask left out", {}, op(Op::OpLoad, {7, 8, 9}), "1:1 2:1 3:1"},
      {"mask with parameter", {}, op(Op::OpLoad, {7, 8, 9, 3, 4}), "1:1 2:1 3:1 4:1 (5:1)"},
      {"mask parameters in bit order", {}, op(Op::OpLoopMerge, {1, 2, 0x28, 5, 6}), "1:1 2:1 3:1 (4:1) (5:1)"},
      {"string and ids", {}, op(Op::OpEntryPoint, {0, 7, 0x6E69616D, 0, 8, 9}), "1:1 2:1 3:2 5:1 6:1"},
      {"enumerant parameters", {}, op(Op::OpDecorate, {7, 41, 0x00000061, 1}), "1:1 2:1 (3:1) (4:1)"},
      {"pairs", {}, op(Op::OpPhi, {1, 2, 3, 4, 5, 6}), "1:1 2:1 3:1 4:1 5:1 6:1"},
      {"constant of 32 bits", {int32}, op(Op::OpConstant, {1, 8, 0xFFFFFFFF}), "1:1 2:1 3:1"},
      {"constant of 64 bits", {int64}, op(Op::OpConstant, {2, 8, 1, 2}), "1:1 2:1 3:2"},
      {"constant of 16 bits", {float16}, op(Op::OpConstant, {3, 8, 0x3C00}), "1:1 2:1 3:1"},
      {"constant of 128 bits", {int128}, op(Op::OpConstant, {9, 8, 1, 2, 3, 4}), "1:1 2:1 3:4"},
      {"constant of 2048 bits", {int2048}, constant_of_2048_bits(), "1:1 2:1 3:64"},
      {"switch of 64 bits",
       {int64, op(Op::OpConstant, {2, 8, 1, 2})},
       op(Op::OpSwitch, {8, 20, 1, 0, 21, 2, 0, 22}),
       "1:1 2:1 3:2 5:1 6:2 8:1"},
      {"switch without labels", {}, op(Op::OpSwitch, {8, 20}), "1:1 2:1"},
      {"extended instruction", {glsl}, op(Op::OpExtInst, {1, 8, 4, 31, 9}), "1:1 2:1 3:1 4:1 5:1"},
      {"unknown non-semantic instruction",
       {non_semantic},
       op(Op::OpExtInst, {1, 8, 5, 99, 9, 10}),
       "1:1 2:1 3:1 4:1 5:1 6:1"},
      {"opcode of a specialization constant", {}, op(Op::OpSpecConstantOp, {1, 8, 128, 9, 10}), "1:1 2:1 3:1 4:1 5:1"},
      {"its literal operands", {}, op(Op::OpSpecConstantOp, {1, 8, 81, 9, 3, 4}), "1:1 2:1 3:1 4:1 5:1 6:1"},
  };
  for (const auto& c : cases) {
    const Decoded got = decode(c.prelude, c.last);
    EXPECT_EQ(got.fault, DecodeFault::None) << c.what;
    EXPECT_EQ(got.shapes, c.shapes) << c.what;
  }
}

TEST(OperandDecoder, reports_every_fault_with_its_word) {
  const struct {
    const char* what;
    std::vector<Instruction> prelude;
    Instruction last;
    DecodeFault fault;
    std::uint16_t word;
  } cases[] = {
      {"opcode", {}, {0x0001FFFF}, DecodeFault::UnknownOpcode, 0},
      {"enumerant", {}, op(Op::OpCapability, {99999}), DecodeFault::UnknownEnumerant, 1},
      {"mask", {}, op(Op::OpLoad, {7, 8, 9, 0x80000000}), DecodeFault::UnknownMaskBits, 4},
      {"missing operand", {}, op(Op::OpIAdd, {7, 8, 9}), DecodeFault::MissingOperand, 3},
      {"missing parameter", {}, op(Op::OpLoad, {7, 8, 9, 2}), DecodeFault::MissingOperand, 4},
      {"half a pair", {}, op(Op::OpGroupMemberDecorate, {7, 8, 9, 10}), DecodeFault::MissingOperand, 4},
      {"surplus words", {}, op(Op::OpNop, {1}), DecodeFault::SurplusWords, 1},
      {"string without end", {}, op(Op::OpName, {1, 0x61616161}), DecodeFault::UnterminatedString, 2},
      {"type not declared", {}, op(Op::OpConstant, {1, 2, 3}), DecodeFault::TypeNotScalar, 1},
      {"type of no number", {op(Op::OpTypeVoid, {1})}, op(Op::OpConstant, {1, 2, 3}), DecodeFault::TypeNotScalar, 1},
      {"half a literal", {int64}, op(Op::OpConstant, {2, 8, 1}), DecodeFault::TruncatedLiteral, 3},
      {"two literals", {int32}, op(Op::OpConstant, {1, 8, 1, 2}), DecodeFault::SurplusWords, 4},
      {"selector unknown", {}, op(Op::OpSwitch, {8, 20, 1, 21}), DecodeFault::SelectorNotInteger, 1},
      {"selector a type", {int32}, op(Op::OpSwitch, {1, 20, 1, 21}), DecodeFault::SelectorNotInteger, 1},
      {"set not imported", {}, op(Op::OpExtInst, {1, 8, 4, 31, 9}), DecodeFault::SetNotImported, 3},
      {"set is a label", {op(Op::OpLabel, {4})}, op(Op::OpExtInst, {1, 8, 4, 31, 9}), DecodeFault::SetNotImported, 3},
      {"unknown extended instruction", {glsl}, op(Op::OpExtInst, {1, 8, 4, 9999}), DecodeFault::UnknownExtInst, 4},
      {"surplus of an extended instruction",
       {glsl},
       op(Op::OpExtInst, {1, 8, 4, 31, 9, 10}),
       DecodeFault::SurplusWords,
       6},
      {"unknown set", {}, op(Op::OpExtInstImport, {4, 0x00006161}), DecodeFault::UnknownImport, 2},
      {"opcode not for specialization", {}, op(Op::OpSpecConstantOp, {1, 8, 61, 9}), DecodeFault::UnknownSpecOpcode, 3},
      {"id 0", {}, op(Op::OpIAdd, {7, 8, 0, 10}), DecodeFault::ZeroId, 3},
      {"id again", {op(Op::OpTypeVoid, {7})}, op(Op::OpTypeBool, {7}), DecodeFault::IdDefinedTwice, 1},
  };
  for (const auto& c : cases) {
    const Decoded got = decode(c.prelude, c.last);
    EXPECT_EQ(static_cast<int>(got.fault), static_cast<int>(c.fault)) << c.what;
    EXPECT_EQ(got.fault_word, c.word) << c.what;
  }
}

TEST(OperandDecoder, distinguishes_unknown_sets_from_sets_not_imported) {
  OperandDecoder decoder(builtin_grammar(), 100, 1000);
  EXPECT_EQ(decoder.decode(view(op(Op::OpExtInstImport, {4, 0x00006161}))), DecodeFault::UnknownImport);
  EXPECT_EQ(decoder.decode(view(op(Op::OpExtInst, {1, 8, 4, 31, 9}))), DecodeFault::SetUnknown);
  EXPECT_EQ(decoder.fault_word(), 4);
}

// The decoder caches the match of an instruction. These instructions resemble the cached one and differ from it.
TEST(OperandDecoder, caching_does_not_change_the_result) {
  const struct {
    const char* what;
    std::vector<Instruction> before;
    Instruction last;
  } cases[] = {
      {"the same", {op(Op::OpIAdd, {7, 8, 9, 10})}, op(Op::OpIAdd, {7, 11, 9, 10})},
      {"the same result", {op(Op::OpIAdd, {7, 8, 9, 10})}, op(Op::OpIAdd, {7, 8, 9, 10})},
      {"an id that is 0", {op(Op::OpIAdd, {7, 8, 9, 10})}, op(Op::OpIAdd, {7, 11, 0, 10})},
      {"another length", {op(Op::OpLoad, {7, 8, 9})}, op(Op::OpLoad, {7, 11, 9, 0})},
      {"another mask", {op(Op::OpLoad, {7, 8, 9, 2, 4})}, op(Op::OpLoad, {7, 11, 9, 8, 4})},
      {"a mask without its operand", {op(Op::OpLoad, {7, 8, 9, 2, 4})}, op(Op::OpLoad, {7, 11, 9, 1, 4})},
      {"another decoration", {op(Op::OpDecorate, {7, 30, 1})}, op(Op::OpDecorate, {7, 11, 1})},
      {"a decoration's enumerant", {op(Op::OpDecorate, {7, 11, 1})}, op(Op::OpDecorate, {7, 11, 9999})},
      {"a string's length", {op(Op::OpName, {7, 0x61616161, 0})}, op(Op::OpName, {7, 0x61616161, 0x61616161})},
      {"a literal's type", {int32, int64, op(Op::OpConstant, {1, 8, 5})}, op(Op::OpConstant, {2, 11, 5})},
      {"the labels' width",
       {int32, int64, op(Op::OpUndef, {1, 7}), op(Op::OpUndef, {2, 8}), op(Op::OpSwitch, {7, 9, 1, 9, 2, 9, 3, 9})},
       op(Op::OpSwitch, {8, 9, 1, 9, 2, 9, 3, 9})},
      {"a set's instruction", {glsl, op(Op::OpExtInst, {1, 8, 4, 31, 9})}, op(Op::OpExtInst, {1, 11, 4, 40, 9})},
      {"the same of a set", {glsl, op(Op::OpExtInst, {1, 8, 4, 31, 9})}, op(Op::OpExtInst, {1, 11, 4, 31, 10})},
      {"an operand that is 0", {glsl, op(Op::OpExtInst, {1, 8, 4, 31, 9})}, op(Op::OpExtInst, {1, 11, 4, 31, 0})},
      {"another set", {glsl, opencl, op(Op::OpExtInst, {1, 8, 4, 31, 9})}, op(Op::OpExtInst, {1, 11, 5, 31, 9})},
      {"no set", {glsl, op(Op::OpExtInst, {1, 8, 4, 31, 9})}, op(Op::OpExtInst, {1, 11, 6, 31, 9})},
      {"a literal at the end",
       {opencl, op(Op::OpExtInst, {1, 8, 5, 171, 9, 10, 2})},
       op(Op::OpExtInst, {1, 11, 5, 171, 9, 10, 0})},
      {"a type", {op(Op::OpTypeFloat, {7, 32})}, op(Op::OpTypeFloat, {8, 64})},
  };
  for (const auto& c : cases) {
    // Compared with a decoder that has decoded the same definitions but no instruction with the same opcode.
    OperandDecoder used(builtin_grammar(), 100, 1000), fresh(builtin_grammar(), 100, 1000);
    for (const Instruction& words : c.before) {
      EXPECT_EQ(used.decode(view(words)), DecodeFault::None) << c.what;
      if (view(words).opcode != view(c.last).opcode) fresh.decode(view(words));
    }
    if (std::string_view(c.what) == "the same result") fresh.decode(view(op(Op::OpUndef, {7, 8})));
    const DecodeFault got = used.decode(view(c.last)), expected = fresh.decode(view(c.last));
    EXPECT_EQ(static_cast<int>(got), static_cast<int>(expected)) << c.what;
    EXPECT_EQ(used.fault_word(), fresh.fault_word()) << c.what;
    EXPECT_EQ(used.shapes(), fresh.shapes()) << c.what;
    EXPECT_EQ(used.row(), fresh.row()) << c.what;
    EXPECT_EQ(used.ext_inst(), fresh.ext_inst()) << c.what;
    EXPECT_EQ(used.ext_inst_set(), fresh.ext_inst_set()) << c.what;
    EXPECT_EQ(used.literal_type().width, fresh.literal_type().width) << c.what;
    const auto same = [](const Operand& a, const Operand& b) {
      return a.word == b.word && a.word_count == b.word_count && a.kind == b.kind && a.shape == b.shape &&
             a.is_parameter == b.is_parameter;
    };
    EXPECT_TRUE(std::ranges::equal(used.operands(), fresh.operands(), same)) << c.what;
    EXPECT_EQ(used.type_of(11), fresh.type_of(11)) << c.what;
  }
}

TEST(OperandDecoder, returns_the_shapes_of_operands) {
  OperandDecoder decoder(builtin_grammar(), 100, 1000);
  const Instruction load = op(Op::OpLoad, {7, 8, 9, 2, 4}), again = op(Op::OpLoad, {7, 10, 9, 2, 16});
  std::uint32_t expected = 0;
  for (const OperandShape shape : {OperandShape::IdResultType, OperandShape::IdResult, OperandShape::IdRef,
                                   OperandShape::BitEnum, OperandShape::LiteralInteger}) {
    expected |= OperandDecoder::bit_of(shape);
  }
  for (const Instruction& words : {load, again}) {
    ASSERT_EQ(decoder.decode(view(words)), DecodeFault::None);
    EXPECT_EQ(decoder.shapes(), expected);
  }
}

TEST(OperandDecoder, decodes_ids_far_beyond_the_bound) {
  OperandDecoder decoder(builtin_grammar(), 2, 10);
  const Instruction type = op(Op::OpTypeInt, {0xFFFFFFF0, 64, 0});
  const Instruction constant = op(Op::OpConstant, {0xFFFFFFF0, 0xFFFFFFF1, 1, 2});
  EXPECT_EQ(decoder.decode(view(type)), DecodeFault::None);
  EXPECT_EQ(decoder.decode(view(constant)), DecodeFault::None);
  EXPECT_EQ(decoder.operands().back().word_count, 2);
}

TEST(OperandDecoder, records_the_types_of_values) {
  OperandDecoder decoder(builtin_grammar(), 100, 100);
  const Instruction constant = op(Op::OpConstant, {1, 8, 5});
  ASSERT_EQ(decoder.decode(view(int32)), DecodeFault::None);
  ASSERT_EQ(decoder.decode(view(constant)), DecodeFault::None);
  EXPECT_EQ(decoder.type_of(8), 1u);
  EXPECT_EQ(decoder.type_of(1), 0u);
  EXPECT_EQ(decoder.scalar_type(1).width, 32);
  EXPECT_TRUE(decoder.scalar_type(1).is_signed);
  EXPECT_EQ(decoder.scalar_type(8).class_, ScalarType::Class::None);
}

}  // namespace
}  // namespace vireo::spirv
